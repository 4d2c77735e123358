# Echo with gorm and SQLite.
prepare() { sed -i 's/"127.0.0.1:8585"))/"127.0.0.1:" + os.Getenv("PORT")))/; s/^import (/import (\n\t"os"/' main.go && CGO_ENABLED=1 go build -o service .; }
start() { rm -f realworld.db && exec ./service; }
