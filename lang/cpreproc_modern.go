package lang

// modern rewrites what the grammars are too old for, or lack, wherever it stands:
// C23, C++20 to C++26, and the extensions of GCC, Clang and sparse.
func (c *cText) modern() {
	for i := range c.t {
		switch c.t[i].kind {
		case cWord:
			c.modernWord(i)
		case cPunct:
			c.modernSign(i)
		}
	}
}

// sparse are words of the checker sparse and of the Linux kernel that may stand
// by a type wherever one does.
var sparse = setOf("__user", "__iomem", "__rcu", "__percpu", "__force", "__kernel", "__bitwise", "__nocast", "__private", "__restrict_arr")

// modernWord rewrites what begins with a word.
func (c *cText) modernWord(i int) {
	switch word := c.at(i); word {
	case "decltype":
		c.decltype(i)
	case "inline":
		if c.at(i+1) == "friend" {
			c.hide(i, i)
		}
	case "operator":
		for j := i + 1; c.at(j) == "const" || c.at(j) == "volatile"; j++ {
			c.hide(j, j)
		}
	case "using":
		if c.at(i+1) == "typename" {
			c.hide(i+1, i+1)
		}
		if end := c.semicolon(i, min(len(c.t), i+maxUsing)); c.at(end-3) == "." || c.at(end-1) == "..." {
			c.hide(end-1, end-1) // using T::f...;
		}
	case "this":
		if c.cpp && (c.at(i-1) == "(") && c.isWord(i+1) && (c.class(i+1) != cControl) {
			c.hide(i, i) // an explicit object parameter ([dcl.fct])
		}
	case "goto":
		if end := c.semicolon(i, min(len(c.t), i+maxUsing)); c.at(i+1) == "*" {
			c.mask(i+1, end-1) // a computed label
		}
	case "case":
		c.caseRange(i)
	case "auto":
		if !c.cpp && c.name(i+1) && c.at(i+2) == "=" {
			c.show(i, "long") // inferred (C23 6.7.9)
		}
	case "__volatile__", "__volatile":
		if c.at(i-1) == "asm" || c.at(i-1) == "__asm__" || c.at(i-1) == "__asm" {
			c.show(i, "volatile")
		}
	case "offsetof", "__builtin_offsetof":
		c.member(i)
	case "__stdcall", "__cdecl", "__fastcall", "__thiscall", "__vectorcall", "__clrcall":
		if c.cpp {
			c.hide(i, i)
		}
	case "typeof_unqual":
		c.show(i, "typeof")
	case "__asm__", "__asm":
		if c.at(i+1) == "(" || c.isWord(i+1) {
			c.show(i, "asm")
		}
	case "__attribute":
		if c.at(i+1) == "(" {
			c.hide(i, c.closing(i+1))
		}
	case "_BitInt", "_Atomic":
		if c.at(i+1) == "(" && !c.cpp {
			c.mask(i, c.closing(i+1))
		}
	case "delete":
		if c.at(i-1) == "=" && c.at(i+1) == "(" { // = delete("reason")
			c.hide(i+1, c.closing(i+1))
		}
	case "pre", "post":
		if c.cpp && c.at(i+1) == "(" && (c.at(i-1) == ")" || c.at(i-1) == "const" || c.at(i-1) == "noexcept") && !c.t[i].fresh {
			c.hide(i, c.closing(i+1)) // a contract ([dcl.contract])
		}
	default:
		switch {
		case sparse[word] && !c.cpp:
			c.hide(i, i)
		case c.at(i+1) == "(" && c.name(i):
			c.macroWord(i)
		}
	}
}

// maxUsing is how many tokens a using-declaration may have.
const maxUsing = 60

// modernSign rewrites what begins with a punctuator.
func (c *cText) modernSign(i int) {
	switch c.at(i) {
	case "(":
		c.cast(i)
		if c.at(i+1) == "{" && c.t[c.closing(i)].start > c.t[i+1].end && c.at(c.closing(i)-1) == "}" && !c.cpp {
			c.hide(i+1, c.closing(i)-1) // a statement expression
			c.out[c.t[i+1].start] = '0'
		}
	case "[":
		if c.at(i+1) == "[" && c.at(c.closing(i)-1) == "]" {
			c.attribute(i)
		} else if c.at(i-1) == "..." && c.cpp && (c.at(i+1) != "]") {
			c.hide(i-1, i-1) // an index into a pack ([dcl.type.pack.indexing])
		}
	case "]":
		if open := c.t[i].match; open >= 0 && c.cpp && c.lambda(open) {
			c.introducer(i)
		}
	case "...":
		if c.cpp && ((c.at(i-1) == "," || c.at(i-1) == "[") && c.name(i+1) && c.at(i+2) == "=" || c.at(i-1) == "*") {
			c.hide(i, i) // [...args = pack], f(T*... p)
		}
	case "=":
		c.unnamedDefault(i)
	case "::":
		if c.at(i+1) == "*" { // a pointer to a member
			from := i
			for c.at(from) == "::" && c.name(from-1) {
				if from -= 2; c.at(from) != "::" {
					from++
					break
				}
			}
			c.hide(from, i)
		}
	}
}

// cast hides macros in the type of a cast: (const char FAR *).
func (c *cText) cast(i int) {
	end := c.closing(i)
	if c.at(end-1) != "*" || end-i < 4 || end-i > maxUsing || i > 0 && c.isWord(i-1) && c.class(i-1) != cControl {
		return
	}
	for j := i + 1; j < end; j++ {
		if !c.isWord(j) && c.at(j) != "*" {
			return
		}
	}
	c.declare(i+1, end, "")
}

// unnamedDefault gives a pointer without a name one where a default follows:
// f(T* = nullptr).
func (c *cText) unnamedDefault(i int) {
	if before := c.at(i - 1); !c.cpp || i < 2 || before != "*" && before != "&" && before != "&&" || c.at(i-2) == "operator" || c.at(i+1) == "=" || c.at(i+1) == "delete" || c.at(i+1) == "default" {
		return
	}
	if at := c.t[i].start - 1; at >= c.t[i-1].end && (c.text[at] == ' ' || c.text[at] == '\t') {
		c.out[at] = '_'
	}
}

// lambda tells whether a bracket may begin a lambda expression.
func (c *cText) lambda(open int) bool {
	if open == 0 || c.at(open-1) == "[" || c.at(open+1) == "[" {
		return false
	}
	before := c.t[open-1]
	return before.kind == cPunct && c.at(open-1) != "]" && c.at(open-1) != ")" && c.at(open-1) != ">" || c.at(open-1) == "return"
}

// introducer hides what the grammar does not know after a lambda's captures:
// static, attributes.
func (c *cText) introducer(i int) {
	switch {
	case c.at(i+1) == "static" || c.at(i+1) == "mutable" && c.at(i+2) == "{" || c.at(i+1) == "constexpr" && c.at(i+2) == "{":
		c.hide(i+1, i+1)
	case c.at(i+1) == "[" && c.at(i+2) == "[":
		c.hide(i+1, c.closing(i+1))
	}
}

// attribute hides the arguments of attributes that are more than one literal, and
// attributes where the grammars have none.
func (c *cText) attribute(i int) {
	end := c.closing(i)
	if !c.cpp && (c.isWord(i-1) || c.at(i-1) == ")" || c.at(i-1) == "]") || c.cpp && c.at(i-1) == "enum" {
		c.hide(i, end)
		return
	}
	for j := i + 2; j < end; j++ {
		if c.at(j) == "(" {
			if to := c.closing(j); to > j+2 {
				c.hide(j, to)
			}
			j = c.closing(j)
		}
	}
}

// caseRange shows case 1 ... 5: with its first value.
func (c *cText) caseRange(i int) {
	for j := i + 1; j < min(len(c.t), i+maxUsing); j++ {
		switch c.at(j) {
		case "...":
			end := j
			for end+1 < len(c.t) && c.at(end+1) != ":" && c.at(end+1) != ";" {
				end++
			}
			c.hide(j, end)
			return
		case ":", ";", "{":
			return
		}
	}
}

// decltype shows a name in the place of all: the grammar knows it of a single
// operand, and not as a base class.
func (c *cText) decltype(i int) {
	end := c.closing(i + 1)
	if c.at(i+1) != "(" || end == i+1 {
		return
	}
	c.mask(i, end)
}

// member hides all but the name of the member that offsetof asks for.
func (c *cText) member(i int) {
	end := c.closing(i + 1)
	if c.at(i+1) != "(" {
		return
	}
	for j := i + 2; j < end; j++ {
		if c.at(j) == "," {
			c.hide(j+2, end-1)
			return
		}
	}
}

// macroWord rewrites the call of a macro that stands for a part of a string or of
// a name: "a" STR(x) "b", TYPE(x)::type.
func (c *cText) macroWord(i int) {
	end := c.closing(i + 1)
	if end == i+1 || end+1 >= len(c.t) || c.out[c.t[i].start] == ' ' {
		return
	}
	next := c.t[end+1].kind == cString
	if next && c.name(i-1) && i > 1 && c.t[i-2].kind == cString {
		c.hide(i, end) // "a" PRIu64 STR(x) "b"
		return
	}
	if i > 0 && c.t[i-1].kind == cString && (next || c.isMacro(c.at(i)) || c.at(end+1) == ")" || c.at(end+1) == ",") ||
		next && i > 0 && c.t[i-1].kind == cPunct && c.at(i-1) != ")" ||
		c.cpp && c.at(end+1) == "::" && c.isMacro(c.at(i)) {
		c.mask(i, end)
	}
}

// show shows a word as another one that is no longer.
func (c *cText) show(i int, as string) {
	t := c.t[i]
	blank(c.out[t.start:t.end])
	copy(c.out[t.start:t.end], as)
}

// mask shows the tokens from one to another as one name, as far as the first line
// goes.
func (c *cText) mask(from, to int) {
	c.hide(from, to)
	for at := c.t[from].start; at < c.t[to].end && c.text[at] != '\n' && c.text[at] != '\r'; at++ {
		c.out[at] = '_'
	}
}

// typeArguments shows types and operators among the arguments of a macro as names:
// va_arg(ap, int), CHECK_OP(==, a, b).
func (c *cText) typeArguments(from, to int) {
	begin := from
	for j := from; j <= to; j++ {
		switch {
		case j == to || c.at(j) == ",":
			if begin < j && c.typeLike(begin, j) {
				c.mask(begin, j-1)
			}
			begin = j + 1
		case c.at(j) == "(" || c.at(j) == "[" || c.at(j) == "{":
			j = min(c.closing(j), to-1)
		}
	}
}

// typeLike tells whether an argument is a type or an operator.
func (c *cText) typeLike(from, to int) bool {
	if c.t[from].kind == cPunct {
		for j := from; j < to; j++ {
			if c.t[j].kind != cPunct || c.t[j].match >= 0 {
				return false
			}
		}
		return true
	}
	words, tag := 0, false
	for j := from; j < to; j++ {
		switch class := c.class(j); {
		case class == cBuiltin || class == cTag:
			tag = tag || class == cTag
			words = max(words, 1)
		case class == cSpecifier:
		case c.name(j):
			if words++; words > 2 || words == 2 && !tag {
				return false
			}
		case c.at(j) != "*" && c.at(j) != "&" && c.at(j) != "&&":
			return false
		}
	}
	last := c.at(to - 1)
	return c.class(from) == cBuiltin || c.class(from) == cTag || c.class(from) == cSpecifier || last == "*" || last == "&"
}
