package program_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/program"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestCommands compares the commands that files declare.
func TestCommands(t *testing.T) {
	golden.Archives(t, "commands", func(t *testing.T, files map[string][]byte) string {
		var list []*code.File
		for name, text := range files {
			f, err := lang.Parse(t.Context(), name, text, lang.Facts|lang.Bodies|lang.Calls)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, f)
		}
		slices.SortFunc(list, func(a, b *code.File) int { return strings.Compare(a.Path, b.Path) })
		links := resolve.Module(list, nil, codegraph.Resolve(list, nil))
		var b strings.Builder
		for _, c := range program.Find(program.Source{Files: list, Links: links}) {
			fmt.Fprintf(&b, "%s [%s] %q %s:%d\n", c.Path, c.Usage, c.Help, c.At.File, c.At.Line)
			for _, f := range append(c.Args, c.Flags...) {
				fmt.Fprintf(&b, "    %s\n", describe(&f))
			}
		}
		return b.String()
	})
}

// describe writes a flag on one line, without what is not said of it.
func describe(f *program.Param) string {
	out := append([]string{f.Name}, append([]string{f.Short}, f.Others...)...)
	for _, part := range []struct{ name, text string }{{"", f.Type}, {"default=", f.Default}, {"env=", f.Env}, {"one of ", strings.Join(f.Choices, "|")}} {
		if part.text != "" {
			out = append(out, part.name+part.text)
		}
	}
	for _, part := range []struct {
		name string
		is   bool
	}{{"required", f.Required}, {"many", f.Many}, {"hidden", f.Hidden}, {"global", f.Global}, {"implied", f.Implied}} {
		if part.is {
			out = append(out, part.name)
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool { return s == "" })
	return strings.Join(out, " ") + fmt.Sprintf(" %q", f.Help)
}
