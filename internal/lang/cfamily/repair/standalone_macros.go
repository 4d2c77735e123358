package repair

// alone hides a macro that stands where a declaration begins and is none itself:
// Q_OBJECT, FMT_BEGIN_NAMESPACE, MODULE_LICENSE("GPL"). It returns the token
// after it, or i.
func (c *cText) alone(i, to int, class string) int {
	j := i
	for j < to && c.class(j) == cSpecifier && c.at(j+1) != "(" {
		j++
	}
	if j >= to || !c.name(j) {
		return i
	}
	if c.at(j+1) == "(" && j+1 < to {
		return c.aloneCall(i, j, to, class)
	}
	next := j + 1
	if j > i || !c.isMacro(c.at(j)) || !c.aloneName(next, to, class) {
		return i
	}
	c.hide(j, j)
	return next
}

// aloneName reports whether the macro before next is no part of the declaration that
// begins there.
func (c *cText) aloneName(next, to int, class string) bool {
	if next >= to || c.at(next) == "}" || c.t[next].fresh || c.class(next) == cOpens && c.at(next) != "operator" {
		return true
	}
	if !c.t[next].first {
		return c.at(next) == "extern" && next+1 < to && c.t[next+1].Kind == cString
	}
	if !c.name(next) {
		return c.begins(next) || c.at(next) == "~"
	}
	return c.namesApart(next, to, class)
}

// namesApart reports whether the name at next begins something of its own after a
// macro on the line before.
func (c *cText) namesApart(next, to int, class string) bool {
	if c.at(next+1) == "::" && (c.at(next+2) == c.at(next) || c.at(next+2) == "~") {
		return true // X::X() has no type
	}
	if next+1 < to && c.at(next+1) == "(" {
		return c.at(next) == class || c.isMacro(c.at(next)) && !c.is(c.closing(next+1)+1, "{", ";")
	}
	return next+1 >= to || c.t[next+1].first
}

// aloneCall is alone for a macro with arguments at j, after specifiers from i on.
func (c *cText) aloneCall(i, j, to int, class string) int {
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

// beginsLine reports whether what stands on a new line can be a declaration.
func (c *cText) beginsLine(next int) bool {
	return c.t[next].first && (c.isWord(next) || c.is(next, "[", "~"))
}

// declaresNothing reports whether the call of a macro from j to end, after specifiers
// from i on and before a semicolon, is neither an expression nor a declaration.
func (c *cText) declaresNothing(i, j, end int, class string) bool {
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

// parts reports whether the declaration at next is another than the macro with
// arguments at j.
func (c *cText) parts(j, next int, class string) bool {
	macro := c.isMacro(c.at(j))
	switch {
	case c.class(next) == cAfter:
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

// expressions reports whether arguments can be read as expressions: no names in a
// row, no types, none empty.
func (c *cText) expressions(from, to int) bool {
	for j := from; j < to; j++ {
		ends := j+1 == to || c.at(j+1) == ","
		switch class := c.class(j); {
		case class.ofType():
			return false
		case c.isWord(j) && c.isWord(j+1) && j+1 < to && class != cControl:
			return false
		case c.t[j].Kind == Punct && ends && !c.is(j, ")", "]", "}"):
			return false
		case c.is(j, "{", ";") || c.at(j) == "," && j == from:
			return false
		}
	}
	return true
}

// macroFunction shows a function that a macro defines, SYSCALL_DEFINE3(...) {, as
// one that the grammar reads: in C with the first letter of its name as its type,
// since there is no room for one. It returns the token after it, or i.
func (c *cText) macroFunction(i, h int, class string) int {
	j := i
	for j < h && c.class(j) == cSpecifier && c.at(j+1) != "(" {
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

// macroHead rewrites the arguments of a macro at j that heads a function whose body
// begins at h; it reports whether that is all that stands before the body.
func (c *cText) macroHead(j, h int) bool {
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

// parameterLike reports whether arguments can be read as parameters.
func (c *cText) parameterLike(from, to int) bool {
	for j := from; j < to; j++ {
		if c.t[j].Kind != Word && c.at(j) != "," && c.at(j) != "*" && c.at(j) != "&" || c.class(j) == cControl || c.class(j) == cTag {
			return false
		}
	}
	return true
}

// oldStyle reports whether the head from i to h is that of a function whose
// parameters are declared after their list (C17 6.9.1), and reads it up to there.
func (c *cText) oldStyle(i, h int) bool {
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

// oldNames reports whether a list has nothing but names, and types follow it.
func (c *cText) oldNames(from, end int) bool {
	for j := from; j < end; j++ {
		if !c.name(j) && c.at(j) != "," || c.name(j) && c.name(j+1) {
			return false
		}
	}
	class := c.class(end + 1)
	return class.ofType() || class == 0 && c.at(end+2) != "("
}

// maxOldStyle is how many tokens the declarations of old-style parameters may have.
const maxOldStyle = 300
