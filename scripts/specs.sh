#!/usr/bin/env bash
# specs.sh FOLDER: writes the specs of public code by bin/reverse-spec, for the tests
# that hold every line of them to the code: a project each in FOLDER, made anew. Go's
# and Python's standard libraries are those of the machine; the others are taken from
# where truth.sh and corpora.sh put them. What is not there is passed over, and said.
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$PWD/bin/reverse-spec
out=$1
corpora=${CORPORA_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/corpora}
modules=${TRUTH_CACHE:-}/node_modules
rm -rf "$out"
mkdir -p "$out"
export REVERSE_SPEC_HOME=$out/.home

# project NAME FROM [FOLDER ...]: copies a folder, or some folders of it, without
# what only their tests read.
project() {
  local name=$1 from=$2 part
  shift 2
  mkdir -p "$out/$name"
  for part in "${@:-.}"; do
    mkdir -p "$out/$name/$(dirname "$part")"
    cp -rL "$from/$part" "$out/$name/$(dirname "$part")/" 2>/dev/null || [ -e "$out/$name/$part" ] || return 1
  done
  find "$out/$name" -name testdata -prune -exec rm -rf {} +
}

# batch NAME [LANG]: a spec for each folder.
batch() { (cd "$out/$1" && "$bin" batch --all --project . ${2:+--lang "$2"} 2>&1 | grep -aE ' modules?: |个模块' || echo "no specs"); }

say() { printf 'specs of %s: %s\n' "$1" "$2"; }

go_packages="archive bufio bytes cmp compress container context database encoding errors expvar flag fmt go hash html image io
  iter log maps math mime net os path reflect regexp slices sort strconv strings sync testing text time unicode unique"
project go "$(go env GOROOT)/src" $go_packages && say Go "$(batch go)"

python_modules="abc argparse ast base64 bdb bisect calendar cmd code codecs configparser contextlib copy copyreg csv dataclasses
  datetime difflib dis doctest enum fileinput filecmp fnmatch fractions ftplib functools getopt getpass gettext glob graphlib
  gzip hashlib heapq hmac imaplib inspect ipaddress keyword linecache locale mailbox mimetypes netrc numbers operator optparse
  os pathlib pdb pickle pkgutil platform plistlib poplib pprint profile queue random sched secrets selectors shelve shlex
  shutil signal smtplib socket socketserver statistics stat string subprocess tarfile tempfile textwrap threading timeit
  token tokenize trace traceback types typing uuid warnings wave weakref webbrowser zipapp"
if library=$(python3 -c 'import os; print(os.path.dirname(os.__file__))' 2>/dev/null); then
  mkdir -p "$out/python"
  for module in $python_modules; do
    [ ! -f "$library/$module.py" ] || cp "$library/$module.py" "$out/python/"
  done
  for file in "$out"/python/*.py; do
    (cd "$out/python" && "$bin" generate --all --project . "$(basename "$file")" >/dev/null 2>&1) || echo "no spec of $file"
  done
  say Python "$(find "$out/python/specs" -name '*.spec.md' | wc -l) modules"
fi

for package in rxjs zod effect @reduxjs/toolkit; do
  name=${package#*/}
  [ -d "$modules/$package/src" ] || { say $package "not fetched"; continue; }
  project "$name" "$modules/$package" src && say $package "$(batch "$name")"
done
for package in java/guava java/junit5 rust/clap rust/ripgrep rust/serde; do
  [ -d "$corpora/$package" ] || { say $package "not fetched"; continue; }
  project "$(basename "$package")" "$(readlink -f "$corpora/$package")" && say "$package" "$(batch "$(basename "$package")" zh)"
done
