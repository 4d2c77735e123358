#!/usr/bin/env bash
# Vets the whole tree as it is built for other systems: vet.sh TARGET..., as windows_amd64.
set -euo pipefail
cd "$(dirname "$0")/../.."
. scripts/release/zig.sh

for target; do
  GOOS=${target%_*} GOARCH=${target#*_} go vet -trimpath ./...
done
