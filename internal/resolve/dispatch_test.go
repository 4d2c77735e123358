package resolve_test

import (
	"slices"
	"strconv"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// end is an end of an edge: a symbol of a file, or with the ordinal [resolve.ExternalMethod] what its path names.
type end struct {
	file    string
	ordinal int
}

// call is an edge of the type CALLS.
type call struct {
	from, to end
	rule     resolve.Rule
	line     int
}

// note keeps an edge for [repository.dispatchAll].
func (p *repository) note(file string, e resolve.Edge) {
	from := end{file, e.From}
	if e.Of != "" {
		from.file = e.Of
	}
	to := end{e.Path, e.To}
	switch e.Type {
	case codegraph.Overrides:
		p.overriding[to] = append(p.overriding[to], from)
	case codegraph.Calls:
		p.calls = append(p.calls, call{from, to, e.Rule, e.Line})
	default:
	}
}

// dispatchAll adds the pairs that calls make by dynamic dispatch, as the snapshot of a graph tells them.
func (p *repository) dispatchAll() {
	for _, c := range p.calls {
		methods := p.methodsUnder(c.to)
		if c.rule == resolve.Constructed || !p.isAbstract(c.to) && slices.Contains(methods, c.from) {
			continue
		}
		for _, m := range methods {
			from, fromName, inFunction := outermost(p.symbols[c.from.file], c.from.ordinal)
			to, toName, _ := outermost(p.symbols[m.file], m.ordinal)
			key := pair{place{c.from.file, from}, place{m.file, to}}
			if _, direct := p.pairs[key]; !direct && inFunction && !inVariable(p.symbols[c.from.file], c.from.ordinal) {
				p.dispatch[key] = said{fromName, toName, string(resolve.Implementation), c.from.file + ":" + strconv.Itoa(c.line)}
			}
		}
	}
}

// methodsUnder returns the methods that override one, directly or not.
func (p *repository) methodsUnder(m end) []end {
	out := slices.Clone(p.overriding[m])
	for i := 0; i < len(out); i++ {
		for _, x := range p.overriding[out[i]] {
			if !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// isAbstract reports whether a method is one of an interface or of a type outside the project.
func (p *repository) isAbstract(m end) bool {
	if m.ordinal < 0 {
		return true
	}
	list := p.symbols[m.file]
	return list[list[m.ordinal].Parent].Label == codegraph.LabelInterface
}
