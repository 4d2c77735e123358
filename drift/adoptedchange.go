package drift

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/drift/adopted"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
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
		for i := range s.Calls {
			c := &s.Calls[i]
			if c.Name == last(of) && c.In != "" && c.In != of && c.In != name && !slices.Contains(out, c.In) && mayUse(symbols, c.In, of) {
				out = append(out, c.In)
				next = append(next, c.In)
			}
		}
	}
	return out
}

// newNames are the new names of private declarations by their old ones.
type newNames map[string]string

// renamedPrivates finds the private declarations that have another name and the same body.
func renamedPrivates(sides [2]map[string]*code.Symbol) newNames {
	gone := map[string][]string{} // names by bodies
	for name, sym := range sides[0] {
		if sides[1][name] == nil && !sym.Exported && sym.BodyHash != "" && len(sym.Members) == 0 {
			gone[sym.BodyHash] = append(gone[sym.BodyHash], last(name))
		}
	}
	out := newNames{}
	for _, name := range slices.Sorted(maps.Keys(sides[1])) {
		sym := sides[1][name]
		if was := gone[sym.BodyHash]; len(was) == 1 && sides[0][name] == nil && !sym.Exported {
			out[was[0]] = last(name)
		}
	}
	return out
}

// last returns the last part of a qualified name.
func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// explain reports whether a change is no more than the new names.
func (n newNames) explain(c *adopted.Change) bool {
	if len(n) == 0 {
		return false
	}
	same := func(was, is string) bool {
		return was != "" && is != "" && identifierName.ReplaceAllStringFunc(was, func(name string) string { return cmp.Or(n[name], name) }) == is
	}
	return same(c.Before, c.After) || same(c.Was, c.Is)
}

var identifierName = lazyregexp.New(`[\pL_$][\pL\pN_$]*`)

// mayUse reports whether a declaration that calls the name of a private one may mean it: in Go within the folder, else within the file.
func mayUse(symbols map[string]*code.Symbol, user, private string) bool {
	file := fileOf(symbols, private)
	return path.Ext(file) == ".go" || fileOf(symbols, user) == file
}

// withHelpers returns what says of a name in a file whether it is linked, or is a private declaration that what is linked calls, itself or
// through another private one.
func withHelpers(s *Surface, linked func(file, name string) bool) func(file, name string) bool {
	symbols := symbolsByName(&s.Skeleton)
	helps := map[string]bool{}
	for name, sym := range symbols {
		if linked(fileOf(symbols, name), name) || len(sym.Members) > 0 {
			continue
		}
		helps[name] = slices.ContainsFunc(usersOf(s, symbols, name), func(user string) bool {
			return symbols[user] != nil && linked(fileOf(symbols, user), user)
		})
	}
	return func(file, name string) bool {
		return linked(file, name) || helps[name] && file == fileOf(symbols, name)
	}
}

// fileOf returns the file of a declaration: its own, or that of what it is a member of.
func fileOf(symbols map[string]*code.Symbol, name string) string {
	for {
		if s := symbols[name]; s != nil && s.File != "" {
			return s.File
		}
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return ""
		}
		name = name[:i]
	}
}

// leaves returns the qualified names of the declarations of a skeleton that have no members.
func leaves(s *code.Skeleton) []string {
	var out []string
	for name, sym := range symbolsByName(s) {
		if len(sym.Members) == 0 {
			out = append(out, name)
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
