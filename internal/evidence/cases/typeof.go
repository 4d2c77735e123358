package cases

import (
	"slices"
	"strings"
)

// Kinds of expressions in a test.
const (
	isUnknown  = iota // unknown
	isForeign         // not of the module
	isModule          // the module, or an import of it
	isType            // a type
	isFunction        // a function or method value
	isValue           // a value of a type
)

// meaning is the kind of an expression and its declaration.
type meaning struct {
	is int
	d  *declared
}

// scope maps the names at a place in a test to their meaning.
type scope struct {
	*surface
	imports map[string]meaning // names bound by imports
	dotted  []string           // dotted names, longest first
	vars    map[string]meaning
	self    *declared // the enclosing class
}

// before are prefixes of an expression that do not change its meaning.
var before = []string{"await ", "new ", "try! ", "try? ", "try ", "yield ", "return ", "mut ", "&", "*", "(", "!", "@", "$", "const "}

// eval resolves an expression from the left, through names, calls and selections; anything
// else is unknown.
func (s *scope) eval(text string) meaning {
	text = strings.TrimSpace(text)
	for again := true; again; {
		again = false
		for _, p := range before {
			if rest, ok := strings.CutPrefix(text, p); ok {
				text, again = strings.TrimSpace(rest), true
			}
		}
	}
	m, rest := s.first(text)
	for m.is != isForeign && rest != "" {
		next, after, ok := s.follow(m, rest)
		if !ok {
			if strings.ContainsAny(rest[:1], "+-/%|&^=?<>*") { // an operator follows
				return meaning{}
			}
			break
		}
		m, rest = next, after
	}
	return m
}

// first resolves the name at the start of text.
func (s *scope) first(text string) (m meaning, rest string) {
	for _, name := range s.dotted {
		if rest, ok := strings.CutPrefix(text, name); ok && !startsName(rest) {
			return s.imports[name], rest
		}
	}
	name := nameAt(text)
	rest = text[len(name):]
	switch v, known := s.vars[name]; {
	case name == "":
		return meaning{is: literalOr(text)}, ""
	case known:
		return v, rest
	case slices.Contains([]string{"self", "this", "cls", "static"}, name):
		return s.ofSelf(rest)
	}
	if m, ok := s.imports[name]; ok {
		return m, rest
	}
	if d := s.topLevel(name); d != nil {
		return meaningOf(d), rest
	}
	if d := s.typeNamed(name); d != nil {
		return meaningOf(d), rest
	}
	if name[0] >= 'A' && name[0] <= 'Z' || slices.Contains(testObjects, name) {
		return meaning{is: isForeign}, rest
	}
	return meaning{}, rest
}

// literalOr returns isForeign for a literal and isUnknown for anything else.
func literalOr(text string) int {
	if text != "" && strings.ContainsAny(text[:1], "\"'`[{0123456789") {
		return isForeign
	}
	return isUnknown
}

// ofSelf resolves a field of the test's own object, or the object.
func (s *scope) ofSelf(rest string) (m meaning, after string) {
	after = strings.TrimLeft(rest, ".->:")
	name := nameAt(after)
	if v, ok := s.vars["self."+name]; ok {
		return v, after[len(name):]
	}
	if s.self != nil && rest != "" {
		if d := s.member(s.self, name); d != nil {
			return meaningOf(d), after[len(name):]
		}
	}
	return meaning{}, ""
}

func meaningOf(d *declared) meaning {
	if isTypeKind(d.sym.Kind) {
		return meaning{isType, d}
	}
	return meaning{isFunction, d}
}

// selectors are the operators between an object and its member.
var selectors = []string{"?.", "!.", "!!.", "->", "?->", "::", ".", "&."}

// follow resolves one step: a member, a call, an index, type arguments.
func (s *scope) follow(m meaning, rest string) (next meaning, after string, ok bool) {
	for _, sel := range selectors {
		after, found := strings.CutPrefix(rest, sel)
		if !found {
			continue
		}
		name := nameAt(strings.TrimSpace(after))
		if name == "" {
			return m, strings.TrimPrefix(after, "<"), strings.HasPrefix(after, "<") // Rust's ::<T>
		}
		return s.memberOf(m, name), strings.TrimSpace(after)[len(name):], true
	}
	switch rest[0] {
	case '(':
		return s.called(m), afterBracket(rest), true
	case '{':
		if m.is == isType {
			return meaning{isValue, m.d}, afterBracket(rest), true
		}
	case '[':
		return s.read(m), afterBracket(rest), true
	case '<':
		if i := strings.IndexByte(rest, '>'); i > 0 && i+1 < len(rest) && rest[i+1] == '(' {
			return m, rest[i+1:], true
		}
	case '!', ')', ' ':
		return m, rest[1:], len(rest) > 1 && rest[1] != '='
	}
	return m, rest, false
}

// read returns the value of a property.
func (s *scope) read(m meaning) meaning {
	if m.is != isFunction || isCallable(m.d) {
		return m
	}
	return s.called(m)
}

// called returns the result of a call.
func (s *scope) called(m meaning) meaning {
	switch m.is {
	case isType:
		return meaning{isValue, m.d}
	case isFunction:
		returns := m.d.sym.Returns
		if returns == "Self" || returns == "self" || returns == "this" || returns == "static" {
			returns, _, _ = strings.Cut(m.d.name, ".")
		}
		if d := s.typeIn(returns); d != nil {
			return meaning{isValue, d}
		}
		if returns != "" {
			return meaning{is: isForeign}
		}
	case isForeign:
		return m
	}
	return meaning{}
}

// isDefault reports whether a declaration is the module's default export; it may also be
// exported by name.
func (s *scope) isDefault(d *declared) bool {
	for f := s.surface; f != nil; f = f.around {
		if slices.ContainsFunc(f.byLast[d.name], func(o *declared) bool { return o.sym.Default }) {
			return true
		}
	}
	return false
}

// memberOf resolves a member.
func (s *scope) memberOf(m meaning, name string) meaning {
	if m.is == isFunction && s.isDefault(m.d) { // with CommonJS, other exports are its members
		if d := s.topLevel(name); d != nil {
			return meaningOf(d)
		}
	}
	if m.is == isFunction { // a property, or a call without parentheses
		m = s.called(m)
	}
	switch m.is {
	case isForeign:
		return m
	case isModule:
		if d := s.topLevel(name); d != nil {
			return meaningOf(d)
		}
	case isType, isValue:
		if d := s.member(m.d, name); d != nil {
			return meaningOf(d)
		}
		if m.is == isType && (name == "new" || name == "init" || name == "class") {
			return m
		}
		return meaning{is: isForeign}
	}
	return meaning{}
}

// testObjects are objects that test frameworks provide.
var testObjects = []string{"t", "b", "f", "tb", "assert", "expect", "require", "self"}
