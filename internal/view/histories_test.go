package view_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/view"
	"github.com/reverse-spec/reverse-spec/spec"
)

const cartHistory = "specs/cart.spec.md.history.json"

// histories returns the specs of a project with their histories.
func histories(t *testing.T, p *project.Project, known map[string][]byte) map[string][]byte {
	t.Helper()
	texts, err := spec.Texts(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := view.Histories(t.Context(), p, texts, known); err != nil {
		t.Fatal(err)
	}
	return texts
}

// specsOnly returns the site of texts.
func specsOnly(t *testing.T, texts map[string][]byte) http.Handler {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		write(t, dir, name, string(text))
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return view.NewWith(p, view.Options{Specs: true, Guarded: true}).Handler()
}

// section returns what a page shows, without its frame.
func section(t *testing.T, page string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "<main")
	if !found {
		t.Fatal(page)
	}
	return rest
}

// TestKeptHistoriesAreShownAsThoseOfGit, where git and the code are not.
func TestKeptHistoriesAreShownAsThoseOfGit(t *testing.T) {
	p := changedShop(t)
	edit(t, p, "cart/cart.go", "if price < 10 {\n\t\tpanic(\"cart: a price below 0\")\n\t}", "")
	again(t, p)
	commit(t, p, "Any price will do")
	site := specsOnly(t, histories(t, p, nil))
	want := section(t, page(t, view.New(p, message.English).Handler(), historyAddress))
	holds(t, want, "A price is 10 at least", "if price &lt; 0 {", "No longer in the spec")
	if got := section(t, page(t, site, historyAddress)); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	text := page(t, site, "/spec/specs/cart.spec.md")
	holds(t, text, `href="`+historyAddress+`"`, `href="`+historyAddress+`#REQ-CART-002"`)
	for _, lead := range []string{"/source/", "/drift/", "/modules"} {
		if strings.Contains(text, `href="`+lead) {
			t.Errorf("a link leads to %s, where nothing is", lead)
		}
	}
	for _, address := range []string{historyAddress + ".history.json", "/history/go.mod", "/spec/" + cartHistory} {
		if got := get(t, site, address).Code; got != http.StatusNotFound {
			t.Errorf("%s: %d", address, got)
		}
	}
}

// TestNoHistoryWasKept: of a spec that is not committed, and by those who pushed before there were any.
func TestNoHistoryWasKept(t *testing.T) {
	p := shop(t)
	texts := histories(t, p, nil)
	if texts[cartHistory] != nil {
		t.Errorf("a history of no commit: %s", texts[cartHistory])
	}
	if strings.Contains(page(t, specsOnly(t, texts), "/spec/specs/cart.spec.md"), "/history/") {
		t.Error("a link leads to a history that is not there")
	}
	for _, kept := range []string{"", "{", `{"Of":1}`, "[]"} {
		if kept != "" {
			texts[cartHistory] = []byte(kept)
		}
		if got := get(t, specsOnly(t, texts), historyAddress); got.Code != http.StatusNotFound {
			t.Errorf("%q: %d %s", kept, got.Code, got.Body)
		}
	}
}

// TestHistoriesOfBeforeAreUsed where spec and commits are the same, and where a shallow clone knows less.
func TestHistoriesOfBeforeAreUsed(t *testing.T) {
	p := changedShop(t)
	first := histories(t, p, nil)
	marked := maps.Clone(first)
	marked[cartHistory] = bytes.Replace(first[cartHistory], []byte("A price is 10"), []byte("A price is ten"), 1)
	if got := histories(t, p, marked); string(got[cartHistory]) != string(marked[cartHistory]) {
		t.Error("the history was read again")
	}
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, t.TempDir(), "clone", "-q", "--depth", "1", "file://"+p.Root(), clone)
	shallow, err := project.Open(clone)
	if err != nil {
		t.Fatal(err)
	}
	defer shallow.Close()
	if got := histories(t, shallow, first); string(got[cartHistory]) != string(first[cartHistory]) {
		t.Errorf("a shallow clone takes the history away: %s", got[cartHistory])
	}
	if got := string(histories(t, shallow, nil)[cartHistory]); !strings.Contains(got, `"known"`) || strings.Contains(got, `"came"`) {
		t.Errorf("a shallow clone knows when a requirement came: %s", got)
	}
	edit(t, p, "cart/cart.go", "if price < 10 {", "if price < 20 {")
	again(t, p)
	commit(t, p, "A price is 20 at least")
	if got := string(histories(t, p, marked)[cartHistory]); !strings.Contains(got, "A price is 20") || strings.Contains(got, "ten") {
		t.Errorf("the history is not of the new version: %s", got)
	}
}

// TestKeptHistoriesAreBounded: what is too large loses the code, then what is oldest.
func TestKeptHistoriesAreBounded(t *testing.T) {
	p := shop(t)
	const name = "specs/long.spec.md"
	for i := range 12 {
		text := fmt.Sprintf("---\nspecId: long\nsourceTarget: cart\n---\n\n# Long\n\n## Requirements\n\n### REQ-LONG-001: It is long\n\nIt is %d. %s\n", i, strings.Repeat("words ", 8<<10))
		write(t, p.Root(), name, text)
		commit(t, p, fmt.Sprint("Version ", i))
	}
	texts := histories(t, p, nil)
	if n := len(texts[name+".history.json"]); n == 0 || n > 256<<10 {
		t.Errorf("%d bytes", n)
	}
	got := page(t, specsOnly(t, texts), "/history/"+name)
	holds(t, got, "<b>12</b> versions", "Version 11", "Older versions are not known here, or not read.")
	if strings.Contains(got, "Version 3<") {
		t.Error("nothing was left out")
	}
}
