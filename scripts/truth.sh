#!/usr/bin/env bash
# Compares what bin/reverse-spec says about public code with what the languages'
# own tools say; see truth/; and uses public MCP servers. What they need is fetched at the versions below
# into a cache outside the repository (TRUTH_CACHE); what cannot be fetched or is
# not installed is passed over, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(typescript@5.9.3 rxjs@7.8.1 zod@3.25.76 effect@3.10.0 @reduxjs/toolkit@2.3.0 prettier@3.6.2)
mermaid=(mermaid@11.17.2)
servers=(@modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31)

export TRUTH_CACHE=${TRUTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/truth}
export REVERSE_SPEC=$PWD/bin/reverse-spec
mkdir -p "$TRUTH_CACHE"

# fetch FOLDER PACKAGE... installs packages from npm into a folder of the cache.
fetch() {
  local folder=$TRUTH_CACHE/$1
  shift
  local want="$*"
  [ "$(cat "$folder/fetched" 2>/dev/null)" != "$want" ] || return 0
  mkdir -p "$folder"
  rm -f "$folder/fetched"
  echo '{"private": true}' >"$folder/package.json"
  timeout 120 npm install --prefix "$folder" --silent --no-audit --no-fund --ignore-scripts "$@" </dev/null >"$folder/npm.log" 2>&1 || return
  echo "$want" >"$folder/fetched"
}

if ! command -v npm >/dev/null; then
  echo "npm is not installed: the comparison with TypeScript's checker and the public MCP servers are passed over"
else
  fetch . "${packages[@]}" ||
    echo "npm could not fetch ${packages[*]} (see $TRUTH_CACHE/npm.log): the comparison with TypeScript's checker is passed over"
  fetch mcp "${servers[@]}" ||
    echo "npm could not fetch ${servers[*]} (see $TRUTH_CACHE/mcp/npm.log): the public MCP servers are passed over"
  fetch mermaid "${mermaid[@]}" ||
    echo "npm could not fetch ${mermaid[*]} (see $TRUTH_CACHE/mermaid/npm.log): Mermaid's own parser is passed over"
fi

export TRUTH_SPECS=$TRUTH_CACHE/specs
scripts/corpora.sh java rust
scripts/specs.sh "$TRUTH_SPECS"
REVERSE_SPEC_TRUTH=1 go test -count=1 -timeout 30m -v -run '^(TestSpecsOfTheStandardLibraryAreWhatGoTypesSees|TestBatchOfTheStandardLibraryIsWhatGoTypesSees|TestPublicSpecs.*)$' ./spec | grep -vE '^ *(=== |--- PASS)'

go test -count=1 -v -run '^TestReal' ./mcp/client | grep -vE '^=== '
go test -count=1 -v -run '^TestExportListsAreTheCompilers$' ./graph | grep -vE '^=== '
go test -count=1 -v -run '^(TestPagesInABrowser|TestIndexIsFilteredWhileOneTypes|TestMapIsMovedAndScaled)$' ./view | grep -vE '^=== '

if ! go -C truth mod download; then
  echo "the modules of truth/ could not be fetched: all comparisons are passed over"
  exit 0
fi

# Without go test's chatter, and without apidiff's.
go -C truth test -count=1 -v ./... | grep -vE '^(=== (RUN|PAUSE|CONT)|!|  (first|second):)'
