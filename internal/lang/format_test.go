package lang_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// fileHashes holds the hashes of a file: of its code, and of the signature and body of each symbol.
type fileHashes struct {
	Tokens  string
	Symbols []string
}

func hashesOf(t *testing.T, path, text string) fileHashes {
	t.Helper()
	f, err := lang.Parse(t.Context(), path, []byte(text), lang.All)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.ParseErrors) > 0 {
		t.Fatalf("%s does not parse: %+v", text, f.ParseErrors)
	}
	p := fileHashes{Tokens: f.Digest.Tokens}
	p.add(f.Symbols, "")
	return p
}

func (p *fileHashes) add(list []code.Symbol, owner string) {
	for _, s := range list {
		p.Symbols = append(p.Symbols, owner+s.Name+" "+s.SignatureHash+" "+s.BodyHash)
		p.add(s.Members, owner+s.Name+".")
	}
}

// form is a text in two forms.
type form struct{ name, a, b string }

// wantSameHashes fails for pairs whose hashes differ.
func wantSameHashes(t *testing.T, path string, pairs []form) {
	t.Helper()
	for _, f := range pairs {
		t.Run(strings.ReplaceAll(f.name, " ", "_"), func(t *testing.T) {
			if diff := cmp.Diff(hashesOf(t, path, f.a), hashesOf(t, path, f.b)); diff != "" {
				t.Errorf("%s\nand\n%s\ndiffer:\n%s", f.a, f.b, diff)
			}
		})
	}
}

// wantDifferentHashes fails for pairs whose files or symbols hash alike.
func wantDifferentHashes(t *testing.T, path string, pairs []form) {
	t.Helper()
	for _, f := range pairs {
		t.Run(strings.ReplaceAll(f.name, " ", "_"), func(t *testing.T) {
			a, b := hashesOf(t, path, f.a), hashesOf(t, path, f.b)
			if a.Tokens == b.Tokens {
				t.Errorf("%s\nand\n%s\nhave the same tokens", f.a, f.b)
			}
			if cmp.Equal(a.Symbols, b.Symbols) {
				t.Errorf("%s\nand\n%s\nhave symbols of the same hashes", f.a, f.b)
			}
		})
	}
}
