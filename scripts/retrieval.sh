#!/usr/bin/env bash
# retrieval.sh [--learn] [repository ...]: asks public code questions whose answers are known, and
# prints the tables of docs/retrieval.md. With --learn it asks the repositories that are there to
# learn from instead, and prints the weights of internal/codegraph/search/weights.go. The repositories of retrieval.txt are kept in a
# cache outside this one (RETRIEVAL_CACHE): owner+name/repo is the git folder of each.
# RETRIEVAL_SAMPLE bounds the questions of each kind and repository.
# RETRIEVAL_QUESTIONS can name a folder with ready questions, name/doc.jsonl and
# name/commits.jsonl, to be asked instead of our own. What cannot be fetched is passed
# over, and said.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${RETRIEVAL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/retrieval}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
learn=
if [ "${1:-}" = --learn ]; then learn=yes && shift; fi
list=$(mktemp)
trap 'rm -f "$list" "$list.graph.md"' EXIT

while read -r name extensions use; do
  case $name in '' | '#'*) continue ;; esac
  [ "${learn:+learned}" = "$use" ] || { [ -z "$learn" ] && [ "$use" != learned ]; } || continue
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  git=$cache/${name/\//+}/repo
  if ! [ -d "$git" ] && ! git clone --quiet --bare "https://github.com/$name" "$git.part" 2>"$list.log"; then
    echo "$name: could not be fetched: $(tail -1 "$list.log")"
    rm -rf "$git.part" "$list.log"
    continue
  fi
  [ -d "$git" ] || mv "$git.part" "$git"
  questions=${RETRIEVAL_QUESTIONS:+$RETRIEVAL_QUESTIONS/${name##*/}}
  [ -d "$questions" ] || questions=
  echo "$name $git $extensions $use $questions" >>"$list"
done <scripts/retrieval.txt

if [ -n "$learn" ]; then
  REVERSE_SPEC_LEARN=$list go test -count=1 -v -run '^TestWeights$' -timeout 60m ./internal/codegraph/search
  exit
fi
REVERSE_SPEC_RETRIEVAL=$list REVERSE_SPEC_RETRIEVAL_SAMPLE=${RETRIEVAL_SAMPLE:-} go test -count=1 -run '^TestFusion$' -timeout 60m ./internal/codegraph/search >"$list.log" 2>&1 || { cat "$list.log" && exit 1; }
rm -f "$list.log"
cat "$list.graph.md"
