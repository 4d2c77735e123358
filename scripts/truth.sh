#!/usr/bin/env bash
# Compares what bin/reverse-spec says about public code with what the languages'
# own tools say; see truth/. What they need is fetched at the versions below
# into a cache outside the repository (TRUTH_CACHE); what cannot be fetched or is
# not installed is passed over, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(typescript@5.9.3 rxjs@7.8.1 zod@3.25.76 prettier@3.6.2)

export TRUTH_CACHE=${TRUTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/truth}
export REVERSE_SPEC=$PWD/bin/reverse-spec
mkdir -p "$TRUTH_CACHE"

fetch() {
  local want="${packages[*]}"
  [ "$(cat "$TRUTH_CACHE/fetched" 2>/dev/null)" != "$want" ] || return 0
  rm -f "$TRUTH_CACHE/fetched"
  echo '{"private": true}' >"$TRUTH_CACHE/package.json"
  timeout 120 npm install --prefix "$TRUTH_CACHE" --silent --no-audit --no-fund --ignore-scripts "${packages[@]}" </dev/null >"$TRUTH_CACHE/npm.log" 2>&1 || return
  echo "$want" >"$TRUTH_CACHE/fetched"
}

if ! command -v npm >/dev/null; then
  echo "npm is not installed: the comparison with TypeScript's checker is passed over"
elif ! fetch; then
  echo "npm could not fetch ${packages[*]} (see $TRUTH_CACHE/npm.log): the comparison with TypeScript's checker is passed over"
fi

go test -count=1 -v -run '^TestExportListsAreTheCompilers$' ./graph | grep -vE '^=== '

if ! go -C truth mod download; then
  echo "the modules of truth/ could not be fetched: all comparisons are passed over"
  exit 0
fi

# Without go test's chatter, and without apidiff's.
go -C truth test -count=1 -v ./... | grep -vE '^(=== (RUN|PAUSE|CONT)|!|  (first|second):)'
