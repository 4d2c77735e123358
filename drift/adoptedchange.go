package drift

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// usersOf returns the declarations of a surface that call a private one, themselves or through another private one.
func usersOf(s *Surface, symbols map[string]*code.Symbol, name string) []string {
	var out []string
	next := []string{name}
	for len(next) > 0 && len(out) < mostUsers {
		of := next[0]
		next = next[1:]
		if sym := symbols[of]; sym == nil || sym.Exported && !strings.Contains(of, ".") || sym.Visibility == code.Public && strings.Contains(of, ".") {
			continue
		}
		last := of[strings.LastIndexByte(of, '.')+1:]
		for i := range s.Calls {
			c := &s.Calls[i]
			if c.Name == last && c.In != "" && c.In != of && c.In != name && !slices.Contains(out, c.In) {
				out = append(out, c.In)
				next = append(next, c.In)
			}
		}
	}
	return out
}

// mostUsers limits the declarations that use a private one: what more use is nobody's detail.
const mostUsers = 6

// removalsOf returns what tells how much less the files that changed have of something.
func (d *detection) removalsOf(base, now Surface) *adopted.Removals {
	if d.opts.Old == nil {
		return adopted.NewRemovals(base.text, now.text, nil)
	}
	read := func(p *project.Project) func(file string) []byte {
		return func(file string) []byte {
			text, err := p.ReadFile(file)
			if err != nil {
				return nil
			}
			return source.Redacted(file, text)
		}
	}
	code := slices.DeleteFunc(slices.Clone(d.opts.Changed), func(file string) bool { return slices.Contains(ofPages, path.Ext(file)) })
	return adopted.NewRemovals(read(d.opts.Old), read(d.project), code)
}

// ofPages are the extensions of files that say what code does, and of their locks.
var ofPages = []string{".md", ".markdown", ".jsonl"}
