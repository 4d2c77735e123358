package diagram

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// stateSets returns the sets of constants by the file where they apply; "" for all files.
func (m Module) stateSets() map[string][]*stateSet {
	sets := map[string][]*stateSet{}
	named := map[string]*stateSet{} // Go types with named values
	var visit func(list []code.Symbol)
	visit = func(list []code.Symbol) {
		for i := range list {
			s := &list[i]
			if set := enumeration(s); set != nil {
				sets[""] = append(sets[""], set)
			}
			visit(s.Members)
		}
	}
	for _, f := range m.Files {
		visit(f.Symbols)
		for i := range f.Symbols {
			if s := &f.Symbols[i]; s.Kind == code.Const && f.Language == "go" && isGoName(s.Returns) {
				if named[s.Returns] == nil {
					named[s.Returns] = &stateSet{name: s.Returns}
					sets[""] = append(sets[""], named[s.Returns])
				}
				named[s.Returns].values = append(named[s.Returns].values, s.Name)
			}
		}
		sets[f.Path] = runs(f.Symbols)
	}
	return sets
}

// isGoName reports whether typ is a named, not a built-in, Go type.
func isGoName(typ string) bool {
	return typ != "" && !strings.ContainsAny(typ, ".[]*{( ") && !builtinTypes[typ]
}

var builtinTypes = map[string]bool{
	"bool": true, "byte": true, "complex64": true, "complex128": true, "error": true, "float32": true, "float64": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true, "rune": true, "string": true, "uint": true,
	"uint8": true, "uint16": true, "uint32": true, "uint64": true, "uintptr": true,
}

// enumeration returns the values of an enum, or of a type or property that is a union of
// literals; nil for others.
func enumeration(s *code.Symbol) *stateSet {
	set := &stateSet{name: s.Name}
	for i := range s.Members {
		if s.Members[i].Kind == code.EnumMember {
			set.values = append(set.values, s.Members[i].Name)
		}
	}
	switch s.Kind {
	case code.TypeDef:
		if _, value, ok := strings.Cut(s.Signature, "="); ok {
			set.values, set.texts = literalUnion(value), true
		}
	case code.Property, code.Variable:
		set.values, set.texts, set.field = literalUnion(s.Returns), true, s.Name
	default:
	}
	if len(set.values) < 2 {
		return nil
	}
	return set
}

// literalUnion returns the literals of a union such as 'a' | 'b'; nil for others.
func literalUnion(typ string) []string {
	var out []string
	for part := range strings.SplitSeq(strings.Trim(typ, " \n|;"), "|") {
		part = strings.TrimSpace(part)
		if len(part) < 3 || part[0] != '\'' && part[0] != '"' || part[len(part)-1] != part[0] {
			return nil
		}
		out = append(out, part[1:len(part)-1])
	}
	return out
}

// runs returns sequences of adjacent untyped constants.
func runs(symbols []code.Symbol) []*stateSet {
	var out []*stateSet
	run := &stateSet{}
	end := func() {
		if len(run.values) > 1 {
			out = append(out, run)
		}
		run = &stateSet{}
	}
	for i := range symbols {
		s := &symbols[i]
		constant := s.Kind == code.Const || s.Kind == code.Variable && s.Name == strings.ToUpper(s.Name)
		if !constant || isGoName(s.Returns) {
			end()
			continue
		}
		run.values = append(run.values, s.Name)
	}
	end()
	return out
}

// stateSetOf returns the one set that has both constants of a transition, or nil if there is
// none or several apply.
func stateSetOf(sets map[string][]*stateSet, file, of, from, to string) *stateSet {
	var found *stateSet
	owner, texts := pathOwner(to), strings.ContainsAny(to, `"'`)
	for _, set := range slices.Concat(sets[""], sets[file]) {
		switch {
		case set.texts != texts, set.field != "" && set.field != lastState(of),
			owner != "" && owner != "Self" && owner != set.name,
			!slices.Contains(set.values, lastState(from)) || !slices.Contains(set.values, lastState(to)):
			continue
		case found != nil:
			return nil
		}
		found = set
	}
	return found
}

// pathOwner returns the second to last name of a path: "State" for "a.State.Open"; "" if there
// is none.
func pathOwner(text string) string {
	if strings.ContainsAny(text, `"'`) {
		return ""
	}
	return lastState(strings.TrimRight(strings.TrimSuffix(text, lastState(text)), ".:"))
}
