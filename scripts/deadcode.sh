#!/usr/bin/env bash
# Names the functions that neither the program nor a tool of ours reaches, and fails if there
# are any. What tests alone reach is dead; it belongs into their files, or into
# internal/testsupport, which is left out here. scripts/deadcode.txt lists what is kept, and
# why; a line there that is not needed fails, too.
set -euo pipefail
cd "$(dirname "$0")/.."

found=$(go tool -modfile=scripts/tools/go.mod deadcode -tags conformance \
  -f '{{$p := .Path}}{{range .Funcs}}{{if not .Generated}}{{println $p .Name .Position}}{{end}}{{end}}' ./... |
  sed 's|^github.com/reverse-spec/reverse-spec/||' | { grep -v '^internal/testsupport/' || true; } | sort -u)
kept=$(sed -n 's/ *#.*//; /./p' scripts/deadcode.txt | sort)

status=0
while read -r folder name position; do
  if [ -n "$folder" ] && ! grep -qxF "$folder $name" <<<"$kept"; then
    echo "$position: nothing reaches $name"
    status=1
  fi
done <<<"$found"
while read -r line; do
  if [ -n "$line" ] && ! grep -qF "$line " <<<"$found"; then
    echo "scripts/deadcode.txt: $line is not dead"
    status=1
  fi
done <<<"$kept"
exit $status
