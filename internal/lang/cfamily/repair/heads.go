package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// atom is a name in a declaration, a range of tokens.
type atom struct {
	from, to int
	call     bool // a macro call
}

// specs is the specifier sequence at the start of a declaration.
type specs struct {
	atoms    []atom
	typed    bool // keywords name the type
	function bool // the last atom is the name of a function: parameters follow
	end      int  // index of the token after it
}

// declare hides names for which the grammar has no place in a declaration that ends before h.
// Of the names before a declarator, one is the type and one the declared name.
func (c *rewriting) declare(i, h int, class string) {
	if c.nesting > core.MaxNesting {
		return
	}
	c.nesting++
	s := c.specifiers(i, h)
	c.hideSurplus(s, h, class)
	c.declarators(s.end, h, s.function || len(s.atoms) > 0 && c.takesName(s.end, h))
	c.nesting--
}

// takesName reports whether the last name before h may be the declared one.
func (c *rewriting) takesName(i, h int) bool {
	switch c.at(i) {
	case "*", "&", "&&", "^", "(", "operator", "~", "::":
		return i >= h
	}
	return true
}

// specifiers reads the specifier sequence at i.
func (c *rewriting) specifiers(i, h int) (s specs) {
	s.end = i
	for j := i; j < h; {
		s.end = j
		switch class := c.class(j); {
		case c.at(j) == "[" && c.at(j+1) == "[":
			j = c.closing(j) + 1
		case class == specifier:
			j = c.specifier(j, s.named())
		case class == typeWord:
			s.typed = true
			j = c.builtin(j)
		case class == tagWord:
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

// named reports whether the sequence has a name that may be the declared one.
func (s *specs) named() bool { return len(s.atoms) > 1 || s.typed && len(s.atoms) > 0 }

// specifier skips a specifier and its arguments. One with arguments after the declared name is
// hidden.
func (c *rewriting) specifier(j int, named bool) int {
	if c.at(j+1) != "(" || c.is(j, "const", "static", "inline") {
		return j + 1
	}
	if named {
		c.hide(j, c.closing(j+1))
	}
	return c.closing(j+1) + 1
}

// builtin skips a type keyword and its argument: decltype(x)::type.
func (c *rewriting) builtin(j int) int {
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

// elaborated skips struct x, and hides attributes and macros between the two.
func (c *rewriting) elaborated(j, h int) int {
	for j++; j < h; j++ {
		switch {
		case c.class(j) == specifier:
			if c.at(j+1) == "(" {
				j = c.closing(j + 1)
			}
		case c.class(j) == tagWord:
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

// specifierName adds the name at *j to the sequence. It reports whether the sequence ends with
// it.
func (c *rewriting) specifierName(s *specs, j *int, h int) (ends bool) {
	a := atom{from: *j, to: c.atom(*j, h)}
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
	case (macro || c.at(end+1) == "*") && c.continuesAfter(s, end+1, h):
		a.to, a.call = end, true
		s.atoms = append(s.atoms, a)
		*j = end + 1
		return false
	}
	s.atoms = append(s.atoms, a)
	s.function, s.end = true, next
	return true
}

// declaratorIn reports whether parentheses contain a declarator, as in int (*f)(void).
func (c *rewriting) declaratorIn(open int) bool {
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

// named reports whether parentheses contain the name of a function: int (f)(void).
func (c *rewriting) named(open int) bool {
	end := c.closing(open)
	return end == open+2 && c.name(open+1) && c.at(end+1) == "("
}

// oldPointer reports whether parentheses contain a pointer to a function whose parameters a
// macro omits for old compilers: (ZCALLBACK *open) OF((int x)).
func (c *rewriting) oldPointer(open, end int) bool {
	return end == open+4 && Capitals(c.at(open+1)) && c.at(open+2) == "*" && c.name(end+1) && c.at(end+2) == "(" && c.at(end+3) == "("
}

// continuesAfter reports whether a declaration continues after a macro with arguments, so that the
// macro is not its name.
func (c *rewriting) continuesAfter(s *specs, i, h int) bool {
	switch {
	case i >= h || c.class(i) == afterParameters || !c.isWord(i) && !c.is(i, "*", "~", "::"):
		return false
	case c.at(i) == "const" && (s.typed || slices.ContainsFunc(s.atoms, func(a atom) bool { return !a.call })):
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

// hideSurplus hides excess names of a specifier sequence.
func (c *rewriting) hideSurplus(s specs, h int, class string) {
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
	case s.function && c.namesConstructor(s.atoms[last], class):
		most = 1
	}
	c.hideAtoms(s.atoms, len(s.atoms)-most, names == 1, s.function, s.typed)
}

// namesConstructor reports whether a name is that of a constructor, which has no result type: in a class, or outside it as A::A
// or A<T>::A.
func (c *rewriting) namesConstructor(a atom, class string) bool {
	if a.to < a.from+2 || c.at(a.to-1) != "::" {
		return c.at(a.from) == class && a.from == a.to
	}
	return c.at(a.to-2) == c.at(a.to) || c.at(a.to-2) == ">" && c.at(a.from) == c.at(a.to)
}

// parametersAt reports whether parentheses contain parameters, not a declarator.
func (c *rewriting) parametersAt(open int) bool {
	return c.at(open) == "(" && !c.declaratorIn(open) && !c.named(open)
}

// maskTypes rewrites macro calls as names: those that remain are types.
func (c *rewriting) maskTypes(atoms []atom) {
	for _, a := range atoms {
		if a.call && c.cpp {
			c.mask(a.from, a.to)
		}
	}
}

// hideAtoms hides surplus of the names, the most likely macros first. The last one is the
// declared name if named is set, and certainly so if fixed is set.
func (c *rewriting) hideAtoms(atoms []atom, surplus int, named, fixed, typed bool) {
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

// isMarker reports whether a name in capitals is a macro that annotates a declaration, judging
// by the words in it, and not a type.
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

// declarators hides tokens for which the grammar has no place in the declarators from j to h.
// named reports that the name of the first one was already read.
func (c *rewriting) declarators(j, h int, named bool) {
	var run []atom // adjacent names
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
		case c.class(j) == specifier && c.at(j+1) == "(":
			c.hide(j, c.closing(j+1)) // an attribute after its declarator
			j = c.closing(j + 1)
		}
		j++
	}
	flush(1)
}

// bitField hides macros after the width of a bit-field.
func (c *rewriting) bitField(j, h int) {
	for j += 2; j < h; j++ {
		if c.name(j) && c.isMacro(c.at(j)) && (c.t[j-1].Kind == numberToken || c.at(j-1) == ")") {
			end := j
			if c.at(j+1) == "(" && j+1 < h {
				end = c.closing(j + 1)
			}
			c.hide(j, end)
			j = end
		}
	}
}

// declaratorName reads a name in a declarator and returns the index after it.
func (c *rewriting) declaratorName(run *[]atom, j, h int, named bool) int {
	a := atom{from: j, to: c.atom(j, h)}
	next := a.to + 1
	switch {
	case c.at(next) == "::": // a pointer to a member or a destructor
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
