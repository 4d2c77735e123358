package main

import (
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
)

var anyLink = regexp.MustCompile(` (?:href|src|action)="([^"]*)"`)

// TestSite builds the site: every link leads to a file, and to a heading in it; every page of docs is in the navigation.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	n, err := build("../..", dir)
	if err != nil {
		t.Fatal(err)
	}
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
	checked := 0
	for name, text := range files {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range anyLink.FindAllStringSubmatch(text, -1) {
			to := html.UnescapeString(m[1])
			u, err := url.Parse(to)
			if err != nil || to == "" {
				t.Errorf("%s has a link that leads nowhere: %q", name, to)
				continue
			}
			if u.Scheme != "" {
				continue
			}
			target := name
			if u.Path != "" {
				target = path.Join(path.Dir(name), u.Path)
			}
			checked++
			if body, there := files[target]; !there {
				t.Errorf("%s leads to %s, which is not there", name, to)
			} else if u.Fragment != "" && !strings.Contains(body, `id="`+u.Fragment+`"`) {
				t.Errorf("%s leads to %s, and %s has no such heading", name, to, target)
			}
		}
	}
	if n < 30 || checked < 500 {
		t.Errorf("%d pages, %d links", n, checked)
	}
	if !strings.HasPrefix(files["search.js"], "window.specIndex = [{") || !strings.Contains(files["search.js"], `"address":"drift.html#review"`) {
		t.Error("the search does not know the pages")
	}
	var listed []string
	for _, s := range sections {
		listed = append(listed, s.Files...)
	}
	for _, pattern := range []string{"docs/*.md", "docs/architecture/*.md"} {
		pages, err := filepath.Glob("../../" + pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			if name := strings.TrimPrefix(filepath.ToSlash(p), "../../"); !slices.Contains(listed, name) {
				t.Errorf("%s is in no section of the navigation", name)
			}
		}
	}
}

// verbs begin the titles of pages: a title names what a reader wants to do.
var verbs = []string{"Add", "Ask", "Commit", "Connect", "Find", "Keep", "Know", "Plan", "Read", "Run", "See", "Share", "Use", "Work", "Write"}

// TestTitlesNameTasks of the pages in docs.
func TestTitlesNameTasks(t *testing.T) {
	for _, pattern := range []string{"../../docs/*.md", "../../docs/architecture/*.md"} {
		pages, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pages {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
			if verb, _, _ := strings.Cut(title, " "); !slices.Contains(verbs, verb) {
				t.Errorf("%s: %q does not begin with what a reader wants to do: one of %v", p, title, verbs)
			}
		}
	}
}
