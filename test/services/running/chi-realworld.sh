# needs postgres
# chi with sqlx; the address of its database and its own are constants.
prepare() {
  sed -i "s/is\\.Email)/is.EmailFormat)/" internal/user/api.go # the other asks the name server of the address
  sed -i 's|"postgresql://[^"]*"|os.Getenv("DATABASE")|; s|"127.0.0.1:8000"|"127.0.0.1:" + os.Getenv("PORT")|; s|"net/http"|"net/http"; "os"|' cmd/server/main.go
  CGO_ENABLED=0 go build -mod=mod -o service ./cmd/server
}
start() {
  psql -q -h 127.0.0.1 -p "$PGPORT" -U postgres -c 'create database chi'
  export DATABASE="postgresql://postgres@127.0.0.1:$PGPORT/chi?sslmode=disable"
  exec ./service
}
