#!/usr/bin/env bash
# reach.sh: compares the tests that we say reach a module with those whose coverage enters it, for the modules of
# test/reach/modules.txt, and prints each difference and the table of docs/accuracy.md.
# The repositories are kept in a cache outside this one (REACH_CACHE): owner+name/repo is the git folder of each, as in that
# of retrieval.sh. Python needs pytest and what the repositories import (REVERSE_SPEC_PYTHON is the interpreter), TypeScript
# npm, Java a JDK and Debian's libjacoco-java, junit4, libtruth-java and libguava-testlib-java. What cannot be fetched or run
# is skipped, with a word.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${REACH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/reach}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fetched folder name commit: whether the commit is in the git folder, fetched if need be.
fetched() {
  git --git-dir="$1" cat-file -e "$3^{commit}" 2>/dev/null && return
  git init -q --bare "$1" 2>"$work/log" &&
    timeout 600 git --git-dir="$1" fetch -q --depth 1 "https://github.com/$2" "$3" 2>"$work/log"
}

while read -r language name commit _; do
  folder=$work/${name/\//+}
  case $language in '' | '#'*) continue ;; esac
  [ "$name" = GOROOT ] || [ -d "$folder" ] && continue
  if ! fetched "$cache/${name/\//+}/repo" "$name" "$commit"; then
    echo "$name: commit $commit could not be fetched, skipped: $(tail -1 "$work/log")"
    continue
  fi
  mkdir "$folder"
  git --git-dir="$cache/${name/\//+}/repo" archive "$commit" 2>"$work/log" | tar -x -C "$folder" 2>>"$work/log" ||
    echo "$name: some files are not in the cache: $(tail -1 "$work/log")"
done <test/reach/modules.txt

if grep -q '^typescript ' test/reach/modules.txt; then # the tests find vitest in a folder above them
  echo '{"private":true}' >"$work/package.json"
  (cd "$work" && timeout 600 npm install --no-audit --no-fund --ignore-scripts vitest@3 jsdom@24 >"$work/log" 2>&1) ||
    echo "typescript: vitest could not be installed: $(tail -1 "$work/log")"
fi

cd test/reach # so that go test shows the output of a test that passes, too
REVERSE_SPEC_REACH=$work go test -count=1 -timeout 60m -run '^TestReach$'
