package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// cAtom is a name in a declaration, from its first token to its last.
type cAtom struct {
	from, to int
	call     bool // a macro with arguments
}

// cSpecs is the row of specifiers that a declaration begins with.
type cSpecs struct {
	atoms    []cAtom
	typed    bool // keywords name the type
	function bool // the last atom is the name of a function: parameters follow
	end      int  // the token after it
}

// declare hides the names that have no place in a declaration, which ends before
// h: of the names before a declarator one is the type, one the name declared.
func (c *cText) declare(i, h int, class string) {
	if c.nesting > core.MaxNesting {
		return
	}
	c.nesting++
	s := c.specifiers(i, h)
	c.surplus(s, h, class)
	c.declarators(s.end, h, s.function || len(s.atoms) > 0 && c.takesName(s.end, h))
	c.nesting--
}

// takesName reports whether the last name before a token may be the one declared.
func (c *cText) takesName(i, h int) bool {
	switch c.at(i) {
	case "*", "&", "&&", "^", "(", "operator", "~", "::":
		return i >= h
	}
	return true
}

// specifiers reads the row of specifiers at a token.
func (c *cText) specifiers(i, h int) (s cSpecs) {
	s.end = i
	for j := i; j < h; {
		s.end = j
		switch class := c.class(j); {
		case c.at(j) == "[" && c.at(j+1) == "[":
			j = c.closing(j) + 1
		case class == cSpecifier:
			j = c.specifier(j, s.named())
		case class == cBuiltin:
			s.typed = true
			j = c.builtin(j)
		case class == cTag:
			s.typed = true
			j = c.elaborated(j, h)
		case c.at(j) == "::" && c.name(j+1):
			j++
		case !c.name(j):
			return s
		default:
			if c.specifierName(&s, &j, h) {
				return s
			}
		}
		s.end = j
	}
	return s
}

// named reports whether the row has a name that may be the one declared.
func (s *cSpecs) named() bool { return len(s.atoms) > 1 || s.typed && len(s.atoms) > 0 }

// specifier skips a specifier with its arguments; one with arguments behind the
// name declared is hidden.
func (c *cText) specifier(j int, named bool) int {
	if c.at(j+1) != "(" || c.is(j, "const", "static", "inline") {
		return j + 1
	}
	if named {
		c.hide(j, c.closing(j+1))
	}
	return c.closing(j+1) + 1
}

// builtin skips a keyword of a type with its argument: decltype(x)::type.
func (c *cText) builtin(j int) int {
	word := c.at(j)
	j++
	if c.at(j) == "(" && (strings.Contains(word, "type") || word == "_Atomic" || word == "_BitInt") {
		j = c.closing(j) + 1
	}
	for c.at(j) == "::" && c.name(j+1) {
		j += 2
	}
	return j
}

// elaborated skips struct x, and hides the marks between the two.
func (c *cText) elaborated(j, h int) int {
	for j++; j < h; j++ {
		switch {
		case c.class(j) == cSpecifier:
			if c.at(j+1) == "(" {
				j = c.closing(j + 1)
			}
		case c.class(j) == cTag:
		case c.at(j) == "[" && c.at(j+1) == "[":
			j = c.closing(j)
		case c.name(j) && c.name(j+1) && j+1 < h && !c.isMark(c.at(j+1)) && (c.isMark(c.at(j)) || isMarker(c.at(j))):
			c.hide(j, j)
		case c.name(j):
			return c.atom(j, h) + 1
		default:
			return j
		}
	}
	return j
}

// specifierName takes the name at *j into the row; it reports whether the row ends
// with it.
func (c *cText) specifierName(s *cSpecs, j *int, h int) (ends bool) {
	a := cAtom{from: *j, to: c.atom(*j, h)}
	next := a.to + 1
	if next >= h || c.at(next) != "(" || c.declaratorIn(next) {
		s.atoms = append(s.atoms, a)
		*j = next
		return false
	}
	end := c.closing(next)
	named := s.named()
	macro := c.isMacro(c.at(a.from))
	switch {
	case named && c.at(next+1) == "(" && c.closing(next+1) == end-1 && end > next+1: // name OF((int x))
		c.hide(a.from, next)
		c.hide(end, end)
		*j = next + 1
		s.function, s.end = true, next+1
		return true
	case named && macro && !c.isMacro(c.at(s.atoms[len(s.atoms)-1].from)): // name GUARDED_BY(x)
		c.hide(a.from, end)
		*j = end + 1
		return false
	case (macro || c.at(end+1) == "*") && c.goesOn(s, end+1, h):
		a.to, a.call = end, true
		s.atoms = append(s.atoms, a)
		*j = end + 1
		return false
	}
	s.atoms = append(s.atoms, a)
	s.function, s.end = true, next
	return true
}

// declaratorIn reports whether brackets hold a declarator, as in int (*f)(void).
func (c *cText) declaratorIn(open int) bool {
	if end := c.closing(open); c.at(end+1) != "(" && c.at(end+1) != "[" && !c.oldPointer(open, end) {
		return false
	}
	j := open + 1
	for c.name(j) && (c.name(j+1) || c.at(j+1) == "*" || c.at(j+1) == "::") {
		j++
		if c.at(j) == "::" {
			j++
		}
	}
	return c.at(j) == "*" || c.at(j) == "^" || c.at(j) == "&" && c.cpp
}

// named reports whether brackets hold the name of a function: int (f)(void).
func (c *cText) named(open int) bool {
	end := c.closing(open)
	return end == open+2 && c.name(open+1) && c.at(end+1) == "("
}

// oldPointer tells brackets that hold a pointer to a function whose parameters a
// macro leaves out for old compilers: (ZCALLBACK *open) OF((int x)).
func (c *cText) oldPointer(open, end int) bool {
	return end == open+4 && Capitals(c.at(open+1)) && c.at(open+2) == "*" && c.name(end+1) && c.at(end+2) == "(" && c.at(end+3) == "("
}

// goesOn reports whether a declaration goes on after a macro with arguments, so
// that this was not its name.
func (c *cText) goesOn(s *cSpecs, i, h int) bool {
	switch {
	case i >= h || c.class(i) == cAfter || !c.isWord(i) && !c.is(i, "*", "~", "::"):
		return false
	case c.at(i) == "const" && (s.typed || slices.ContainsFunc(s.atoms, func(a cAtom) bool { return !a.call })):
		return false
	case !s.typed && len(s.atoms) == 0:
		return true
	}
	for j := i; j < h; j++ {
		if c.at(j) == "(" && (!c.isMacro(c.at(j-1)) || c.name(j-1) && c.t[i-2].Kind != Word) {
			return true
		}
	}
	return false
}

// surplus hides the names of a row of specifiers that are too many.
func (c *cText) surplus(s cSpecs, h int, class string) {
	last := len(s.atoms) - 1
	if last < 0 {
		return
	}
	s.function = s.function || s.end < h && (s.typed || last > 0) && c.parametersAt(s.end) // its name has an attribute
	names := 0
	if s.function || c.takesName(s.end, h) {
		names = 1
	}
	c.maskTypes(s.atoms)
	most := names
	if !s.typed {
		most++
	}
	switch {
	case c.at(s.end) == "~" || c.at(s.end) == "operator" && c.isWord(s.end+1):
		most = 0
	case s.function && c.at(s.atoms[last].from) == class && s.atoms[last].from == s.atoms[last].to:
		most = 1
	}
	c.hideAtoms(s.atoms, len(s.atoms)-most, names == 1, s.function, s.typed)
}

// parametersAt reports whether brackets hold parameters, not a declarator.
func (c *cText) parametersAt(open int) bool {
	return c.at(open) == "(" && !c.declaratorIn(open) && !c.named(open)
}

// maskTypes shows macros with arguments as names: those that stay name types.
func (c *cText) maskTypes(atoms []cAtom) {
	for _, a := range atoms {
		if a.call && c.cpp {
			c.mask(a.from, a.to)
		}
	}
}

// hideAtoms hides some of a row of names: those first that are most surely marks.
// The last one is the name declared if named is set, and if fixed, it is so for sure.
func (c *cText) hideAtoms(atoms []cAtom, surplus int, named, fixed, typed bool) {
	hidden := make([]bool, len(atoms))
	last := len(atoms)
	if named {
		last--
	}
	hide := func(k int, sure bool) {
		if sure && surplus > 0 && !hidden[k] {
			hidden[k] = true
			surplus--
			c.hide(atoms[k].from, atoms[k].to)
		}
	}
	first := func(k int) string { return c.at(atoms[k].from) }
	for trailing := named && !fixed; trailing && last > 0 && surplus > 0 && c.isMacro(first(last)) && !c.isMacro(first(last-1)); last-- {
		hide(last, true)
	}
	for _, sure := range []func(k int) bool{
		func(k int) bool { return atoms[k].call },
		func(k int) bool { return c.isMark(first(k)) },
		func(k int) bool { return isMarker(first(k)) },
		func(k int) bool { return c.isMacro(first(k)) && atoms[k].from == atoms[k].to },
		func(int) bool { return typed || !c.cpp },
	} {
		for k := range last {
			hide(k, sure(k))
		}
	}
}

// isMarker tells a macro in capitals that marks a declaration, by the usual words
// in it, from one that names a type.
func isMarker(word string) bool {
	if !Capitals(word) {
		return false
	}
	for _, part := range []string{
		"EXPORT", "IMPORT", "EXTERN", "API", "INLINE", "STATIC", "CALL", "ENTRY", "FUNC", "NORETURN", "DEPRECATED", "VISIB",
		"PUBLIC", "CONSTEXPR", "UNUSED", "ATTR", "DLL", "FAR", "PASCAL", "NODISCARD", "CDECL", "HIDDEN", "INTERNAL", "INVOKABLE", "NOEXCEPT",
	} {
		if strings.Contains(word, part) {
			return true
		}
	}
	return false
}

// declarators hides what has no place in the declarators from j to h. named tells
// that the name of the first one is read.
func (c *cText) declarators(j, h int, named bool) {
	var run []cAtom // names that follow one another
	flush := func(names int) {
		c.hideAtoms(run, len(run)-names, names == 1, false, false)
		run = nil
	}
	for j < h {
		switch text := c.at(j); {
		case isPointer(text):
			flush(0)
			named = false
		case text == "(":
			inside := !named && len(run) == 0
			flush(1)
			j = c.parenthesis(j, h, inside)
			named = true
			continue
		case text == "[":
			named = named || len(run) > 0
			flush(1)
			j = c.closing(j)
		case text == "~" && c.name(j+1):
			j, named = j+2, true
			continue
		case text == ",":
			flush(1)
			named = false
		case text == ":":
			flush(1)
			c.bitField(j, h)
			return
		case text == "operator":
			j, named = c.operator(j, h), true
			continue
		case c.name(j):
			j = c.declaratorName(&run, j, h, named)
			continue
		case c.class(j) == cSpecifier && c.at(j+1) == "(":
			c.hide(j, c.closing(j+1)) // an attribute behind its declarator
			j = c.closing(j + 1)
		}
		j++
	}
	flush(1)
}

// bitField hides macros after the width of a bit-field.
func (c *cText) bitField(j, h int) {
	for j += 2; j < h; j++ {
		if c.name(j) && c.isMacro(c.at(j)) && (c.t[j-1].Kind == cNumber || c.at(j-1) == ")") {
			end := j
			if c.at(j+1) == "(" && j+1 < h {
				end = c.closing(j + 1)
			}
			c.hide(j, end)
			j = end
		}
	}
}

// declaratorName takes a name in a declarator; it returns the token after it.
func (c *cText) declaratorName(run *[]cAtom, j, h int, named bool) int {
	a := cAtom{from: j, to: c.atom(j, h)}
	next := a.to + 1
	switch {
	case c.at(next) == "::": // a pointer to a member, a destructor
		return next + 1
	case (named || len(*run) > 0) && c.at(next) == "(" && c.at(next+1) == "(" && c.closing(next+1) == c.closing(next)-1: // name OF((int x))
		c.hide(j, next)
		c.hide(c.closing(next), c.closing(next))
		return next + 1
	case named || c.at(next) == "(" && next < h && len(*run) > 0 && c.isMacro(c.at(j)):
		if c.at(next) == "(" && next < h {
			next = c.closing(next) + 1
		}
		c.hide(j, next-1)
		return next
	}
	*run = append(*run, a)
	return next
}
