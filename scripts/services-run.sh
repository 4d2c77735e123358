#!/usr/bin/env bash
# services-run.sh: starts public web services on loopback, sends the requests of test/services/running/*.txt to each, and
# compares the statuses that it answers with those that we find in its code; with V=-v also each difference, with SHOW=1 each
# answer. ONLY=word picks services. A file .sh beside each .txt says how the service is prepared (once) and started.
# The repositories are kept in a cache outside this one (SERVICES_CACHE), as in that of services.sh, and prepared services in
# SERVICES_RUN_CACHE. What cannot be fetched, prepared or started here is skipped, with a word. It fails below .9 right or .8
# found of all statuses.
set -uo pipefail
cd "$(dirname "$0")/.."

base=${XDG_CACHE_HOME:-$HOME/.cache}/reverse-spec
cache=${SERVICES_CACHE:-$base/services} prepared=${SERVICES_RUN_CACHE:-$base/services-run}
mkdir -p "$cache" "$prepared"
export CACHE PREPARED WORK
CACHE=$(cd "$cache" && pwd) PREPARED=$(cd "$prepared" && pwd) WORK=$(mktemp -d)
leader=
trap 'stop; [ -z "${database:-}" ] || stop_database; rm -rf "$WORK"' EXIT

stop() {
  [ -z "$leader" ] || kill -TERM -- "-$leader" 2>/dev/null
  leader=
}

# fetched folder name commit: whether the commit is in the git folder, fetched if need be.
fetched() {
  git --git-dir="$1" cat-file -e "$3^{commit}" 2>/dev/null && return
  git init -q --bare "$1" 2>"$WORK/log" &&
    timeout 600 git --git-dir="$1" fetch -q --depth 1 "https://github.com/$2" "$3" 2>"$WORK/log"
}

# archive name commit folder: puts a repository's files into a folder.
archive() {
  local git="$CACHE/${1/\//+}/repo"
  [ ! -d "$git/.git" ] || git=$git/.git
  fetched "$git" "$1" "$2" && mkdir -p "$3" && git --git-dir="$git" archive "$2" | tar -x -C "$3"
}
export -f fetched archive

# database: starts PostgreSQL in a folder of its own, once, with its socket and port on loopback.
database() {
  [ -z "${database:-}" ] || return 0
  local bin
  bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
  database=$WORK/postgres
  mkdir "$database" && chmod 755 "$WORK"
  [ "$(id -u)" != 0 ] || chown postgres "$database"
  as_postgres "$bin/initdb -D $database/data -U postgres --auth=trust >$database/log &&
    $bin/pg_ctl -D $database/data -w -l $database/log -o '-p $PGPORT -k $database -c listen_addresses=127.0.0.1 -c fsync=off' start >/dev/null"
}
stop_database() { as_postgres "$(ls -d /usr/lib/postgresql/*/bin | tail -1)/pg_ctl -D $database/data -m immediate stop >/dev/null"; }
as_postgres() { if [ "$(id -u)" = 0 ]; then (cd / && setpriv --reuid postgres --regid postgres --clear-groups bash -c "$1"); else bash -c "$1"; fi; }

# run name: prepares, starts and asks one service.
run() {
  local name=$1 at=test/services/running/$1 repository commit folder
  repository=$(sed -n 's/^repository //p' "$at.txt") commit=$(sed -n 's/^commit //p' "$at.txt")
  folder=$PREPARED/$name-$(git hash-object "$at.sh" | cut -c1-12)-${commit:0:12}
  archive "$repository" "$commit" "$WORK/code/$name" || { echo "$name: cannot be fetched: $(tail -1 "$WORK/log")" && return; }
  export HERE=$PWD/test/services/running CODE=$WORK/code/$name
  if grep -q '^# needs postgres' "$at.sh"; then
    database || { echo "$name: skipped: PostgreSQL does not start" && return; }
  fi
  if [ ! -f "$folder/.prepared" ]; then
    rm -rf "$folder" && mkdir -p "$folder" && cp -r "$CODE/." "$folder"
    (cd "$folder" && set -e && . "$OLDPWD/$at.sh" && prepare) >"$WORK/log" 2>&1 </dev/null ||
      { echo "$name: skipped: cannot be prepared: $(tail -3 "$WORK/log" | tr '\n' ' ')" && return; }
    touch "$folder/.prepared"
  fi
  setsid bash -c 'cd "$1" && . "$2" && start' - "$folder" "$PWD/$at.sh" >"$WORK/$name.log" 2>&1 </dev/null &
  leader=$!
  for _ in $(seq 120); do
    (: >"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null && break
    kill -0 "$leader" 2>/dev/null || break
    sleep 0.5
  done
  (: >"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null || { echo "$name: skipped: it does not start: $(tail -3 "$WORK/$name.log" | tr '\n' ' ')" && stop && return; }
  REVERSE_SPEC_ADDRESS=http://127.0.0.1:$PORT REVERSE_SPEC_SCRIPT=$HERE/$name.txt REVERSE_SPEC_CODE=$CODE \
    "$WORK/services.test" -test.count=1 ${V:+-test.v} -test.run '^TestRunning$' | grep -v '^PASS$\|^FAIL$\|^=== RUN\|^--- ' | tee -a "$WORK/lines"
  stop
  [ -z "${LOG:-}" ] || cp "$WORK/$name.log" "$LOG"
}

go test -c -o "$WORK/services.test" ./test/services || exit 1
export PORT PGPORT=${PGPORT:-45432}
PORT=${PORT:-45100}
for file in test/services/running/*"${ONLY:-}"*.txt; do
  PORT=$((PORT + 1))
  run "$(basename "$file" .txt)"
done
awk -F '[ /,;]+' '/ statuses [0-9]/ {
  for (i = 1; i < NF; i++) if ($i == "statuses") { right += $(i+1); stated += $(i+2); found += $(i+4); answered += $(i+5); services++ }
} END {
  if (!services) { print "services-run: no service could be started: nothing is compared"; exit 1 }
  printf "%d services: statuses %d/%d right, %d/%d found\n", services, right, stated, found, answered
  if (right < .9 * stated || found < .8 * answered) { print "services-run: below .9 right or .8 found"; exit 1 }
}' "$WORK/lines" /dev/null
