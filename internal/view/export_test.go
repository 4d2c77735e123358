package view_test

import (
	"encoding/json"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view"
)

var anyLink = regexp.MustCompile(` (?:href|src|action)="([^"]*)"`)

// TestExportedLinksLeadToFiles: the pages open from disk, so that no link is absolute, and each leads to a file and what is in it.
func TestExportedLinksLeadToFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	x, err := view.Export(t.Context(), shop(t), message.English, dir)
	if err != nil {
		t.Fatal(err)
	}
	files := exported(t, dir)
	pages, checked := 0, 0
	for name, text := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		pages++
		for _, m := range anyLink.FindAllStringSubmatch(text, -1) {
			to := html.UnescapeString(m[1])
			if strings.HasPrefix(to, "http") || strings.HasPrefix(to, "mailto:") {
				continue
			}
			u, err := url.Parse(to)
			if err != nil || strings.HasPrefix(to, "/") {
				t.Errorf("%s leads to %s: %v", name, to, err)
				continue
			}
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			body, there := files[target]
			if !there {
				t.Errorf("%s leads to %s, which is not there", name, to)
			}
			if u.Fragment != "" && !strings.Contains(body, `id="`+html.EscapeString(u.Fragment)+`"`) {
				t.Errorf("%s leads to %s, which %s does not have", name, to, target)
			}
			checked++
		}
	}
	if pages != x.Pages || x.Specs == 0 || checked < 100 {
		t.Errorf("%d pages and %d links; %+v", pages, checked, x)
	}
	for _, want := range []string{"index.html", "search.html", "modules.html", ".nojekyll", "assets/style.css", "assets/view.js", "spec/specs/cart.spec.md.html", "drift/specs/cart.spec.md.html", "source/cart/cart.go.html"} {
		if _, there := files[want]; !there {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(files["index.html"], "data-badge") || strings.Contains(files["modules.html"], "data-fragment") {
		t.Error("a static page waits for a server")
	}
}

// TestExportedSearchFindsRequirements by the index that the script of the page searches.
func TestExportedSearchFindsRequirements(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := view.Export(t.Context(), shop(t), message.Chinese, dir); err != nil {
		t.Fatal(err)
	}
	files := exported(t, dir)
	list, ok := strings.CutPrefix(strings.TrimSuffix(files["search/index.js"], ";\n"), "window.specIndex = ")
	var entries []struct{ ID, Title, Spec, Address string }
	if err := json.Unmarshal([]byte(list), &entries); err != nil || !ok {
		t.Fatalf("%v: %s", err, files["search/index.js"])
	}
	i := slices.IndexFunc(entries, func(e struct{ ID, Title, Spec, Address string }) bool { return e.ID == "REQ-CART-001" })
	if i < 0 {
		t.Fatalf("there is no REQ-CART-001 in %v", entries)
	}
	file, id, _ := strings.Cut(entries[i].Address, "#")
	if id != "REQ-CART-001" || !strings.Contains(files[file], `id="REQ-CART-001"`) {
		t.Errorf("it leads to %s", entries[i].Address)
	}
	if strings.Contains(list, "<script") || strings.Contains(list, "</") {
		t.Error("the script could be ended by a text")
	}
	if !strings.Contains(files["search.html"], "没有找到") {
		t.Error("the page is not in the language that was asked for")
	}
}

// TestExportReplacesOnlyExports: a folder with other files is left alone.
func TestExportReplacesOnlyExports(t *testing.T) {
	p, dir := shop(t), t.TempDir()
	mine := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(mine, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := view.Export(t.Context(), p, message.English, dir); err == nil {
		t.Error("a folder with other files was taken")
	}
	if err := os.Remove(mine); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := view.Export(t.Context(), p, message.English, dir); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "spec", "old.html"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := view.Export(t.Context(), p, message.English, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "spec", "old.html")); err == nil {
		t.Error("a page of the former export is left")
	}
}

// TestServerSearches: the same search in the pages of a server.
func TestServerSearches(t *testing.T) {
	site := view.NewWith(shop(t), view.Options{Base: "/team"}).Handler()
	w := get(t, site, "/search/index.js")
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/javascript") || !strings.Contains(w.Body.String(), `"/team/spec/specs/cart.spec.md#REQ-CART-001"`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if body := get(t, site, "/search?q=%22%3E%3Cb%3E").Body.String(); strings.Contains(body, `"><b>`) || !strings.Contains(body, `src="/team/search/index.js"`) {
		t.Error(body)
	}
}

// exported reads the files of an export.
func exported(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	if err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}
