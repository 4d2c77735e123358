#!/usr/bin/env bash
# Writes the marketplace of a release, from which Claude Code fetches the plugin with the
# programs in it: marketplace.sh ZIP, as it will be called among the files of the release.
set -euo pipefail
cd "$(dirname "$0")/../.."

jq --arg file "$(basename "$1")" --arg sum "$(sha256sum "$1" | cut -d ' ' -f 1)" --slurpfile manifest .claude-plugin/plugin.json '
  .plugins[0].source = {
    source: "archive",
    url: "\($manifest[0].repository)/releases/download/v\($manifest[0].version)/\($file)",
    sha256: $sum
  }' .claude-plugin/marketplace.json
