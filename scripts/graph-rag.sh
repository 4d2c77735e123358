#!/bin/sh
# graph-rag.sh --query <question> [options]: runs reverse-spec graph-rag, with the
# reverse-spec that stands beside this script, in the bin folder beside its folder,
# or on PATH. Without one the exit status is 2, what is missing.
set -eu

self=$0
while [ -L "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=$(dirname "$self")/$link ;;
  esac
done
here=$(cd "$(dirname "$self")" && pwd)

for program in "$here/reverse-spec" "$here/../bin/reverse-spec"; do
  if [ -f "$program" ] && [ -x "$program" ]; then
    exec "$program" graph-rag "$@"
  fi
done
if command -v reverse-spec >/dev/null 2>&1; then
  exec reverse-spec graph-rag "$@"
fi
# The locale chooses as in the program: REVERSE_SPEC_LANG, LC_ALL, LC_MESSAGES, LANG.
case "${REVERSE_SPEC_LANG:-${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}}" in
  zh*) echo "graph-rag.sh: 依赖缺失：此脚本旁和 PATH 中都没有 reverse-spec；请用 make build 构建" >&2 ;;
  *) echo "graph-rag.sh: reverse-spec is neither beside this script nor on PATH; build it with make build" >&2 ;;
esac
exit 2
