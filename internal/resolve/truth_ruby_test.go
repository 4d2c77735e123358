package resolve_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// execution is what a truth that comes from running code says of it; nil for another truth.
type execution struct {
	ran   map[place]map[string]bool // the names that were called, by file and line
	named map[pair]bool             // calls that ran, as calls of what the callee overrides
}

// executed takes what ran out of a truth.
func executed(truth map[pair]said) *execution {
	x := &execution{map[place]map[string]bool{}, map[pair]bool{}}
	maps.DeleteFunc(truth, func(k pair, s said) bool {
		for _, to := range s.overrides {
			x.named[pair{k.from, to}] = true
		}
		if s.rule != "ran" {
			return false
		}
		at := place{k.from.file, k.to.line}
		if x.ran[at] == nil {
			x.ran[at] = map[string]bool{}
		}
		for name := range strings.FieldsSeq(s.to) {
			x.ran[at][name] = true
		}
		return true
	})
	if len(x.ran) == 0 {
		return nil
	}
	return x
}

// confirms reports whether a call ran, or one of what overrides the callee: the method that the caller's text names.
func (x *execution) confirms(truth map[pair]said, k pair) bool {
	_, ran := truth[k]
	return ran || x != nil && x.named[k]
}

// judges reports whether a truth can tell if a pair is right: it confirms it, or what was called by its name at its site
// was something else.
func (x *execution) judges(truth map[pair]said, k pair, s said) bool {
	if x == nil || x.confirms(truth, k) {
		return true
	}
	file, number, _ := strings.Cut(s.site, ":")
	line, err := strconv.Atoi(number)
	if err != nil {
		return false
	}
	names := x.ran[place{file, line}]
	name := s.to[strings.LastIndexAny(s.to, ".:")+1:]
	name, _, _ = strings.Cut(name, "@")
	if name == "initialize" || name >= "A" && name < "[" {
		return names["new"] || names["exception"] || names["initialize"]
	}
	return names[name]
}

// finds reports whether we have a pair of the truth, or name what its callee overrides.
func (x *execution) finds(p *repository, k pair, s said) bool {
	_, found := p.pairs[k]
	return found || x != nil && slices.ContainsFunc(s.overrides, func(to place) bool {
		_, named := p.pairs[pair{k.from, to}]
		return named
	})
}

// written reports whether a pair of the truth is a call by name in the caller's text, of the project's own code.
func (x *execution) written(s said) bool {
	return x == nil || s.rule != "implicit" && s.rule != "operator" && s.rule != "outside"
}
