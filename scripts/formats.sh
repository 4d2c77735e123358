#!/usr/bin/env bash
# formats.sh: writes the specs of the public repositories of formats.txt in OpenSpec's form, and has the real OpenSpec from npm
# validate them (--specs --strict) and read them back (show --json): requirements, scenarios and texts must be those that
# were written. Where the table has an older commit, it proposes a change from there, validates and archives it, and compares
# the specs with those that batch writes. It prints a table, and fails unless all holds. ONLY=word picks repositories.
# Code and OpenSpec are kept in a cache outside this repository (FORMATS_CACHE): owner+name/repo is the git folder of each.
# What cannot be fetched is skipped, with a word.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/npm.sh

openspec=@fission-ai/openspec@1.13.2
cache=${FORMATS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/formats}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OPENSPEC_TELEMETRY=0 REVERSE_SPEC_HOME=$work/home
program=${PROGRAM:-$PWD/native/$(go env GOOS)-$(go env GOARCH)/reverse-spec}
here=$PWD

command -v node >/dev/null || { echo "formats: node is not installed: nothing is compared" >&2 && exit 1; }
fetch "$cache/npm" "$openspec" || exit 1
openspec() { node "$cache/npm/node_modules/@fission-ai/openspec/bin/openspec.js" "$@"; }
judge() { node "$here/scripts/formats.mjs" "$@"; }

# git_of owner/name commit...: the git folder of a repository that has the commits, fetched if need be.
git_of() {
  local name=$1 git=$cache/${1/\//+}/repo
  shift
  [ ! -d "$git/.git" ] || git=$git/.git
  for commit in "$@"; do
    git --git-dir="$git" cat-file -e "$commit^{commit}" 2>/dev/null && continue
    git init -q --bare "$git" 2>"$work/log" &&
      timeout 600 git --git-dir="$git" fetch -q --depth 1 "https://github.com/$name" "$commit" 2>"$work/log" || return
  done
  echo "$git"
}

# code GIT COMMIT FOLDER: puts the code of a commit into a folder, without specs of other hands.
code() {
  git --git-dir="$1" archive "$2" | tar -x -C "$3" && rm -rf "$3/openspec" "$3/specs" "$3/.specify" "$3/.kiro" && mkdir "$3/openspec"
}
commit() { git -C "$1" add -A -f . && git -C "$1" -c user.name=x -c user.email=x@example.org commit -qm "$2"; }

# written FOLDER: batch in a project that has openspec/, of all modules; what it prints goes to the log.
written() { (cd "$1" && "$program" batch --force) >"$work/log" 2>&1; }

# proposed GIT BASE HEAD: the line about a change.
proposed() {
  local p=$work/p base
  rm -rf "$p" "$work/archived" "$work/kept" && mkdir "$p" && git init -q "$p"
  code "$1" "$2" "$p" && written "$p" && commit "$p" base || { echo "no specs of the base"; return 1; }
  base=$(git -C "$p" rev-parse HEAD)
  mkdir "$work/kept" && cp -r "$p/openspec" "$p/specs" "$work/kept/"
  find "$p" -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +
  code "$1" "$3" "$p" && rm -rf "$p/openspec" && cp -r "$work/kept/openspec" "$work/kept/specs" "$p/"
  (cd "$p" && "$program" propose --base "$base" --id it) >"$work/proposal" 2>"$work/log" || { echo "propose: $(tail -1 "$work/log")"; return 1; }
  mkdir "$work/archived" && cp -r "$p/openspec" "$work/archived/"
  if [ -d "$p/openspec/changes/it" ]; then
    (cd "$p" && openspec validate it --strict --no-interactive) >"$work/log" 2>&1 || { echo "the change is not valid: $(grep -m1 -v '^$' "$work/log")"; return 1; }
    (cd "$work/archived" && openspec archive it -y) >"$work/log" 2>&1 || { echo "archive: $(tail -1 "$work/log")"; return 1; }
    (cd "$work/archived" && openspec validate --specs --strict --no-interactive) >"$work/log" 2>&1 || { echo "archived specs are not valid"; return 1; }
  fi
  written "$p" || { echo "no specs of the head"; return 1; }
  if ! diff -r "$p/openspec/specs" "$work/archived/openspec/specs" >"$work/log"; then
    echo "archive differs from batch: $(grep -c '^[<>]' "$work/log") lines"
    [ -z "${V:-}" ] || cat "$work/log" >&2
    return 1
  fi
  awk -F '[:,]' '/ added,/ { a += $2; m += $3; r += $4; n += $5 } END { printf "archived as batch writes: +%d ~%d -%d →%d\n", a, m, r, n }' "$work/proposal"
}

found=0 failed=0
printf '%-11s %-46s %5s %5s %9s %5s %s\n' language repository specs reqs scenarios valid 'read back; change'
while read -r language name head base; do
  case $language in '' | '#'*) continue ;; esac
  case $name in *"${ONLY:-}"*) ;; *) continue ;; esac
  # shellcheck disable=SC2086 # the base may be missing
  git=$(git_of "$name" "$head" $base) || { echo "$name: could not be fetched, skipped: $(tail -1 "$work/log")"; continue; }
  found=$((found + 1))
  rm -rf "$work/c" && mkdir "$work/c" && git init -q "$work/c" && code "$git" "$head" "$work/c"
  written "$work/c" || { echo "$name: batch: $(tail -1 "$work/log")"; failed=$((failed + 1)); continue; }
  (cd "$work/c" && openspec validate --specs --strict --json --no-interactive) >"$work/valid.json" 2>/dev/null
  (cd "$work/c" && for spec in openspec/specs/*/; do openspec show "$(basename "$spec")" --type spec --json --no-interactive 2>/dev/null || echo '{}'; echo; done) >"$work/shown.json"
  line=$(judge "$work/c/openspec/specs" "$work/valid.json" "$work/shown.json") || failed=$((failed + 1))
  # shellcheck disable=SC2086 # the numbers are separate
  printf '%-11s %-46s %5s %5s %9s %5s %s' "$language" "$name" $line
  (cd "$work/c" && rm -rf "$work/first" && cp -r openspec "$work/first" && written . && diff -r openspec "$work/first" >"$work/log") || { printf '; a second batch differs'; failed=$((failed + 1)); }
  if [ -n "$base" ]; then
    change=$(proposed "$git" "$base" "$head") || failed=$((failed + 1))
    printf '; %s' "$change"
  fi
  echo
done <scripts/formats.txt
[ "$found" -gt 0 ] || { echo "formats: none of the repositories could be fetched: nothing is compared" >&2 && exit 1; }
[ "$failed" = 0 ] || { echo "formats: $failed failures" >&2 && exit 1; }
