package repair

import "github.com/reverse-spec/reverse-spec/internal/lang/core"

// declarations rewrites the declarations in the tokens from from up to to: those of a file, a
// namespace, or the class named class.
func (c *rewriting) declarations(from, to int, class string, depth int) {
	if depth > core.MaxNesting {
		return
	}
	for i := from; i < to; {
		i = max(c.declaration(i, to, class, depth), i+1)
	}
}

// declaration rewrites the declaration at i and returns the index of the next one.
func (c *rewriting) declaration(i, to int, class string, depth int) int {
	if next := c.label(i, class); next > i {
		return next
	}
	if next := c.standaloneMacro(i, to, class); next > i {
		return next
	}
	if next := c.keyword(i, to, class, depth); next > i {
		return next
	}
	h := c.head(i, to)
	if key := c.classKey(i, h); key >= 0 {
		return c.classBody(i, key, h, to, depth)
	}
	if next := c.macroFunction(i, h, class); next > i {
		return next
	}
	if c.oldStyle(i, h) {
		h = c.oldParameters(h, to)
	} else {
		c.declare(i, h, class)
	}
	if c.at(h) == "=" && c.at(h+1) == "delete" && (class == "" || c.at(i-1) == ">") {
		c.hide(h, h+1) // the grammar accepts it only for members
	}
	if c.at(h) == "=" && class != "" && c.cpp {
		c.memberValues(h, to)
	}
	return c.rest(i, h, to)
}

// oldParameters reads the declarations of old-style parameters after the parameter list.
func (c *rewriting) oldParameters(h, to int) int {
	for h < to && c.at(h) == ";" {
		from := h + 1
		h = c.head(from, to)
		if c.at(h) == ";" {
			c.declare(from, h, "")
		}
	}
	return h
}

// keyword handles a declaration that begins with a keyword other than a specifier. It returns
// the index of the next declaration, or i if there is no such keyword.
func (c *rewriting) keyword(i, to int, class string, depth int) int {
	switch c.at(i) {
	case ";":
		c.hide(i, i) // the C grammar has no empty declaration
		return i + 1
	case "}", "__extension__":
		return i + 1
	case "export":
		return c.export(i, to, depth)
	case "template":
		return c.template(i, to)
	case "requires":
		return c.constraint(i+1, to)
	case "extern":
		return c.external(i, to, class, depth)
	case "namespace":
		return c.namespace(i, to, depth)
	case "inline":
		if c.at(i+1) == "namespace" {
			return c.namespace(i+1, to, depth)
		}
	case "using", "static_assert", "_Static_assert", "concept", "asm", "__asm__":
		return c.plain(i, to)
	case "import", "module":
		if c.cpp && c.at(i+1) != "(" && c.at(i+1) != "::" {
			return c.skip(i, min(to, i+maxUsing))
		}
	}
	return i
}

// skip hides a declaration up to its semicolon.
func (c *rewriting) skip(i, to int) int {
	end := c.semicolon(i, to)
	c.hide(i, end)
	return end + 1
}

// template handles a template head. An explicit instantiation is hidden, since it declares
// nothing.
func (c *rewriting) template(i, to int) int {
	if c.at(i+1) != "<" {
		return c.skip(i, to)
	}
	c.templateMacros(i+1, to)
	if a := c.angle(i+1, to); a > 0 {
		return a + 1
	}
	return i
}

// external handles extern "C" and extern template.
func (c *rewriting) external(i, to int, class string, depth int) int {
	if c.cpp && c.at(i+1) == "template" && c.at(i+2) != "<" {
		return c.skip(i, to)
	}
	if i+1 >= to || c.t[i+1].Kind != stringToken {
		return i
	}
	if c.at(i+2) == "__declspec" && c.at(i+3) == "(" {
		c.hide(i+2, c.closing(i+3))
	}
	return c.linkage(i+2, class, depth)
}

// plain skips a declaration up to its semicolon.
func (c *rewriting) plain(i, to int) int {
	end := c.semicolon(i, to)
	if c.at(i) == "concept" && c.isWord(i+2) {
		c.hideNames(i+2, c.head(i+2, end))
	}
	c.expression(i, end)
	return end + 1
}

// export handles export {...}, and hides "export" before a declaration ([module.interface]).
func (c *rewriting) export(i, to, depth int) int {
	c.hide(i, i)
	if c.at(i+1) != "{" {
		return i + 1
	}
	end := c.closing(i + 1)
	c.hide(i+1, i+1)
	c.hide(end, end)
	c.declarations(i+2, min(end, to), "", depth+1)
	return end + 1
}

// function reports whether the head from i to h has a parameter list.
func (c *rewriting) function(i, h int) bool {
	for j := i; j < h; j++ {
		switch c.at(j) {
		case "(":
			if c.out[c.t[j].Start] != ' ' && c.class(j-1) != specifier && c.class(j-1) != typeWord {
				return true
			}
			j = c.closing(j)
		case "<":
			if a := c.angle(j, h); a > 0 {
				j = a
			}
		}
	}
	return false
}

// initialized reports whether the brace at h begins an initialiser of what the head from i
// declares.
func (c *rewriting) initialized(i, h int) bool {
	if c.function(i, h) {
		return false
	}
	before := c.at(h - 1)
	return c.name(h-1) || before == ")" && c.out[c.t[h-1].Start] == ' ' || before == "]" || before == ">"
}

// rest skips an initialiser or body after the head of a declaration, which is from i to h.
func (c *rewriting) rest(i, h, to int) int {
	switch c.at(h) {
	case "=":
		end := c.semicolon(h, to)
		c.rows(h, end)
		c.expression(h, end)
		return end + 1
	case "{":
		for {
			end := c.closing(h)
			if end == h {
				return to
			}
			next := end + 1
			if c.at(next) == "," && next < to { // b{2} in : a{1}, b{2} {
				next = c.head(next, to)
			}
			if next >= to || c.at(next) != "{" || c.at(end+1) == ";" {
				c.body(h, end)
				if c.at(end+1) == ";" && c.initialized(i, h) {
					end++ // int x{1};
				}
				return end + 1
			}
			h = next
		}
	}
	return h + 1
}

// semicolon returns the index of the next semicolon, or of the last token before to.
func (c *rewriting) semicolon(i, to int) int {
	for ; i < to; i++ {
		switch c.at(i) {
		case "(", "[", "{":
			i = c.closing(i)
		case ";":
			return i
		case "}":
			return i - 1
		}
	}
	return to - 1
}

// head returns the index of the token that ends the head of the declaration at i: "{", "=",
// ";", "}", or to.
func (c *rewriting) head(i, to int) int {
	for j := i; j < to; j++ {
		switch c.at(j) {
		case "(", "[":
			j = c.closing(j)
		case "<":
			if c.cpp && c.isWord(j-1) {
				if a := c.angle(j, to); a > 0 {
					j = a
				}
			}
		case "operator":
			j = c.operator(j, to) - 1
		case "requires":
			if c.at(j+1) == "requires" || c.at(j+1) == "{" || c.at(j+1) == "(" {
				j = c.requirement(j+1) - 1
			}
		case "{", ";", "=", "}":
			return j
		}
	}
	return to
}

// requirement skips the rest of "requires (...) {...}" after "requires".
func (c *rewriting) requirement(j int) int {
	if c.at(j) == "requires" {
		j++
	}
	if c.at(j) == "(" {
		j = c.closing(j) + 1
	}
	if c.at(j) == "{" && (c.at(j-1) == "requires" || c.at(j+1) == "{" || c.at(j+1) == "typename" || c.at(j+1) == "requires") {
		j = c.closing(j) + 1
	}
	return j
}

// operator returns the index after the name of the operator at j.
func (c *rewriting) operator(j, to int) int {
	j++
	if c.at(j) == "(" && c.at(j+1) == ")" {
		return j + 2
	}
	for j < to && c.at(j) != "(" && c.at(j) != ";" && c.at(j) != "{" {
		j++
	}
	return j
}

// constraint skips the constraint of a requires-clause ([temp.pre]).
func (c *rewriting) constraint(i, to int) int {
	for i < to {
		switch {
		case c.at(i) == "requires":
			i = c.requirement(i)
		case c.at(i) == "(" || c.at(i) == "{":
			i = c.closing(i) + 1
		case c.at(i) == "!":
			i++
			continue
		case c.isWord(i):
			i = c.atom(i, to) + 1
			if c.at(i) == "(" && c.t[i-1].End == c.t[i].Start {
				i = c.closing(i) + 1
			}
		default:
			return i
		}
		if c.at(i) != "&&" && c.at(i) != "||" {
			return i
		}
		i++
	}
	return i
}

// linkage handles the text after extern "C".
func (c *rewriting) linkage(i int, class string, depth int) int {
	if c.at(i) != "{" {
		return i
	}
	end := c.closing(i)
	if end == i {
		return i + 1
	}
	c.declarations(i+1, end, class, depth+1)
	return end + 1
}

// templateMacros rewrites macros among template parameters as types: template <typename T,
// ENABLE_IF(x)>.
func (c *rewriting) templateMacros(i, to int) {
	end := c.angle(i, to)
	for j := i + 1; j < end; j++ {
		if c.at(j) == "=" {
			c.templateDefault(j+1, end)
		}
		if (c.at(j-1) == "," || c.at(j-1) == "<") && c.name(j) && c.at(j+1) == "(" && c.isMacro(c.at(j)) {
			c.mask(j, c.closing(j+1))
		}
		if c.at(j) == "(" {
			if next := c.at(c.closing(j) + 1); c.at(j+1) == ")" && (next == "," || next == ">") {
				c.hide(j, j+1) // a function type: class T = void()
			}
			j = c.closing(j)
		}
	}
}

// templateDefault rewrites a default that is a pointer or reference type as a name.
func (c *rewriting) templateDefault(from, end int) {
	j := from
	for ; j < end && c.at(j) != ","; j++ {
		switch c.at(j) {
		case "(", "[", "{":
			j = c.closing(j)
		case "<":
			if a := c.angle(j, end); a > 0 {
				j = a
			}
		}
	}
	if last := c.at(j - 1); j > from && (last == "*" || last == "&" || last == "&&") {
		c.mask(from, j-1)
	}
}

// namespace handles a namespace. Its head keeps the name and attributes.
func (c *rewriting) namespace(i, to, depth int) int {
	h := i + 1
	for h < to && c.at(h) != "{" && c.at(h) != ";" && c.at(h) != "=" {
		if c.at(h) == "(" || c.at(h) == "[" {
			h = c.closing(h)
		}
		h++
	}
	if c.at(h) != "{" {
		return c.semicolon(h, to) + 1
	}
	c.namespaceName(i+1, h)
	return c.linkage(h, "", depth)
}

// namespaceName hides tokens beside the names of a namespace.
func (c *rewriting) namespaceName(from, h int) {
	named := false
	for j := from; j < h; j++ {
		switch {
		case c.at(j) == "inline":
			c.hide(j, j)
		case !c.name(j):
		case c.at(j+1) == "(":
			c.hide(j, c.closing(j+1))
			j = c.closing(j + 1)
		case named && c.isMacro(c.at(j)) && c.at(j-1) != "::":
			c.hide(j, j)
		default:
			named = true
		}
		if c.at(j) == "[" {
			j = c.closing(j)
		}
	}
}
