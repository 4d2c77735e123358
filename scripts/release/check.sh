#!/usr/bin/env bash
# Looks at what a release is made of, in dist/: is everything in it, and only that, and does
# what this machine can run, run?
#   scripts/release/check.sh             of all systems
#   scripts/release/check.sh TARGET...   of these, as build.sh was told
set -euo pipefail
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || set -- linux_amd64 linux_arm64 darwin_amd64 darwin_arm64 windows_amd64 windows_arm64

version=$(jq -r .version dist/metadata.json)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
files=(dist/reverse-spec-plugin_"$version".zip dist/reverse-spec_"$version".mcpb) # what is published

fail() {
  echo "release: $*" >&2
  exit 1
}

# same NAME WANTED GOT compares two lists, in any order.
same() {
  diff <(sort <<<"$2") <(sort <<<"$3") >&2 || fail "$1 holds something else (< wanted, > there)"
}

has() { command -v "$1" >/dev/null; }

program() { if [[ $1 == windows_* ]]; then echo reverse-spec.exe; else echo reverse-spec; fi; }

# runs TARGET FILE says whether the program answers, where this machine can run it: by itself, or
# through qemu.
runs() {
  local run=()
  case $1/$(uname -sm) in
    linux_amd64/"Linux x86_64" | linux_arm64/"Linux aarch64") ;;
    linux_arm64/Linux*) run=("$(command -v qemu-aarch64-static || command -v qemu-aarch64)") || return 0 ;;
    *) return 0 ;;
  esac
  mkdir -p "$work/project"
  printf 'def buy(n: int) -> int:\n    """Take n of what is there."""\n    return n\n' >"$work/project/shop.py" # read through C
  local said
  said=$(REVERSE_SPEC_HOME=$work/home "${run[@]}" "$2" version) || fail "$2 does not run"
  [[ $said == *"$(jq -r .version plugin.json)"* ]] || fail "$2 is of another version: $said"
  said=$(cd "$work/project" && REVERSE_SPEC_HOME=$work/home "${run[@]}" "$2" prepare shop.py) || fail "$2 cannot prepare a file"
  [[ $said == *"def buy(n: int) -> int"* ]] || fail "$2 does not see a function: $said"
  echo "$2 runs${run:+ through ${run[0]##*/}}"
}

# archive TARGET looks at the archive of one system, and at the program in it.
archive() {
  local target=$1 base=dist/reverse-spec_${version}_$1 name
  name=$(program "$target")
  local out=$work/archive/$target
  mkdir -p "$out"
  if [[ $target == windows_* ]]; then
    files+=("$base.zip")
    unzip -q "$base.zip" -d "$out"
  else
    files+=("$base.tar.gz")
    tar -xzf "$base.tar.gz" -C "$out"
  fi
  same "the archive of $target" "$(printf '%s\n' CHANGELOG.md LICENSE README.md THIRD_PARTY_LICENSES.md "$name" \
    completions/{_reverse-spec,reverse-spec.bash,reverse-spec.fish,reverse-spec.ps1}
  for page in native/manuals/man1/*.1; do echo "man/man1/${page##*/}"; done)" "$(cd "$out" && find . -type f | cut -c 3-)"
  [ -x "$out/$name" ] || fail "$name of $target is not executable"
  cmp "$out/$name" dist/reverse-spec_"$target"_*/"$name" || fail "the archive of $target has another program"
  if [[ $target == linux_* ]] && readelf -lW "$out/$name" | grep INTERP; then fail "$name of $target is not static"; fi
  runs "$target" "$out/$name"

  local sbom=$base.cdx.json
  files+=("$sbom")
  jq -e --arg os "${target%_*}" --arg arch "${target#*_}" '
    .bomFormat == "CycloneDX" and ([.metadata.properties[].value] | contains([$os, $arch])) and
    ([.components[].name] | contains(["std", "github.com/smacker/go-tree-sitter"])) and
    all(.components[]; .version != "")' "$sbom" >/dev/null || fail "$sbom does not name the modules"
}

# packages TARGET looks at the packages for one processor's Linux.
packages() {
  local base=dist/reverse-spec_${version}_$1 kind out
  local wanted='./usr/bin/reverse-spec
./usr/share/doc/reverse-spec/CHANGELOG.md
./usr/share/bash-completion/completions/reverse-spec
./usr/share/doc/reverse-spec/README.md
./usr/share/doc/reverse-spec/THIRD_PARTY_LICENSES.md
./usr/share/doc/reverse-spec/copyright
./usr/share/fish/vendor_completions.d/reverse-spec.fish
./usr/share/zsh/vendor-completions/_reverse-spec
'
  wanted+=$(for page in native/manuals/man1/*.1; do echo "./usr/share/man/man1/${page##*/}"; done)
  for kind in deb rpm apk; do
    files+=("$base.$kind")
    out=$work/$kind/$1
    mkdir -p "$out"
    case $kind in
      deb) has dpkg-deb && dpkg-deb -x "$base.deb" "$out" ;;
      # What counts is what came out: rpm2cpio says 1, for goreleaser writes another size than it counts.
      rpm) has rpm2cpio && has cpio && { rpm2cpio "$base.rpm" || true; } | (cd "$out" && cpio -id --quiet --no-absolute-filenames 2>/dev/null) ;;
      apk) tar -xzf "$base.apk" -C "$out" --exclude=.PKGINFO --warning=no-unknown-keyword ;;
    esac || { echo "$base.$kind is not looked into: what opens it is not installed" && continue; }
    same "$base.$kind" "$wanted" "$(cd "$out" && find . -type f)"
    [ -x "$out/usr/bin/reverse-spec" ] || fail "the program in $base.$kind is not executable"
  done
  if [ -d "$work/deb/$1/usr" ]; then runs "$1" "$work/deb/$1/usr/bin/reverse-spec"; fi
}

# plugin TARGET... looks at the zip of all, which is the MCP bundle, too.
plugin() {
  local target wanted out=$work/plugin
  wanted=$(git ls-files .claude-plugin skills commands hooks bin plugin.json mcp.json gemini-extension.json LICENSE README.md THIRD_PARTY_LICENSES.md
    printf '%s\n' manifest.json icon.png
    for target; do echo "native/${target/_/-}/$(program "$target")"; done)
  unzip -q "${files[0]}" -d "$out"
  same "${files[0]}" "$wanted" "$(cd "$out" && find . -type f | cut -c 3-)"
  same "the executable part of ${files[0]}" "$(grep -E '^(bin|native)/' <<<"$wanted")" "$(cd "$out" && find . -type f -perm -u+x | cut -c 3-)"
  for target; do
    cmp "$out/native/${target/_/-}/$(program "$target")" dist/reverse-spec_"$target"_*/"$(program "$target")" || fail "the plugin has another program for $target"
    # Its launcher finds the program of this machine.
    if [[ "$target $(uname -sm)" =~ ^linux_(amd64 Linux x86_64|arm64 Linux aarch64)$ ]]; then runs "$target" "$out/bin/reverse-spec"; fi
  done
  cmp "${files[0]}" "${files[1]}" || fail "the MCP bundle is not the plugin"
}

plugin "$@"
for target; do
  archive "$target"
  if [[ $target == linux_* ]]; then packages "$target"; fi
done

(cd dist && sha256sum --quiet --check checksums.txt) || fail "checksums.txt is of other files"
same checksums.txt "$(printf '%s\n' "${files[@]##*/}")" "$(sed 's/.*  //' dist/checksums.txt)"

cask=dist/homebrew/Casks/reverse-spec.rb
for target; do
  [[ $target == windows_* ]] && continue
  sum=$(sha256sum "dist/reverse-spec_${version}_$target.tar.gz" | cut -d ' ' -f 1)
  grep -q "sha256 \"$sum\"" "$cask" || fail "$cask does not know the archive of $target"
done

jq -e --arg sum "$(sha256sum "${files[1]}" | cut -d ' ' -f 1)" '
  .packages[0].fileSha256 == $sum and (.packages[0].identifier | test("^https://github.com/[^/]+/[^/]+/releases/download/[^/]+/[^/]+[.]mcpb$"))' \
  dist/server.json >/dev/null || fail "dist/server.json does not know the MCP bundle"
jq -e --arg sum "$(sha256sum "${files[0]}" | cut -d ' ' -f 1)" --arg file "$(basename "${files[0]}")" '
  .plugins[0].source | .sha256 == $sum and (.url | test("^https://github.com/[^/]+/[^/]+/releases/download/[^/]+/" + $file + "$"))' \
  dist/marketplace.json >/dev/null || fail "dist/marketplace.json does not know the plugin"

du -h "${files[@]}" | sort -k 2
echo "The release holds what it should, for $*."
