#!/usr/bin/env bash
# secrets.sh: fetches the public code of secrets.txt and the test data of two other
# programs that look for secrets, and prints the tables of docs/secrets.md: the share of
# planted secrets that is kept out, and the false alarms per corpus. All is kept in a
# cache outside the repository (SECRETS_CACHE). What cannot be fetched is named and skipped.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${SECRETS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/secrets}
mkdir -p "$cache/vectors" "$cache/git"
cache=$(cd "$cache" && pwd)
CORPORA_CACHE=$cache CORPORA_LIST=$PWD/scripts/secrets.txt scripts/corpora.sh

# clone name url commit folder: the folder of a repository at a commit.
clone() {
  local dir=$cache/git/$1@$3
  if [ ! -d "$dir" ]; then
    local part
    part=$(mktemp -d "$cache/part.XXXX")
    if git -C "$part" init -q && timeout 600 git -C "$part" fetch -q --depth 1 "$2" "$3" 2>/dev/null && git -C "$part" checkout -q FETCH_HEAD -- "$4"; then
      mv "$part" "$dir"
    else
      rm -rf "$part"
      echo "vectors $1: $2 could not be fetched: skipped"
      return
    fi
  fi
  ln -sfn "$dir" "$cache/vectors/$1"
}
clone trufflehog https://github.com/trufflesecurity/trufflehog 3ab759fef4bb5935d4fe9ac68b503d05346b8364 pkg/detectors
clone detect-secrets https://github.com/Yelp/detect-secrets 5e141933554a0b74e7341841f318be21e895339c tests/plugins

REVERSE_SPEC_CORPORA=$cache go test -count=1 -timeout 30m -v \
  -run '^(TestSecretsUnderTheNamesOfPublicCode|TestVectorsOfOtherScanners|TestFalseAlarmsOnPublicCode)$' ./internal/redact |
  grep -E 'kept out|false alarms|names of secrets|^(ok|FAIL|---)' | sed 's/^ *[a-z_]*\.go:[0-9]*: //'
go test -run '^$' -bench '^BenchmarkText$' -count 3 ./internal/redact | grep MB/s
