package lang_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestCases compares what is read from each language's files with the expected
// text. A case is an archive in testdata/<language>.
func TestCases(t *testing.T) {
	folders, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		name := folder.Name()
		if slices.Contains([]string{"fuzz", "facts", "steps", "types"}, name) { // not cases; see FuzzParse, TestFacts, TestSteps and TestTypes
			continue
		}
		t.Run(name, func(t *testing.T) {
			golden.Archives(t, name, func(t *testing.T, files map[string][]byte) string {
				var b strings.Builder
				for _, path := range slices.Sorted(maps.Keys(files)) {
					f, err := lang.Parse(t.Context(), path, files[path], lang.All)
					if err != nil {
						t.Fatal(err)
					}
					draw(&b, f)
				}
				return b.String()
			})
		})
	}
}

// draw writes a file's model in a readable form.
func draw(b *strings.Builder, f *code.File) {
	fmt.Fprintf(b, "== %s %s%s\n", f.Path, f.Language, marks(map[string]bool{"test": f.Test, "generated": f.Generated, f.Constraint: f.Constraint != ""}))
	if f.Doc != "" {
		fmt.Fprintf(b, "doc %q\n", f.Doc)
	}
	for _, i := range f.Imports {
		fmt.Fprintf(b, "import %q", i.Module)
		for n, name := range i.Named {
			b.WriteString(" " + name)
			if n < len(i.Aliases) && i.Aliases[n] != "" {
				b.WriteString(" as " + i.Aliases[n])
			}
		}
		field(b, "default", i.Default)
		field(b, "namespace", i.Namespace)
		fmt.Fprintf(b, "%s %s\n", marks(map[string]bool{"relative": i.Relative, "type": i.TypeOnly, "re-export": i.Reexport}), i.Kind)
	}
	for _, s := range f.Symbols {
		drawSymbol(b, s, "")
	}
	for _, c := range f.Calls {
		fmt.Fprintf(b, "call %d %s", c.Line, c.Name)
		field(b, "on", c.Receiver)
		field(b, "in", c.In)
		b.WriteString(marks(map[string]bool{"new": c.New}) + "\n")
	}
	for _, x := range f.Tests {
		fmt.Fprintf(b, "test %d-%d %q %s\n", x.Line, x.EndLine, x.Name, x.Runner)
	}
	for _, e := range f.Entries {
		fmt.Fprintf(b, "entry %d %s\n", e.Line, e.Name)
	}
	for _, n := range f.Notes {
		fmt.Fprintf(b, "note %d %s %q\n", n.Line, n.Marker, n.Text)
	}
	for _, e := range f.ParseErrors {
		fmt.Fprintf(b, "error %d:%d %s %v\n", e.Line, e.Column, e.Message, e.Affected)
	}
}

func drawSymbol(b *strings.Builder, s code.Symbol, indent string) {
	fmt.Fprintf(b, "%s%s %s %d-%d%s\n", indent, s.Kind, s.Name, s.StartLine, s.EndLine, marks(map[string]bool{
		string(s.Visibility): s.Visibility != "", "exported": s.Exported, "default": s.Default, "static": s.Static,
		"abstract": s.Abstract, "async": s.Async, "optional": s.Optional, "readonly": s.Readonly, "broken": s.Broken, "body": s.BodyHash != "",
	}))
	indent += "  "
	for row := range strings.Lines(s.Signature) {
		fmt.Fprintf(b, "%s| %s\n", indent, strings.TrimSuffix(row, "\n"))
	}
	if s.Doc != "" {
		fmt.Fprintf(b, "%sdoc %q\n", indent, s.Doc)
	}
	list(b, indent, "decorators", s.Decorators)
	list(b, indent, "bases", s.Bases)
	list(b, indent, "type parameters", s.TypeParameters)
	for _, p := range s.Params {
		fmt.Fprintf(b, "%sparam %s", indent, p.Name)
		field(b, "type", p.Type)
		field(b, "default", p.Default)
		field(b, "mode", p.Mode)
		b.WriteString(marks(map[string]bool{"optional": p.Optional, "variadic": p.Variadic}) + "\n")
	}
	for label, text := range map[string]string{"receiver": s.Receiver} {
		if text != "" {
			fmt.Fprintf(b, "%s%s %s\n", indent, label, text)
		}
	}
	if s.Returns != "" {
		fmt.Fprintf(b, "%sreturns %s\n", indent, s.Returns)
	}
	if s.Value != "" {
		fmt.Fprintf(b, "%svalue %s\n", indent, s.Value)
	}
	for _, o := range s.Overloads {
		fmt.Fprintf(b, "%soverload %s\n", indent, strings.ReplaceAll(o.Signature, "\n", " "))
	}
	for _, m := range s.Members {
		drawSymbol(b, m, indent)
	}
}

func field(b *strings.Builder, label, text string) {
	if text != "" {
		fmt.Fprintf(b, " %s=%s", label, text)
	}
}

func list(b *strings.Builder, indent, label string, items []string) {
	if len(items) > 0 {
		fmt.Fprintf(b, "%s%s %s\n", indent, label, strings.Join(items, " | "))
	}
}

// marks returns the keys that are true, sorted, in brackets.
func marks(on map[string]bool) string {
	var out []string
	for k, v := range on {
		if v {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return ""
	}
	slices.Sort(out)
	return " [" + strings.Join(out, " ") + "]"
}

// FuzzParse reads any text in every language: it must not crash, and lines must be inside the
// text.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, pick uint8, text []byte) {
		all := lang.Languages()
		l := all[int(pick)%len(all)]
		file, err := lang.Parse(t.Context(), "fuzz"+l.Extensions[0], text, lang.All)
		if err != nil {
			return
		}
		inText(t, file.Symbols, file.LOC)
		for _, c := range file.Calls {
			if c.Line < 1 || c.Line > file.LOC || c.Name == "" {
				t.Errorf("call %+v in %d lines", c, file.LOC)
			}
		}
	})
}

// seeds adds every file of the cases to the corpus.
func seeds(f *testing.F) {
	for i, l := range lang.Languages() {
		for _, src := range golden.Files(f, l.Name) {
			f.Add(uint8(i), src)
		}
	}
}

func inText(t *testing.T, list []code.Symbol, loc int) {
	t.Helper()
	for _, s := range list {
		if s.Name == "" || s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > loc {
			t.Errorf("%s %q at %d-%d of %d lines", s.Kind, s.Name, s.StartLine, s.EndLine, loc)
		}
		inText(t, s.Members, loc)
	}
}
