#!/usr/bin/env bash
# Fetches the files of others that tests compare with into a cache outside the repository,
# where internal/testsupport/oracle finds them: the feature files of the openCypher TCK, at
# the commit in internal/testsupport/oracle/tck.txt. TCK_SOURCE names another copy of that
# repository, such as a mirror on this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

read -r repository commit folder <internal/testsupport/oracle/tck.txt
cache=${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/oracles
tck=$cache/tck-$commit
if [ ! -d "$tck" ]; then
  source=${TCK_SOURCE:-$repository}
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  git init -q "$work/repository"
  # What git fetches by its hash has that hash: nothing else is there to check.
  if ! git -C "$work/repository" fetch -q --depth 1 "$source" "$commit"; then
    echo "oracles: commit $commit could not be fetched from $source (TCK_SOURCE may name another copy)" >&2
    exit 1
  fi
  git -C "$work/repository" -c core.autocrlf=false archive FETCH_HEAD "$folder" | tar -x -C "$work"
  mv "$work/$folder" "$tck"
fi
echo "oracles: $(find "$tck" -name '*.feature' | wc -l) feature files of the openCypher TCK in $tck"
