#!/usr/bin/env bash
# Compares what bin/reverse-spec says about public code with what the languages'
# own tools say; see test/truth/; and uses public MCP servers. What they need is fetched at the versions below
# into a cache outside the repository (TRUTH_CACHE); what cannot be fetched or is
# not installed is passed over, and said.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

packages=(typescript@5.9.3 rxjs@7.8.1 zod@3.25.76 effect@3.10.0 @reduxjs/toolkit@2.3.0 prettier@3.6.2)
mermaid=(mermaid@11.17.2)
servers=(@modelcontextprotocol/server-everything@2026.8.31 @modelcontextprotocol/server-filesystem@2026.8.31)

export TRUTH_CACHE=${TRUTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/truth}
export REVERSE_SPEC=$PWD/bin/reverse-spec
mkdir -p "$TRUTH_CACHE"

fetch "$TRUTH_CACHE" "${packages[@]}" || true
fetch "$TRUTH_CACHE/mcp" "${servers[@]}" || true
fetch "$TRUTH_CACHE/mermaid" "${mermaid[@]}" || true

export TRUTH_SPECS=$TRUTH_CACHE/specs
scripts/corpora.sh java rust
scripts/specs.sh "$TRUTH_SPECS"
REVERSE_SPEC_TRUTH=1 go test -count=1 -timeout 30m -v -run '^(TestSpecsOfTheStandardLibraryAgreeWithGoTypes|TestBatchOfTheStandardLibraryAgreesWithGoTypes|TestPublicSpecs.*)$' ./spec | grep -vE '^ *(=== |--- PASS)'

go test -count=1 -v -run '^TestReal' ./internal/mcpclient | grep -vE '^=== '
go test -count=1 -v -run '^(TestPagesInABrowser|TestIndexIsFilteredWhileOneTypes|TestMapIsMovedAndScaled)$' ./internal/view | grep -vE '^=== '

if ! go -C test/truth mod download; then
  echo "the modules of test/truth/ could not be fetched: all comparisons are passed over"
  exit 0
fi

# Without go test's chatter, and without apidiff's. What uses clients is for scripts/plugin.sh.
mapfile -t comparisons < <(go -C test/truth list ./... | grep -v /clients$)
go -C test/truth test -count=1 -v "${comparisons[@]}" | grep -vE '^(=== (RUN|PAUSE|CONT)|!|  (first|second):)'
