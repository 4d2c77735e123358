# Flask with Debian's packages (python3-flask, python3-flask-marshmallow, python3-webargs, python3-apispec, python3-flask-httpauth,
# python3-flask-cors, python3-flask-mail, python3-jwt, python3-dotenv, python3-requests) and libraries from their repositories.
prepare() {
  archive miguelgrinberg/APIFairy 5757e4a4b31e1edd95c311d288f4283bb2d1e486 lib/apifairy
  archive miguelgrinberg/alchemical 8c61b93f1b6b4c812e714fb875ac264c7ad32532 lib/alchemical
  archive marshmallow-code/webargs 16a002d3f5cc8177660c5881defdf492e0ceee8d lib/webargs
  archive marshmallow-code/marshmallow 341b927f219205704728c05cd61f04d7e9727523 lib/marshmallow
  archive marshmallow-code/flask-marshmallow 5bace3b264934d77889b44a53a3d38bc27d79512 lib/flask_marshmallow
  archive python/typing_extensions 43174610ec0c407ce05ad750077c4e62b9192b2b lib/typing
  archive sqlalchemy/sqlalchemy f35da7e2b9349a08b8de1f6bd3b07c8bf8616790 lib/sqlalchemy
  archive marshmallow-code/marshmallow-sqlalchemy 1330b08b41bf3c7e6b849cfff843f0942bdb7dce lib/marshmallow_sqlalchemy
}
start() {
  rm -f db.sqlite
  export PYTHONPATH=$PWD$(printf ":$PWD/%s" lib/*/src lib/*/lib)
  export REFRESH_TOKEN_IN_BODY=yes FLASK_APP=microblog.py
  /usr/bin/python3 -c 'from api import create_app; from api.app import db
app = create_app()
with app.app_context(): db.create_all()'
  exec /usr/bin/python3 -m flask run --host 127.0.0.1 --port "$PORT"
}
