package reversespec_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// quotedPath finds paths of this repository in backquotes: `internal/lang/core`, `drift/rules.go`.
var quotedPath = regexp.MustCompile("`((?:cmd|mcp|spec|drift|internal|scripts|test|docs|skills|commands)/[A-Za-z0-9_./-]*)`")

// TestDocsNamePathsThatExist checks the paths that the pages for developers name, and that each package is
// described on one of them.
func TestDocsNamePathsThatExist(t *testing.T) {
	pages, err := filepath.Glob("docs/architecture/*.md")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, page := range append(pages, "ARCHITECTURE.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		for _, m := range quotedPath.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
				t.Errorf("%s names %s, which does not exist", page, m[1])
			}
		}
	}
	layer := readLayers(t, "ARCHITECTURE.md")
	for pkg := range layer {
		if strings.HasPrefix(pkg, "internal/lang/") || strings.HasPrefix(pkg, "internal/testsupport/") {
			continue // one of many of its kind
		}
		short := strings.TrimPrefix(strings.TrimPrefix(pkg, "internal/"), "codegraph/")
		names := []string{pkg, short + " splits", "**" + short + "**", "**" + filepath.Base(pkg) + "**", "`" + filepath.Base(pkg) + "`"}
		if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(withoutLayers(all.String()), name) }) {
			t.Errorf("no page says what %s is", pkg)
		}
	}
}

// withoutLayers removes the block of layers from a text.
func withoutLayers(text string) string {
	before, block, _ := strings.Cut(text, "```layers\n")
	_, after, _ := strings.Cut(block, "```")
	return before + after
}
