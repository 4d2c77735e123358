package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// TestRememberedFilesAreThoseOfTheText whichever project it is in, and what one caller resolves is not seen by another.
func TestRememberedFilesAreThoseOfTheText(t *testing.T) {
	texts := []map[string]string{
		{"a.ts": "import { b } from './b'\nexport const a = b\n", "b.ts": "export const b = 1\n"},
		{"a.ts": "import { b } from './b'\nexport const a = b\n", "b.ts": "export const b = 2\n"},
	}
	ctx := source.Remembering(t.Context())
	var hashes []string
	for _, files := range texts {
		dir := t.TempDir()
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p, err := project.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		remembered, err := source.Read(ctx, p, ".", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plain, err := source.Read(t.Context(), p, ".", source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(plain.Files, remembered.Files); diff != "" {
			t.Errorf("(-read anew +remembered)\n%s", diff)
		}
		at := map[string]*code.File{}
		for _, f := range remembered.Files {
			at[f.Path] = f
		}
		at["a.ts"].Imports[0].Resolved = "elsewhere"
		hashes = append(hashes, at["b.ts"].Hash)
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if hashes[0] == hashes[1] {
		t.Error("another text under the same name is another file")
	}
}
