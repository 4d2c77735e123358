#!/usr/bin/env bash
# contracts.sh [language ...]: writes specs for the public code of contracts.txt with
# generate --check, and runs their contract tests with verify: all that can be run
# must pass. Copies of the code are kept in a cache outside the repository
# (CONTRACTS_CACHE). What cannot be fetched or is not installed is passed over, and
# said.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

cache=${CONTRACTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/contracts}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
tool=$PWD/bin/reverse-spec
list=$PWD/scripts/contracts.txt
export REVERSE_SPEC_HOME=$cache/home ANTHROPIC_API_KEY=

# names language: its packages, and what stands behind them.
names() { awk -v language="$1" '$1 == language { print $2, $4 }' "$list"; }

# go: a copy of Go's sources that takes the place of the installed ones, since nothing
# may be written there.
ready_go() {
  local root
  root=$(go env GOROOT 2>/dev/null) && [ -n "$root" ] || return
  if [ "$(cat "$cache/go/VERSION" 2>/dev/null)" != "$(cat "$root/VERSION")" ]; then
    rm -rf "$cache/go" && mkdir -p "$cache/go" && cp -r "$root/src" "$cache/go/src" || return
    ln -s "$root/pkg" "$root/bin" "$cache/go"
    cp "$root/go.env" "$root/VERSION" "$cache/go" # the latter last: it says that all is there
  fi
  export GOROOT=$cache/go
}
folder_go() { folder=$cache/go/src target=$1; }

# python: each package with its tests, beside the rest of Lib/test, in a folder of its
# own.
ready_python() { library=$(python3 -c 'import os, test; print(os.path.dirname(os.__file__))' 2>/dev/null); }
folder_python() {
  folder=$cache/python/$1 target=.
  [ ! -d "$folder" ] || return 0
  mkdir -p "$folder/test" || return
  cp -r "$library/$1" "$folder/$1" || return
  echo '__path__ = __import__("pkgutil").extend_path(__path__, __name__)' >"$folder/test/__init__.py"
  local name
  for name in ${2//,/ }; do cp -r "$library/test/$name" "$folder/test/" || return; done
  find "$folder" -name __pycache__ -exec rm -r {} +
}

# javascript: the packages stand in one folder, where what they need is installed.
needed=(mocha@9.2.2 jest@28.1.3 ts-jest@28.0.8 typescript@4.9.5 assume@2.2.0)
ready_javascript() {
  command -v npx >/dev/null || return
  CORPORA_CACHE=$cache CORPORA_LIST=contracts.txt scripts/corpora.sh javascript
  fetch "$cache/npm" "${needed[@]}"
}
folder_javascript() {
  folder=$cache/npm target=$1
  [ -d "$folder/$1" ] || cp -rL "$cache/javascript/$1" "$folder/$1"
}

# sums language name: writes a spec and runs it; adds a line to the sums.
sums() {
  local report=$cache/report.json spec
  spec=$(cd "$folder" && "$tool" generate "$target" --check --recursive="$([ "$1" = go ] && echo false || echo true)" --json 2>>"$cache/log" |
    jq -r .specPath) && [ -n "$spec" ] || { echo "$1 $2: no spec (see $cache/log)" && return 1; }
  (cd "$folder" && "$tool" verify "$spec" --json >"$report" 2>>"$cache/log")
  local left
  left=$(cd "$folder" && sed -n '/^Left out of the contract tests:/,/^##\|^Called/p' "$spec" | grep -c '^- ')
  jq -r --arg language "$1" --arg name "$2" --arg left "$left" '[$language, $name, .total,
    ([.specs[].tests[] | select(.type == "behavior")] | length), .passed, .failed, .skipped, $left] | @tsv' "$report" |
    tee -a "$cache/sums" | awk -F '\t' '{ printf "%-11s %-16s %6d %9d %7d %7d %8d %9d\n", $1, $2, $3, $4, $5, $6, $7, $8 }'
  jq -r '.specs[].tests[] | select(.outcome == "failed" or .outcome == "timeout") | "  \(.id): \(.title): \(.reason)"' "$report"
}

command -v jq >/dev/null || { echo "jq is not installed: no contract test can be run" && exit 0; }
: >"$cache/sums"
: >"$cache/log"
printf '%-11s %-16s %6s %9s %7s %7s %8s %9s\n' language package tests behavior passed failed skipped "left out"
for language in ${*:-go python javascript}; do
  if ! "ready_$language"; then
    echo "$language: what it takes cannot be had here, passed over"
    continue
  fi
  while read -r name more <&3; do
    "folder_$language" "$name" "$more" && sums "$language" "$name" || echo "$language $name: passed over"
  done 3< <(names "$language")
done
awk -F '\t' '{ t += $3; b += $4; p += $5; f += $6; s += $7; l += $8 } END {
  printf "%-11s %-16s %6d %9d %7d %7d %8d %9d\n", "all", NR, t, b, p, f, s, l
  exit f > 0 || p == 0
}' "$cache/sums"
