#!/usr/bin/env bash
# mutants.sh [package ...]: puts mistakes into exported functions of Go's standard
# library, one at a time, in a copy, and counts those that the contract tests of its
# specs find. SEED chooses the mistakes, BODIES and SIGNATURES say how many there are
# of each kind for each package. The copy is kept in a cache outside the repository
# (CONTRACTS_CACHE).
set -euo pipefail
cd "$(dirname "$0")/.."

cache=${CONTRACTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/contracts}
root=$(go env GOROOT)
mkdir -p "$cache"
go -C test/truth build -o "$cache/mutants" ./cmd/mutants
rm -rf "$cache/mutated" && mkdir "$cache/mutated"
cp -r "$root/src" "$cache/mutated/src"
ln -s "$root/pkg" "$root/bin" "$cache/mutated"
cp "$root/go.env" "$root/VERSION" "$cache/mutated"

# What is built of each mistake is of no use to anyone later.
trap 'rm -rf "$cache/built" "$cache/mutated"' EXIT
export GOCACHE=$cache/built GOROOT=$cache/mutated REVERSE_SPEC_HOME=$cache/home ANTHROPIC_API_KEY=
[ $# -gt 0 ] || set -- container/list encoding/csv encoding/hex path text/tabwriter
"$cache/mutants" -tool "$PWD/bin/reverse-spec" -dir "$GOROOT/src" -seed "${SEED:-1}" \
  -bodies "${BODIES:-20}" -signatures "${SIGNATURES:-10}" "$@"
