package resolve_test

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// expandMacros gives what uses a macro the calls of the macro's replacement, in any number of steps, as a compiler
// sees them. Pairs that begin at a macro or end there are left out.
func (p *repository) expandMacros() {
	x := expansion{pairs: p.pairs, macros: map[place]bool{}, calls: map[place]map[pair]said{}}
	for file, list := range p.symbols {
		for i := range list {
			if list[i].Kind == code.Macro {
				x.macros[place{file, list[i].Line}] = true
			}
		}
	}
	uses := maps.Clone(p.pairs)
	for k, s := range uses {
		if x.macros[k.from] {
			if x.calls[k.from] == nil {
				x.calls[k.from] = map[pair]said{}
			}
			x.calls[k.from][k] = s
		}
		if x.macros[k.from] || x.macros[k.to] {
			delete(p.pairs, k)
		}
	}
	for k, s := range uses {
		if !x.macros[k.from] && x.macros[k.to] {
			x.expand(k.from, s, k.to, map[place]bool{})
		}
	}
}

// expansion is the state of expandMacros.
type expansion struct {
	pairs  map[pair]said
	macros map[place]bool
	calls  map[place]map[pair]said // of macros
}

// expand adds the calls of a macro to those of what uses it.
func (x *expansion) expand(from place, used said, macro place, seen map[place]bool) {
	if seen[macro] {
		return
	}
	seen[macro] = true
	for k, s := range x.calls[macro] {
		to := pair{from, k.to}
		if x.macros[k.to] {
			x.expand(from, used, k.to, seen)
		} else if _, known := x.pairs[to]; !known {
			x.pairs[to] = said{from: used.from, to: s.to, rule: "macro", site: used.site}
		}
	}
}

// compilation is what a truth says of the functions that were compiled; nil if it says nothing.
type compilation struct {
	functions map[place]bool
	files     map[string]bool
	names     map[string]bool
	called    map[place]map[string][]place // compiled functions that a function calls, by name
}

func compiledTruth(truth map[pair]said) *compilation {
	c := &compilation{map[place]bool{}, map[string]bool{}, map[string]bool{}, map[place]map[string][]place{}}
	for k, s := range truth {
		if s.rule == "compiled" {
			c.functions[k.from], c.files[k.from.file], c.names[s.from] = true, true, true
		}
	}
	if len(c.functions) == 0 {
		return nil
	}
	for k, s := range truth {
		if c.functions[k.to] && k.from != k.to {
			if c.called[k.from] == nil {
				c.called[k.from] = map[string][]place{}
			}
			c.called[k.from][s.to] = append(c.called[k.from][s.to], k.to)
		}
	}
	return c
}

// judges reports whether the truth can tell if a pair of p is right: the caller was compiled, and the file of the callee,
// or else another function of its name. The callee is a function, not a field that holds one, and not the definition
// for another build of a function of which p also has the one that was compiled.
func (c *compilation) judges(p *repository, k pair, s said) bool {
	if c == nil {
		return true
	}
	name := s.to[strings.LastIndexByte(s.to, '.')+1:]
	name, _, _ = strings.Cut(name, "@")
	if !c.functions[k.from] || !c.files[k.to.file] && !c.names[name] || p.isField(k.to) {
		return false
	}
	return c.functions[k.to] || !slices.ContainsFunc(c.called[k.from][name], func(to place) bool {
		_, ours := p.pairs[pair{k.from, to}]
		return ours
	})
}

// isField reports whether a place is that of a field.
func (p *repository) isField(at place) bool {
	return slices.ContainsFunc(p.files[at.file].Facts.Scopes, func(scope code.Scope) bool {
		return slices.ContainsFunc(scope.Defs, func(d code.Def) bool { return d.Kind == code.DefField && int(d.Line) == at.line })
	})
}
