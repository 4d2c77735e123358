#!/usr/bin/env bash
# Draws the pictures of the README, docs/pictures/{spec,drift}.png: what `reverse-spec view`
# shows of a package of Go's standard library, and of a change made to it. Wants chromium,
# and ImageMagick to make them small.
set -euo pipefail
cd "$(dirname "$0")/.."

package=encoding/hex
port=47231

program=$PWD/bin/reverse-spec
pictures=$PWD/docs/pictures
for tool in chromium convert; do
  command -v "$tool" >/dev/null || { echo "pictures: $tool is not installed" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT
export REVERSE_SPEC_HOME=$work/home REVERSE_SPEC_PROVIDER=none REVERSE_SPEC_LANG=en

# draw ADDRESS NAME WIDTH,HEIGHT takes a picture of a page.
draw() {
  chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1.25 \
    --user-data-dir="$work/chromium" --virtual-time-budget=3000 --window-size="$3" \
    --screenshot="$work/$2.png" "http://127.0.0.1:$port/$1" >/dev/null 2>&1
  convert "$work/$2.png" -strip +dither -colors 64 "PNG8:$pictures/$2.png"
  ls -l "$pictures/$2.png"
}

project=$work/std
mkdir -p "$project/$package" "$pictures"
cp "$(go env GOROOT)/src/$package"/*.go "$project/$package"
printf 'module std\n\ngo 1.26\n' >"$project/go.mod"
cd "$project"
"$program" generate --check "$package"
"$program" verify --all
"$program" view --port "$port" --open=false >/dev/null &
sleep 1
draw "spec/specs/$package.spec.md" spec 1240,960

sed -i 's/^func Decode(dst, src \[\]byte) (int, error) {/func Decode(src []byte) ([]byte, error) {\n\tdst := make([]byte, len(src))/' "$package/hex.go"
sed -i 's/^func Dump(/func dump(/' "$package/hex.go"
draw "drift/specs/$package.spec.md" drift 1240,880
