# needs postgres
prepare() { sed -i 's|port = ":" + port|port = "127.0.0.1:" + port|' server/server.go && CGO_ENABLED=0 go build -mod=mod -o service .; }
start() {
  psql -q -h 127.0.0.1 -p "$PGPORT" -U postgres -c 'create database nethttp'
  for f in postgres/migrations/*.up.sql; do psql -q -h 127.0.0.1 -p "$PGPORT" -U postgres nethttp -f "$f"; done
  export POSTGRESQL_URL="postgresql://postgres@127.0.0.1:$PGPORT/nethttp?sslmode=disable" JWT_SECRET=secret
  exec ./service
}
