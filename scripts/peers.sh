#!/usr/bin/env bash
# peers.sh [repository ...]: CodeGraph, from npm, and this program on the same trees in the same minutes: the full index, the first question
# after it, asked by a command, the index after one function was added to one file, the first question after that, and a later one. It prints the processor seconds of each (the median of ROUNDS, 3, in
# turn), with the programs that the command waits for, and how many times less ours takes; it fails where that is less than 5. Neither has a
# process in the background. The code of peers.txt and CodeGraph are kept in a cache outside this repository (PEERS_CACHE): owner+name/repo is the
# git folder of each. What cannot be fetched is skipped, with a word.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

codegraph=@colbymchenry/codegraph@1.6.1
least=5
cache=${PEERS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/peers}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export REVERSE_SPEC_HOME=$work/home REVERSE_SPEC_SERVER=0 GRAPH_RAG_CACHE_ENABLED=false CKB_UNAVAILABLE=1
export CODEGRAPH_NO_DAEMON=1 CODEGRAPH_TELEMETRY=0 CODEGRAPH_NO_UPDATE_CHECK=1 DO_NOT_TRACK=1
program=${PROGRAM:-$PWD/native/$(go env GOOS)-$(go env GOARCH)/reverse-spec}

command -v node >/dev/null || { echo "peers: node is not installed: nothing is compared" && exit 0; }
fetch "$cache/npm" "$codegraph" || exit 0
peer=$cache/npm/node_modules/.bin/codegraph

# cpu COMMAND...: the processor seconds of a command and what it waits for; its output goes to the log. Fails as it does.
cpu() {
  local TIMEFORMAT='%U %S' spent
  spent=$({ time "$@" </dev/null >>"$work/log" 2>&1; } 2>&1) || { echo "peers: $* failed: $(tail -1 "$work/log")" >&2 && return 1; }
  echo "$spent" | awk '{ print $1 + $2 }'
}

# change FILE N: adds a function that nobody uses.
change() {
  case $1 in
  *.go) printf '\nfunc peersAdded%d(n int) int { return n + %d }\n' "$2" "$2" >>"$1" ;;
  *.py) printf '\n\ndef _peers_added_%d(n):\n    return n + %d\n' "$2" "$2" >>"$1" ;;
  *.ts) printf '\nfunction peersAdded%d(n: number): number {\n  return n + %d\n}\n' "$2" "$2" >>"$1" ;;
  esac
}

# ask WHAT: asks both about the tree.
ask() {
  cpu "$program" --project "$tree" graph-rag "$question" >>"$work/ours.$1" || exit 1
  (cd "$tree" && cpu "$peer" explore "$question" >>"$work/theirs.$1") || exit 1
}

median() { sort -n | awk '{ v[NR] = $1 } END { if (NR % 2) print v[(NR + 1) / 2]; else print (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

# row NAME WHAT: the line of the table, from the measured times.
row() {
  local ours theirs
  ours=$(median <"$work/ours.$2") theirs=$(median <"$work/theirs.$2")
  awk -v n="$1" -v w="$2" -v o="$ours" -v t="$theirs" -v l="$least" 'BEGIN {
    r = o > 0 ? t / o : 0
    printf "| %s | %s | %.2f | %.2f | %.1f%s |\n", n, w, o, t, r, r < l ? " (less than " l ")" : ""
    exit r < l }' || failed=1
}

# module NAME@VERSION TREE: the files of a module of Go.
module() {
  local dir
  dir=$(go mod download -json "$1" 2>"$work/log" | sed -n 's/^\t"Dir": "\(.*\)",*$/\1/p')
  [ -d "$dir" ] || { echo "peers: $1 could not be fetched, and is skipped: $(tail -1 "$work/log")" >&2 && return 1; }
  cp -r "$dir/." "$2" && chmod -R u+w "$2"
}

# checkout NAME COMMIT TREE FILE: the files of a commit on GitHub.
checkout() {
  local git=$cache/${1/\//+}/repo
  if ! [ -d "$git" ] && ! git clone --quiet --bare "https://github.com/$1" "$git.part" 2>"$work/log"; then
    echo "peers: $1 could not be fetched, and is skipped: $(tail -1 "$work/log")" >&2
    rm -rf "$git.part"
    return 1
  fi
  [ -d "$git" ] || mv "$git.part" "$git"
  if ! git -C "$git" archive "$2" 2>"$work/log" | tar -x -C "$3" 2>>"$work/log" || ! [ -f "$3/$4" ]; then
    # a mirror without some large files: what there is
    git -C "$git" ls-tree -r "$2" | awk '$2 == "blob" { h = $3; sub(/^[^\t]*\t/, ""); print h "\t" $0 }' | while IFS=$'\t' read -r hash path; do
      mkdir -p "$3/$(dirname "$path")" && git -C "$git" cat-file blob "$hash" >"$3/$path" 2>/dev/null || rm -f "$3/$path"
    done
  fi
}

failed=0 compared=0
echo "| tree | what | reverse-spec, s | CodeGraph, s | times less |"
echo "|---|---|---|---|---|"
while read -r name commit file question; do
  case $name in '' | '#'*) continue ;; esac
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  tree=$work/$(basename "$name")
  mkdir "$tree"
  case ${name%%/*} in *.*) module "$name@$commit" "$tree" ;; *) checkout "$name" "$commit" "$tree" "$file" ;; esac || continue
  [ -f "$tree/$file" ] || { echo "peers: $name has no $file at $commit, and is skipped" >&2 && continue; }
  git -C "$tree" init -q && git -C "$tree" add -A && git -C "$tree" -c user.name=peers -c user.email=peers@example.com commit -qm tree
  printf '.codegraph/\n' >>"$tree/.git/info/exclude"
  rm -f "$work"/ours.* "$work"/theirs.*
  for round in $(seq "${ROUNDS:-3}"); do
    rm -rf "$tree/.codegraph"
    cpu "$program" --project "$tree" index --force >>"$work/ours.index" || exit 1
    (cd "$tree" && cpu "$peer" init --yes . >>"$work/theirs.index") || exit 1
    ask first # it writes our snapshot
    change "$tree/$file" "$round"
    cpu "$program" --project "$tree" index >>"$work/ours.change" || exit 1
    (cd "$tree" && cpu "$peer" sync >>"$work/theirs.change") || exit 1
    ask next # it makes the snapshot from the one before
    ask later
  done
  for what in index first change next later; do row "$name" $what; done
  compared=$((compared + 1))
  rm -rf "$tree"
done <scripts/peers.txt
[ $compared -gt 0 ] || echo "peers: nothing was compared" >&2
exit $failed
