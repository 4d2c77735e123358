#!/usr/bin/env bash
# corpora.sh [language ...]: fetches the public code of corpora.txt, or of the list
# that CORPORA_LIST names, into a cache outside the repository (CORPORA_CACHE), as
# language/name links to the folders named there. What cannot be fetched is said and passed over.
set -uo pipefail
cd "$(dirname "$0")"

cache=${CORPORA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/corpora}
mkdir -p "$cache/packages"
cache=$(cd "$cache" && pwd)

# apt-get and apt-cache run with the machine's own sources, as sources of source
# packages, in a state of their own: nothing of the machine's is changed.
apt_get() { apt apt-get -qq "$@"; }
apt_cache() { apt apt-cache "$@"; }
apt() {
  local program=$1
  shift
  "$program" -o "Dir::Etc::SourceList=$cache/apt/sources.list" -o "Dir::Etc::SourceParts=$cache/apt/parts" \
    -o "Dir::State::Lists=$cache/apt/lists" -o "Dir::Cache=$cache/apt/cache" -o APT::Sandbox::User=root "$@"
}

prepare_apt() {
  [ ! -e "$cache/apt/ready" ] || return 0
  command -v apt-get >/dev/null || return 1
  mkdir -p "$cache"/apt/{parts,lists/partial,cache/archives/partial}
  cat /etc/apt/sources.list 2>/dev/null | sed -n 's/^deb /deb-src /p' >"$cache/apt/sources.list"
  local file
  for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$cache/apt/parts/$(basename "$file")"
  done
  apt_get -o Acquire::http::Timeout=60 update >/dev/null 2>&1 && touch "$cache/apt/ready"
}

# fetch_debian package version: unpacks the source package as its authors
# published it. The version is theirs: Debian's revisions share one archive.
fetch_debian() {
  prepare_apt || return
  local revision
  while read -r revision; do # the newest may not be there yet, or no more
    (cd "$download" && apt_get source --download-only "$1=$revision") >/dev/null 2>&1 # Debian's own part may be missing
    ! compgen -G "$download/*.tar.*" >/dev/null || break
  done < <(apt_cache showsrc "$1" 2>/dev/null | awk -v want="$2" '$1 == "Version:" && ($2 == want || index($2, want "-") == 1) { print $2 }' | sort -Vru)
  local archive found=1
  for archive in "$download"/*.orig*.tar.* "$download"/*[0-9].tar.*; do
    case $archive in *.asc | *.debian.tar.* | *'*'*) continue ;; esac
    tar -xf "$archive" -C "$unpacked" && found=0
  done
  return $found
}

# fetch_deb package version: unpacks the package that is installed, for what its
# source package is not kept of. Its files lie below usr.
fetch_deb() {
  command -v apt-get >/dev/null || return
  mkdir -p "$cache/apt/cache/archives/partial"
  local parts=$cache/apt/binary
  if [ ! -e "$parts/ready" ]; then
    mkdir -p "$parts"/{parts,lists/partial}
    sed -n '/^deb /p' /etc/apt/sources.list 2>/dev/null >"$parts/sources.list"
    cp /etc/apt/sources.list.d/*.sources "$parts/parts/" 2>/dev/null
    apt_binary apt-get -qq -o Acquire::http::Timeout=60 update >/dev/null 2>&1 && touch "$parts/ready"
  fi
  local revision
  revision=$(apt_binary apt-cache madison "$1" 2>/dev/null | awk -v want="$2" '$3 == want || index($3, want "-") == 1 { print $3; exit }')
  [ -n "$revision" ] && (cd "$download" && apt_binary apt-get -qq download "$1=$revision") >/dev/null 2>&1 &&
    dpkg-deb -x "$download"/*.deb "$unpacked"
}
apt_binary() {
  local program=$1 parts=$cache/apt/binary
  shift
  "$program" -o "Dir::Etc::SourceList=$parts/sources.list" -o "Dir::Etc::SourceParts=$parts/parts" \
    -o "Dir::State::Lists=$parts/lists" -o "Dir::Cache=$cache/apt/cache" -o APT::Sandbox::User=root "$@"
}

fetch_npm() {
  command -v npm >/dev/null || return
  (cd "$download" && timeout 300 npm pack --silent "$1@$2" </dev/null) >/dev/null 2>&1 || return
  tar -xzf "$download"/*.tgz -C "$unpacked"
}

fetch_gomod() {
  local dir
  dir=$(cd / && timeout 300 go mod download -json "$1@$2" 2>/dev/null | sed -n 's/^\t"Dir": "\(.*\)",\{0,1\}$/\1/p') || return
  [ -n "$dir" ] && cp -r "$dir/." "$unpacked" && chmod -R u+w "$unpacked"
}

# fetch_github owner/name commit: the commit's files but .NET's binaries, of the git folder owner+name/repo below CORPORA_GIT if that has it, else
# from GitHub.
fetch_github() {
  local git=${CORPORA_GIT:-$cache/git}/${1/\//+}/repo
  if ! git --git-dir="$git" cat-file -e "$2^{commit}" 2>/dev/null; then
    git=$download/git
    git init -q --bare "$git" && timeout 600 git --git-dir="$git" fetch -q --depth 1 "https://github.com/$1" "$2" 2>/dev/null || return
  fi
  git --git-dir="$git" archive "$2" -- . ':(exclude)*.'{dll,exe,pdb} 2>/dev/null | tar -x -C "$unpacked" # of which a mirror may lack the contents
}

# fetch from package version: the package's folder in the cache, made once.
fetch() {
  local key=${2//[^A-Za-z0-9.+-]/_}@${3//[^A-Za-z0-9.+~-]/_}
  folder=$cache/packages/$1-$key
  [ ! -d "$folder" ] || return 0
  local download unpacked status=0
  download=$(mktemp -d "$cache/download.XXXX")
  unpacked=$(mktemp -d "$cache/unpacked.XXXX")
  "fetch_$1" "$2" "$3" && mv "$unpacked" "$folder" || status=1
  rm -rf "$download" "$unpacked"
  return $status
}

missing=0
while read -r language name from package version path _; do
  case $language in '' | '#'*) continue ;; esac
  [ $# -eq 0 ] || [[ " $* " == *" $language "* ]] || continue
  mkdir -p "$cache/$language"
  rm -f "$cache/$language/$name"
  if ! fetch "$from" "$package" "$version"; then
    echo "$language $name: $package $version could not be fetched ($from), passed over"
    missing=$((missing + 1))
  elif [ ! -e "$folder/$path" ]; then
    echo "$language $name: no $path in $package $version"
    missing=$((missing + 1))
  else
    ln -s "$folder/$path" "$cache/$language/$name"
  fi
done <"${CORPORA_LIST:-corpora.txt}"
echo "corpora: $cache ($missing missing)"
