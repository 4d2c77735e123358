#!/usr/bin/env bash
# noticed.sh: puts the mistakes of verify --mutate into the modules of scripts/noticed.txt, runs the whole test suite of their
# project with each, and prints what verify and the suite notice: the tables of docs/contract-tests.md. ROWS chooses the
# modules by a word of their lines, MUTANTS says how many mistakes for each (30).
# The repositories are kept in a cache outside this one (NOTICED_CACHE): owner+name/repo is the git folder of each, as in that
# of retrieval.sh. Python needs pytest (REVERSE_SPEC_PYTHON is the interpreter), TypeScript npm, Rust cargo, and Java Maven with
# Debian's maven, junit5, libsurefire-java, libtruth-java and libguava-java. A row that cannot be prepared is skipped, with a word.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${NOTICED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/noticed}
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/reverse-spec" ./cmd/reverse-spec
go -C test/truth build -o "$work/noticed" ./cmd/noticed
export PATH=$work:$PATH REVERSE_SPEC_HOME=$work/home ANTHROPIC_API_KEY=
if [ -n "${REVERSE_SPEC_PYTHON:-}" ]; then ln -s "$REVERSE_SPEC_PYTHON" "$work/python3"; fi

# copied repository commit folder: the files of a commit, fetched if need be.
copied() {
  local git=$cache/${1/\//+}/repo
  if [ "$1" = GOROOT ]; then
    cp -r "$(go env GOROOT)/src" "$3"
    return
  fi
  git --git-dir="$git" cat-file -e "$2^{commit}" 2>/dev/null ||
    { git init -q --bare "$git" && timeout 600 git --git-dir="$git" fetch -q --depth 1 "https://github.com/$1" "$2"; } || return
  mkdir "$3" && git --git-dir="$git" archive "$2" | tar -x -C "$3"
}

# pom folder: a pom with what Debian has. The test files that it cannot compile are removed, one round after the other.
pom() {
  cat >"$1/pom.xml" <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>noticed</groupId><artifactId>noticed</artifactId><version>1</version>
<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies>
<dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>debian</version><scope>test</scope></dependency>
<dependency><groupId>org.junit.vintage</groupId><artifactId>junit-vintage-engine</artifactId><version>debian</version><scope>test</scope></dependency>
<dependency><groupId>com.google.truth</groupId><artifactId>truth</artifactId><version>debian</version><scope>test</scope></dependency>
<dependency><groupId>com.google.guava</groupId><artifactId>guava</artifactId><version>debian</version><scope>test</scope></dependency>
<dependency><groupId>com.google.errorprone</groupId><artifactId>error_prone_annotations</artifactId><version>debian</version></dependency>
</dependencies></project>
POM
  rm -f "$1/src/main/java/module-info.java"
  if [ -d "$1/src/main/java-templates" ]; then # what a plugin fills in
    cp -r "$1/src/main/java-templates/." "$1/src/main/java"
    find "$1/src/main/java" -name '*.java' -exec sed -i 's/${project\.version}/1.0.0/' {} +
  fi
  mkdir -p "$1/.mvn" && printf -- '-o\n-s\n/etc/maven/settings-debian.xml\n' >"$1/.mvn/maven.config"
  for _ in 1 2 3 4 5 6; do
    (cd "$1" && mvn -q test-compile) >"$work/log" 2>&1 && return
    grep -oE '/[^ :]*/src/test/java/[^ :]*\.java' "$work/log" | sort -u >"$work/removed"
    [ -s "$work/removed" ] || return 1
    xargs rm -f <"$work/removed"
  done
  return 1
}

# bare folder: a crate without what comes from a registry, where cargo reaches none. Its optional parts are not tested.
bare() {
  (cd "$1" && cargo metadata --format-version 1) >/dev/null 2>&1 && return
  awk '/^\[/ { skip = /dependencies/ || /^\[\[bench/ } !skip && !/"dep:/' "$1/Cargo.toml" >"$work/Cargo.toml" && mv "$work/Cargo.toml" "$1"
}

# prepared language folder: what the project's tests need.
prepared() {
  case $1 in
    typescript) (cd "$2" && timeout 600 npm install --legacy-peer-deps --no-audit --no-fund --ignore-scripts) ;;
    rust) bare "$2" ;;
    java) pom "$2/$([ -d "$2/gson" ] && echo gson)" ;;
  esac >"$work/log" 2>&1
}

failed=0
while read -r language name commit target suite; do
  case $language in '' | '#'*) continue ;; esac
  [[ "$name $target" == *"${ROWS:-}"* ]] || continue
  folder=$work/copy
  rm -rf "$folder"
  if ! copied "$name" "$commit" "$folder" 2>"$work/log"; then
    echo "$name: commit $commit could not be fetched, skipped: $(tail -1 "$work/log")"
    continue
  fi
  if ! prepared "$language" "$folder"; then
    echo "$name: its tests could not be prepared, skipped: $(grep -m1 -E '[a-z]' "$work/log")"
    continue
  fi
  git -C "$folder" init -q && git -C "$folder" add -A >/dev/null 2>&1
  echo "== $name $target"
  noticed -tool "$work/reverse-spec" -dir "$folder" -suite "$suite" -mutants "${MUTANTS:-30}" "$target" || failed=1
done <scripts/noticed.txt
exit "$failed"
