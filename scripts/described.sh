#!/usr/bin/env bash
# described.sh: renews internal/codegraph/search/described.txt, which says which words names use for those of documentation, and likeness.txt,
# the vectors of words that tell which function a sentence may document. Both are learned from the documented functions of Go's, Python's,
# Java's, Rust's and Ruby's own libraries, and of packages of Go, Python, Rust, Ruby, PHP, TypeScript and JavaScript. None of them is asked by
# retrieval.sh. They are kept in a cache (DESCRIBED_CACHE). Needs apt-get (to download only), dpkg, npm, unzip, and a quarter of an hour.
set -euo pipefail
cd "$(dirname "$0")/.."

cache=${DESCRIBED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/described}
mkdir -p "$cache/deb" "$cache/npm" "$cache/go"
cache=$(cd "$cache" && pwd)

packages="openjdk-17-source rust-src libpython3.11-stdlib libruby3.1 ruby-activesupport ruby-activerecord ruby-actionpack ruby-actionview
php-symfony-http-foundation php-symfony-console php-symfony-dependency-injection php-symfony-form php-symfony-http-kernel php-symfony-routing
php-doctrine-orm php-doctrine-dbal php-twig phpunit
mercurial-common python3-aiohttp python3-astropy python3-breezy python3-dask python3-distributed python3-django python3-docutils python3-ipython
python3-matplotlib python3-nltk python3-numpy python3-pandas python3-paramiko python3-pil python3-scipy python3-scrapy python3-sphinx
python3-sqlalchemy python3-sympy python3-twisted python3-werkzeug
rubocop ruby-activemodel ruby-addressable ruby-aws-sdk ruby-capybara ruby-concurrent ruby-devise ruby-grape ruby-kramdown ruby-money ruby-mongo
ruby-net-ssh ruby-nokogiri ruby-prawn ruby-railties ruby-redis ruby-rouge ruby-rspec-core ruby-rspec-expectations ruby-rspec-mocks ruby-thor
vagrant yard
composer php-codesniffer php-illuminate-database php-illuminate-support php-mockery php-phpseclib php-ramsey-uuid php-sabre-dav php-sabre-vobject
php-symfony-cache php-symfony-config php-symfony-dom-crawler php-symfony-framework-bundle php-symfony-http-client php-symfony-lock
php-symfony-mailer php-symfony-messenger php-symfony-mime php-symfony-process php-symfony-security-core php-symfony-security-http
php-symfony-serializer php-symfony-string php-symfony-translation php-symfony-validator php-symfony-workflow php-tcpdf php-zend-code
librust-bytes-dev librust-cargo-dev librust-clap-3-dev librust-crossterm-dev librust-futures-util-dev librust-gimli-dev librust-git2-dev
librust-gtk-dev librust-h2-dev librust-http-dev librust-hyper-dev librust-image-dev librust-indexmap-dev librust-nom-dev librust-num-bigint-dev
librust-object-dev librust-openssl-dev librust-petgraph-dev librust-rand-dev librust-reqwest-dev librust-rusqlite-dev librust-rustls-dev
librust-serde-json-dev librust-syn-dev librust-time-dev librust-tokio-dev librust-toml-edit-dev librust-tower-dev librust-url-dev"
npm="rxjs@7.8.2 zod@4.6.7 date-fns@4.4.0 @reduxjs/toolkit@2.15.0 @tanstack/query-core@5.108.4 @tanstack/table-core@9.3.1 typeorm@1.1.1
mobx@7.1.3 effect@4.1.0 fp-ts@2.16.11 @trpc/server@11.25.2 drizzle-orm@0.45.4
phaser@4.2.1 mathjs@15.2.0 webpack@5.113.0 three@0.187.0 ol@10.11.0 pixi.js@8.22.0 mongoose@9.12.1 fabric@7.4.0 class-validator@0.15.1
lodash@4.18.1 eslint@10.15.0 ramda@0.32.0 @mikro-orm/core@6.6.16 luxon@3.7.2 async@3.2.6 jsdom@29.1.1"
modules="golang.org/x/tools@v0.52.0 golang.org/x/net@v0.62.0 golang.org/x/text@v0.44.0 golang.org/x/crypto@v0.59.0 github.com/go-git/go-git/v5@v5.19.3
github.com/jackc/pgx/v5@v5.13.0 gonum.org/v1/gonum@v0.17.0 k8s.io/apimachinery@v0.37.2 k8s.io/client-go@v0.37.2
github.com/nats-io/nats-server/v2@v2.15.3 github.com/tetratelabs/wazero@v1.12.0
github.com/cockroachdb/pebble@v1.1.5 github.com/gdamore/tcell/v2@v2.13.10 github.com/blevesearch/bleve/v2@v2.6.3
github.com/caddyserver/caddy/v2@v2.11.9 go.etcd.io/bbolt@v1.5.0 github.com/redis/go-redis/v9@v9.23.0 github.com/minio/minio-go/v7@v7.4.1
fyne.io/fyne/v2@v2.7.1"

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
for module in $modules; do
  (cd "$cache/go" && GOFLAGS=-mod=mod GOMODCACHE=$cache/go go mod download "$module") || { echo "described: $module could not be downloaded" >&2 && exit 1; }
done

pairs=$(mktemp)
trap 'rm -f "$pairs"' EXIT
REVERSE_SPEC_DOCUMENTED="$(go env GOROOT)/src $cache/deb $cache/npm $cache/go" REVERSE_SPEC_DOCUMENTED_TO=$pairs \
  go test -count=1 -timeout 60m -run '^TestDocumented$' -v ./internal/codegraph/search | grep -v '^[=-]'
REVERSE_SPEC_DESCRIBED=$pairs go test -count=1 -timeout 60m -run '^(TestDescribed|TestLikeness)$' ./internal/codegraph/search
wc internal/codegraph/search/described.txt internal/codegraph/search/likeness.txt
