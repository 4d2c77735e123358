package view_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/view"
	"github.com/reverse-spec/reverse-spec/spec"
)

// shop returns a project with two generated specs and a hand-written one, whose names and
// texts contain markup to be escaped.
func shop(t *testing.T) *project.Project {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/shop.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		write(t, dir, f.Name, string(f.Data))
	}
	git(t, dir, "init", "-q")
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	for target, lang := range map[string]string{"cart": "en", "money": "zh"} {
		if _, err := spec.Generate(t.Context(), p, target, spec.GenerateOptions{Lang: lang, All: true}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// get requests a page of a site.
func get(t *testing.T, site http.Handler, address string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, address, nil)
	r.Host = "127.0.0.1:7000"
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w
}

// page returns the text of an existing page.
func page(t *testing.T, site http.Handler, address string) string {
	t.Helper()
	w := get(t, site, address)
	if w.Code != http.StatusOK {
		t.Fatalf("GET %s: %d\n%s", address, w.Code, w.Body)
	}
	return w.Body.String()
}

// holds fails the test unless a page contains all texts.
func holds(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page, text) {
			t.Errorf("the page lacks %s\n%s", text, page)
		}
	}
}

func TestIndexHasARowForEachSpec(t *testing.T) {
	site := view.New(shop(t), message.English).Handler()
	got := page(t, site, "/")
	holds(t, got,
		`<b>3</b> specs`, `<a href="/spec/specs/cart.spec.md" title="cart">cart</a>`, `<td class="language">go</td>`,
		`<span class="dot active"></span>active`, `<span class="dot unverified"></span>unverified`,
		`<td class="verified">2026-01-18</td>`, `data-badge="/badge/specs/cart.spec.md"`,
		`title="1 of 2 requirements are covered by a contract test"`,
	)
}

func TestIndexIsFilteredAndSorted(t *testing.T) {
	site := view.New(shop(t), message.English).Handler()
	names := func(query string) (out []string) {
		for line := range strings.SplitSeq(page(t, site, "/?"+query), "\n") {
			if _, rest, ok := strings.Cut(line, `class="name"><a href="/spec/specs/`); ok {
				name, _, _ := strings.Cut(rest, ".spec.md")
				out = append(out, name)
			}
		}
		return out
	}
	for query, want := range map[string]string{
		"":                               "by%20hand/%3Cscript%3E cart money",
		"name=CART":                      "cart",
		"name=SPEC-HAND":                 "",
		"name=by+hand":                   "by%20hand/%3Cscript%3E",
		"health=active":                  "by%20hand/%3Cscript%3E",
		"health=unverified&language=go":  "cart money",
		"language=cobol":                 "",
		"sort=requirements&language=go":  "cart money",
		"sort=-requirements&language=go": "money cart",
		"sort=health":                    "cart money by%20hand/%3Cscript%3E",
		"sort=-name&language=go":         "money cart",
		"sort=nothing":                   "by%20hand/%3Cscript%3E cart money",
	} {
		if got := strings.Join(names(query), " "); got != want {
			t.Errorf("?%s: got %q, want %q", query, got, want)
		}
	}
	holds(t, page(t, site, "/?language=cobol"), "No spec matches.")
}

func TestIndexOfAProjectWithoutSpecsSaysHowToGetThem(t *testing.T) {
	p, err := project.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	site := view.New(p, message.English).Handler()
	holds(t, page(t, site, "/"), "no specs yet", "reverse-spec batch")
	holds(t, get(t, site, "/modules/picture").Body.String(), "No module was found")
}
