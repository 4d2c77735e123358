package view_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view"
	"github.com/reverse-spec/reverse-spec/spec"
)

func TestDriftIsFoundWhenTheCodeChanges(t *testing.T) {
	p := shop(t)
	site := view.New(p, message.English).Handler()
	const badge = "/badge/specs/cart.spec.md"
	holds(t, page(t, site, badge), `<a class="chip good" href="/drift/specs/cart.spec.md">in sync</a>`)
	holds(t, page(t, site, "/"), "in sync")
	code, err := p.ReadFile("cart/cart.go")
	if err != nil {
		t.Fatal(err)
	}
	write(t, p.Root(), "cart/cart.go", strings.Replace(string(code), "func New() *Cart", "func New(name string) *Cart", 1))
	holds(t, page(t, site, badge), `<a class="chip bad"`, "1 breaking")
	holds(t, page(t, site, "/"), "1 breaking")
	holds(t, page(t, site, "/modules/picture"), `class="box drifted n1"`)
	holds(t, page(t, site, "/drift/specs/cart.spec.md"),
		"DRIFT-001", `<span class="chip bad">breaking</span>`, `<del>`, `<ins>`, `<code>New</code>`, `href="/source/cart/cart.go?line=10#L10"`)
	if _, err := os.Stat(filepath.Join(p.Root(), drift.DefaultDir)); err == nil {
		t.Error("a report was written")
	}
	holds(t, page(t, site, "/drift/specs/"+hand), "cannot be compared")
}

func TestModulesAreDrawnWithTheirHealth(t *testing.T) {
	site := view.New(shop(t), message.English).Handler()
	holds(t, page(t, site, "/modules"), `data-fragment="/modules/picture`)
	got := page(t, site, "/modules/picture")
	holds(t, got, `<span>3 modules</span>`, `class="box none n0"`, `class="box unverified n1"`, `line from-n0 to-n1`, `href="/spec/specs/cart.spec.md"`)
	if strings.Contains(got, "<html") {
		t.Error("a piece of a page stands in the frame of one")
	}
	holds(t, page(t, site, "/modules/picture?page=1"), "<html", `class="box unverified n1"`)
	holds(t, page(t, site, "/modules/picture?in=cart"), "1 module<", `href="/modules">← up</a>`)
}

// TestAChangedBodyIsShownBesideWhatItWas, and no hash of it.
func TestAChangedBodyIsShownBesideWhatItWas(t *testing.T) {
	p := shop(t)
	git(t, p.Root(), "add", ".")
	git(t, p.Root(), "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "first")
	if _, err := spec.Generate(t.Context(), p, "cart", spec.GenerateOptions{Lang: "en", All: true}); err != nil {
		t.Fatal(err)
	}
	code, err := p.ReadFile("cart/cart.go")
	if err != nil {
		t.Fatal(err)
	}
	write(t, p.Root(), "cart/cart.go", strings.Replace(string(code), "\tc.list.sum()\n", "\tc.list.sum()\n\tc.list.sum()\n", 1))
	got := page(t, view.New(p, message.English).Handler(), "/drift/specs/cart.spec.md")
	holds(t, got, `<div class="code sides"`, `<th scope="col" colspan="2">Before</th>`,
		`<tr class="changed"><td class="at"></td><td class="was"></td><td class="at is-at"><a href="/source/cart/cart.go?line=19#L19">19</a></td><td class="is"><code>	c.list.sum()</code></td></tr>`,
		`<td class="was"><code>	c.list.add(price)</code></td>`)
	if regexp.MustCompile(`<del>[0-9a-f]{16}</del>`).MatchString(got) {
		t.Error("a hash is shown")
	}
}
