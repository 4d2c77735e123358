package repair

import (
	"github.com/reverse-spec/reverse-spec/internal/lang/core"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// block rewrites the statements in a range of tokens, nested ones included: macros that expand
// to a loop head, and those without semicolon.
func (c *rewriting) block(from, to int) {
	begins := true
	for j := from; j < to; {
		next := j + 1
		if c.name(j) && c.at(next) == "(" && c.closing(next) > next {
			c.typeArguments(next+1, c.closing(next))
		}
		if end := c.localType(j, to, begins); end > j {
			j = end
			begins = true
			continue
		}
		if begins {
			c.local(j, to)
		}
		if begins && c.name(j) {
			next = c.statement(j, to)
		}
		begins = c.beginsStatement(j, next)
		j = next
	}
}

// local rewrites the declaration at j in a block, if there is one.
func (c *rewriting) local(j, to int) {
	switch class := c.class(j); {
	case class == specifier || class == typeWord || class == tagWord:
	case class != 0 || !c.isWord(j) || !c.isWord(j+1) || c.t[j+1].first:
		return
	}
	if h := c.head(j, min(to, j+maxUsing)); c.at(h) == ";" || c.at(h) == "=" {
		c.declare(j, h, "")
	}
}

// localType rewrites the definition of a type in a block.
func (c *rewriting) localType(j, to int, begins bool) int {
	if !begins || c.class(j) != tagWord {
		return j
	}
	h := c.head(j, to)
	if key := c.classKey(j, h); key >= 0 && c.nesting < core.MaxNesting {
		c.nesting++
		end := c.classBody(j, key, h, to, c.nesting)
		c.nesting--
		return end
	}
	return j
}

// expression rewrites types among the arguments of macros as names.
func (c *rewriting) expression(from, to int) {
	for j := from; j < to; j++ {
		if c.name(j) && c.at(j+1) == "(" && c.closing(j+1) > j+1 {
			c.typeArguments(j+2, c.closing(j+1))
		}
	}
}

// rows hides macros that expand to rows of an initialiser: without comma, on their own lines.
func (c *rewriting) rows(from, to int) {
	for j := from + 1; j < to; j++ {
		if !c.name(j) || !c.t[j].first || !c.is(j-1, "{", ",", ")", "}") && !c.isWord(j-1) {
			continue
		}
		end := j
		if c.at(j+1) == "(" {
			end = c.closing(j + 1)
		}
		if next := end + 1; next <= to && c.t[next].first && (c.t[next].Kind != Punct || c.is(next, ".", "{", "[")) {
			c.hide(j, end)
			j = end
		}
	}
}

// memberValues hides initialisers of a declaration of several members, since the grammar
// accepts only one, and rewrites a value in parentheses as a name.
func (c *rewriting) memberValues(h, to int) {
	end := c.semicolon(h, to)
	from := h
	for j := h + 1; j < end; j++ {
		switch c.at(j) {
		case "(", "[", "{":
			j = c.closing(j)
		case "<":
			if a := c.angle(j, end); a > 0 {
				j = a
			}
		case "=":
			from = j
		case ",":
			c.hide(from, j-1)
		}
	}
	if c.at(h+1) == "(" && from == h {
		c.mask(h+1, end-1)
	}
}

// beginsStatement reports whether a statement begins at next, after the token at j.
func (c *rewriting) beginsStatement(j, next int) bool {
	if next > j+1 {
		return true
	}
	switch c.at(j) {
	case ";", "{", "}", "else", "do":
		return true
	case ":":
		return true
	case ")":
		switch open := c.t[j].match; c.at(open - 1) {
		case "if", "for", "while", "switch", "constexpr":
			return open > 0
		}
	}
	return false
}

// statement rewrites the macro at j if it is more than an expression. It returns the index
// after it, or of the next token.
func (c *rewriting) statement(j, to int) int {
	if c.at(j+1) != "(" {
		if c.isMacro(c.at(j)) && (c.endsHere(j+1, to) || c.at(j+1) == "{") {
			c.hide(j, j)
		}
		return j + 1
	}
	end := c.closing(j + 1)
	next := end + 1
	if end == j+1 || next > to {
		return j + 1
	}
	switch {
	case next < to && c.at(next) == "{":
		c.loop(j, end)
		return next
	case next == to || c.at(next) == "}" || c.t[next].first && c.isWord(next) && c.class(next) != afterParameters:
		c.headOrStatement(j, end, next == to)
		return next
	}
	return j + 1
}

// headOrStatement rewrites the macro from j to end, which ends its line: as a statement if in
// capitals, else as a loop head.
func (c *rewriting) headOrStatement(j, end int, last bool) {
	if next := end + 1; last || c.isMacro(c.at(j)) || c.begins(next) || c.at(next) == "}" {
		c.terminate(j, end)
		return
	}
	c.loop(j, end)
}

// endsHere reports whether a statement begins at next, after a single name.
func (c *rewriting) endsHere(next, to int) bool {
	if next >= to || c.at(next) == "}" {
		return true
	}
	if !c.t[next].first || !c.isWord(next) {
		return false
	}
	switch c.at(next + 1) {
	case "=", ";", ",", "[":
		return !c.name(next)
	}
	return true
}

// loop rewrites the macro from j to end, before a block, as a loop head.
func (c *rewriting) loop(j, end int) {
	if end == j+2 {
		c.hide(j, end)
		return
	}
	word := c.t[j]
	keyword := "while"
	if word.End-word.Start < len(keyword) {
		keyword = "if"
	}
	if word.End-word.Start < len(keyword) {
		return
	}
	srctext.Blank(c.out[word.Start:word.End])
	copy(c.out[word.Start:], keyword)
	if !c.expressions(j+2, end) {
		c.hide(j+2, end-1)
		c.out[c.t[j+2].Start] = '1'
	}
}

// terminate adds a semicolon to the macro from j to end.
func (c *rewriting) terminate(j, end int) {
	last := c.t[end-1]
	if last.Kind == Word && last.End-last.Start > 1 && c.t[end].Start == last.End && c.expressions(j+2, end) {
		c.out[last.End-1] = ')'
	} else {
		c.hide(j+1, end)
	}
	c.out[c.t[end].Start] = ';'
}
