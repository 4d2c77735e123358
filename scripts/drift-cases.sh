#!/usr/bin/env bash
# drift-cases.sh: compares the verdicts of diff with the cases of tools that judge one language or one kind of
# contract: cargo-semver-checks (Rust), griffe (Python), oasdiff (OpenAPI), buf (protocol buffers). Their repositories
# are kept in a cache outside this one (DRIFT_CACHE): owner+name/repo is the git folder of each. What cannot be
# fetched is skipped, with a word.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${DRIFT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/drift}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# checked_out owner/name commit: the folder with the files of the commit; empty if it cannot be fetched.
checked_out() {
  local dir=$cache/${1/\//+}/repo to=$work/${1/\//+}
  [ -d "$dir/.git" ] && dir=$dir/.git
  if ! git --git-dir="$dir" cat-file -e "$2^{commit}" 2>"$work/log"; then
    git init -q --bare "$dir" 2>"$work/log" &&
      timeout 600 git --git-dir="$dir" fetch -q --depth 1 "https://github.com/$1" "$2" 2>"$work/log" || {
      echo "$1: commit $2 could not be fetched, skipped: $(tail -1 "$work/log")" >&2
      return
    }
  fi
  mkdir "$to" && git --git-dir="$dir" archive "$2" | tar -x -C "$to" && echo "$to"
}

REVERSE_SPEC_SEMVER_CHECKS=$(checked_out obi1kenobi/cargo-semver-checks ed4b2c38b3274b130e2b5fa6ae8b9f81e7cd0fa0)
REVERSE_SPEC_GRIFFE=$(checked_out mkdocstrings/griffe b450abb0b372f594271a017153a297c75651531a)
REVERSE_SPEC_OASDIFF=$(checked_out oasdiff/oasdiff 4553c69d3869ee555ee4f00831d8cca6e1c208ff)
REVERSE_SPEC_BUF=$(checked_out bufbuild/buf c9a5b2656599d7311a77d45880c250273b02de6d)
export REVERSE_SPEC_SEMVER_CHECKS REVERSE_SPEC_GRIFFE REVERSE_SPEC_OASDIFF REVERSE_SPEC_BUF
status=0
go test -trimpath -count=1 -timeout 20m -v -run '^TestAgreesWith(CargoSemverChecks|Griffe)$' ./drift || status=1
go test -trimpath -count=1 -timeout 20m -v -run '^TestAgreesWith(Oasdiff|Buf)$' ./drift/contractfile || status=1
exit $status
