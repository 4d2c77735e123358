# Gin with gorm and SQLite; the program writes its database beside its folder.
# Its models have tags of validator 8 ("exists"), with which the pinned validator 10 panics: they are replaced.
prepare() {
  sed -i 's/binding:"exists/binding:"required/' users/validators.go articles/validators.go
  sed -i 's/r.Run()/r.Run("127.0.0.1:" + os.Getenv("PORT"))/; s/^\t"fmt"$/\t"fmt"\n\t"os"/' hello.go
  mkdir -p run && CGO_ENABLED=1 go build -o run/service .
}
start() { rm -f gorm.db && cd run && exec ./service; }
