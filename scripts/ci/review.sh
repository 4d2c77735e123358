#!/usr/bin/env bash
# review.sh: what action.yml runs. It reviews the change since a base, shows it beside the code and in the summary of the job, keeps
# one comment of the pull request up to date, and writes SARIF. It is tested against a fake of GitHub's API in test/action.
#
# From the action: REVIEW_BASE, REVIEW_FAIL_ON, REVIEW_COMMENT and REVIEW_SARIF ("true" or a path; "false" for none), REVIEW_PR (the
# number of the pull request; empty for none), REVIEW_TOKEN, REVIEW_VERSION (a release, "source" to build, empty for the newest release),
# REVIEW_PROGRAM (a program that is there). From GitHub: GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY.
set -euo pipefail

say() { echo "reverse-spec: $*" >&2; }

action=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# install sets program: the one that is given or on PATH, that of a release, or one that is built from the action's own source.
install() {
  program=${REVIEW_PROGRAM:-}
  [ -z "$program" ] || return 0
  if [ "${REVIEW_VERSION:-}" != source ] && download; then return 0; fi
  command -v go >/dev/null || { say "there is no release for $os-$arch, and no Go to build with" && return 1; }
  say "building from source"
  (cd "$action" && CGO_ENABLED=1 go build -trimpath -ldflags '-s -w' -o "$work/reverse-spec" ./cmd/reverse-spec)
  program=$work/reverse-spec
}

# download sets program to that of a release, whose checksum must fit.
download() {
  case $(uname -s) in Darwin) os=darwin ;; Linux) os=linux ;; *) os=windows ;; esac
  case $(uname -m) in aarch64 | arm64) arch=arm64 ;; *) arch=amd64 ;; esac
  local version=${REVIEW_VERSION:-} releases=${GITHUB_SERVER_URL:-https://github.com}/reverse-spec/reverse-spec/releases archive
  if [ -z "$version" ]; then
    version=$(curl -fsSLI -o /dev/null -w '%{url_effective}' "$releases/latest" 2>/dev/null) || return 1
    version=${version##*/}
  fi
  archive=reverse-spec_${version#v}_${os}_$arch.tar.gz
  curl -fsSL -o "$work/$archive" "$releases/download/v${version#v}/$archive" 2>/dev/null &&
    curl -fsSL -o "$work/checksums.txt" "$releases/download/v${version#v}/checksums.txt" 2>/dev/null || return 1
  (cd "$work" && grep " $archive\$" checksums.txt | if command -v sha256sum >/dev/null; then sha256sum -c --quiet; else shasum -a 256 -c --quiet; fi) ||
    { say "the checksum of $archive does not fit" && exit 1; }
  tar -xzf "$work/$archive" -C "$work"
  program=$work/reverse-spec
}

# api method path [file]: a call of GitHub's API; its answer is on standard output.
api() {
  curl -fsS --retry 2 -X "$1" -H "Authorization: Bearer $REVIEW_TOKEN" -H 'Accept: application/vnd.github+json' \
    ${3:+-H 'Content-Type: application/json' --data-binary "@$3"} "${GITHUB_API_URL:-https://api.github.com}$2"
}

marker='<!-- reverse-spec review -->'

# comment keeps one comment of the pull request up to date: the first that begins with the marker.
comment() {
  local most=65000 id='' page=1 list
  if [ "$(wc -c <"$work/review.md")" -gt "$most" ]; then
    head -c "$most" "$work/review.md" | sed '$d' >"$work/short.md"
    printf '\n… the rest is in the summary of the job.\n' >>"$work/short.md"
  else
    cp "$work/review.md" "$work/short.md"
  fi
  jq -Rs '{body: .}' "$work/short.md" >"$work/comment.json"
  while [ -z "$id" ]; do
    list=$(api GET "/repos/$GITHUB_REPOSITORY/issues/$REVIEW_PR/comments?per_page=100&page=$page") || return 1
    id=$(jq -r --arg marker "$marker" 'first(.[] | select(.body | startswith($marker)) | .id) // empty' <<<"$list")
    [ "$(jq length <<<"$list")" -eq 100 ] || break
    page=$((page + 1))
  done
  if [ -n "$id" ]; then
    api PATCH "/repos/$GITHUB_REPOSITORY/issues/comments/$id" "$work/comment.json" >/dev/null
  else
    api POST "/repos/$GITHUB_REPOSITORY/issues/$REVIEW_PR/comments" "$work/comment.json" >/dev/null
  fi
}

install
base=${REVIEW_BASE:-HEAD~1}
if ! git cat-file -e "$base^{commit}" 2>/dev/null; then
  git fetch -q --depth=1 origin "$base" || { say "the base $base is not in the clone, and cannot be fetched: check out with fetch-depth: 0" && exit 1; }
fi

"$program" review --base "$base" --format json >"$work/review.json"
"$program" review --base "$base" --format md >"$work/review.md"
"$program" review --base "$base" --format github
cat "$work/review.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
risk=$(jq -r .risk.level "$work/review.json")
breaking=$(jq '.breaking | length' "$work/review.json")
{
  echo "risk=$risk"
  echo "breaking=$breaking"
} >>"${GITHUB_OUTPUT:-/dev/null}"

if [ "${REVIEW_SARIF:-false}" != false ]; then
  sarif=$REVIEW_SARIF
  [ "$sarif" != true ] || sarif=reverse-spec.sarif
  "$program" review --base "$base" --format sarif >"$sarif"
  echo "sarif=$sarif" >>"${GITHUB_OUTPUT:-/dev/null}"
fi

if [ "${REVIEW_COMMENT:-true}" = true ] && [ -n "${REVIEW_PR:-}" ] && [ -n "${REVIEW_TOKEN:-}" ]; then
  comment || say "the comment could not be written (a pull request from a fork has no right to); the summary of the job has the review"
fi

# The levels in their order; what breaks users is known apart from the risk.
case ${REVIEW_FAIL_ON:-breaking} in
never) ;;
breaking) [ "$breaking" -eq 0 ] || { say "$breaking breaking" && exit 3; } ;;
*)
  at() { case $1 in none) echo 0 ;; low) echo 1 ;; medium) echo 2 ;; high) echo 3 ;; *) say "no such level: $1" && exit 2 ;; esac; }
  least=$(at "$REVIEW_FAIL_ON")
  [ "$(at "$risk")" -lt "$least" ] || { say "the risk is $risk" && exit 3; }
  ;;
esac
