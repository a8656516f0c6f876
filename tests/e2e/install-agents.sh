#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# install-agents.sh [NAME...]: puts agent CLIs from npm (pi and claude without names; also codex,
# gemini, opencode, claude-agent-acp, codex-acp and pi-acp) with a Node that they accept under $FOREDECK_AGENTS_DIR or $XDG_CACHE_HOME/foredeck-agents, each in a prefix of its
# own, and links them into its bin folder. What is there already is left alone; --update looks for
# newer releases. With an older Node, npm would install old releases without a word.
set -eu

root=${FOREDECK_AGENTS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/foredeck-agents}
update=
if [ "${1:-}" = --update ]; then
  update=yes
  shift
fi
[ $# -gt 0 ] || set -- pi claude

command -v npm >/dev/null || { echo "npm is not installed; install nodejs and npm" >&2; exit 1; }

put () # FOLDER PACKAGE
{
  mkdir -p "$root/$1"
  [ -f "$root/$1/package.json" ] || echo '{"private":true}' >"$root/$1/package.json"
  npm install --prefix "$root/$1" --no-audit --no-fund --loglevel=error "$2" >&2
}

mkdir -p "$root/bin"
# Several tests may come here at once.
if command -v flock >/dev/null; then
  exec 9>"$root/lock"
  flock 9
fi
node=$root/node/node_modules/node/bin/node
if [ -n "$update" ] || [ ! -x "$node" ]; then
  put node node@24
fi
PATH=$(dirname "$node"):$PATH
export PATH
ln -sf "$node" "$root/bin/node"

for name in "$@"; do
  case $name in
    pi) package=@earendil-works/pi-coding-agent ;;
    claude) package=@anthropic-ai/claude-code ;;
    codex) package=@openai/codex ;;
    gemini) package=@google/gemini-cli ;;
    opencode) package=opencode-ai ;;
    claude-agent-acp) package=@agentclientprotocol/claude-agent-acp ;;
    codex-acp) package=@zed-industries/codex-acp ;;
    pi-acp) package=pi-acp ;;
    *) echo "install-agents.sh: unknown agent $name" >&2; exit 2 ;;
  esac
  program=$root/$name/node_modules/.bin/$name
  if [ -n "$update" ] || [ ! -x "$program" ]; then
    put "$name" "$package@latest"
  fi
  ln -sf "$program" "$root/bin/$name"
done

echo "$root/bin"
