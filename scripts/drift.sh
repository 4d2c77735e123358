#!/usr/bin/env bash
# drift.sh: compares the breaking changes that `diff --base` reports between releases of public code with those that the
# language's own tools see (apidiff, tsc, javac), and counts the items of changes that change nothing. It prints a table, and
# fails below the goals. What is fetched is kept in a cache outside this repository (DRIFT_CACHE), where owner+name/repo is the
# git folder of each repository; what cannot be fetched is skipped, with a word. `scripts/drift.sh Go` runs the tests with that
# in their name. DRIFT_HELD=1 shows the disagreements of held pairs, too; DRIFT_PAIRS is a regular expression for the names of
# the packages to compare.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

cache=${DRIFT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/drift}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
fetch "$cache/tsc-node" typescript@5.9.3 @types/node@20.19.25 || true

# fetched name commit depth: fetches a commit of a public repository, unless it is in the cache.
fetched() {
  local git="$cache/${1/\//+}/repo"
  [ -d "$git/.git" ] && git="$git/.git"
  git --git-dir="$git" cat-file -e "$2^{commit}" 2>/dev/null && return
  { [ -d "$git" ] || git init -q --bare "$git"; } &&
    timeout 600 git --git-dir="$git" fetch -q --depth "$3" "https://github.com/$1" "$2" 2>/dev/null || echo "$1: commit $2 could not be fetched"
}
fetched kjezek/api-evolution-data-corpus "$(sed -n 's/.*corpusCommit = "\(.*\)"/\1/p' test/truth/releases/java_test.go)" 1
while read -r name commit _; do
  case $name in '' | '#'*) ;; *) fetched "$name" "$commit" 2 ;; esac
done <test/truth/releases/noise.txt

export REVERSE_SPEC_DRIFT=$cache
export REVERSE_SPEC_PROGRAM=${REVERSE_SPEC_PROGRAM:-$PWD/native/$(go env GOOS)-$(go env GOARCH)/reverse-spec}
cd test/truth/releases # so that go test shows the output of a test that passes, too
go test -trimpath -count=1 -timeout 60m -v -run "${1:-.}" | grep --line-buffered -vE '^=== ' | sed -uE 's/^ *[a-z_]+\.go:[0-9]+: //; s/^table: //'
