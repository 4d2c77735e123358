#!/usr/bin/env bash
# commands.sh: compares the flags that we find in public programs with what these say with --help, and prints each
# difference and a line per program. A file in test/commands names the program: a repository with its commit, a package of
# Go's own, a file of Python's library or a Go module. The repositories are kept in a cache outside this one
# (COMMANDS_CACHE), as in that of guards.sh. What cannot be fetched or has no interpreter here is skipped, with a word.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${COMMANDS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/commands}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

field() { sed -n "s/^$1 //p" "$2"; }

# fetched folder name commit: whether the commit is in the git folder, fetched if need be.
fetched() {
  git --git-dir="$1" cat-file -e "$3^{commit}" 2>/dev/null && return
  git init -q --bare "$1" 2>"$work/log" &&
    timeout 600 git --git-dir="$1" fetch -q --depth 1 "https://github.com/$2" "$3" 2>"$work/log"
}

# place program file: puts the program's code into its folder.
place() {
  local to="$work/$1" name
  mkdir "$to"
  if name=$(field repository "$2") && [ -n "$name" ]; then
    fetched "$cache/${name/\//+}/repo" "$name" "$(field commit "$2")" || return
    git --git-dir="$cache/${name/\//+}/repo" archive "$(field commit "$2")" | tar -x -C "$to"
  elif name=$(field goroot "$2") && [ -n "$name" ]; then
    cp "$(go env GOROOT)/src/$name"/*.go "$to"
  elif name=$(field go "$2") && [ -n "$name" ]; then
    cp -r "$(go mod download -json "$name" 2>"$work/log" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')/." "$to" && chmod -R u+w "$to"
  elif name=$(field python "$2") && [ -n "$name" ]; then
    cp "$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')/$name" "$to"
  fi
}

for labels in test/commands/*"${ONLY:-}"*.txt; do
  name=$(basename "$labels" .txt)
  place "$name" "$labels" || { echo "$name: skipped: $(tail -1 "$work/log")" && rm -rf "${work:?}/$name"; }
done

cd test/commands # so that go test shows the output of a test that passes, too
REVERSE_SPEC_COMMANDS=$work go test -count=1 -v -run '^TestCommands$'
