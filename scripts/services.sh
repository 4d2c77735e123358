#!/usr/bin/env bash
# services.sh: compares the routes, success statuses and refusals that we find in public web services with the labels in
# test/services, and prints a line per repository; with V=-v also each difference. ONLY=word picks the labels.
# The repositories are kept in a cache outside this one (SERVICES_CACHE): owner+name/repo is the
# git folder of each, as in that of guards.sh. What cannot be fetched is skipped, with a word. It fails when a route is missing or
# wrong, or below .9 right or .8 found of all statuses.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${SERVICES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/services}
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

found=0
for labels in test/services/*"${ONLY:-}"*.txt; do
  name=$(sed -n 's/^repository //p' "$labels") commit=$(sed -n 's/^commit //p' "$labels")
  git=$cache/${name/\//+}/repo
  [ ! -d "$git/.git" ] || git=$git/.git
  if ! fetched "$git" "$name" "$commit"; then
    echo "$name: commit $commit could not be fetched, skipped: $(tail -1 "$work/log")"
    continue
  fi
  mkdir -p "$work/${name/\//+}"
  git --git-dir="$git" archive "$commit" 2>"$work/log" | tar -x -C "$work/${name/\//+}" ||
    { echo "services: $name: $(tail -1 "$work/log")" >&2 && exit 1; }
  found=$((found + 1))
done
[ "$found" -gt 0 ] || { echo "services: none of the repositories could be fetched: nothing is compared" >&2 && exit 1; }

cd test/services # so that go test shows the output of a test that passes, too
REVERSE_SPEC_SERVICES=$work go test -count=1 ${V:-} -run '^TestServices$'
