#!/usr/bin/env bash
# described.sh: renews internal/codegraph/search/described.txt, which says which words names use for those of documentation. It is learned from
# the documented functions of Go's, Python's, Java's, Rust's and Ruby's own libraries, and of packages of PHP, Ruby and TypeScript. None of
# them is asked by retrieval.sh. They are kept in a cache (DESCRIBED_CACHE). Needs apt-get (to download only), dpkg, npm and unzip.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=${DESCRIBED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/described}
mkdir -p "$cache/deb" "$cache/npm"
cache=$(cd "$cache" && pwd)

packages="openjdk-17-source rust-src libpython3.11-stdlib libruby3.1 ruby-activesupport ruby-activerecord ruby-actionpack ruby-actionview
php-symfony-http-foundation php-symfony-console php-symfony-dependency-injection php-symfony-form php-symfony-http-kernel php-symfony-routing
php-doctrine-orm php-doctrine-dbal php-twig phpunit"
npm="rxjs@7.8.2 zod@4.6.7 date-fns@4.4.0 @reduxjs/toolkit@2.15.0 @tanstack/query-core@5.108.4 @tanstack/table-core@9.3.1 typeorm@1.1.1
mobx@7.1.3 effect@4.1.0 fp-ts@2.16.11 @trpc/server@11.25.2 drizzle-orm@0.45.4"

for package in $packages; do
  [ ! -d "$cache/deb/$package" ] || continue
  (cd "$cache" && apt-get download -qq "$package") || { echo "described: $package could not be downloaded" >&2 && exit 1; }
  dpkg -x "$cache/$package"_*.deb "$cache/deb/$package.part"
  mv "$cache/deb/$package.part" "$cache/deb/$package"
  rm "$cache/$package"_*.deb
done
java=$cache/deb/openjdk-17-source/java
if [ ! -d "$java" ]; then
  rm -rf "$java.part"
  unzip -q "$(find "$cache/deb/openjdk-17-source" -name src.zip)" 'java.base/*' 'java.desktop/javax/swing/*' 'java.net.http/*' \
    'java.sql/*' 'java.logging/*' 'java.xml/*' -d "$java.part"
  mv "$java.part" "$java"
fi
for package in $npm; do
  to=$cache/npm/${package//\//+}
  [ ! -d "$to" ] || continue
  rm -rf "$to.part" && mkdir "$to.part"
  (cd "$to.part" && npm pack --silent "$package" >/dev/null && tar -xzf ./*.tgz && rm ./*.tgz) || { echo "described: $package could not be downloaded" >&2 && exit 1; }
  mv "$to.part" "$to"
done

pairs=$(mktemp)
trap 'rm -f "$pairs"' EXIT
REVERSE_SPEC_DOCUMENTED="$(go env GOROOT)/src $cache/deb $cache/npm" REVERSE_SPEC_DOCUMENTED_TO=$pairs \
  go test -count=1 -timeout 60m -run '^TestDocumented$' -v ./internal/codegraph/search | grep -v '^[=-]'
REVERSE_SPEC_DESCRIBED=$pairs go test -count=1 -timeout 60m -run '^TestDescribed$' ./internal/codegraph/search
wc internal/codegraph/search/described.txt
