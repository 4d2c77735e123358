package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// modern rewrites syntax that is newer than the grammars or unknown to them: C23, C++20 to
// C++26, and extensions of GCC, Clang and sparse.
func (c *rewriting) modern() {
	for i := range c.t {
		if c.t[i].Kind == Word {
			c.modernWord(i)
		} else if rewrite := modernSigns[c.at(i)]; rewrite != nil && c.t[i].Kind == Punct {
			rewrite(c, i)
		}
	}
}

// sparse are annotations of the checker sparse and of the Linux kernel that may occur beside
// any type.
var sparse = core.SetOf("__user", "__iomem", "__rcu", "__percpu", "__force", "__kernel", "__bitwise", "__nocast", "__private", "__restrict_arr")

// modernWords maps words to functions that rewrite the syntax that begins with them.
var modernWords = map[string]func(c *rewriting, i int){
	"decltype": (*rewriting).decltype, "case": (*rewriting).caseRange, "inline": (*rewriting).inlineFriend, "operator": (*rewriting).conversion,
	"using": (*rewriting).usings, "this": (*rewriting).explicitObject, "goto": (*rewriting).computed, "auto": (*rewriting).inferred,
	"__volatile__": (*rewriting).assembler, "__volatile": (*rewriting).assembler, "__asm__": (*rewriting).assembler, "__asm": (*rewriting).assembler,
	"offsetof": (*rewriting).member, "__builtin_offsetof": (*rewriting).member,
	"__stdcall": (*rewriting).convention, "__cdecl": (*rewriting).convention, "__fastcall": (*rewriting).convention,
	"__thiscall": (*rewriting).convention, "__vectorcall": (*rewriting).convention, "__clrcall": (*rewriting).convention,
	"typeof_unqual": (*rewriting).unqualified, "__attribute": (*rewriting).shortAttribute, "_BitInt": (*rewriting).typeOf, "_Atomic": (*rewriting).typeOf,
	"delete": (*rewriting).reason, "pre": (*rewriting).contract, "post": (*rewriting).contract,
}

// modernWord rewrites the syntax that begins with the word at i.
func (c *rewriting) modernWord(i int) {
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

func (c *rewriting) inlineFriend(i int) {
	if c.at(i+1) == "friend" {
		c.hide(i, i)
	}
}

// conversion hides the qualifiers of a conversion function's type.
func (c *rewriting) conversion(i int) {
	for j := i + 1; c.at(j) == "const" || c.at(j) == "volatile"; j++ {
		c.hide(j, j)
	}
}

// usings hides "typename" and the ellipsis of a pack in a using-declaration.
func (c *rewriting) usings(i int) {
	if c.at(i+1) == "typename" {
		c.hide(i+1, i+1)
	}
	if end := c.semicolon(i, min(len(c.t), i+maxUsing)); c.at(end-1) == "..." {
		c.hide(end-1, end-1)
	}
}

// explicitObject hides "this" of an explicit object parameter ([dcl.fct]).
func (c *rewriting) explicitObject(i int) {
	if c.cpp && c.at(i-1) == "(" && c.isWord(i+1) && c.class(i+1) != controlWord {
		c.hide(i, i)
	}
}

// computed rewrites the target of a computed goto as one name.
func (c *rewriting) computed(i int) {
	if end := c.semicolon(i, min(len(c.t), i+maxUsing)); c.at(i+1) == "*" {
		c.mask(i+1, end-1)
	}
}

// inferred rewrites "auto" of an inferred type (C23 6.7.9) as a type.
func (c *rewriting) inferred(i int) {
	if !c.cpp && c.name(i+1) && c.at(i+2) == "=" {
		c.show(i, "long")
	}
}

// assembler rewrites the keywords of an asm statement in the form that the grammar accepts.
func (c *rewriting) assembler(i int) {
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

func (c *rewriting) convention(i int) {
	if c.cpp {
		c.hide(i, i)
	}
}

func (c *rewriting) unqualified(i int) { c.show(i, "typeof") }

func (c *rewriting) shortAttribute(i int) {
	if c.at(i+1) == "(" {
		c.hide(i, c.closing(i+1))
	}
}

// typeOf rewrites a type with an argument, _BitInt(8), as one name.
func (c *rewriting) typeOf(i int) {
	if c.at(i+1) == "(" && !c.cpp {
		c.mask(i, c.closing(i+1))
	}
}

// reason hides the reason of = delete("reason").
func (c *rewriting) reason(i int) {
	if c.at(i-1) == "=" && c.at(i+1) == "(" {
		c.hide(i+1, c.closing(i+1))
	}
}

// contract hides a precondition or postcondition ([dcl.contract]).
func (c *rewriting) contract(i int) {
	before := c.at(i - 1)
	if c.cpp && c.at(i+1) == "(" && (before == ")" || before == "const" || before == "noexcept") && !c.t[i].fresh {
		c.hide(i, c.closing(i+1))
	}
}

// maxUsing is the maximum number of tokens in a using-declaration.
const maxUsing = 60

// modernSigns maps punctuators to functions that rewrite the syntax that begins with them.
var modernSigns = map[string]func(c *rewriting, i int){
	"(": (*rewriting).bracket, "[": (*rewriting).square, "]": (*rewriting).introducer, "...": (*rewriting).pack,
	"=": (*rewriting).unnamedDefault, "::": (*rewriting).memberPointer,
}

// bracket rewrites a statement expression as a value, and hides macros in the type of a cast.
func (c *rewriting) bracket(i int) {
	c.cast(i)
	end := c.closing(i)
	if c.at(i+1) == "{" && end > i+1 && c.at(end-1) == "}" && !c.cpp {
		c.hide(i+1, end-1)
		c.out[c.t[i+1].Start] = '0'
	}
}

// square rewrites attributes, and hides the index of a pack ([dcl.type.pack.indexing]).
func (c *rewriting) square(i int) {
	if c.at(i+1) == "[" && c.at(i-1) != "[" && c.at(c.closing(i)-1) == "]" { // the first of adjacent attributes
		c.attribute(i)
	} else if c.at(i-1) == "..." && c.cpp && c.at(i+1) != "]" {
		c.hide(i-1, i-1)
	}
}

// pack hides the ellipsis of [...args = pack] and of a pack of pointers.
func (c *rewriting) pack(i int) {
	before := c.at(i - 1)
	captured := (before == "," || before == "[") && c.name(i+1) && c.at(i+2) == "="
	if c.cpp && (captured || before == "*") {
		c.hide(i, i)
	}
}

// memberPointer hides the class of a pointer to a member.
func (c *rewriting) memberPointer(i int) {
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
func (c *rewriting) cast(i int) {
	end := c.closing(i)
	if c.at(end-1) != "*" || end-i < 4 || end-i > maxUsing || i > 0 && c.isWord(i-1) && c.class(i-1) != controlWord {
		return
	}
	for j := i + 1; j < end; j++ {
		if !c.isWord(j) && c.at(j) != "*" {
			return
		}
	}
	c.declare(i+1, end, "")
}

// unnamedDefault adds a name to an unnamed pointer parameter with a default: f(T* = nullptr).
func (c *rewriting) unnamedDefault(i int) {
	if before := c.at(i - 1); !c.cpp || i < 2 || before != "*" && before != "&" && before != "&&" || c.at(i-2) == "operator" || c.at(i+1) == "=" || c.at(i+1) == "delete" || c.at(i+1) == "default" {
		return
	}
	if at := c.t[i].Start - 1; at >= c.t[i-1].End && (c.text[at] == ' ' || c.text[at] == '\t') {
		c.out[at] = '_'
	}
}

// lambda reports whether a bracket may begin a lambda expression.
func (c *rewriting) lambda(open int) bool {
	if open == 0 || c.at(open-1) == "[" || c.at(open+1) == "[" {
		return false
	}
	before := c.t[open-1]
	return before.Kind == Punct && c.at(open-1) != "]" && c.at(open-1) != ")" && c.at(open-1) != ">" || c.at(open-1) == "return"
}

// introducer hides tokens unknown to the grammar after a lambda's captures: static,
// attributes.
func (c *rewriting) introducer(i int) {
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

// attribute hides attribute arguments other than a single literal, and attributes where the
// grammars accept none.
func (c *rewriting) attribute(i int) {
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

// caseRange reduces case 1 ... 5: to its first value.
func (c *rewriting) caseRange(i int) {
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

// decltype rewrites decltype as a name: the grammar accepts only a single operand, and no
// decltype as a base class.
func (c *rewriting) decltype(i int) {
	end := c.closing(i + 1)
	if c.at(i+1) != "(" || end == i+1 {
		return
	}
	c.mask(i, end)
}

// member hides the operand of offsetof except the name of the member.
func (c *rewriting) member(i int) {
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

// macroWord rewrites a macro call that expands to a part of a string or name: "a" STR(x) "b",
// TYPE(x)::type.
func (c *rewriting) macroWord(i int) {
	end := c.closing(i + 1)
	if end == i+1 || end+1 >= len(c.t) || c.out[c.t[i].Start] == ' ' {
		return
	}
	next := c.t[end+1].Kind == stringToken
	if next && i > 1 && c.name(i-1) && c.t[i-2].Kind == stringToken {
		c.hide(i, end) // "a" PRIu64 STR(x) "b"
		return
	}
	if c.joins(i, end, next) || c.cpp && c.at(end+1) == "::" && c.isMacro(c.at(i)) {
		c.mask(i, end)
	}
}

// show replaces a word by one that is not longer.
func (c *rewriting) show(i int, as string) {
	t := c.t[i]
	srctext.Blank(c.out[t.Start:t.End])
	copy(c.out[t.Start:t.End], as)
}

// mask replaces the tokens of a range by one name, up to the end of the first line.
func (c *rewriting) mask(from, to int) {
	c.hide(from, to)
	for at := c.t[from].Start; at < c.t[to].End && c.text[at] != '\n' && c.text[at] != '\r'; at++ {
		c.out[at] = '_'
	}
}

// joins reports whether the macro call from i to end is adjacent to a string, so that it
// expands to a part of it.
func (c *rewriting) joins(i, end int, next bool) bool {
	if i == 0 {
		return false
	}
	before := c.t[i-1]
	if before.Kind == stringToken {
		return next || c.isMacro(c.at(i)) || c.at(end+1) == ")" || c.at(end+1) == ","
	}
	return next && before.Kind == Punct && c.at(i-1) != ")"
}

// typeArguments rewrites types and operators among the arguments of a macro as names:
// va_arg(ap, int), CHECK_OP(==, a, b).
func (c *rewriting) typeArguments(from, to int) {
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
func (c *rewriting) typeLike(from, to int) bool {
	if c.t[from].Kind == Punct {
		return c.signs(from, to)
	}
	words, tag := 0, false
	for j := from; j < to; j++ {
		switch class := c.class(j); {
		case class == typeWord || class == tagWord:
			tag = tag || class == tagWord
			words = max(words, 1)
		case class == specifier || isPointer(c.at(j)):
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

// signs reports whether all tokens are punctuators other than brackets.
func (c *rewriting) signs(from, to int) bool {
	return !slices.ContainsFunc(c.t[from:to], func(t Token) bool { return t.Kind != Punct || t.match >= 0 })
}

// isPointer reports whether text is a pointer or reference operator of a declarator.
func isPointer(text string) bool { return text == "*" || text == "&" || text == "&&" || text == "^" }
