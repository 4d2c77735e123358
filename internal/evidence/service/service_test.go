package service_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestEndpoints compares what services of several frameworks answer.
func TestEndpoints(t *testing.T) {
	golden.Archives(t, "endpoints", func(t *testing.T, texts map[string][]byte) string {
		var files []*code.File
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if _, known := lang.ByPath(name); !known { // the settings of an application
				continue
			}
			f, err := lang.Parse(t.Context(), name, texts[name], lang.Facts|lang.Bodies|lang.Calls)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		var b strings.Builder
		p := service.New(files, codegraph.Resolve(files, nil), nil)
		p.Settings = service.ReadSettings(files, func(file string) ([]byte, error) {
			if text, ok := texts[file]; ok {
				return text, nil
			}
			return nil, fs.ErrNotExist
		})
		for _, e := range service.Find(p) {
			write(&b, &e)
		}
		return b.String()
	})
}

// write writes an endpoint as text.
func write(b *strings.Builder, e *service.Endpoint) {
	fmt.Fprintf(b, "%s %s -> %s at %s:%d", e.Method, e.Path, e.Handler.Name, e.At.File, e.At.Line)
	if e.Shadowed != nil {
		fmt.Fprintf(b, " (shadowed by %s:%d)", e.Shadowed.File, e.Shadowed.Line)
	}
	b.WriteString("\n")
	for _, s := range e.Chain {
		fmt.Fprintf(b, "  %s %s\n", s.Kind, s.Name)
	}
	for _, in := range e.Inputs {
		fmt.Fprintf(b, "  reads %s %s: %s", in.In, in.Name, in.Type)
		if in.Required {
			b.WriteString(", required")
		}
		if in.Default != "" {
			fmt.Fprintf(b, ", default %s", in.Default)
		}
		fmt.Fprintf(b, " %s\n", strings.Join(in.Limits, " "))
	}
	for _, a := range e.Success {
		fmt.Fprintf(b, "  answers %d %s\n", a.Status, a.Body)
	}
	for _, a := range e.Stored {
		fmt.Fprintf(b, "  %ss %s at %s:%d\n", a.Verb, a.Table, a.At.File, a.At.Line)
	}
	for _, f := range e.Refusals {
		fmt.Fprintf(b, "  refuses %d %s %q", f.Status, f.Error, f.Message)
		for _, term := range f.When {
			fmt.Fprintf(b, " [%s]", term)
		}
		if f.Unhandled {
			b.WriteString(" unhandled")
		}
		fmt.Fprintf(b, " at %s:%d\n", f.At.File, f.At.Line)
	}
}
