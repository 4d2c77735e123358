# Hono with libSQL in a file.
prepare() {
  npm install --no-audit --no-fund --ignore-scripts --legacy-peer-deps
  sed -i 's/^  port,$/  port, hostname: "127.0.0.1",/' src/index.ts
}
start() {
  rm -f dev.db
  export LOG_LEVEL=error DATABASE_URL=file:dev.db NODE_ENV=development
  node --input-type=module -e 'import { createClient } from "@libsql/client"; import { readFileSync, readdirSync } from "node:fs"
    const db = createClient({ url: "file:dev.db" })
    for (const f of readdirSync("src/db/migrations").filter(f => f.endsWith(".sql")).sort()) await db.executeMultiple(readFileSync("src/db/migrations/" + f, "utf8"))'
  exec node_modules/.bin/tsx src/index.ts
}
