#!/usr/bin/env bash
# Writes what the MCP registry is told of a release: server.json, and the package, which is known
# once it is built: server.sh BUNDLE, as it will be called among the files of the release.
set -euo pipefail
cd "$(dirname "$0")/../.."

jq --arg file "$(basename "$1")" --arg sum "$(sha256sum "$1" | cut -d ' ' -f 1)" '
  .packages = [{
    registryType: "mcpb",
    identifier: "\(.repository.url)/releases/download/v\(.version)/\($file)",
    fileSha256: $sum,
    transport: {type: "stdio"}
  }]' server.json
