package service

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/settings"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// loader finds the settings that the programs around an endpoint load.
type loader struct {
	*Project
	declared  []settings.Setting
	importers map[string][]string           // of files, by path
	known     map[string][]settings.Setting // by the file of the endpoint
}

func newLoader(p *Project) *loader {
	l := &loader{Project: p, importers: map[string][]string{}, known: map[string][]settings.Setting{}}
	l.declared = settings.Find(settings.Source{Files: p.Files, Links: p.Links, Bodies: func(f *code.File) *code.Bodies { return f.Bodies }}).Settings
	if len(l.declared) == 0 {
		return l
	}
	for _, f := range p.Files {
		for _, to := range p.Links.Imports(f.Path) {
			l.importers[to] = append(l.importers[to], f.Path)
		}
	}
	return l
}

// of returns the settings in files that are loaded with a file: those that it and the files around it import, directly or
// through others. The files around it are those that import it.
func (l *loader) of(file string) []settings.Setting {
	if out, known := l.known[file]; known || len(l.declared) == 0 {
		return out
	}
	around := reached([]string{file}, func(f string) []string { return l.importers[f] })
	loaded := reached(around, l.Links.Imports)
	var out []settings.Setting
	for _, s := range l.declared {
		if slices.Contains(loaded, s.At[0].File) {
			out = append(out, s)
		}
	}
	l.known[file] = out
	return out
}

// reachedBy returns the settings of an endpoint: those of the program that the steps of the endpoint reach, or all if these
// reach none that is known.
func (l *loader) reachedBy(e *Endpoint) []settings.Setting {
	all := l.of(e.At.File)
	if len(all) == 0 {
		return nil
	}
	nodes := map[*resolve.Node]bool{}
	for _, s := range append(slices.Clone(e.Chain), e.Handler) {
		l.follow(s.Node, nodes)
	}
	var out []settings.Setting
	for _, s := range all {
		if n := l.declares(&s); n != nil && nodes[n] {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// declares returns the class or function of a setting; nil if it is read by statements in none.
func (l *loader) declares(s *settings.Setting) *resolve.Node {
	in := cmp.Or(s.Class, s.In)
	if in == "" {
		return nil
	}
	return l.Links.Find(s.At[0].File, in, s.At[0].Line)
}

// follow adds a symbol, the symbols around it, and all that it uses.
func (l *loader) follow(n *resolve.Node, seen map[*resolve.Node]bool) {
	for open := []*resolve.Node{n}; len(open) > 0; {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		open = append(open, n.Outer())
		for _, u := range l.Links.Uses(n) {
			open = append(open, u.To)
		}
	}
}

// reached returns files and all that next leads to from them, each once.
func reached(files []string, next func(file string) []string) []string {
	seen := map[string]bool{}
	var out []string
	for list := files; len(list) > 0; {
		file := list[0]
		list = list[1:]
		if !seen[file] {
			seen[file] = true
			out = append(out, file)
			list = append(list, next(file)...)
		}
	}
	return out
}
