package teamserver_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/browser"
)

// In a browser a person signs in, looks at a spec and its history, searches, does not see what the token has no right to, and signs out.
// TestPages asks the same without a browser.
func TestPagesInABrowser(t *testing.T) {
	b, f := browser.Start(t), newFixture(t, nil)
	specs := "/view/" + url.PathEscape("project://shop")
	text := func() string { return b.Eval("document.body.innerText") }
	holds := func(at string, want ...string) {
		t.Helper()
		for _, w := range want {
			if got := text(); !strings.Contains(got, w) {
				t.Errorf("%s lacks %q:\n%s", at, w, got)
			}
		}
	}
	follow := func(selector, want string) {
		t.Helper()
		b.Follow("document.querySelector(`" + selector + "`).click()")
		if got := b.Eval("location.pathname + location.hash"); !strings.HasPrefix(got, want) {
			t.Fatalf("%s leads to %s, want %s", selector, got, want)
		}
	}
	b.Screen(1440, 900, "light")
	b.Open(f.url + specs + "/")
	if got := b.Eval("location.pathname"); got != "/login" {
		t.Fatalf("without a token the page is %s", got)
	}
	b.Eval("document.querySelector('[name=token]').value = 'rspec_wrong'")
	follow(`form button`, "/login")
	holds("a wrong token", "there is no such token")
	b.Eval("document.querySelector('[name=token]').value = '" + f.shop + "'")
	follow(`form button`, "/")
	holds("the list", "project://shop", "shop-only")
	if strings.Contains(text(), "vault") {
		t.Error("the list has a project without right")
	}
	follow(`td a`, "/project")
	b.Eval("document.querySelector('main [name=q]').value = 'who calls Pay'")
	follow(`main form button`, "/project")
	holds("an answer", "Buy")
	follow(`main a[href$="shop/"]`, specs+"/")
	follow(`tbody a`, specs+"/spec/")
	holds("the spec", "It pays")
	follow(`a.past`, specs+"/history/specs/shop.spec.md#REQ-001")
	holds("the history", "Begin shop", "Cite <shop>", "Ann", "See nothing")
	for _, screen := range []struct {
		width, height int
		scheme        string
	}{{1440, 900, "light"}, {820, 1180, "dark"}, {390, 844, "dark"}} {
		b.Screen(screen.width, screen.height, screen.scheme)
		b.Shot("team-history-" + screen.scheme + "-" + b.Eval("String(innerWidth)"))
		if wide := b.Eval("document.documentElement.scrollWidth > innerWidth ? 'wide' : ''"); wide != "" {
			t.Errorf("the history is wider than %d", screen.width)
		}
	}
	b.Open(f.url + specs + "/search?q=pays")
	b.Until("document.querySelector('#found a')")
	follow(`#found a`, specs+"/spec/specs/shop.spec.md#REQ-001")
	holds("what was found", "It pays")
	for _, page := range []string{"/project?project=project://vault", strings.ReplaceAll(specs, "shop", "vault") + "/spec/specs/vault.spec.md", strings.ReplaceAll(specs, "shop", "vault") + "/history/specs/vault.spec.md"} {
		b.Open(f.url + page)
		if got := text(); strings.Contains(got, "vault") || !strings.Contains(got, "there is no such project") {
			t.Errorf("%s: %s", page, got)
		}
	}
	b.Open(f.url + specs + "/")
	follow(`nav a[href*="/project"]`, "/project")
	follow(`.leave button`, "/login")
	b.Open(f.url + specs + "/")
	if got := b.Eval("location.pathname"); got != "/login" {
		t.Errorf("after signing out the page is %s", got)
	}
	for _, said := range b.Said {
		if !strings.Contains(said, "vault") && !strings.Contains(said, "/login") { // pages that are refused are reported as such
			t.Errorf("the browser says: %s", said)
		}
	}
}
