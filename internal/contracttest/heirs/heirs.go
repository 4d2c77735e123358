// Package heirs knows which classes of tests extend which: a tool runs the tests of an abstract class as tests of those that
// extend it, and names them so in its report.
package heirs

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/runner"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// Heirs maps the name of a class to those of the classes that extend it.
type Heirs map[string][]string

// tools are those whose tests are methods of classes.
var tools = []string{"mvn", "gradle", "phpunit"}

// Of reads the classes in the files of the tests that a tool runs; read returns the text of a file. Files that cannot be read
// have none.
func Of(ctx context.Context, tool string, files []string, read func(file string) ([]byte, error)) Heirs {
	if !slices.Contains(tools, tool) {
		return nil
	}
	out := Heirs{}
	for _, file := range files {
		text, err := read(file)
		if err != nil {
			continue
		}
		if f, err := lang.Parse(ctx, file, text, lang.Parts(0)); err == nil {
			out.add(f.Symbols)
		}
	}
	return out
}

func (h Heirs) add(list []code.Symbol) {
	for i := range list {
		s := &list[i]
		for _, base := range s.Bases {
			base, _, _ = strings.Cut(base, "<")
			base, _, _ = strings.Cut(base, "(")
			base = base[strings.LastIndexAny(base, `.\ `)+1:]
			if base != "" && !slices.Contains(h[base], s.Name) {
				h[base] = append(h[base], s.Name)
			}
		}
		h.add(s.Members)
	}
}

// Results returns the results of a test: those of its own class, or else of the classes that inherit it.
func (h Heirs) Results(results *runner.Results, file, name string) []runner.Result {
	list := results.Of(file, name)
	class, method, isMember := strings.Cut(name, " > ")
	if len(list) > 0 || !isMember || len(h) == 0 {
		return list
	}
	todo := slices.Clone(h[class])
	seen := map[string]bool{class: true}
	for len(todo) > 0 {
		class, todo = todo[0], todo[1:]
		if seen[class] {
			continue
		}
		seen[class] = true
		list = append(list, results.Of(file, class+" > "+method)...)
		todo = append(todo, h[class]...)
	}
	return list
}
