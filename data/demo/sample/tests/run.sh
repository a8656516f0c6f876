#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh [NAME...]: builds tally and runs the cases in tests/cases (all of them without names).
# A case is NAME.in (input), NAME.out (expected output) and, if it has options, NAME.args.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cc -std=c99 -Wall -o "$work/tally" "$root"/src/*.c || exit 1

if [ $# -eq 0 ]; then
  for file in "$root"/tests/cases/*.in; do
    set -- "$@" "$(basename "$file" .in)"
  done
fi

failed=0
for name in "$@"; do
  case=$root/tests/cases/$name
  args=
  [ -f "$case.args" ] && args=$(cat "$case.args")
  # The options are words without spaces.
  # shellcheck disable=SC2086
  "$work/tally" $args <"$case.in" >"$work/out" 2>&1
  if diff "$case.out" "$work/out" >"$work/diff"; then
    echo "ok   $name"
  else
    echo "FAIL $name"
    cat "$work/diff"
    failed=$((failed + 1))
  fi
done

echo "$# run, $failed failed"
[ "$failed" -eq 0 ]
