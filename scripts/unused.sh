#!/usr/bin/env bash
# unused.sh [name ...]: asks for the unused functions of public Go code, and compares the rows with what golang.org/x/tools/cmd/deadcode
# -test -generated finds from the same files. Prints the table of docs/accuracy.md. Code is kept in a cache outside the repository
# (UNUSED_CACHE). What cannot be fetched is passed over, and said. Rows in files that deadcode does not read are not counted.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${UNUSED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/unused}
mkdir -p "$cache" && cache=$(cd "$cache" && pwd)
program=$PWD/native/$(go env GOOS)-$(go env GOARCH)/reverse-spec
go build -modfile=scripts/tools/go.mod -o "$cache/deadcode" golang.org/x/tools/cmd/deadcode || exit 1
export REVERSE_SPEC_HOME=$cache/graphs

# fetch name module@version: the module's code in a folder that can be written.
fetch() {
  [ -d "$cache/$1" ] && return
  local dir
  dir=$(cd "$cache" && go mod download -json "$2" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') && [ -n "$dir" ] || return
  cp -r "$dir" "$cache/$1" && chmod -R u+w "$cache/$1"
}

all=0 right=0 wrong=
echo '| repository | rows | right | precision | dead by deadcode | of these found |'
echo '| --- | ---: | ---: | ---: | ---: | ---: |'
while read -r name module; do
  case $name in '' | '#'*) continue ;; esac
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  if ! fetch "$name" "$module"; then
    echo "$name: cannot be fetched, passed over" >&2
    continue
  fi
  files=$(cd "$cache/$name" && GOFLAGS=-mod=mod go list -f '{{$d := .Dir}}{{range .GoFiles}}{{println $d .}}{{end}}{{range .TestGoFiles}}{{println $d .}}{{end}}{{range .XTestGoFiles}}{{println $d .}}{{end}}' ./... 2>/dev/null | sed "s|^$cache/$name/*||; s|^ ||; s| |/|")
  dead=$(cd "$cache/$name" && GOFLAGS=-mod=mod "$cache/deadcode" -test -generated -f '{{range .Funcs}}{{println .Position.File .Position.Line}}{{end}}' ./... 2>/dev/null | grep . | sort -u)
  if [ -z "$files" ]; then
    echo "$name: go cannot list its packages, passed over" >&2
    continue
  fi
  (cd "$cache/$name" && git init -q . && "$program" index) >/dev/null 2>&1
  rows=$("$program" query --project "$cache/$name" --limit 500 --json 'Find unused functions' 2>/dev/null)
  result=$(FILES=$files DEAD=$dead ROWS=$rows python3 -c '
import json, os
files = set(os.environ["FILES"].split("\n"))
dead = {(f, int(n)) for f, n in (line.rsplit(" ", 1) for line in os.environ["DEAD"].split("\n") if line)}
rows = [r for r in json.loads(os.environ["ROWS"])["results"] if r["path"] in files]
near = lambda r: {(r["path"], r["start_line"] + k) for k in range(3)}
wrong = [r for r in rows if not near(r) & dead]
found = {d for r in rows for d in near(r) & dead}
print(len(rows), len(rows) - len(wrong), len(dead), len(found))
for r in wrong:
    print(r["path"] + ":" + str(r["start_line"]), r["qualified_name"])') || continue
  read -r n ok truth found <<<"$result"
  share=-
  [ "$n" -eq 0 ] || share=$(awk "BEGIN { printf \"%.3f\", $ok / $n }")
  echo "| $name ${module##*@} | $n | $ok | $share | $truth | $found |"
  all=$((all + n)) right=$((right + ok))
  wrong+=$(sed 1d <<<"$result")
done <scripts/unused.txt
[ "$all" -gt 0 ] || exit 0
echo "| all | $all | $right | $(awk "BEGIN { printf \"%.3f\", $right / $all }") | | |"
[ -z "$wrong" ] || printf 'not dead by deadcode:\n%s\n' "$wrong" >&2
awk "BEGIN { exit $right < 0.95 * $all }" || { echo 'unused: less than 95 of 100 rows are right' >&2 && exit 1; }
