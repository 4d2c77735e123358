package runner

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

var errNoModule = message.Errorf("no go.mod is above it")

// goTest runs whole test functions; subtests need not be known by name. It counts passed
// tests, because go test succeeds if a pattern matches nothing.
func goTest(p *place) (*Tool, error) {
	module, ok := p.above(nil, "go.mod")
	if !ok {
		return nil, errNoModule
	}
	pkg := "."
	if dir := module.rel(path.Dir(p.file.Path)); dir != "" && dir != "." {
		pkg = "./" + dir
	}
	idle := idleExamples(p.file)
	return &Tool{
		Name: "go test", Needs: []string{"go"},
		filter: func(t code.Test) string {
			if name := outermost(t); !idle[name] {
				return name
			}
			return ""
		},
		script: func(filters []string) string {
			return module.enter() + "go test " + word(pkg) + " -count=1 -v -run '" + anyOf(filters) + "'" +
				counted(`/--- PASS: [^\/ ]+ \(/ { n++ }`, len(filters))
		},
	}, nil
}

// idleExamples returns the examples of a file that are compiled but not run, because they have
// no output comment.
func idleExamples(f *code.File) map[string]bool {
	out := map[string]bool{}
	for _, t := range f.Tests {
		if strings.HasPrefix(t.Name, "Example") {
			out[t.Name] = true
		}
	}
	if f.Bodies == nil {
		return out
	}
	for _, s := range f.Bodies.Steps {
		for _, t := range f.Tests {
			if strings.HasPrefix(s.Text, "prints ") && t.Line <= s.Line && s.Line <= t.EndLine {
				delete(out, t.Name)
			}
		}
	}
	return out
}
