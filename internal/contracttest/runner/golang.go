package runner

import (
	"path"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

var errNoModule = message.Errorf("no go.mod is above it")

// goTest runs whole test functions; subtests need not be known by name.
func goTest(p *place) (*Tool, error) {
	module, ok := p.above(nil, "go.mod")
	if !ok {
		return nil, errNoModule
	}
	pkg := "."
	if dir := module.rel(path.Dir(p.file.Path)); dir != "" && dir != "." {
		pkg = "./" + dir
	}
	begin := module.enter() + "go test -count=1" + report("-json")
	idle := idleExamples(p.file)
	return &Tool{
		Name: "go test", Needs: []string{"go"}, Home: module.dir, unit: word(pkg),
		filter: func(t code.Test) string {
			if name := outermost(t); !idle[name] {
				return name
			}
			return ""
		},
		script: func(units, filters []string) string {
			run := ""
			if filters != nil {
				run = " -run '" + anyOf(filters) + "'"
			}
			return begin + run + args(units)
		},
		suite: begin + " ./...",
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
