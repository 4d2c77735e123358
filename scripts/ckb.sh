#!/usr/bin/env bash
# Runs the tests of package ckb, graph-rag and call-chain that need the real CKB, among them the
# contracts' own tests, in both orders of the two documents, with it and without (the documents
# are where REVERSE_SPEC_CONTRACTS says; they are not public). CKB, the
# indexer it needs and a project for it are fetched at the versions below into a
# cache outside the repository (TRUTH_CACHE); what cannot be fetched is passed over,
# and said. Newer versions of the indexer write what this CKB cannot read.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

ckb=@tastehub/ckb@9.3.1
indexer=github.com/scip-code/scip-go/cmd/scip-go@v0.2.7
project=github.com/spf13/cobra # a module that ours needs

cache=${TRUTH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/truth}/ckb
log=$cache/log
mkdir -p "$cache"

case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) program=$cache/node_modules/@tastehub/ckb-linux-x64/bin/ckb ;;
  Linux-aarch64) program=$cache/node_modules/@tastehub/ckb-linux-arm64/bin/ckb ;;
  Darwin-x86_64) program=$cache/node_modules/@tastehub/ckb-darwin-x64/bin/ckb ;;
  Darwin-arm64) program=$cache/node_modules/@tastehub/ckb-darwin-arm64/bin/ckb ;;
  *) program= ;;
esac

# CKB keeps a list of projects in the home folder. It gets one of its own, in which Go
# finds its caches all the same.
GOMODCACHE=$(go env GOMODCACHE) GOCACHE=$(go env GOCACHE) GOPATH=$(go env GOPATH)
export GOMODCACHE GOCACHE GOPATH

index() {
  rm -rf "$cache/project" &&
    cp -r "$(go list -m -f '{{.Dir}}' "$project")" "$cache/project" &&
    chmod -R u+w "$cache/project" &&
    git -C "$cache/project" init -q &&
    git -C "$cache/project" add -A &&
    git -C "$cache/project" -c user.name=ci -c user.email=ci@example.com commit -qm "as published" &&
    (
      cd "$cache/project"
      export HOME=$cache/home PATH=$cache:$PATH
      mkdir -p "$HOME"
      "$program" init && timeout 300 "$program" index
    )
}

want="$ckb $indexer $(go list -m -f '{{.Path}}@{{.Version}}' "$project")"
if [ -z "$program" ]; then
  echo "there is no CKB for this system: its tests are passed over"
  exit 0
fi
fetch "$cache" "$ckb" || exit 0
if [ "$(cat "$cache/indexed" 2>/dev/null)" != "$want" ]; then
  rm -f "$cache/indexed"
  if ! { GOBIN=$cache timeout 300 go install "$indexer" && index; } >"$log" 2>&1; then
    echo "an index of $project could not be had (see $log): the tests with the real CKB are passed over"
    exit 0
  fi
  echo "$want" >"$cache/indexed"
fi

export REAL_CKB=$program REAL_CKB_PROJECT=$cache/project HOME=$cache/home
go test -count=1 -v -run '^TestRealCKB' ./internal/ckb ./cmd/reverse-spec | grep -vE '^(=== (RUN|PAUSE|CONT|NAME)|\?|ok .*no tests)'
