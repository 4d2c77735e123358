#!/usr/bin/env bash
# unused-labels.sh [owner/name ...]: asks for the unused functions of public Python and TypeScript, and compares the rows with the labels of
# test/unused/labels.txt, at the labelled commits. Prints the table of docs/accuracy.md. Repositories are kept in a cache outside this one
# (UNUSED_CACHE; owner+name/repo is the git folder of each, so that the cache of `make retrieval` or a mirror serves as well). What cannot
# be fetched is passed over, and said. Rows without a label, and labelled ones that are no longer reported, are printed and not counted.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${UNUSED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/unused}
mkdir -p "$cache" && cache=$(cd "$cache" && pwd)
program=$PWD/native/$(go env GOOS)-$(go env GOARCH)/reverse-spec
labels=$PWD/test/unused/labels.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export REVERSE_SPEC_HOME=$work/graphs

while read -r name commit; do
  [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
  git=$cache/${name/\//+}/repo
  [ -d "$git/.git" ] && git=$git/.git
  if ! [ -d "$git" ] && ! { git clone --quiet --bare "https://github.com/$name" "$git.part" 2>/dev/null && mv "$git.part" "$git"; }; then
    rm -rf "$git.part"
    echo "$name: could not be fetched, passed over" >&2
    continue
  fi
  folder=$work/${name/\//+}
  if ! { git clone --quiet --shared --no-checkout "$git" "$folder" && git -C "$folder" checkout --quiet --detach "$commit"; } 2>/dev/null; then
    echo "$name: has no commit $commit, passed over" >&2
    continue
  fi
  for question in 'Find unused functions' 'unused exported functions'; do
    (cd "$folder" && "$program" query --limit 500 --json "$question" 2>/dev/null) | NAME=$name python3 -c '
import json, os, sys
for r in json.load(sys.stdin)["results"]:
    print(os.environ["NAME"], r["path"].replace(" ", "%20") + ":" + str(r["start_line"]), r["name"])' >>"$work/rows"
  done
  echo "$name" >>"$work/asked"
done < <(grep -v '^#' "$labels" | awk 'NF { print $1, $2 }' | sort -u)

[ -s "$work/rows" ] || exit 0
python3 - "$labels" "$work/rows" "$work/asked" <<'PYTHON'
import collections, re, sys
labels, rows, asked = (open(p).read().split("\n") for p in sys.argv[1:])
asked = set(asked)
known = {(f[0], f[2]): f[4] for f in (l.split() for l in labels if l and not l.startswith("#"))}
right, all_ = collections.Counter(), collections.Counter()
seen, lines = set(), []
for row in rows:
    if not row:
        continue
    name, place, function = row.split()
    language = {"py": "Python", "ts": "TypeScript", "tsx": "TypeScript", "mts": "TypeScript", "js": "JavaScript", "mjs": "JavaScript", "jsx": "JavaScript"}.get(
        re.sub(r":\d+$", "", place).rsplit(".", 1)[-1])
    if language is None or (name, place) in seen:
        continue
    seen.add((name, place))
    label = known.get((name, place))
    if label is None:
        lines.append(f"no label: {name} {place} {function}")
        continue
    all_[language] += 1
    right[language] += label == "unused"
    if label != "unused":
        lines.append(f"used: {name} {place} {function}")
lines += [f"not reported: {n} {p}" for n, p in known if n in asked and (n, p) not in seen]
print("| language | rows | right | precision |\n| --- | ---: | ---: | ---: |")
for language in sorted(all_):
    print(f"| {language} | {all_[language]} | {right[language]} | {right[language] / all_[language]:.3f} |")
print("\n".join(lines), file=sys.stderr)
low = [l for l in all_ if right[l] < 0.9 * all_[l]]
if low:
    sys.exit("unused: less than 90 of 100 rows are right in " + ", ".join(low))
PYTHON
