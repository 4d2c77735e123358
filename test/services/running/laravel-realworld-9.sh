# Laravel with Debian's packages (php-laravel-framework, php-sqlite3), which are of an older version than the pinned one.
prepare() {
  mkdir -p vendor storage/framework/{cache/data,sessions,views} bootstrap/cache
  cat >vendor/autoload.php <<'P'
<?php
require_once 'Illuminate/autoload.php';
spl_autoload_register(function ($class) {
    foreach (['App\\' => 'app/', 'Database\\Factories\\' => 'database/factories/'] as $prefix => $folder) {
        if (str_starts_with($class, $prefix)) {
            $file = __DIR__.'/../'.$folder.str_replace('\\', '/', substr($class, strlen($prefix))).'.php';
            if (is_file($file)) require $file;
        }
    }
});
P
  rm -f config/l5-swagger.php config/sanctum.php config/cors.php
  sed -i 's/Facade::defaultAliases()/collect(array_combine([], []))/' config/app.php
  sed -i '/HandleCors/d' app/Http/Kernel.php
  sed -i '/use .*Sanctum/d; s/HasApiTokens, //; /^ *use HasApiTokens;/d' app/Models/User.php
}
start() {
  export APP_KEY=base64:$(head -c 32 /dev/zero | base64) APP_ENV=production APP_DEBUG=false DB_CONNECTION=sqlite DB_DATABASE=$PWD/db.sqlite
  export CACHE_DRIVER=array SESSION_DRIVER=array LOG_CHANNEL=errorlog APP_NAME=conduit JWT_SECRET=secret
  : >db.sqlite
  php artisan migrate --force
  exec php -S "127.0.0.1:$PORT" -t public public/index.php
}
