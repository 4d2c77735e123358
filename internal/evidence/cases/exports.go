package cases

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/evidence/reach"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// exports are the exported declarations of the module under test.
type exports struct {
	finder  *reach.Finder
	links   *resolve.Links
	sources map[string]bool                   // the module's files without tests
	files   map[string]map[string][]*declared // by file and qualified name
	names   map[string][]*declared            // by qualified name
	byLast  map[string][]*declared            // by the last part of the name
	methods map[*resolve.Node]bool            // types of the module with methods
}

// declared is a declaration with its qualified name.
type declared struct {
	name string
	sym  *code.Symbol
}

func (m Module) exports() *exports {
	e := &exports{
		finder: reach.New(m.Links, slices.Concat(m.Files, m.Tests, m.Helpers)),
		links:  m.Links, sources: map[string]bool{}, files: map[string]map[string][]*declared{}, names: map[string][]*declared{},
		byLast: map[string][]*declared{},
	}
	for _, f := range m.Files {
		e.sources[f.Path] = !f.Test
	}
	e.add("", m.Exports)
	return e
}

// add adds the exported symbols of a list and their exported members.
func (e *exports) add(owner string, list []code.Symbol) {
	for i := range list {
		s := &list[i]
		if !s.Exported || s.Kind == code.Macro && isAssertion(code.Step{Text: s.Name}) {
			continue
		}
		d := &declared{strings.TrimPrefix(owner+"."+s.Name, "."), s}
		if e.files[s.File] == nil {
			e.files[s.File] = map[string][]*declared{}
		}
		e.files[s.File][d.name] = append(e.files[s.File][d.name], d)
		e.names[d.name] = append(e.names[d.name], d)
		e.byLast[LastName(d.name)] = append(e.byLast[LastName(d.name)], d)
		e.add(d.name, s.Members)
	}
}

// of returns the exported declaration that a symbol is; nil if it is none. One that is declared in several files is
// found by its name.
func (e *exports) of(n *resolve.Node, name string) *declared {
	if !e.sources[n.File] {
		return nil
	}
	list := e.files[n.File][name]
	for _, d := range list {
		if d.sym.StartLine <= n.Line && n.Line <= d.sym.EndLine {
			return d
		}
	}
	if list = append(slices.Clone(list), e.names[name]...); len(list) > 0 {
		return list[0]
	}
	return nil
}

// used returns the exported declarations that a use is of: for a constructor its type, too.
func (e *exports) used(n *resolve.Node) []*declared {
	var out []*declared
	if n.Kind == code.Constructor {
		if d := e.of(n, n.Owner()); d != nil {
			out = append(out, d)
		}
	}
	if d := e.of(n, n.Path()); d != nil {
		out = append(out, d)
	}
	return out
}

// isTypeKind reports whether a kind may have members, even if only in its signature.
func isTypeKind(k code.Kind) bool { return k == code.TypeDef || k.HoldsMembers() }

// setOf returns the set of some words.
func setOf(list ...string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, s := range list {
		out[s] = true
	}
	return out
}
