#!/usr/bin/env bash
# demo.sh [folder]: writes specs for real code (Go's net/http, and where npm and
# python3 are at hand a TypeScript and a Python package), asks the code graph who
# would notice a change, makes one, and shows what `reverse-spec diff` says about it. Everything happens in the
# folder, a new temporary one by default, and stays there to be looked at.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$PWD/bin/reverse-spec
[ -x "$bin" ] || { echo "demo: $bin is missing; run make build" >&2; exit 1; }

if [ $# -gt 0 ]; then
  mkdir -p "$1"
  work=$(cd "$1" && pwd)
else
  work=$(mktemp -d "${TMPDIR:-/tmp}/reverse-spec-demo.XXXXXX")
fi

# A TypeScript package whose tarball holds its sources.
npm_package=rxjs@7.8.1

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n== %s\n' "$*"; }

# run shows a command as one would type it, and runs it.
run() {
  echo "\$ reverse-spec ${*//$work\//}"
  "$bin" "$@"
}

# tree lists a project's specs with their sizes, the first twelve of them.
tree() {
  local count
  count=$(find "$1/specs" -name '*.spec.md' | wc -l)
  (cd "$1" && find specs -name '*.spec.md' | sort | sed -n 1,12p | while read -r file; do
    printf '  %6d lines  %s\n' "$(wc -l <"$file")" "$file"
  done)
  if [ "$count" -gt 12 ]; then echo "  ... and $((count - 12)) more"; fi
}

# head_of prints the first 60 lines of a spec; of the files it is about, three.
head_of() {
  awk '
    /^---$/ { fences++ }
    fences < 2 && /^  - / && ++files > 3 { next }
    files > 3 && !told { print "  - ... and " files - 3 " more"; told = 1; lines++ }
    ++lines > 60 { exit }
    { print substr($0, 1, 160) }
  ' "$1"
}

demo_go() {
  local root=$work/go
  say "Go: the standard library's net/http, in $root"
  mkdir -p "$root/net"
  rm -rf "$root/net/http"
  cp -RL "$(go env GOROOT)/src/net/http" "$root/net/http"
  chmod -R u+w "$root"
  printf 'module demo\n\ngo 1.26\n' >"$root/go.mod"
  run --project "$root" generate net/http
  tree "$root"
  say "The head of its spec"
  head_of "$root/specs/net/http.spec.md"
}

demo_typescript() {
  local root=$work/typescript archive
  say "TypeScript: $npm_package, in $root"
  if ! command -v npm >/dev/null; then
    echo "skipped: npm is not installed"
    return
  fi
  mkdir -p "$root"
  if ! archive=$(cd "$root" && timeout 60 npm pack --silent "$npm_package" 2>"$work/npm.log"); then
    echo "skipped: npm could not fetch $npm_package (see $work/npm.log)"
    return
  fi
  tar -xzf "$root/$archive" -C "$root" --strip-components 1 package/src package/package.json
  rm "$root/$archive"
  run --project "$root" batch
  tree "$root"
}

demo_python() {
  local root=$work/python stdlib
  say "Python: the standard library's json and email, in $root"
  if ! command -v python3 >/dev/null; then
    echo "skipped: python3 is not installed"
    return
  fi
  stdlib=$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
  if [ ! -f "$stdlib/json/__init__.py" ] || [ ! -f "$stdlib/email/__init__.py" ]; then
    echo "skipped: this python3 keeps no sources in $stdlib"
    return
  fi
  mkdir -p "$root"
  cp -RL "$stdlib/json" "$stdlib/email" "$root"
  chmod -R u+w "$root"
  find "$root" -name __pycache__ -prune -exec rm -rf {} +
  run --project "$root" batch
  tree "$root"
}

demo_drift() {
  local root=$work/go file=$work/go/net/http/server.go code=0
  say "Drift: http.Redirect now takes the code before the URL"
  cp "$file" "$work/server.go.before"
  sed -i.bak 's/^func Redirect(w ResponseWriter, r \*Request, url string, code int) {/func Redirect(w ResponseWriter, r *Request, code int, url string) {/' "$file"
  rm -f "$file.bak"
  if ! diff "$work/server.go.before" "$file"; then echo; else
    echo "demo: http.Redirect was not found in $file" >&2
    return 1
  fi
  run --project "$root" diff specs/net/http.spec.md || code=$?
  echo "exit status $code (3: done, and the code has drifted)"
  [ "$code" -eq 3 ]
}

# The graph goes into the folder, too, where otherwise the user's is.
demo_graph() {
  local root=$work/go
  say "The code graph: who would notice if http.Redirect changed"
  export REVERSE_SPEC_HOME=$work/graphs
  run --project "$root" index
  run --project "$root" impact http.server.Redirect --depth 2 --limit 12
}

demo_go
demo_typescript
demo_python
demo_graph
demo_drift
say "Done. Everything is in $work"
