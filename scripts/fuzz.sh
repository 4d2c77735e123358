#!/usr/bin/env bash
# fuzz.sh [time]: runs each fuzz target for the time given (30s).
# A failing input is kept by go test under the package's testdata/fuzz: commit
# it together with the mending.
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-30s}

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# race_at_the_end tells whether the log holds nothing but the race that Go
# before 1.27 loses now and then when the time is up (golang/go#75804): a bare
# "context deadline exceeded" where a failure would stand, and no input kept.
race_at_the_end() {
  ! grep -qE 'Failing input written|panic|testing\.go|_test\.go' "$log" &&
    grep -A1 '^--- FAIL: Fuzz' "$log" | grep -qx ' *context deadline exceeded'
}

# Lines of "folder name", found in the text: go test -list would build every
# test binary first.
targets=$(grep -rEo --include='*_test.go' --exclude-dir=testdata --exclude-dir='.?*' \
  '^func Fuzz[A-Za-z0-9_]*' . | sed -E 's|^(.*)/[^/]*:func (.*)$|\1 \2|' | sort -u) || true
if [ -z "$targets" ]; then
  echo "no fuzz targets"
  exit 0
fi

failed=0
while read -r folder name; do
  echo "== $folder $name, $time"
  if go test -run '^$' -fuzz "^$name\$" -fuzztime "$time" "$folder" >"$log" 2>&1 || race_at_the_end; then
    grep '^fuzz: elapsed' "$log" | tail -n 1
  else
    cat "$log"
    failed=1
  fi
done <<<"$targets"
exit "$failed"
