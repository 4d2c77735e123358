# needs postgres
# Koa with knex; bcryptjs replaces bcrypt, which would have to be compiled, and pg is one that Node 20 knows.
prepare() { npm install --no-audit --no-fund --omit=dev --ignore-scripts --legacy-peer-deps bcrypt@npm:bcryptjs@2 pg@8 js-yaml@3; }
start() {
  psql -q -h 127.0.0.1 -p "$PGPORT" -U postgres -c 'create database koa'
  export HOST=127.0.0.1 DB_CLIENT=pg DB_CONNECTION=postgres://postgres@127.0.0.1:$PGPORT/koa
  npx knex migrate:latest && exec node src/bin/server
}
