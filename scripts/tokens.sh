#!/usr/bin/env bash
# tokens.sh [repository ...]: measures in tokens what an agent pays for finding code: the definitions of tools, whole
# answers, and how much it reads until the right function appears; next to ripgrep, CodeGraph and OpenLore. Prints the table
# of docs/retrieval.md, and fails above the goals (test/truth/cmd/tokens). The questions are those of retrieval.sh, TOKENS_SAMPLE (20) of
# each kind and repository, about repositories that nothing was tuned on. What cannot be fetched is left out, and said.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

[ $# -gt 0 ] || set -- gorilla/mux mkdocstrings/griffe toss/es-toolkit apache/commons-cli rack/rack prometheus/common
cache=${RETRIEVAL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/retrieval}
peers=${TOKENS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/tokens}
mkdir -p "$cache" "$peers"
cache=$(cd "$cache" && pwd)
program=$PWD/bin/reverse-spec
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

while read -r name extensions use; do
  [[ " $* " == *" $name "* ]] || continue
  git=$cache/${name/\//+}/repo
  if ! [ -d "$git" ]; then
    if ! git clone --quiet --bare "https://github.com/$name" "$git.part" 2>"$work/log"; then
      echo "$name: could not be fetched: $(tail -1 "$work/log")"
      rm -rf "$git.part"
      continue
    fi
    mv "$git.part" "$git"
  fi
  echo "$name $git $extensions $use" >>"$work/list"
done <scripts/retrieval.txt
[ -s "$work/list" ] || { echo "there is no repository to ask about"; exit 1; }

mkdir "$work/questions"
REVERSE_SPEC_RETRIEVAL=$work/list REVERSE_SPEC_QUESTIONS=$work/questions REVERSE_SPEC_RETRIEVAL_SAMPLE=${TOKENS_SAMPLE:-20} \
  go test -count=1 -run '^TestQuestionsAreWritten$' -timeout 20m ./internal/codegraph/search >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# OpenLore needs a newer node than many systems have.
codegraph='' openlore=''
SCRIPTS=1 fetch "$peers/node" node@22.23.3 && PATH=$peers/node/node_modules/.bin:$PATH
fetch "$peers/codegraph" @colbymchenry/codegraph@1.6.1 && codegraph=$peers/codegraph/node_modules/.bin/codegraph
fetch "$peers/openlore" openlore@2.2.0 && openlore=$peers/openlore/node_modules/.bin/openlore

go -C test/truth build -o "$work/tokens" ./cmd/tokens
export HOME=$work/home REVERSE_SPEC_HOME=$work/graphs CODEGRAPH_TELEMETRY=0 DO_NOT_TRACK=1
mkdir "$HOME"
"$work/tokens" -program "$program" -ripgrep "$(command -v rg || true)" -codegraph "$codegraph" -openlore "$openlore" -questions "$work/questions"
