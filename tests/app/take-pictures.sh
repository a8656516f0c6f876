#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Takes every page of the window in every size and mode, for people to look at:
#
#   build-aux/headless tests/app/take-pictures.sh BUILD FOLDER [-p PAGE] [-s SIZE] [-m MODE]
#
# PAGE, SIZE and MODE are patterns (bash's extended ones) that choose among them. The runs are made
# once, in FOLDER/home: two real ones of the demo, and those of make-fixture-home.
set -u
shopt -s extglob

usage ()
{
  sed -n '3,9s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

[ $# -ge 2 ] || usage
build=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
root=$(realpath "$(dirname "$0")/../..")
shift 2
pages='*' sizes='*' modes='@(light|dark)'
while getopts p:s:m: option; do
  case $option in
    p) pages=$OPTARG ;;
    s) sizes=$OPTARG ;;
    m) modes=$OPTARG ;;
    *) usage ;;
  esac
done

export FOREDECK_HOME=$folder/home FOREDECK_DATA=$root/data FOREDECK_LIBEXEC=$build/src
export GSETTINGS_SCHEMA_DIR=$build/data GSETTINGS_BACKEND=memory XDG_CONFIG_HOME=$folder/config
export PATH=$folder/bin:$PATH
foredeck=$build/src/foredeck
foredeckctl=$build/src/foredeckctl

make_home ()
{
  mkdir -p "$folder/config/gtk-4.0" "$folder/projects"
  printf '[Settings]\ngtk-font-name=Cantarell 11\n' >"$folder/config/gtk-4.0/settings.ini"
  mkdir -p "$folder/large/gtk-4.0"
  printf '[Settings]\ngtk-font-name=Cantarell 22\n' >"$folder/large/gtk-4.0/settings.ini"
  make_agents
  printf '# The report speaks German\n\n1. Move the texts\n2. Translate them @writer\n- Test it\n' \
    >"$folder/plan.md"
  git init -q -b main "$folder/projects/webshop"
  "$build/tests/app/make-fixture-home" "$FOREDECK_HOME" "$folder/projects/webshop" || return
  "$foredeckctl" demo "$folder/projects/sample/tally" --json >"$folder/demo.json" || return
  "$foredeckctl" demo "$folder/projects/asking/tally" --approve ask --json >"$folder/asking.json"
  # 3: it waits for a person, as it should.
  [ $? = 3 ] && make_review
}

# make_review: a result that nobody merged yet, with comments on it.
make_review ()
{
  local run
  FOREDECK_DEMO_SPEED=10 "$foredeckctl" demo "$folder/projects/reviewing/tally" --approve ask \
    --json >"$folder/review.json"
  run=$(run_of "$folder/review.json")
  FOREDECK_DEMO_SPEED=10 "$foredeckctl" approve "$run" && "$foredeckctl" wait "$run" &&
    "$foredeckctl" comment "$run" src/main.c:33 "Say in the help which of both wins." &&
    "$foredeckctl" comment "$run" src/main.c:52 "An unknown option should end with 2."
  "$foredeckctl" schedule add "0 9 * * mon-fri" --name "Update the dependencies" -- \
    run --approve auto "Update the dependencies" >"$folder/schedule.log"
  "$foredeckctl" schedule add "every 6h" --name "Look for flaky tests" -- \
    run --team research "Look for flaky tests" >>"$folder/schedule.log"
}

# make_german: the locale, which is not on every machine; texts are translated in no other way.
make_german ()
{
  mkdir -p "$folder/locale"
  [ -e "$folder/locale/de_DE.UTF-8" ] ||
    localedef -i de_DE -f UTF-8 "$folder/locale/de_DE.UTF-8" ||
    { echo "take-pictures: no German without the sources of locales" >&2; exit 1; }
}

# make_agents: what is found on this machine, so that pages show the same anywhere.
make_agents ()
{
  mkdir -p "$folder/bin"
  printf '#!/bin/sh\necho "2.0.14 (Claude Code)"\n' >"$folder/bin/claude"
  printf '#!/bin/sh\necho 0.52.3\n' >"$folder/bin/pi"
  chmod +x "$folder/bin/claude" "$folder/bin/pi"
}

run_of ()
{
  sed -n 's/.*"run":"\([a-z0-9]*\)".*/\1/p' "$1" | head -n 1
}

# take NAME ARGUMENT...: in every size and mode that was asked for.
take ()
{
  local name=$1 size mode
  shift
  # shellcheck disable=SC2053
  [[ $name == $pages ]] || return 0
  for size in 1440x900 1000x700 400x800; do
    # shellcheck disable=SC2053
    [[ $size == $sizes ]] || continue
    for mode in light dark contrast contrast-dark large mirrored german; do
      # shellcheck disable=SC2053
      [[ $mode == $modes ]] || continue
      take_one "$name" "$size" "$mode" "$@"
    done
  done
}

take_one ()
{
  local file=$folder/$1-$2-$3.png size=$2 mode=$3
  local -a settings=() options=()
  shift 3
  case $mode in
    dark) options=(--dark) ;;
    contrast) settings=(ADW_DEBUG_HIGH_CONTRAST=1) ;;
    contrast-dark) settings=(ADW_DEBUG_HIGH_CONTRAST=1) options=(--dark) ;;
    large) settings=(XDG_CONFIG_HOME="$folder/large") ;;
    mirrored) settings=(GTK_DEBUG=invert-text-dir) ;;
    german) settings=(LC_ALL=de_DE.UTF-8 LOCPATH="$folder/locale" FOREDECK_LOCALE="$build/po") ;;
  esac
  rm -f "$file"
  env "${settings[@]}" "$foredeck" --screenshot "$file" --size "$size" "${options[@]}" "$@" \
    >"${file%.png}.log" 2>&1
  if [ -s "$file" ]; then
    n_taken=$((n_taken + 1))
  else
    echo "${file##*/}: no picture" >&2
    n_failed=$((n_failed + 1))
  fi
  grep -E 'WARNING|CRITICAL' "${file%.png}.log" | grep -vE "$noise" |
    sed "s|^|${file##*/}: |" >&2
  rm -f "${file%.png}.log"
}

# shellcheck disable=SC2053
[[ german != $modes ]] || make_german
n_taken=0 n_failed=0
noise='Vulkan|MESA|libEGL|portal|dconf|a11y|AT-SPI'
if [ ! -s "$folder/asking.json" ]; then
  make_home || { echo "take-pictures: the runs could not be made" >&2; exit 1; }
fi
demo=$(run_of "$folder/demo.json")
asking=$(run_of "$folder/asking.json")
review=$(run_of "$folder/review.json")

FOREDECK_HOME=$folder/fresh take first-start
FOREDECK_HOME=$folder/fresh take inbox-empty --page inbox
take welcome --page welcome
take inbox --page inbox
take plan --page "request:$asking-1"
take plan-changed --page request:planaaaa-1
take question --page request:asksaaaa-2
take permission --page request:asksaaaa-3
take run --page run csvaaaaa
take run-task --page run --select rows csvaaaaa
take demo --page run "$demo"
take demo-task --page run --select options "$demo"
take demo-failed --page run --select report "$demo"
take launch --page launch --select options "$demo"
take conflict --page run --select rows clasaaaa
take loop --page run --select checks-1 loopaaaa
take loop-tasks --page tasks --select checks-1 loopaaaa
take turns --page turns loopaaaa
take partly --page run partaaaa
take tasks --page tasks csvaaaaa
take changes --page changes "$demo"
take review --page changes --select src/main.c "$review"
take changes-none --page changes csvaaaaa
take log --page log "$demo"
take conversation --page conversation "$review"
take conversation-question --page conversation askaaaaa
take schedules --page schedules
take library --page library
take library-agent --page library --select "$FOREDECK_DATA/crew/agents/explorer.md"
take library-script --page library --select "$FOREDECK_DATA/crew/workflows/until-clean.crew.lua"
take library-workflow --page library --select "$FOREDECK_DATA/crew/workflows/implementation.workflow.md"
take failed --page run askaaaaa
take failed-task --page run --select port askaaaaa
take cancelled --page run cancaaaa
take interrupted --page run goneaaaa
take new-run --page new-run
take new-run-goal-loop --page new-run:goal-loop
take new-run-chain --page new-run:chain \
  --select 'explorer -> "repair what was found" -> parallel(reviewer, writer)'
take new-run-chain-wrong --page new-run:chain --select 'explorer -> -> writer'
take new-run-plan --page new-run:plan-file --select "$folder/plan.md"
take preferences --page preferences
take limits --page limits
take about --page about

echo "$n_taken taken, $n_failed failed; they are in $folder"
[ "$n_failed" = 0 ]
