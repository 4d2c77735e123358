package service_test

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/evidence/database"
	"github.com/reverse-spec/reverse-spec/internal/evidence/service"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
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
		var others []database.Text
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if database.Wanted(name) {
				others = append(others, database.Text{Path: name, Data: texts[name]})
			}
		}
		var b strings.Builder
		var names []string
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if path.Base(name) == "go.mod" {
				names = append(names, name)
			}
		}
		modules, err := manifest.Read(names, func(name string) ([]byte, error) { return texts[name], nil })
		if err != nil {
			t.Fatal(err)
		}
		p := service.New(files, codegraph.Resolve(files, modules), nil)
		p.Tables = database.Read(files, others)
		p.Protos, p.Operations = &service.Protos{}, &service.Operations{}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if strings.HasSuffix(name, ".proto") {
				p.Protos.Add(name, texts[name])
			}
			if service.IsAPIDescription(name) {
				p.Operations.Add(name, texts[name])
			}
		}
		p.Versions = service.ReadVersions(nil, func(file string) ([]byte, error) {
			if text, ok := texts[file]; ok {
				return text, nil
			}
			return nil, fs.ErrNotExist
		})
		p.Settings = service.ReadSettings(files, func(file string) ([]byte, error) {
			if text, ok := texts[file]; ok {
				return text, nil
			}
			return nil, fs.ErrNotExist
		})
		list := service.Find(p)
		var tests []*code.File
		for _, f := range files {
			if f.Test {
				tests = append(tests, f)
			}
		}
		service.Join(p, list, tests, codegraph.Resolve(files, nil))
		for _, e := range list {
			write(&b, &e)
		}
		return b.String()
	})
}

// status returns the code or the status of an answer.
func status(a *service.Answer) string {
	if a.Code != "" {
		return a.Code
	}
	return strconv.Itoa(a.Status)
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
		fmt.Fprintf(b, "  answers %s %s\n", status(&a), a.Body)
	}
	for _, body := range e.Bodies {
		fmt.Fprintf(b, "  body of %d", body.Status)
		for _, f := range body.Fields {
			fmt.Fprintf(b, " %s:%s", f.Name, f.Type)
		}
		b.WriteString("\n")
	}
	for _, r := range e.Requests {
		fmt.Fprintf(b, "  asked by %q at %s:%d", r.Test, r.At.File, r.At.Line)
		if r.SetUp {
			b.WriteString(" before it")
		}
		for _, f := range r.Fields {
			fmt.Fprintf(b, " %s=%s", f.Name, strings.Join(f.Values, "|"))
		}
		for _, a := range r.Asserted {
			fmt.Fprintf(b, " asserts %d", a.Status)
		}
		b.WriteString("\n")
	}
	for _, a := range e.Stored {
		fmt.Fprintf(b, "  %ss %s at %s:%d", a.Verb, a.Table, a.At.File, a.At.Line)
		for _, mark := range []struct {
			is   bool
			text string
		}{{a.Loop, "in a loop"}, {a.Cascade, "in cascade"}, {a.Caught, "caught"}, {a.Ignores, "nothing on conflict"}, {a.Within.Line > 0, fmt.Sprintf("in the transaction of %s:%d", a.Within.File, a.Within.Line)}} {
			if mark.is {
				fmt.Fprintf(b, " (%s)", mark.text)
			}
		}
		b.WriteString("\n")
	}
	for _, h := range e.Hazards {
		fmt.Fprintf(b, "  hazard %s %s [%s] %d\n", h.Kind, h.Table, strings.Join(h.Columns, ", "), h.Status)
	}
	for _, f := range e.Refusals {
		fmt.Fprintf(b, "  refuses %s %s %q", status(&f.Answer), f.Error, f.Message)
		for _, term := range f.When {
			fmt.Fprintf(b, " [%s]", term)
		}
		if f.Unhandled {
			b.WriteString(" unhandled")
		}
		fmt.Fprintf(b, " at %s:%d\n", f.At.File, f.At.Line)
	}
}
