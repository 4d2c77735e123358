#!/usr/bin/env bash
# Runs every benchmark ten times and compares with bench.txt, if there is one.
# The new figures stay in a temporary file: copy it to bench.txt to make it the
# one to compare with. It is per machine; do not commit it.
set -euo pipefail
cd "$(dirname "$0")/.."

new=$(mktemp "${TMPDIR:-/tmp}/reverse-spec-bench.XXXXXX")
go test -run '^$' -bench . -benchmem -count "${COUNT:-10}" ./... | tee "$new"
if [ -f bench.txt ]; then
  go tool -modfile=scripts/tools/go.mod benchstat bench.txt "$new"
else
  go tool -modfile=scripts/tools/go.mod benchstat "$new"
fi
echo "figures: $new"
