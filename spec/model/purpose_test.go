package model_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// TestPurposeIsTheReadmesFirstParagraph of prose.
func TestPurposeIsTheReadmesFirstParagraph(t *testing.T) {
	for name, c := range map[string]struct{ file, text, want string }{
		"heading and badges": {"README.md", "# Shop\n\n[![CI](x.svg)](x)\n<p align=\"center\">\n</p>\n\nShop sells things.\nIt does so on the web.\n\nMore.\n", "Shop sells things. It does so on the web. (`README.md:7`)"},
		"underlined heading": {"README.rst", "====\nShop\n====\n\n.. image:: x.png\n\nShop sells.\n", "Shop sells. (`README.rst:7`)"},
		"comment and code":   {"README.md", "<!-- not\nthis -->\n```\nnor this\n```\nBut this.\n", "But this. (`README.md:6`)"},
		"directive":          {"README.rst", ".. image:: x.png\n   :target: y\n   :alt: z\n\nShop sells.\n", "Shop sells. (`README.rst:5`)"},
		"tag of many lines":  {"README.md", "<img\n  media=\"x\"\n/>\n\n> A note.\n\nShop sells.\n", "Shop sells. (`README.md:7`)"},
		"labels of links":    {"README.md", "# Shop\n\nShop is a [WSGI] shop on [the web][1], with `a [b]`, `list[1]` and [here](x).\n\n[WSGI]: x\n[1]: y\n", "Shop is a WSGI shop on the web, with `a [b]`, `list[1]` and [here](x). (`README.md:3`)"},
		"only a heading":     {"README.md", "# Shop\n\n- a list\n", ""},
		"empty":              {"README", "", ""},
		"no readme":          {"NOTES", "Notes.\n", ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := project.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if got := model.Purpose(p); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestProjectWordsOpenTheFolderWithItsName, and no other.
func TestProjectWordsOpenTheFolderWithItsName(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "README.md"), []byte("<img>\n\n# Py-Shop\n\nShop sells.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for folder, want := range map[string]string{"src/py_shop": "Shop sells.", "src/shop": "", "tests": ""} {
		if got, _ := model.ProjectWords(p, folder); got != want {
			t.Errorf("%s: %q, want %q", folder, got, want)
		}
	}
}
