package batch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

// TestRequirementsOfUnchangedModulesAreNotWrittenAgain but are where the specs are not as they were written.
func TestRequirementsOfUnchangedModulesAreNotWrittenAgain(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	put := func(name, text string) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.org/shop\n\ngo 1.26\n")
	for _, name := range []string{"till", "safe"} {
		put(name+"/"+name+".go", "package "+name+"\n\nimport \"errors\"\n\n// Open opens it.\nfunc Open(n int) error {\n\tif n < 0 {\n\t\treturn errors.New(\""+name+" is broken\")\n\t}\n\treturn nil\n}\n")
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	run := func() *format.Result {
		r, err := batch.Run(t.Context(), p, batch.Options{Form: format.Options{Format: "openspec"}, Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		return r.Formatted
	}
	if r := run(); len(r.Files) != 2 {
		t.Fatalf("%+v", r)
	}
	if r := run(); len(r.Files) != 0 || len(r.Removed) != 0 {
		t.Errorf("nothing changed: %+v", r)
	}
	const file = "openspec/specs/till/spec.md"
	text, err := p.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, filepath.FromSlash(file))); err != nil {
		t.Fatal(err)
	}
	if r := run(); len(r.Files) != 1 || r.Files[0] != file {
		t.Errorf("a spec was removed: %+v", r)
	}
	if again, err := p.ReadFile(file); err != nil || string(again) != string(text) {
		t.Errorf("%v\n%s", err, again)
	}
	put("safe/safe.go", "package safe\n\nimport \"errors\"\n\n// Open opens it.\nfunc Open(n int) error {\n\tif n < 1 {\n\t\treturn errors.New(\"safe is shut\")\n\t}\n\treturn nil\n}\n")
	if r := run(); len(r.Files) != 1 || r.Files[0] != "openspec/specs/safe/spec.md" {
		t.Errorf("a module changed: %+v", r)
	}
	// What a person changed is named each time.
	put(file, strings.Replace(string(text), "SHALL", "SHALL always", 1))
	for range 2 {
		if r := run(); len(r.Warnings) != 1 {
			t.Errorf("changed by hand: %+v", r)
		}
	}
}
