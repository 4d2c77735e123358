# needs postgres
# FastAPI with Debian's packages (python3-fastapi, uvicorn, python3-asyncpg, python3-passlib, python3-jwt, python3-slugify,
# python3-loguru, python3-email-validator, python3-dotenv, alembic, python3-psycopg2) and two libraries from their repositories.
prepare() {
  archive nackjicholson/aiosql 876d3cc2c814e896cadbe68c8134c94038838ea8 lib/aiosql.git
  mkdir lib/aiosql.git/aiosql-13.dist-info && printf 'Metadata-Version: 2.1\nName: aiosql\nVersion: 13\n' >lib/aiosql.git/aiosql-13.dist-info/METADATA
  # the pinned version of aiosql returned lists, that of today generates rows
  sed -i 's/async for row in self.driver_adapter.select(/return [row async for row in self.driver_adapter.select(/; s/^                ):$/                )]/; /^                    yield row$/d' lib/aiosql.git/aiosql/queries.py
  archive kayak/pypika 5e800d83a0f0ae14210410c02fd97e51e2e3f1d5 lib/pypika.git
}
start() {
  psql -q -h 127.0.0.1 -p "$PGPORT" -U postgres -c 'create database fastapi'
  export DATABASE_URL=postgresql://postgres:none@127.0.0.1:$PGPORT/fastapi SECRET_KEY=secret APP_ENV=prod DB_CONNECTION=
  export PYTHONPATH=$PWD:$PWD/lib/aiosql.git:$PWD/lib/pypika.git
  /usr/bin/python3 -m alembic upgrade head && exec /usr/bin/python3 -m uvicorn app.main:app --host 127.0.0.1 --port "$PORT"
}
