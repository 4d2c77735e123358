package lang_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// TestPartsAreIndependent reads the files of all cases in parts: each is what it is when all
// are read.
func TestPartsAreIndependent(t *testing.T) {
	for _, pattern := range []string{"testdata/*/*.txtar", "testdata/facts/*/*.txtar"} {
		archives, err := filepath.Glob(pattern)
		if err != nil || len(archives) == 0 {
			t.Fatalf("no archives in %s (%v)", pattern, err)
		}
		for _, name := range archives {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range ar.Files {
				if _, ok := lang.ByPath(file.Name); ok {
					t.Run(name+"/"+file.Name, func(t *testing.T) { comparePartsOf(t, file.Name, file.Data) })
				}
			}
		}
	}
}

func comparePartsOf(t *testing.T, file string, src []byte) {
	for _, parts := range []lang.Parts{0, lang.Facts, lang.Bodies, lang.Hashes, lang.Bare, lang.Bare | lang.Facts, lang.Bare | lang.Hashes} {
		want, got := parsedWith(t, file, src, lang.All), parsedWith(t, file, src, parts)
		without(want, lang.All&^parts|parts&lang.Bare)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("parts %b (-all +alone):\n%s", parts, diff)
		}
	}
}

func parsedWith(t *testing.T, path string, src []byte, parts lang.Parts) *code.File {
	t.Helper()
	f, err := lang.Parse(t.Context(), path, src, parts)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// without removes parts of a file.
func without(f *code.File, parts lang.Parts) {
	if parts&lang.Facts != 0 {
		f.Facts = nil
	}
	if parts&lang.Bodies != 0 {
		f.Bodies = nil
	}
	if parts&lang.Bare != 0 {
		f.Calls, f.Notes, f.Tests = nil, nil, nil
	}
	if parts&lang.Hashes != 0 {
		f.Digest = code.Digest{Path: f.Path, Hash: f.Hash}
		withoutHashes(f.Symbols)
	}
}

func withoutHashes(list []code.Symbol) {
	for i := range list {
		s := &list[i]
		s.SignatureHash, s.BodyHash = "", ""
		for j := range s.Overloads {
			s.Overloads[j].SignatureHash = ""
		}
		withoutHashes(s.Members)
	}
}
