package spec_test

import (
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/spec"
)

// TestWhatTheEntryFileGivesComesFirst: a rule about what __init__.py exports comes before rules with more cases about what it does not,
// and the re-exports have a row for each module.
func TestWhatTheEntryFileGivesComesFirst(t *testing.T) {
	p := openProject(t, map[string][]byte{
		"shop/__init__.py": []byte("from .till import count as count\nfrom .till import pay as pay\n"),
		"shop/cli.py": []byte("def load(name):\n    if not name:\n        raise ValueError('no name')\n    if name == 'x':\n        raise ValueError('bad name')\n    if name == 'y':\n" +
			"        raise ValueError('worse name')\n    return name\n"),
		"shop/till.py": []byte("def pay(n):\n    if n < 1:\n        raise ValueError('too little')\n    return n\n\n\ndef count():\n    return 1\n"),
	})
	r, err := spec.Generate(t.Context(), p, "shop", spec.GenerateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.ReadFile(r.SpecPath)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	pay, load := strings.Index(page, "`pay` SHALL raise"), strings.Index(page, "`load` SHALL raise")
	if pay < 0 || load < 0 || pay > load {
		t.Errorf("pay at %d, load at %d:\n%s", pay, load, page)
	}
	if want := "| `count`, `pay` | `.till` | `__init__.py:1` |"; !strings.Contains(page, want) {
		t.Errorf("without %s:\n%s", want, page)
	}
}
