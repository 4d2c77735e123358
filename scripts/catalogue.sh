#!/usr/bin/env bash
# catalogue.sh REAL SIZE...: fills the store of REVERSE_SPEC_STORE, if it is empty, with REAL modules of Go's module cache, each pushed as a
# repository of its own, and then with copies of them, nodes and edges included, until it has each SIZE of projects. At REAL and each SIZE it
# prints what `docs/organisation.md` says of a large store: size on disk, a push of one changed file, lists, rankings, and with 50 clients of `serve` first and warm questions and the server's memory. 250
# projects take about 1 GB. Copies have keys, packages and names of contracts of their own, so that edges lead from copy to copy as from
# original to original. It needs psql; CATALOGUE_SECONDS (20) is how long the clients ask, CATALOGUE_MODULE_KB how many kB of Go a module may have at most (without it: any), and CATALOGUE_JOBS (1) how many
# sets of copies are made at once.
set -Eeuo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] && [ -n "${REVERSE_SPEC_STORE:-}" ] || { echo "usage: REVERSE_SPEC_STORE=postgres://... catalogue.sh REAL SIZE..." >&2 && exit 2; }
real=$1
program=${PROGRAM:-$PWD/native/$(go env GOOS)-$(go env GOARCH)/reverse-spec}
modules=$(go env GOMODCACHE)
work=$(mktemp -d)
server=
trap 'echo "catalogue: line $LINENO failed" >&2' ERR
trap '[ -z "$server" ] || kill "$server"; chmod -R u+w "$work"; rm -rf "$work"' EXIT
export REVERSE_SPEC_HOME=$work/home REVERSE_SPEC_SERVER=0 GIT_CONFIG_GLOBAL=/dev/null
sql() { psql -qXAt -v ON_ERROR_STOP=1 "$REVERSE_SPEC_STORE" "$@"; }
commit() { git -C "$1" add -A . && git -C "$1" -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -qm x; }

# checkout MODULE FOLDER: a repository with a module of the cache.
checkout() {
  mkdir -p "$2"
  cp -r "$modules/$1/." "$2"
  chmod -R u+w "$2"
  rm -rf "$2/.git"
  git -C "$2" init -qb main
  git -C "$2" remote add origin "https://modules.example.org/$1"
  commit "$2"
}

# spent COMMAND...: "wall user+system" seconds; its output goes to the log.
spent() {
  local TIMEFORMAT='%R %U %S' took
  took=$({ time "$@" </dev/null >>"$work/log" 2>&1; } 2>&1) || { echo "catalogue: $* failed: $(tail -1 "$work/log")" >&2 && return 1; }
  echo "$took" | awk '{ printf "%.2f %.2f\n", $1, $2 + $3 }'
}

# percentiles: of the numbers in the first column.
percentiles() { sort -n | awk '{ v[NR] = $1 } END { printf "p50 %s p95 %s most %s\n", v[int((NR + 1) / 2)], v[int(NR * .95 + .5)], v[NR] }'; }

# The modules, in the order of a hash, so that a sample is the same on each run and of no one owner.
(cd "$modules" && find . -maxdepth 6 -type d -name '*@*' -not -path './cache/*' -prune) | sed 's|^\./||' |
  while read -r m; do
    kb=$(find "$modules/$m" -name '*.go' -printf '%s\n' | awk '{ n += $1 } END { print int((n + 999) / 1000) }')
    [ "$kb" -eq 0 ] || [ "$kb" -gt "${CATALOGUE_MODULE_KB:-$kb}" ] || echo "$(printf %s "$m" | sha1sum | cut -c1-12) $m"
  done |
  sort | cut -d' ' -f2 | awk -v n="$real" 'NR <= n' >"$work/modules"

"$program" projects >/dev/null # makes the tables
began=$SECONDS
while [ "$(sql -c "SELECT count(*) FROM reverse_spec.project")" = 0 ] || [ -s "$work/pushes" ] && read -r m; do
  checkout "$m" "$work/one"
  spent "$program" index --push --project "$work/one" >>"$work/pushes" || true
  chmod -R u+w "$work/one" && rm -rf "$work/one" "$REVERSE_SPEC_HOME"
done <"$work/modules"
[ ! -s "$work/pushes" ] || echo "pushed $(wc -l <"$work/pushes") modules in $((SECONDS - began)) s: $(percentiles <"$work/pushes")"

# grow SIZE: copies projects until there are SIZE.
grow() {
  local began=$SECONDS generation left originals jobs=0
  left=$(($1 - $(sql -c 'SELECT count(*) FROM reverse_spec.project')))
  [ "$left" -gt 0 ] || return 0
  originals=$(sql -c "SELECT count(*) FROM reverse_spec.project WHERE key NOT LIKE '%~%'")
  generation=$(sql -c "SELECT coalesce(max(substring(key FROM '~([0-9]+)\$')::int), 0) FROM reverse_spec.project")
  for (( ; left > 0; left -= originals, generation++)); do
    [ "$jobs" -lt "${CATALOGUE_JOBS:-1}" ] || { wait -n; jobs=$((jobs - 1)); }
    copy "$left" $((generation + 1)) &
    jobs=$((jobs + 1))
  done
  for (( ; jobs > 0; jobs--)); do wait -n; done
  echo "copied in $((SECONDS - began)) s"
}

# copy LEFT GENERATION: copies the originals, LEFT of them at most.
copy() {
  sql -v left="$1" -v g="$2" <<'SQL'
BEGIN;
CREATE TEMP TABLE copied ON COMMIT DROP AS SELECT p.key, p.key || '~' || :'g' AS to_key, g.id AS old, nextval(pg_get_serial_sequence('reverse_spec.graph', 'id'))::int AS new
  FROM reverse_spec.project p JOIN reverse_spec.graph g ON g.id = p.graph WHERE p.key NOT LIKE '%~%' ORDER BY md5(p.key) LIMIT :left;
INSERT INTO reverse_spec.graph OVERRIDING SYSTEM VALUE SELECT c.new, c.to_key, g.project || '~' || :'g', g.built_at, g.git_commit, g.program, g.facts_schema, g.next_node,
  g.next_file, g.serial, md5(g.identity || :'g'), g.inputs FROM reverse_spec.graph g JOIN copied c ON c.old = g.id;
INSERT INTO reverse_spec.project SELECT c.to_key, p.name || '~' || :'g', c.new, p.branch, p.git_commit, p.committed, p.pushed, p.surface, p.linked, p.documents
  FROM reverse_spec.project p JOIN copied c USING (key);
INSERT INTO reverse_spec.word SELECT c.new, t.id, t.content FROM reverse_spec.word t JOIN copied c ON c.old = t.graph;
INSERT INTO reverse_spec.how SELECT c.new, t.id, t.rule, t.confidence FROM reverse_spec.how t JOIN copied c ON c.old = t.graph;
INSERT INTO reverse_spec.tally SELECT c.new, t.kind, t.word, t.n, t.size FROM reverse_spec.tally t JOIN copied c ON c.old = t.graph;
INSERT INTO reverse_spec.step SELECT c.new, t.serial FROM reverse_spec.step t JOIN copied c ON c.old = t.graph;
INSERT INTO reverse_spec.touched SELECT c.new, t.file, t.serial FROM reverse_spec.touched t JOIN copied c ON c.old = t.graph;
INSERT INTO reverse_spec.file SELECT c.new, t.id, t.path, t.language, t.size, t.mod_time, t.hash, t.parse_errors, t.stamp, t.unresolved, t.facts, t.lookups, t.words
  FROM reverse_spec.file t JOIN copied c ON c.old = t.graph;
INSERT INTO reverse_spec.node SELECT c.new, t.id, t.file, t.ordinal, t.label, t.kind, t.path, t.start_line, t.end_line, t.language, t.version, t.flags, t.qualified_name, t.name,
  t.signature, t.doc, t.decorators FROM reverse_spec.node t JOIN copied c ON c.old = t.graph;
INSERT INTO reverse_spec.edge SELECT c.new, t.src, t.type, t.dst, t.file, t.line, t.count, t.how FROM reverse_spec.edge t JOIN copied c ON c.old = t.graph;
INSERT INTO reverse_spec.manifest SELECT c.to_key, t.path, t.content FROM reverse_spec.manifest t JOIN copied c USING (key);
INSERT INTO reverse_spec.package SELECT t.name || '~' || :'g', t.required, c.to_key FROM reverse_spec.package t JOIN copied c USING (key);
INSERT INTO reverse_spec.term SELECT t.word, c.to_key, t.n FROM reverse_spec.term t JOIN copied c USING (key);
INSERT INTO reverse_spec.contract SELECT c.to_key, array(SELECT n # (:g * 1000003::bigint) FROM unnest(t.provides) n), array(SELECT n # (:g * 1000003::bigint) FROM unnest(t.uses) n),
  array(SELECT n # (:g * 1000003::bigint) FROM unnest(t.was) n), t.trace, t.surface, t.linked, t.state FROM reverse_spec.contract t JOIN copied c USING (key);
INSERT INTO reverse_spec.link SELECT a.to_key, b.to_key, t.id, t.source_symbol, t.target_symbol, t.content, t.contract
  FROM reverse_spec.link t JOIN copied a ON a.key = t.source JOIN copied b ON b.key = t.target;
INSERT INTO reverse_spec.relation SELECT a.to_key, b.to_key, t.kind, t.contract, t.edges
  FROM reverse_spec.relation t JOIN copied a ON a.key = t.source JOIN copied b ON b.key = t.target;
COMMIT;
SQL
}

# measure: prints what a store of this size takes and how it answers.
measure() {
  local began=$SECONDS i m
  echo "== $(sql -c 'SELECT count(*) FROM reverse_spec.project') projects, $(sql -c 'SELECT count(*) FROM reverse_spec.node') nodes, $(sql -c 'SELECT count(*) FROM reverse_spec.edge') edges," \
    "$(sql -c 'SELECT count(*) FROM reverse_spec.link') edges between projects"
  i=$(sql -c "SELECT pg_size_pretty(pg_database_size(current_database()))")
  began=$SECONDS
  sql -c 'VACUUM ANALYZE'
  echo "VACUUM ANALYZE: $((SECONDS - began)) s; in the database before: $i, after: $(sql -c "SELECT pg_size_pretty(pg_database_size(current_database()))")"
  sql -F ' ' -c "SELECT CASE WHEN relname ~ '^(file|node|edge)' THEN substring(relname FROM '^[a-z]+') ELSE relname END AS t, (sum(pg_total_relation_size(c.oid)) / 1048576)::int || ' MB'
    FROM pg_class c WHERE relnamespace = 'reverse_spec'::regnamespace AND relkind = 'r' GROUP BY t HAVING sum(pg_total_relation_size(c.oid)) > 1048576 ORDER BY sum(pg_total_relation_size(c.oid)) DESC" | paste -sd, | sed 's/^/  /'
  : >"$work/push"
  sed -n '3p;13p;23p;33p;43p' "$work/modules" >"$work/some"
  while read -r m; do
    checkout "$m" "$work/one"
    spent "$program" index --push --project "$work/one" --replace >/dev/null
    i=$(find "$work/one" -name '*.go' -not -name '*_test.go' | sort | sed -n 1p)
    for _ in 1 2 3; do
      printf '\nfunc catalogueAdded%d() int { return 1 }\n' "$RANDOM" >>"$i"
      commit "$work/one"
      spent "$program" index --push --project "$work/one" --replace >>"$work/push"
    done
    chmod -R u+w "$work/one" && rm -rf "$work/one"
  done <"$work/some"
  echo "push of one changed file, seconds: $(percentiles <"$work/push"); of processor time $(cut -d' ' -f2 "$work/push" | percentiles)"
  echo "projects: $(spent "$program" projects) $(spent "$program" projects)"
  echo "graph-rag --in '*' (wall, processor; three times): $(for _ in 1 2 3; do spent "$program" graph-rag --in '*' 'parse a configuration file'; done | paste -sd' ')"
  "$program" serve --listen 127.0.0.1:8497 --url http://127.0.0.1:8497 --rate 1000000 >>"$work/log" 2>&1 &
  server=$!
  until curl -sf http://127.0.0.1:8497/readyz >/dev/null; do sleep .2; done
  "$program" token revoke catalogue >/dev/null 2>&1 || true
  for i in 30 200; do
    echo "50 clients, $i projects:"
    LOAD_URL=http://127.0.0.1:8497 LOAD_TOKEN=$("$program" token add catalogue 2>>"$work/log") LOAD_SECONDS=${CATALOGUE_SECONDS:-20} LOAD_PROJECTS=$i \
      go test -count=1 -run TestLoad -v ./internal/teamserver | grep -v '^=== \|^---\|^ok\|^PASS' || true
    "$program" token revoke catalogue >/dev/null 2>&1
  done
  echo "memory of serve: $(grep -h '^VmHWM\|^RssFile' "/proc/$server/status" | tr -s '\t ' ' ' | paste -sd,)"
  kill "$server" && wait "$server" || true
  server=
  rm -rf "$REVERSE_SPEC_HOME"
}

measure
for size in "${@:2}"; do
  grow "$size"
  measure
done
