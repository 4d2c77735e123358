#!/usr/bin/env bash
# samples.sh: writes the specs of the public modules in samples.txt by `generate`, of whole projects by `batch`, and measures
# them (test/specs); ONLY=word picks modules, COPY=1 also renews docs/samples.
# The repositories are kept in a cache outside this one (SAMPLES_CACHE): owner+name/repo is the git folder of each, as
# in that of services.sh. What cannot be fetched is skipped, with a word.
set -uo pipefail
cd "$(dirname "$0")/.."

bin=${REVERSE_SPEC:-$PWD/bin/reverse-spec}
cache=${SAMPLES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/samples}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export REVERSE_SPEC_HOME=$work/.home REVERSE_SPEC_LANG=en REVERSE_SPEC_PROVIDER=none

# fetched folder name commit: whether the commit is in the git folder, fetched if need be.
fetched() {
  git --git-dir="$1" cat-file -e "$3^{commit}" 2>/dev/null && return
  git init -q --bare "$1" 2>"$work/log" &&
    timeout 600 git --git-dir="$1" fetch -q --depth 1 "https://github.com/$2" "$3" 2>"$work/log"
}

# unpacked folder name commit: whether the code is in the folder, without a commit of its own.
unpacked() {
  [ ! -d "$1" ] || return 0
  if [ "$2" = GOROOT ]; then
    mkdir "$1" && cp -r "$(go env GOROOT)"/src/{go.mod,encoding,net} "$1"
    return
  fi
  fetched "$cache/${2/\//+}/repo" "$2" "$3" || return
  # not by git archive, which leaves out what a project does not publish: its tests
  mkdir "$1" && GIT_INDEX_FILE="$work/index" git --git-dir="$cache/${2/\//+}/repo" --work-tree="$1" checkout -q -f "$3" -- . 2>"$work/log"
}

found=0
while read -r language name commit module sample; do
  case $language in '' | '#'*) continue ;; esac
  [[ "$name $module" == *"${ONLY:-}"* ]] || continue
  folder=$work/${name/\//+}
  [ "$module" != . ] || folder=$folder.batch # so that the specs of its modules do not count twice
  if ! unpacked "$folder" "$name" "$commit"; then
    rm -rf "$folder"
    echo "$name: commit $commit could not be fetched, skipped: $(tail -1 "$work/log")"
    continue
  fi
  if [ "$module" = . ]; then
    "$bin" batch --project "$folder" >"$work/log" 2>&1
  else
    "$bin" generate --project "$folder" "$folder/$module" >"$work/log" 2>&1
  fi || { echo "samples: $name $module: $(tail -1 "$work/log")" >&2 && exit 1; }
  echo "$language ${folder##*/} $module" >>"$work/modules"
  [ -z "${COPY:-}" ] || [ -z "$sample" ] || cp "$folder/specs/$module.spec.md" "docs/samples/$sample.md"
  found=$((found + 1))
done <scripts/samples.txt
[ "$found" -gt 0 ] || { echo "samples: none of the repositories could be fetched: nothing is measured" >&2 && exit 1; }

cd test/specs # so that go test shows the output of a test that passes, too
REVERSE_SPEC_SAMPLES=$work go test -count=1 -timeout 30m ${V:-} -run '^TestSpecs$'
