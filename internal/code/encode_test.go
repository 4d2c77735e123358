package code_test

import (
	"errors"
	"go/build"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// parsed is a large file of the standard library, with its facts.
func parsed(t testing.TB) *code.File {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "src/net/http/server.go"))
	if err != nil {
		t.Skip("no Go sources here: ", err)
	}
	f, err := lang.Parse(t.Context(), "net/http/server.go", src, lang.Facts)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDecodeReadsWhatEncodeWrote(t *testing.T) {
	f := parsed(t)
	got, err := code.Decode(code.Encode(f))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.Facts, got.Facts, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(f.Imports, got.Imports, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("imports (-want +got):\n%s", diff)
	}
}

func TestDecodeHeadReadsTheHead(t *testing.T) {
	f := parsed(t)
	got, err := code.DecodeHead(code.Encode(f))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.Facts.Head(), got.Facts, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("head (-want +got):\n%s", diff)
	}
	if f.Facts.HeadExprs >= len(f.Facts.Exprs)/2 {
		t.Errorf("the head has %d of %d expressions; Go declares its results", f.Facts.HeadExprs, len(f.Facts.Exprs))
	}
}

func TestDecodeDamaged(t *testing.T) {
	data := code.Encode(parsed(t))
	if _, err := code.Decode(append([]byte{code.FactsVersion + 1}, data[1:]...)); !errors.Is(err, code.ErrFactsVersion) {
		t.Errorf("of another version: %v", err)
	}
	for n := 0; n < len(data); n += 97 {
		if _, err := code.Decode(data[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for the whole", n, len(data))
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(code.Encode(parsed(f)))
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = code.Decode(data)
		_, _ = code.DecodeHead(data)
	})
}
