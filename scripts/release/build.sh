#!/usr/bin/env bash
# Builds what goreleaser.yaml names into dist/, for all six systems, on one Linux machine, and
# looks at what came of it:
#   scripts/release/build.sh --snapshot             all of it, publishing nothing
#   scripts/release/build.sh --snapshot TARGET...   for these systems alone: linux_amd64 ...
#   scripts/release/build.sh                        for the tag that is checked out, and publishes a draft
# Once zig and the modules are in their caches, a snapshot wants no network.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/release/zig.sh

REVERSE_SPEC_VERSION=$(jq -r .version plugin.json)
export REVERSE_SPEC_VERSION
goreleaser() { CGO_ENABLED=0 go tool -modfile=scripts/tools/release/go.mod goreleaser release --clean --parallelism "$(nproc)" "$@"; }
case "${1:-}" in
  --snapshot)
    shift
    # goreleaser builds all targets or one; which are all is a line of what it is told.
    told=$(mktemp)
    trap 'rm -f "$told"' EXIT
    sed "${*:+s/^    targets: .*/    targets: [$(printf '%s, ' "$@")]/}" goreleaser.yaml >"$told"
    goreleaser --snapshot --config "$told"
    ;;
  '')
    tag=$(git describe --tags --exact-match)
    if [ "$tag" != "v$REVERSE_SPEC_VERSION" ]; then
      echo "the tag is $tag, and plugin.json says $REVERSE_SPEC_VERSION" >&2
      exit 1
    fi
    goreleaser
    ;;
  *)
    echo "usage: scripts/release/build.sh [--snapshot [TARGET...]]" >&2
    exit 2
    ;;
esac

# In dist/ the MCP bundle is a file, too, and what the registry and Claude Code are told of the
# release; the workflow adds these two to it.
zip=$(echo dist/reverse-spec-plugin_*.zip)
bundle=${zip/-plugin/}
bundle=${bundle%.zip}.mcpb
ln -f "$zip" "$bundle"
scripts/release/server.sh "$bundle" >dist/server.json
scripts/release/marketplace.sh "$zip" >dist/marketplace.json

scripts/release/check.sh "$@"
