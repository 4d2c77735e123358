package view_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

func TestSourceHasLinesAndSymbols(t *testing.T) {
	site := view.New(shop(t), message.English).Handler()
	got := page(t, site, "/source/cart/cart.go?line=10")
	holds(t, got,
		`<tr id="L10" class="asked"><td class="at"><a href="#L10">10</a></td>`,
		`<a href="/source/cart/cart.go?line=10#L10" title="func New() *Cart">New</a>`,
		`<code>	if price &lt; 0 {</code>`,
	)
	holds(t, page(t, site, "/source/README.md"), `<code># Shop &amp; more</code>`)
}

func TestLongSourceIsShownInParts(t *testing.T) {
	p := shop(t)
	write(t, p.Root(), "long.txt", strings.Repeat("x\n", 7000))
	site := view.New(p, message.English).Handler()
	got := page(t, site, "/source/long.txt?line=3001")
	holds(t, got, `<b>7000</b> lines`, `id="L3001"`, `id="L6000"`, `?line=3000" rel="prev"`, `?line=6001" rel="next"`)
	if strings.Contains(got, `id="L3000"`) || strings.Contains(got, `id="L6001"`) {
		t.Error("more than the part is shown")
	}
}

func TestNotFoundPages(t *testing.T) {
	p := shop(t)
	write(t, p.Root(), "secret.env", "TOKEN=1")
	write(t, p.Root(), "data.bin", "a\x00b")
	write(t, p.Root(), "specs/broken.spec.md", "no front matter")
	site := view.New(p, message.English).Handler()
	for _, c := range []struct {
		address string
		status  int
		words   string
	}{
		{"/nothing", 404, "There is no page /nothing."},
		{"/assets/nothing.css", 404, "There is no asset nothing.css."},
		{"/spec/specs/none.spec.md", 404, "The project has no spec"},
		{"/spec/README.md", 404, "The project has no spec"},
		{"/raw/cart/cart.go", 404, "The project has no spec"},
		{"/badge/specs/none.spec.md", 404, "The project has no spec"},
		{"/drift/specs/none.spec.md", 404, "The project has no spec"},
		{"/spec/specs/broken.spec.md", 422, "no front matter"},
		{"/source/none.go", 404, "The project has no file"},
		{"/source/secret.env", 404, "or git ignores it"},
		{"/source/.git/config", 404, "The project has no file"},
		{"/source/cart", 404, "The project has no file"},
		{"/source/data.bin", 415, "data.bin"},
		{"/source/..%2f..%2fetc%2fpasswd", 403, "passwd"},
		{"/source/%2fetc%2fpasswd", 403, "passwd"},
		{"/spec/..%2fx.spec.md", 403, "x.spec.md"},
		{"/raw/..%2f..%2fx.spec.md", 403, "x.spec.md"},
		{"/modules/picture?in=nowhere", 404, "There is no module in"},
	} {
		w := get(t, site, c.address)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.words) {
			t.Errorf("%s: %d, want %d with %q\n%s", c.address, w.Code, c.status, c.words, w.Body)
		}
	}
	holds(t, page(t, site, "/"), `<span class="dot unreadable"></span>unreadable`, "it has no front matter")
}

func TestLinksOutOfTheProjectLeadNowhere(t *testing.T) {
	p := shop(t)
	outside := filepath.Join(t.TempDir(), "outside.txt")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(p.Root(), "link.txt")); err != nil {
		t.Fatal(err)
	}
	if w := get(t, view.New(p, message.English).Handler(), "/source/link.txt"); w.Code == http.StatusOK || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d\n%s", w.Code, w.Body)
	}
}

func TestRawIsTheFile(t *testing.T) {
	p := shop(t)
	want, err := p.ReadFile("specs/cart.spec.md")
	if err != nil {
		t.Fatal(err)
	}
	w := get(t, view.New(p, message.English).Handler(), "/raw/specs/cart.spec.md")
	if got := w.Header().Get("Content-Type"); w.Body.String() != string(want) || got != "text/plain; charset=utf-8" {
		t.Errorf("%s\n%s", got, w.Body)
	}
}
