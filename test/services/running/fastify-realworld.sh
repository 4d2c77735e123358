# Fastify with knex; bcryptjs replaces bcrypt and libsql SQLite, which would have to be compiled.
prepare() {
  npm install --no-audit --no-fund --omit=dev --ignore-scripts bcrypt@npm:bcryptjs@2 better-sqlite3@npm:libsql@0.5
  sed -i "s/client: 'sqlite3'/client: 'better-sqlite3'/" knexfile.js
}
start() {
  cp .env.sample .env
  export API_HOST=127.0.0.1 API_PORT=$PORT API_PREFIX=/api/
  exec node .
}
