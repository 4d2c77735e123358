package repair

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// wordClass is the role of a keyword in a declaration (C23 6.7, [dcl.spec]).
type wordClass uint8

const (
	specifier       wordClass = iota + 1 // storage, qualifiers, function specifiers
	typeWord                             // names a type, or part of one
	tagWord                              // begins an elaborated type
	afterParameters                      // follows a parameter list
	controlWord                          // begins a statement or is part of an expression
	declarationWord                      // begins a declaration without specifiers
)

// ofType reports whether declarations begin with keywords of this class in both languages.
func (c wordClass) ofType() bool { return c == specifier || c == typeWord || c == tagWord }

// CWords maps the keywords of both languages and of common compilers to their classes.
var CWords = classes(map[wordClass]string{
	specifier: `static extern inline const volatile restrict register constexpr consteval constinit virtual explicit friend
		mutable thread_local typedef typename export _Thread_local _Noreturn __inline __inline__ __const __const__ __volatile
		__volatile__ __restrict __restrict__ __extension__ __thread __signed __signed__ alignas _Alignas __attribute__ __attribute
		__declspec __forceinline __cdecl __stdcall __fastcall __thiscall __vectorcall __clrcall __unaligned`,
	typeWord: `void char short int long float double signed unsigned bool _Bool _Complex _Imaginary __complex__ auto
		wchar_t char8_t char16_t char32_t __int128 __int64 __int32 __int16 __int8 _Float16 _Float32 _Float64 _Float128 __float128
		_Decimal32 _Decimal64 _Decimal128 _BitInt _Atomic typeof typeof_unqual __typeof__ __typeof decltype __auto_type __builtin_va_list`,
	tagWord:         "struct class union enum",
	afterParameters: "noexcept override final requires throw try __asm__ __asm asm",
	controlWord: `if else for while do switch case default break continue return goto sizeof alignof _Alignof __alignof__ new delete
		catch co_await co_yield co_return this nullptr true false and or not xor bitand bitor compl and_eq or_eq xor_eq not_eq
		static_cast dynamic_cast const_cast reinterpret_cast typeid __builtin_offsetof offsetof _Generic __func__`,
	declarationWord: "namespace template using concept static_assert _Static_assert operator public private protected module import",
})

func classes(lists map[wordClass]string) map[string]wordClass {
	out := map[string]wordClass{}
	for class, words := range lists {
		for word := range strings.FieldsSeq(words) {
			out[word] = class
		}
	}
	return out
}

// class returns the class of the keyword at i; 0 if it is not a keyword.
func (c *rewriting) class(i int) wordClass {
	if !c.isWord(i) {
		return 0
	}
	word := c.at(i)
	if !c.cpp && cppWords[word] {
		return 0
	}
	return CWords[word]
}

// cppWords are the keywords of C++ that are names in C.
var cppWords = core.SetOf("private", "public", "protected", "new", "delete", "class", "template", "using", "namespace", "operator",
	"friend", "virtual", "explicit", "mutable", "typename", "export", "this", "try", "catch", "throw", "final", "override",
	"requires", "concept", "module", "import", "co_await", "co_yield", "co_return", "typeid", "decltype", "consteval", "constinit",
	"and", "or", "not", "xor", "bitand", "bitor", "compl", "and_eq", "or_eq", "xor_eq", "not_eq", "static_cast", "const_cast",
	"dynamic_cast", "reinterpret_cast")

// name reports whether token i is an identifier and not a keyword.
func (c *rewriting) name(i int) bool { return c.isWord(i) && c.class(i) == 0 }

// begins reports whether token i can only begin a declaration.
func (c *rewriting) begins(i int) bool {
	if class := c.class(i); class.ofType() {
		return true
	} else if class == declarationWord {
		return c.at(i) != "operator"
	}
	return c.at(i) == "[" && c.at(i+1) == "["
}

// is reports whether token i is one of texts.
func (c *rewriting) is(i int, texts ...string) bool { return slices.Contains(texts, c.at(i)) }

// closing returns the index of the bracket that matches the one at i, or i.
func (c *rewriting) closing(i int) int {
	if i < len(c.t) && c.t[i].match > i {
		return c.t[i].match
	}
	return i
}

// maxMacroArguments is the maximum number of tokens in a template argument list.
const maxMacroArguments = 2000

// angle returns the index of the > that matches the < at i, or -1 if it does not begin a
// template argument or parameter list.
func (c *rewriting) angle(i, to int) int {
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

// atom returns the index of the last token of the name at i, with qualifiers and template
// arguments.
func (c *rewriting) atom(i, to int) int {
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
