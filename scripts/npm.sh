# shellcheck shell=bash
# For scripts that want packages from npm: `. scripts/npm.sh`.

# fetch FOLDER PACKAGE... installs packages, which name their versions, into a folder, unless
# they are there. Without them it says why, in a line, and fails. Their own install scripts
# are run where SCRIPTS is set.
fetch() {
  local folder=$1 start=$SECONDS
  shift
  local want="$*"
  [ "$(cat "$folder/fetched" 2>/dev/null)" != "$want" ] || return 0
  if ! command -v npm >/dev/null; then
    echo "npm is not installed, and $want is passed over"
    return 1
  fi
  mkdir -p "$folder"
  rm -f "$folder/fetched"
  echo '{"private": true}' >"$folder/package.json"
  if ! timeout 300 npm install --prefix "$folder" --silent --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 \
    --ignore-scripts="$([ -n "${SCRIPTS:-}" ] && echo false || echo true)" "$@" </dev/null >"$folder/npm.log" 2>&1; then
    echo "npm could not fetch $want (see $folder/npm.log): passed over"
    return 1
  fi
  echo "$want" >"$folder/fetched"
  echo "$want: fetched in $((SECONDS - start)) s"
}
