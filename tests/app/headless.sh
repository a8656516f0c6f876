#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# headless.sh [-s WxH] COMMAND...: runs COMMAND under a display, a session bus and folders of its own, and exits with
# its status. Needs Xvfb and dbus-run-session.
set -u
size=1440x900
if [ "${1:-}" = -s ]; then
  size=$2
  shift 2
fi
# Agents that were installed for tests lie in the cache of the person, which is out of sight soon.
export FOREDECK_AGENTS_DIR=${FOREDECK_AGENTS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/foredeck-agents}
dir=$(mktemp -d)
chmod 700 "$dir"
mkdir -p "$dir/run" "$dir/config" "$dir/data" "$dir/cache" "$dir/home"
chmod 700 "$dir/run"
export XDG_RUNTIME_DIR=$dir/run XDG_CONFIG_HOME=$dir/config XDG_DATA_HOME=$dir/data XDG_CACHE_HOME=$dir/cache
export HOME=$dir/home GDK_BACKEND=x11 GSETTINGS_BACKEND=memory GSK_RENDERER=cairo GTK_A11Y=
unset WAYLAND_DISPLAY GTK_A11Y
# A number of one's own: of those that -displayfd finds free, another server may take the same one.
for try in 1 2 3 4 5; do
  number=$((100 + ($$ + try * 7919) % 50000))
  : >"$dir/display"
  Xvfb ":$number" -displayfd 7 -screen 0 "${size}x24" -nolisten tcp -noreset 7>"$dir/display" \
    >"$dir/xvfb.log" 2>&1 &
  xvfb=$!
  for _ in $(seq 400); do
    [ -s "$dir/display" ] && break 2
    kill -0 $xvfb 2>/dev/null || break
    read -rt 0.05 _ < <(:) || :
  done
  kill $xvfb 2>/dev/null
done
if [ ! -s "$dir/display" ]; then
  cat "$dir/xvfb.log" >&2
  rm -rf "$dir"
  exit 77
fi
DISPLAY=:$number
export DISPLAY
# Those who serve the session's buses have warnings that are no fault of ours.
unset G_DEBUG
timeout -k 5 "${HEADLESS_TIMEOUT:-240}" dbus-run-session -- "$@"
status=$?
kill $xvfb 2>/dev/null
wait $xvfb 2>/dev/null
rm -rf "$dir"
exit $status
