#!/usr/bin/env bash
# Writes what a program is made of, as CycloneDX: sbom.sh PROGRAM DOCUMENT VERSION.
# It is what Go itself wrote into the program, the modules that were linked, and the module whose C code packages treesitter and grammars have copies of.
set -euo pipefail

read -r copied copied_version <"$(dirname "$0")/../copied/module.txt"
go version -m -json "$1" | jq --arg version "$3" --arg copied "$copied" --arg copied_version "$copied_version" '{
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    component: {
      type: "application", name: "reverse-spec", version: $version,
      purl: "pkg:golang/\(.Main.Path)@\($version)"
    },
    properties: [.Settings[] | select(.Key | test("^(GOOS|GOARCH|CGO_ENABLED|vcs\\.)")) | {name: .Key, value: .Value}]
  },
  components: [
    {type: "library", name: "std", version: (.GoVersion | ltrimstr("go")), purl: "pkg:golang/std@\(.GoVersion | ltrimstr("go"))"},
    (.Deps[], {Path: $copied, Version: $copied_version} | (.Replace // .) | {type: "library", name: .Path, version: .Version, purl: "pkg:golang/\(.Path)@\(.Version)"})
  ]
}' >"$2"
