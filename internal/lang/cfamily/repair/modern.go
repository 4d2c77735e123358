package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// modern rewrites what the grammars are too old for, or lack, wherever it stands:
// C23, C++20 to C++26, and the extensions of GCC, Clang and sparse.
func (c *cText) modern() {
	for i := range c.t {
		if c.t[i].Kind == Word {
			c.modernWord(i)
		} else if rewrite := modernSigns[c.at(i)]; rewrite != nil && c.t[i].Kind == Punct {
			rewrite(c, i)
		}
	}
}

// sparse are words of the checker sparse and of the Linux kernel that may stand
// by a type wherever one does.
var sparse = core.SetOf("__user", "__iomem", "__rcu", "__percpu", "__force", "__kernel", "__bitwise", "__nocast", "__private", "__restrict_arr")

// modernWords rewrites what begins with a word, by the word.
var modernWords = map[string]func(c *cText, i int){
	"decltype": (*cText).decltype, "case": (*cText).caseRange, "inline": (*cText).inlineFriend, "operator": (*cText).conversion,
	"using": (*cText).usings, "this": (*cText).explicitObject, "goto": (*cText).computed, "auto": (*cText).inferred,
	"__volatile__": (*cText).assembler, "__volatile": (*cText).assembler, "__asm__": (*cText).assembler, "__asm": (*cText).assembler,
	"offsetof": (*cText).member, "__builtin_offsetof": (*cText).member,
	"__stdcall": (*cText).convention, "__cdecl": (*cText).convention, "__fastcall": (*cText).convention,
	"__thiscall": (*cText).convention, "__vectorcall": (*cText).convention, "__clrcall": (*cText).convention,
	"typeof_unqual": (*cText).unqualified, "__attribute": (*cText).shortAttribute, "_BitInt": (*cText).typeOf, "_Atomic": (*cText).typeOf,
	"delete": (*cText).reason, "pre": (*cText).contract, "post": (*cText).contract,
}

// modernWord rewrites what begins with a word.
func (c *cText) modernWord(i int) {
	word := c.at(i)
	if rewrite := modernWords[word]; rewrite != nil {
		rewrite(c, i)
		return
	}
	switch {
	case sparse[word] && !c.cpp:
		c.hide(i, i)
	case c.at(i+1) == "(" && c.name(i):
		c.macroWord(i)
	}
}

func (c *cText) inlineFriend(i int) {
	if c.at(i+1) == "friend" {
		c.hide(i, i)
	}
}

// conversion hides the qualifiers of the type that a function converts to.
func (c *cText) conversion(i int) {
	for j := i + 1; c.at(j) == "const" || c.at(j) == "volatile"; j++ {
		c.hide(j, j)
	}
}

// usings hides typename and the dots of a pack in a using-declaration.
func (c *cText) usings(i int) {
	if c.at(i+1) == "typename" {
		c.hide(i+1, i+1)
	}
	if end := c.semicolon(i, min(len(c.t), i+maxUsing)); c.at(end-1) == "..." {
		c.hide(end-1, end-1)
	}
}

// explicitObject hides the word of an explicit object parameter ([dcl.fct]).
func (c *cText) explicitObject(i int) {
	if c.cpp && c.at(i-1) == "(" && c.isWord(i+1) && c.class(i+1) != cControl {
		c.hide(i, i)
	}
}

// computed shows the computed label of a goto as one name.
func (c *cText) computed(i int) {
	if end := c.semicolon(i, min(len(c.t), i+maxUsing)); c.at(i+1) == "*" {
		c.mask(i+1, end-1)
	}
}

// inferred shows the auto of a type that is inferred (C23 6.7.9) as a type.
func (c *cText) inferred(i int) {
	if !c.cpp && c.name(i+1) && c.at(i+2) == "=" {
		c.show(i, "long")
	}
}

// assembler shows the words of an asm statement in the form that the grammar knows.
func (c *cText) assembler(i int) {
	if strings.HasPrefix(c.at(i), "__asm") {
		if c.at(i+1) == "(" || c.isWord(i+1) {
			c.show(i, "asm")
		}
		return
	}
	if before := c.at(i - 1); before == "asm" || before == "__asm__" || before == "__asm" {
		c.show(i, "volatile")
	}
}

func (c *cText) convention(i int) {
	if c.cpp {
		c.hide(i, i)
	}
}

func (c *cText) unqualified(i int) { c.show(i, "typeof") }

func (c *cText) shortAttribute(i int) {
	if c.at(i+1) == "(" {
		c.hide(i, c.closing(i+1))
	}
}

// typeOf shows a type with an argument, _BitInt(8), as one name.
func (c *cText) typeOf(i int) {
	if c.at(i+1) == "(" && !c.cpp {
		c.mask(i, c.closing(i+1))
	}
}

// reason hides the reason of = delete("reason").
func (c *cText) reason(i int) {
	if c.at(i-1) == "=" && c.at(i+1) == "(" {
		c.hide(i+1, c.closing(i+1))
	}
}

// contract hides a precondition or postcondition ([dcl.contract]).
func (c *cText) contract(i int) {
	before := c.at(i - 1)
	if c.cpp && c.at(i+1) == "(" && (before == ")" || before == "const" || before == "noexcept") && !c.t[i].fresh {
		c.hide(i, c.closing(i+1))
	}
}

// maxUsing is how many tokens a using-declaration may have.
const maxUsing = 60

// modernSigns rewrites what begins with a punctuator, by the punctuator.
var modernSigns = map[string]func(c *cText, i int){
	"(": (*cText).bracket, "[": (*cText).square, "]": (*cText).introducer, "...": (*cText).pack,
	"=": (*cText).unnamedDefault, "::": (*cText).memberPointer,
}

// bracket shows a statement expression as a value, and the type of a cast without
// macros.
func (c *cText) bracket(i int) {
	c.cast(i)
	end := c.closing(i)
	if c.at(i+1) == "{" && end > i+1 && c.at(end-1) == "}" && !c.cpp {
		c.hide(i+1, end-1)
		c.out[c.t[i+1].Start] = '0'
	}
}

// square rewrites attributes, and hides the index into a pack
// ([dcl.type.pack.indexing]).
func (c *cText) square(i int) {
	if c.at(i+1) == "[" && c.at(i-1) != "[" && c.at(c.closing(i)-1) == "]" { // of a row of brackets the first
		c.attribute(i)
	} else if c.at(i-1) == "..." && c.cpp && c.at(i+1) != "]" {
		c.hide(i-1, i-1)
	}
}

// pack hides the dots of [...args = pack] and of a pack of pointers.
func (c *cText) pack(i int) {
	before := c.at(i - 1)
	captured := (before == "," || before == "[") && c.name(i+1) && c.at(i+2) == "="
	if c.cpp && (captured || before == "*") {
		c.hide(i, i)
	}
}

// memberPointer hides the class of a pointer to a member.
func (c *cText) memberPointer(i int) {
	if c.at(i+1) != "*" {
		return
	}
	from := i
	for c.at(from) == "::" && c.name(from-1) {
		if from -= 2; c.at(from) != "::" {
			from++
			break
		}
	}
	c.hide(from, i)
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
	if at := c.t[i].Start - 1; at >= c.t[i-1].End && (c.text[at] == ' ' || c.text[at] == '\t') {
		c.out[at] = '_'
	}
}

// lambda reports whether a bracket may begin a lambda expression.
func (c *cText) lambda(open int) bool {
	if open == 0 || c.at(open-1) == "[" || c.at(open+1) == "[" {
		return false
	}
	before := c.t[open-1]
	return before.Kind == Punct && c.at(open-1) != "]" && c.at(open-1) != ")" && c.at(open-1) != ">" || c.at(open-1) == "return"
}

// introducer hides what the grammar does not know after a lambda's captures:
// static, attributes.
func (c *cText) introducer(i int) {
	if open := c.t[i].match; open < 0 || !c.cpp || !c.lambda(open) {
		return
	}
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
	if end == i+1 || end+1 >= len(c.t) || c.out[c.t[i].Start] == ' ' {
		return
	}
	next := c.t[end+1].Kind == cString
	if next && i > 1 && c.name(i-1) && c.t[i-2].Kind == cString {
		c.hide(i, end) // "a" PRIu64 STR(x) "b"
		return
	}
	if c.joins(i, end, next) || c.cpp && c.at(end+1) == "::" && c.isMacro(c.at(i)) {
		c.mask(i, end)
	}
}

// show shows a word as another one that is no longer.
func (c *cText) show(i int, as string) {
	t := c.t[i]
	core.Blank(c.out[t.Start:t.End])
	copy(c.out[t.Start:t.End], as)
}

// mask shows the tokens from one to another as one name, as far as the first line
// goes.
func (c *cText) mask(from, to int) {
	c.hide(from, to)
	for at := c.t[from].Start; at < c.t[to].End && c.text[at] != '\n' && c.text[at] != '\r'; at++ {
		c.out[at] = '_'
	}
}

// joins reports whether the call of a macro from i to end stands by a string, so that
// it is a part of one.
func (c *cText) joins(i, end int, next bool) bool {
	if i == 0 {
		return false
	}
	before := c.t[i-1]
	if before.Kind == cString {
		return next || c.isMacro(c.at(i)) || c.at(end+1) == ")" || c.at(end+1) == ","
	}
	return next && before.Kind == Punct && c.at(i-1) != ")"
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

// typeLike reports whether an argument is a type or an operator.
func (c *cText) typeLike(from, to int) bool {
	if c.t[from].Kind == Punct {
		return c.signs(from, to)
	}
	words, tag := 0, false
	for j := from; j < to; j++ {
		switch class := c.class(j); {
		case class == cBuiltin || class == cTag:
			tag = tag || class == cTag
			words = max(words, 1)
		case class == cSpecifier || isPointer(c.at(j)):
		case c.name(j):
			if words++; words > 2 || words == 2 && !tag {
				return false
			}
		default:
			return false
		}
	}
	return c.class(from).ofType() || isPointer(c.at(to-1))
}

// signs reports whether all tokens are punctuators but brackets.
func (c *cText) signs(from, to int) bool {
	return !slices.ContainsFunc(c.t[from:to], func(t Token) bool { return t.Kind != Punct || t.match >= 0 })
}

// isPointer tells the signs that make a declarator a pointer or a reference.
func isPointer(text string) bool { return text == "*" || text == "&" || text == "&&" || text == "^" }
