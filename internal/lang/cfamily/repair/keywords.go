package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// cClass is what a keyword does in a declaration (C23 6.7, [dcl.spec]).
type cClass uint8

const (
	cSpecifier cClass = iota + 1 // storage, qualifiers, function specifiers
	cBuiltin                     // names a type, or part of one
	cTag                         // begins an elaborated type
	cAfter                       // follows a parameter list
	cControl                     // begins a statement or is part of an expression
	cOpens                       // begins a declaration that is no row of specifiers
)

// ofType tells the keywords that declarations begin with in both languages.
func (c cClass) ofType() bool { return c == cSpecifier || c == cBuiltin || c == cTag }

// CWords has the keywords of both languages and of the usual compilers.
var CWords = classes(map[cClass]string{
	cSpecifier: `static extern inline const volatile restrict register constexpr consteval constinit virtual explicit friend
		mutable thread_local typedef typename export _Thread_local _Noreturn __inline __inline__ __const __const__ __volatile
		__volatile__ __restrict __restrict__ __extension__ __thread __signed __signed__ alignas _Alignas __attribute__ __attribute
		__declspec __forceinline __cdecl __stdcall __fastcall __thiscall __vectorcall __clrcall __unaligned`,
	cBuiltin: `void char short int long float double signed unsigned bool _Bool _Complex _Imaginary __complex__ auto
		wchar_t char8_t char16_t char32_t __int128 __int64 __int32 __int16 __int8 _Float16 _Float32 _Float64 _Float128 __float128
		_Decimal32 _Decimal64 _Decimal128 _BitInt _Atomic typeof typeof_unqual __typeof__ __typeof decltype __auto_type __builtin_va_list`,
	cTag:   "struct class union enum",
	cAfter: "noexcept override final requires throw try __asm__ __asm asm",
	cControl: `if else for while do switch case default break continue return goto sizeof alignof _Alignof __alignof__ new delete
		catch co_await co_yield co_return this nullptr true false and or not xor bitand bitor compl and_eq or_eq xor_eq not_eq
		static_cast dynamic_cast const_cast reinterpret_cast typeid __builtin_offsetof offsetof _Generic __func__`,
	cOpens: "namespace template using concept static_assert _Static_assert operator public private protected module import",
})

func classes(lists map[cClass]string) map[string]cClass {
	out := map[string]cClass{}
	for class, words := range lists {
		for word := range strings.FieldsSeq(words) {
			out[word] = class
		}
	}
	return out
}

// class returns what the keyword at a token does; 0 when it is no keyword.
func (c *cText) class(i int) cClass {
	if !c.isWord(i) {
		return 0
	}
	word := c.at(i)
	if !c.cpp && cppWords[word] {
		return 0
	}
	return CWords[word]
}

// cppWords are keywords of C++ that are names in C.
var cppWords = core.SetOf("private", "public", "protected", "new", "delete", "class", "template", "using", "namespace", "operator",
	"friend", "virtual", "explicit", "mutable", "typename", "export", "this", "try", "catch", "throw", "final", "override",
	"requires", "concept", "module", "import", "co_await", "co_yield", "co_return", "typeid", "decltype", "consteval", "constinit",
	"and", "or", "not", "xor", "bitand", "bitor", "compl", "and_eq", "or_eq", "xor_eq", "not_eq", "static_cast", "const_cast",
	"dynamic_cast", "reinterpret_cast")

// name reports whether a token is an identifier that is no keyword.
func (c *cText) name(i int) bool { return c.isWord(i) && c.class(i) == 0 }

// begins reports whether a token can only begin a declaration.
func (c *cText) begins(i int) bool {
	if class := c.class(i); class.ofType() {
		return true
	} else if class == cOpens {
		return c.at(i) != "operator"
	}
	return c.at(i) == "[" && c.at(i+1) == "["
}

// is reports whether a token is one of the texts.
func (c *cText) is(i int, texts ...string) bool { return slices.Contains(texts, c.at(i)) }

// closing returns the bracket that belongs to the one at a token, or the token
// itself.
func (c *cText) closing(i int) int {
	if i < len(c.t) && c.t[i].match > i {
		return c.t[i].match
	}
	return i
}

// maxMacroArguments is how many tokens a list of template arguments may have.
const maxMacroArguments = 2000

// angle returns the > that belongs to the < at a token, or -1 when that is no
// list of template arguments or parameters.
func (c *cText) angle(i, to int) int {
	depth := 0
	for j := i; j < min(to, i+maxMacroArguments); j++ {
		switch c.at(j) {
		case "(", "[", "{":
			j = c.closing(j)
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return j
			}
		case ";", ")", "]", "}":
			return -1
		}
	}
	return -1
}

// atom returns the last token of the name at a token: qualified, with template
// arguments.
func (c *cText) atom(i, to int) int {
	for {
		if c.cpp && c.at(i+1) == "<" {
			if a := c.angle(i+1, to); a > 0 {
				i = a
			}
		}
		if c.at(i+1) != "::" {
			return i
		}
		next := i + 2
		if c.at(next) == "template" {
			next++
		}
		if !c.name(next) || next >= to {
			return i
		}
		i = next
	}
}
