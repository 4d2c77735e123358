#!/usr/bin/env bash
# rules.sh [version]: renews the rules of gitleaks (MIT) in internal/redact/rules from its Go
# module, at the version given or at the one in internal/redact/rules/VERSION. Read the diff, and
# run `make secrets`, before you commit it.
set -euo pipefail
cd "$(dirname "$0")/../redact/rules"

module=github.com/zricethezav/gitleaks/v8
version=${1:-$(cat VERSION)}
dir=$(cd / && go mod download -json "$module@$version" | sed -n 's/^\t"Dir": "\(.*\)",\{0,1\}$/\1/p')
[ -n "$dir" ] || { echo "$module@$version could not be fetched" >&2; exit 1; }
install -m 644 "$dir/config/gitleaks.toml" gitleaks.toml
install -m 644 "$dir/LICENSE" LICENSE
echo "$version" >VERSION
