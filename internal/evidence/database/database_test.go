package database_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestTables compares the tables that migrations and models declare.
func TestTables(t *testing.T) {
	golden.Archives(t, "tables", func(t *testing.T, texts map[string][]byte) string {
		var files []*code.File
		var others []database.Text
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if database.Wanted(name) {
				others = append(others, database.Text{Path: name, Data: texts[name]})
				continue
			}
			f, err := lang.Parse(t.Context(), name, texts[name], lang.Facts|lang.Bodies|lang.Calls)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		return write(database.Read(files, others))
	})
}

// write writes a schema as text.
func write(s *database.Schema) string {
	var b strings.Builder
	for _, t := range s.Tables {
		fmt.Fprintf(&b, "%s", t.Name)
		if t.Model != "" {
			fmt.Fprintf(&b, " of %s", t.Model)
		}
		fmt.Fprintf(&b, " at %s:%d\n", t.At.File, t.At.Line)
		for _, c := range t.Columns {
			fmt.Fprintf(&b, "  %s: %s", c.Name, c.Type)
			if c.Required {
				b.WriteString(" not null")
			}
			if c.Default != "" {
				fmt.Fprintf(&b, " default %s", c.Default)
			}
			b.WriteString("\n")
		}
		for i := range t.Keys {
			k := &t.Keys[i]
			kind := "unique"
			if k.Primary {
				kind = "primary"
			}
			if t.Given(k) {
				kind += " given"
			}
			fmt.Fprintf(&b, "  %s (%s) at line %d\n", kind, strings.Join(k.Columns, ", "), k.At.Line)
		}
		for _, r := range t.References {
			fmt.Fprintf(&b, "  (%s) refers to %s, on delete %q\n", strings.Join(r.Columns, ", "), r.To, r.OnDelete)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Queries)) {
		fmt.Fprintf(&b, "query %s at line %d: %s\n", name, s.Queries[name].At.Line, strings.Join(strings.Fields(s.Queries[name].Text), " "))
	}
	return b.String()
}
