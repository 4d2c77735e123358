package cases

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// surface has the declarations that calls in tests may refer to: those of the module and of a
// test file.
type surface struct {
	around *surface // the module's, if this is a test file's
	top    map[string]*declared
	types  map[string]*declared   // by qualified name and by its last part
	byLast map[string][]*declared // exported, by the last part of the name
	own    map[string]bool        // names of the module in imports
}

// declared is a declaration with its qualified name and the members of a type.
type declared struct {
	name    string
	sym     *code.Symbol
	members map[string]*declared
	extends []*declared // nil until resolved
}

func newSurface(list ...[]code.Symbol) *surface {
	s := &surface{top: map[string]*declared{}, types: map[string]*declared{}, byLast: map[string][]*declared{}, own: map[string]bool{}}
	for _, symbols := range list {
		for i := range symbols {
			d := s.declare("", &symbols[i], symbols[i].Exported)
			if s.top[d.name] == nil {
				s.top[d.name] = d
			}
		}
	}
	return s
}

// declare records a symbol and its members. Only usable ones are recorded by last name.
func (s *surface) declare(owner string, sym *code.Symbol, exported bool) *declared {
	d := &declared{name: sym.Name, sym: sym}
	if owner != "" {
		d.name = owner + "." + sym.Name
	}
	if exported && (sym.Kind != code.Macro || !isAssertion(code.Step{Text: sym.Name})) {
		last := LastName(d.name)
		s.byLast[last] = append(s.byLast[last], d)
	}
	if !isTypeKind(sym.Kind) {
		return d
	}
	d.members = make(map[string]*declared, len(sym.Members))
	for i := range sym.Members {
		m := &sym.Members[i]
		if d.members[m.Name] == nil {
			d.members[m.Name] = s.declare(d.name, m, exported && m.Exported)
		}
	}
	for _, name := range []string{d.name, LastName(d.name)} {
		if s.types[name] == nil {
			s.types[name] = d
		}
	}
	return d
}

// isTypeKind reports whether a kind may have members, even if only in its signature.
func isTypeKind(k code.Kind) bool { return k == code.Type || k.HoldsMembers() }

// surface returns the declarations that tests outside the module's own files may use.
func (m Module) surface() *surface {
	s := newSurface(m.Exports, m.Internals)
	s.own[path.Base(m.Name)] = true
	for _, f := range m.Files {
		if f.Test {
			continue
		}
		s.own[lastPart(f.Package)] = true
		if f.Language == "go" {
			continue
		}
		stem, _, _ := strings.Cut(path.Base(f.Path), ".")
		s.own[stem] = true
		s.own[path.Base(path.Dir(f.Path))] = true
	}
	delete(s.own, "")
	delete(s.own, ".")
	return s
}

// topLevel returns a declaration by its bare name.
func (s *surface) topLevel(name string) *declared {
	for ; s != nil; s = s.around {
		if d := s.top[name]; d != nil {
			return d
		}
	}
	return nil
}

// typeNamed returns a type by its qualified name or the last part of it.
func (s *surface) typeNamed(name string) *declared {
	for ; s != nil; s = s.around {
		if d := s.types[name]; d != nil {
			return d
		}
	}
	return nil
}

// maxBases limits the length of inheritance chains.
const maxBases = 8

// member returns a member of a type or of its bases.
func (s *surface) member(of *declared, name string) *declared {
	line := []*declared{of}
	for i := 0; i < len(line) && i < maxBases; i++ {
		if m := line[i].members[name]; m != nil {
			return m
		}
		for _, base := range s.bases(line[i]) {
			if !slices.Contains(line, base) {
				line = append(line, base)
			}
		}
	}
	return nil
}

// bases returns the known types that a type extends or embeds.
func (s *surface) bases(of *declared) []*declared {
	if of.extends != nil {
		return of.extends
	}
	of.extends = []*declared{}
	names := of.sym.Bases
	for i := range of.sym.Members {
		if m := &of.sym.Members[i]; m.Kind == code.Embedded {
			names = append(slices.Clip(names), m.Name)
		}
	}
	for _, name := range names {
		if base := s.typeIn(name); base != nil {
			of.extends = append(of.extends, base)
		}
	}
	return of.extends
}

// typeIn returns the first type of the module named in a type expression such as "*List",
// "Promise<List>" or "List | None"; nil if there is none.
func (s *surface) typeIn(text string) *declared {
	for text != "" {
		i := strings.IndexFunc(text, isNameRune)
		if i < 0 {
			return nil
		}
		text = text[i:]
		word := text
		if end := strings.IndexFunc(text, func(c rune) bool { return !isNameRune(c) }); end >= 0 {
			word = text[:end]
		}
		if d := s.typeNamed(word); d != nil {
			return d
		}
		text = text[len(word):]
	}
	return nil
}
