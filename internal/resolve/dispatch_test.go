package resolve_test

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// end is an end of an edge: a symbol of a file, or with the ordinal [resolve.ExternalMethod] or [resolve.ExternalType] what its path
// names.
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
	case codegraph.DefinesMethod:
		p.owners[to] = from
	case codegraph.CallsOn:
		p.calledOn[from] = append(p.calledOn[from], to)
	case codegraph.Inherits, codegraph.Implements:
		p.above[from] = append(p.above[from], to)
		p.below[to] = append(p.below[to], from)
	default:
	}
}

// dispatchAll adds the pairs that calls make by dynamic dispatch, as the snapshot of a graph tells them.
func (p *repository) dispatchAll() {
	for _, c := range p.calls {
		methods := p.methodsUnder(c.to)
		if p.isAbstract(c.to) {
			methods = p.narrowed(c, methods)
		} else if c.rule == resolve.Constructed || slices.Contains(methods, c.from) {
			continue
		}
		for _, m := range methods {
			from, fromName, inFunction := outermost(p.symbols[c.from.file], c.from.ordinal)
			to, toName, _ := outermost(p.symbols[m.file], m.ordinal)
			key := pair{place{c.from.file, from}, place{m.file, to}}
			if _, direct := p.pairs[key]; !direct && inFunction && !inVariable(p.symbols[c.from.file], c.from.ordinal) {
				p.dispatch[key] = said{from: fromName, to: toName, rule: string(resolve.Implementation), site: c.from.file + ":" + strconv.Itoa(c.line)}
			}
		}
	}
}

// narrowed returns those of the methods that a call can run, given the types on which its caller calls methods.
func (p *repository) narrowed(c call, methods []end) []end {
	can, narrowed := map[end]bool{}, false
	of := p.ownerOf(c.to)
	for _, r := range p.calledOn[c.from] {
		if r == of {
			return methods
		}
		if !slices.Contains(reached(r, p.above), of) {
			continue
		}
		narrowed = true
		for _, t := range reached(r, p.below) {
			has := p.nearest(t, methods)
			for _, m := range has {
				can[m] = true
			}
			if len(has) == 0 && len(p.below[t]) == 0 && t.ordinal > 0 && p.symbols[t.file][t.ordinal].Label != codegraph.LabelInterface {
				return methods
			}
		}
		if len(p.below[r]) == 0 {
			return methods
		}
	}
	if !narrowed {
		return methods
	}
	return slices.DeleteFunc(slices.Clone(methods), func(m end) bool { return !can[m] })
}

// nearest returns those of the methods that are of a type or of the nearest of its bases that has some.
func (p *repository) nearest(t end, methods []end) []end {
	for _, b := range append([]end{t}, reached(t, p.above)...) {
		var out []end
		for _, m := range methods {
			if p.ownerOf(m) == b {
				out = append(out, m)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return nil
}

// reached returns what is reached from an end in one step or more.
func reached(from end, next map[end][]end) []end {
	var out []end
	seen := map[end]bool{from: true}
	for open := []end{from}; len(open) > 0; open = open[1:] {
		for _, e := range next[open[0]] {
			if !seen[e] {
				seen[e] = true
				out, open = append(out, e), append(open, e)
			}
		}
	}
	return out
}

// ownerOf returns the type of a method.
func (p *repository) ownerOf(m end) end {
	if m.ordinal < 0 {
		return end{m.file[:max(0, strings.LastIndexByte(m.file, '.'))], resolve.ExternalType}
	}
	return p.owners[m]
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
