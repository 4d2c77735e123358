package repair

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// parenthesis reads a parenthesised declarator or a parameter list, and the tokens after it.
func (c *rewriting) parenthesis(j, h int, inside bool) int {
	end := c.closing(j)
	if end == j || end >= h {
		return j + 1
	}
	if inside {
		if c.nesting++; c.nesting <= core.MaxNesting {
			c.declarators(j+1, end, false)
		}
		c.nesting--
		return end + 1
	}
	c.parameters(j+1, end)
	return c.suffix(end+1, h)
}

// parameters rewrites a parameter list.
func (c *rewriting) parameters(from, to int) {
	begin, end := from, -1
	for j := from; j <= to; j++ {
		switch {
		case j == to || c.at(j) == ",":
			if end < 0 {
				end = j
			}
			if c.parameter(begin, end) {
				c.declare(begin, end, "")
			}
			begin, end = j+1, -1
		case c.at(j) == "=" && end < 0:
			end = j
			c.maskBraces(j+1, to)
		case c.is(j, "(", "[", "{"):
			j = min(c.closing(j), to-1)
		case c.cpp && c.at(j) == "<" && c.isWord(j-1):
			if a := c.angle(j, to); a > 0 {
				j = a
			}
		}
	}
}

// maskBraces rewrites the default {} of a parameter as a name.
func (c *rewriting) maskBraces(j, to int) {
	if c.at(j) == "{" && c.cpp && c.closing(j) < to {
		c.mask(j, c.closing(j))
	}
}

// parameter reports whether the tokens are a parameter, not an argument: Slice key(s.data(),
// n).
func (c *rewriting) parameter(from, to int) bool {
	for j := from; j < to; j++ {
		switch kind := c.t[j].Kind; {
		case kind == numberToken || kind == stringToken || c.class(j) == controlWord:
			return false
		case kind == Punct && strings.Contains("+-/?!%|.", c.at(j)[:1]) && c.at(j) != "...":
			return false
		case c.at(j) == "[" || c.at(j) == "<":
			if a := c.closing(j); c.at(j) == "[" && a < to {
				j = a
			}
		case c.at(j) == "(":
			if a := c.closing(j); a < to {
				j = a
			}
		}
	}
	return from < to
}

// suffix hides macros after a parameter list. It returns the index of the next declarator, or
// h.
func (c *rewriting) suffix(j, h int) int {
	for j < h {
		switch text := c.at(j); {
		case text == ",":
			return j
		case text == "->" || text == ":":
			return h
		case text == "requires":
			return h
		case text == "(" || text == "[":
			j = c.closing(j)
		case c.name(j):
			end := c.atom(j, h)
			if c.at(end+1) == "(" && end+1 < h {
				end = c.closing(end + 1)
			}
			c.hide(j, end)
			j = end
		}
		j++
	}
	return h
}
