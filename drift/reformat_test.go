package drift_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// TestReformattedGoIsNotDrift reformats packages of the standard library without a change of
// meaning. There must be no item, and every difference must count as noise.
func TestReformattedGoIsNotDrift(t *testing.T) {
	for _, pkg := range []string{"net/http", "encoding/json", "go/types", "text/template", "time"} {
		files, err := filepath.Glob(filepath.Join(runtime.GOROOT(), "src", pkg, "*.go")) //nolint:staticcheck // the tests' own toolchain is meant
		if err != nil || len(files) == 0 {
			t.Skipf("the standard library's sources are not installed (%v)", err)
		}
		var base []*code.File
		texts := map[string][]byte{}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[pkg+"/"+filepath.Base(file)] = text
			base = append(base, parse(t, pkg+"/"+filepath.Base(file), text))
		}
		for name, change := range layouts {
			t.Run(pkg+"/"+name, func(t *testing.T) {
				var now []*code.File
				for path, text := range texts {
					now = append(now, parse(t, path, change(t, text)))
				}
				r := drift.Compare(t.Context(), surface(t, pkg, base), surface(t, pkg, now), message.English)
				// Some layouts drop documentation, and with it what it deprecates.
				r.Items = slices.DeleteFunc(r.Items, func(i drift.Item) bool { return i.Rule == "no-longer-deprecated" })
				if diff := cmp.Diff([]drift.Item{}, r.Items, cmpopts.IgnoreUnexported(drift.Item{})); diff != "" {
					t.Errorf("items:\n%s", diff)
				}
				if len(r.Noise) == 0 {
					t.Error("no noise was counted: the layout did not change")
				}
			})
		}
	}
}

func parse(t *testing.T, path string, text []byte) *code.File {
	t.Helper()
	f, err := lang.Parse(t.Context(), path, text, lang.All)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// layouts are changes that keep a Go file's meaning.
var layouts = map[string]func(t *testing.T, text []byte) []byte{
	"wide, without comments": func(t *testing.T, text []byte) []byte {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		for _, c := range directives(text) {
			b.WriteString(c)
		}
		if err := (&printer.Config{Mode: printer.UseSpaces, Tabwidth: 8, Indent: 2}).Fprint(&b, fset, f); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	},
	"imports reversed": func(t *testing.T, text []byte) []byte { return reversedImports(t, text) },
	"a remark at each function": func(_ *testing.T, text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("\nfunc "), []byte("\n// A new remark.\n\nfunc "))
	},
}

// directives returns the lines that are not mere comments: build constraints, and the mark of
// generated files, whose bodies nothing is claimed of.
func directives(text []byte) []string {
	var out []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "package ") {
			break
		}
		if strings.HasPrefix(line, "//go:build") || strings.HasPrefix(line, "// Code generated ") {
			out = append(out, line, "\n")
		}
	}
	return out
}

// reversedImports reverses the order of the import specs.
func reversedImports(t *testing.T, text []byte) []byte {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Decls) == 0 {
		return text
	}
	d, ok := f.Decls[0].(*ast.GenDecl)
	if !ok || len(d.Specs) < 2 {
		return text
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var specs []string
	for _, s := range d.Specs {
		specs = append(specs, string(text[at(s.Pos()):at(s.End())]))
	}
	slices.Reverse(specs)
	return slices.Concat(text[:at(d.Pos())], []byte("import (\n"+strings.Join(specs, "\n")+"\n)"), text[at(d.End()):])
}
