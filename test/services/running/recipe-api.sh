# needs postgres
# Django REST framework with Debian's packages (python3-django, python3-djangorestframework, python3-psycopg2, python3-pil,
# python3-uritemplate, python3-inflection) and drf-spectacular from its repository; its Django is older than the pinned one.
prepare() { archive tfranzel/drf-spectacular d8679422975c68bc3a2c97c278957ec043d915c1 lib; }
start() {
  psql -q -h 127.0.0.1 -p "$PGPORT" -U postgres -c 'create database recipe'
  export PYTHONPATH=$PWD/lib DB_HOST=127.0.0.1 DB_NAME=recipe DB_USER=postgres DB_PASS=none PGPORT ALLOWED_HOSTS=127.0.0.1
  cd app && /usr/bin/python3 manage.py migrate && exec /usr/bin/python3 manage.py runserver --noreload "127.0.0.1:$PORT"
}
