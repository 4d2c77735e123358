#!/usr/bin/env bash
# adopt.sh: adopts the hand-written specs of public projects, compares the links with those that were labelled by reading, and changes
# the code: which requirement does diff name? The labels and changes are in test/adopt: those in built/ were looked at while this
# was built, those in held/ only when it stood. ONLY=word picks projects. The repositories are kept in a cache outside this one (ADOPT_CACHE):
# owner+name/repo is the git folder of each. What cannot be fetched is skipped, with a word.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${ADOPT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/adopt}
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
for set in test/adopt/*/*.txt; do
  case $set in *"${ONLY:-}"*) ;; *) continue ;; esac
  name=$(sed -n 's/^repository //p' "$set") commit=$(sed -n 's/^commit //p' "$set")
  git=$cache/${name/\//+}/repo
  [ ! -d "$git/.git" ] || git=$git/.git
  if ! fetched "$git" "$name" "$commit"; then
    echo "$name: commit $commit could not be fetched, skipped: $(tail -1 "$work/log")"
    continue
  fi
  to=$work/$(basename "$(dirname "$set")")-$(basename "$set" .txt)
  mkdir "$to"
  # Not git archive, which leaves out what .gitattributes says, such as tests.
  GIT_INDEX_FILE=$work/index git --git-dir="$git" --work-tree="$to" checkout -q -f "$commit" -- . ':(exclude)*.gif' ':(exclude)*.png' ':(exclude)*.mp4'
  rm -f "$work/index"
  git -C "$to" init -q && git -C "$to" add -A -f && git -C "$to" -c user.name=a -c user.email=a@b.c commit -q -m "$commit"
  found=$((found + 1))
done
[ "$found" -gt 0 ] || { echo "adopt: none of the repositories could be fetched: nothing is compared" >&2 && exit 1; }

program=${PROGRAM:-$PWD/native/$(go env GOOS)-$(go env GOARCH)/reverse-spec}
cd test/adopt # so that go test shows the output of a test that passes, too
REVERSE_SPEC_ADOPT=$work REVERSE_SPEC_PROGRAM=$program REVERSE_SPEC_HOME=$work/home go test -trimpath -count=1 -timeout 60m -v -run '^TestAdoptedSpecs$'
