package repair

// standaloneMacro hides a macro where a declaration may begin that is not part of one: Q_OBJECT,
// FMT_BEGIN_NAMESPACE, MODULE_LICENSE("GPL"). It returns the index after it, or i if there is
// none.
func (c *rewriting) standaloneMacro(i, to int, class string) int {
	j := i
	for j < to && c.class(j) == specifier && c.at(j+1) != "(" {
		j++
	}
	if j >= to || !c.name(j) {
		return i
	}
	if c.at(j+1) == "(" && j+1 < to {
		return c.standaloneCall(i, j, to, class)
	}
	next := j + 1
	if j > i || !c.isMacro(c.at(j)) || !c.standaloneName(next, to, class) {
		return i
	}
	c.hide(j, j)
	return next
}

// standaloneName reports whether the macro before next is not part of the declaration at next.
func (c *rewriting) standaloneName(next, to int, class string) bool {
	if next >= to || c.at(next) == "}" || c.t[next].fresh || c.class(next) == declarationWord && c.at(next) != "operator" {
		return true
	}
	if !c.t[next].first {
		return c.at(next) == "extern" && next+1 < to && c.t[next+1].Kind == stringToken
	}
	if !c.name(next) {
		return c.begins(next) || c.at(next) == "~"
	}
	return c.namesApart(next, to, class)
}

// namesApart reports whether the name at next begins a new declaration after a macro on the
// line before.
func (c *rewriting) namesApart(next, to int, class string) bool {
	if c.at(next+1) == "::" && (c.at(next+2) == c.at(next) || c.at(next+2) == "~") {
		return true // X::X() has no type
	}
	if next+1 < to && c.at(next+1) == "(" {
		return c.at(next) == class || c.isMacro(c.at(next)) && !c.is(c.closing(next+1)+1, "{", ";")
	}
	return next+1 >= to || c.t[next+1].first
}

// standaloneCall is like standaloneMacro for a macro call at j after specifiers from i on.
func (c *rewriting) standaloneCall(i, j, to int, class string) int {
	end := c.closing(j + 1)
	next := end + 1
	macro := c.isMacro(c.at(j))
	switch {
	case c.at(j) == class || end == j+1:
		return i
	case next >= to || c.at(next) == "}" || c.t[next].fresh && macro:
		c.hide(i, end)
		return next
	case c.at(next) == ";":
		c.typeArguments(j+2, end)
		if c.declaresNothing(i, j, end, class) {
			return c.skip(i, to)
		}
		return i
	case c.is(next, "->", ".") && Capitals(c.at(j)), c.at(next) == "=" && macro && !c.is(next+1, "default", "delete"):
		next = c.semicolon(next, to)
		c.hide(i, next)
		return next + 1
	case c.beginsLine(next) && c.parts(j, next, class):
		c.hide(i, end)
		return next
	}
	return i
}

// beginsLine reports whether the token at next begins a line and may begin a declaration.
func (c *rewriting) beginsLine(next int) bool {
	return c.t[next].first && (c.isWord(next) || c.is(next, "[", "~"))
}

// declaresNothing reports whether the macro call from j to end, after specifiers from i on and
// before a semicolon, is neither an expression nor a declaration.
func (c *rewriting) declaresNothing(i, j, end int, class string) bool {
	switch {
	case !c.cpp && class != "":
		return true
	case !c.isMacro(c.at(j)):
		return false
	case j > i || class != "" || !c.expressions(j+2, end):
		return true
	}
	return c.cpp && !c.parameterLike(j+2, end) && c.isWord(j+2) && c.at(j+3) == ","
}

// parts reports whether the declaration at next is separate from the macro call at j.
func (c *rewriting) parts(j, next int, class string) bool {
	macro := c.isMacro(c.at(j))
	switch {
	case c.class(next) == afterParameters:
		return false
	case c.name(next) && c.at(next+1) == "(":
		return macro && (c.cpp && class != "" || c.isMacro(c.at(next)))
	case macro:
		return true
	case c.cpp:
		return c.begins(next)
	}
	switch c.at(next) {
	case "static", "extern", "typedef", "inline":
		return true
	}
	if !c.begins(next) {
		return false
	}
	for n := next; n < len(c.t); n++ { // old-style parameters, or a function
		switch c.at(n) {
		case "(":
			return true
		case ";", "{", "=":
			return false
		}
	}
	return false
}

// expressions reports whether arguments are valid expressions: no adjacent names, no types, no
// empty argument.
func (c *rewriting) expressions(from, to int) bool {
	for j := from; j < to; j++ {
		ends := j+1 == to || c.at(j+1) == ","
		switch class := c.class(j); {
		case class.ofType():
			return false
		case c.isWord(j) && c.isWord(j+1) && j+1 < to && class != controlWord:
			return false
		case c.t[j].Kind == Punct && ends && !c.is(j, ")", "]", "}"):
			return false
		case c.is(j, "{", ";") || c.at(j) == "," && j == from:
			return false
		}
	}
	return true
}

// macroFunction rewrites a function defined by a macro, SYSCALL_DEFINE3(...) {, as one that
// the grammar parses. In C, the first letter of its name becomes its type, since there is no
// room for one. It returns the index after the function, or i.
func (c *rewriting) macroFunction(i, h int, class string) int {
	j := i
	for j < h && c.class(j) == specifier && c.at(j+1) != "(" {
		j++
	}
	if c.at(h) != "{" || j+2 >= h || !c.name(j) || c.at(j+1) != "(" || c.at(j) == class {
		return i
	}
	if !c.macroHead(j, h) {
		return i
	}
	if t := c.t[j]; !c.cpp && t.End-t.Start > 2 {
		c.out[t.Start+1] = ' '
	}
	body := c.closing(h)
	c.body(h, body)
	return body + 1
}

// macroHead rewrites the arguments of a macro at j that is the head of a function whose body
// begins at h. It reports whether there is nothing else before the body.
func (c *rewriting) macroHead(j, h int) bool {
	end := c.closing(j + 1)
	for h > end+1 && c.cpp && c.name(h-1) && c.isMacro(c.at(h-1)) && c.isMacro(c.at(j)) {
		h--
		c.hide(h, h)
	}
	switch {
	case end+1 == h: // W(args) {
		if !c.parameterLike(j+2, end) {
			c.hide(j+2, end-1)
		}
	case c.at(end+1) == "(" && c.closing(end+1)+1 == h: // W(args)(parameters) {
		c.hide(j+1, end)
		c.parameters(end+2, h-1)
	default:
		return false
	}
	return true
}

// parameterLike reports whether arguments are valid parameters.
func (c *rewriting) parameterLike(from, to int) bool {
	for j := from; j < to; j++ {
		if c.t[j].Kind != Word && c.at(j) != "," && c.at(j) != "*" && c.at(j) != "&" || c.class(j) == controlWord || c.class(j) == tagWord {
			return false
		}
	}
	return true
}

// oldStyle reports whether the head from i to h is that of a function whose parameters are
// declared after the list (C17 6.9.1), and rewrites it.
func (c *rewriting) oldStyle(i, h int) bool {
	if c.cpp || c.at(h) != ";" {
		return false
	}
	open := i
	for open < h && c.at(open) != "(" {
		open++
	}
	end := c.closing(open)
	if end <= open+1 || end+2 >= h || !c.name(open-1) || !c.oldNames(open+1, end) {
		return false
	}
	for n := h; n < len(c.t); {
		if n = c.head(n+1, len(c.t)); c.at(n) == "{" {
			c.declare(i, end+1, "")
			return true
		}
		if c.at(n) != ";" || n-h > maxOldStyle {
			return false
		}
	}
	return false
}

// oldNames reports whether a list contains only names and declarations follow it.
func (c *rewriting) oldNames(from, end int) bool {
	for j := from; j < end; j++ {
		if !c.name(j) && c.at(j) != "," || c.name(j) && c.name(j+1) {
			return false
		}
	}
	class := c.class(end + 1)
	return class.ofType() || class == 0 && c.at(end+2) != "("
}

// maxOldStyle is the maximum number of tokens in declarations of old-style parameters.
const maxOldStyle = 300
