package explore

import "testing"

func TestShortFrom(t *testing.T) {
	for _, c := range []struct{ name, file, from, want string }{
		{"shop.src.app.service.Owners.Owners.find", "src/app/service/Owners.java", "src/app/rest/Api.java", "Owners.find"},
		{"shop.src.app.service.Owners.Owners.find", "src/app/service/Owners.java", "src/app/service/Owners.java", "Owners.find"},
		{"hugo.hugolib.site.Site.render", "hugolib/site.go", "commands/server.go", "hugolib.Site.render"},
		{"hugo.hugolib.site.Site.render", "hugolib/site.go", "hugolib/page.go", "Site.render"},
		{"shop.app.users.create", "app/users.py", "app/api.py", "users.create"},
		{"shop.src.store.index.open", "src/store/index.ts", "src/main.ts", "store.open"},
		{"shop.main.run", "main.go", "cmd/x.go", "run"},
		{"json.dumps", "", "app/api.py", "dumps"},
	} {
		if got := ShortFrom(c.name, c.file, c.from); got != c.want {
			t.Errorf("ShortFrom(%q, %q, %q) = %q, want %q", c.name, c.file, c.from, got, c.want)
		}
	}
}
