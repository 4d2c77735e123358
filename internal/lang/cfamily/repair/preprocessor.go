package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// The grammars of C and C++ read text as it is before preprocessing. Macros are
// never expanded here; where they or directives leave something that is no syntax,
// the parser is shown the text without them, each byte in its place: one branch of
// a conditional group that cuts through a declaration ([cText.choose]), a
// declaration without the words that stand where the grammar has none
// ([cText.declarations]), a statement in place of a macro that makes one
// ([cText.block]), and what the grammars are too old for in older form
// ([cText.modern]).

// cRepair returns the repair of C or C++.
func cRepair(cpp bool) func(t *syntax.Tree) []byte {
	return func(t *syntax.Tree) []byte {
		c := cShown(t.Source, cpp, nil)
		if !bytes.Equal(c.out, t.Source) {
			return c.out
		}
		lost := swallowed(t.Root())
		if len(lost) == 0 {
			return nil
		}
		if c = cShown(t.Source, cpp, lost); !bytes.Equal(c.out, t.Source) {
			return c.out
		}
		if c.hideBodies(lost) {
			return c.out
		}
		return nil
	}
}

// cShown rewrites a text. Conditional groups that overlap the spans given are shown
// without their directives, all branches one after another.
func cShown(text []byte, cpp bool, lost []core.Span) *cText {
	c := &cText{text: text, out: bytes.Clone(text), cpp: cpp, lost: lost}
	for _, mark := range core.ConflictMarks(c.out) {
		core.Blank(c.out[mark.Start:mark.End])
	}
	c.text = bytes.Clone(c.out)
	c.source = string(c.out)
	c.all = Tokens(c.text, cpp)
	c.readDefines()
	c.choose()
	c.pair()
	c.modern()
	c.declarations(0, len(c.t), "", 0)
	return c
}

// cText is a text that is being rewritten.
type cText struct {
	text    []byte // as written
	source  string // the same
	out     []byte // as shown
	cpp     bool
	all     []Token         // with directives
	t       []Token         // what is shown, without directives
	defined map[string]bool // the macros that the file defines
	nesting int             // of declarators in declarators
	lost    []core.Span     // what could not be read, in order
	bodies  []core.Span     // the bodies of functions, their braces left out
}

// word returns a token's text.
func (c *cText) word(t Token) string { return c.source[t.Start:t.End] }

// at returns the text of a shown token; "" outside of all.
func (c *cText) at(i int) string {
	if i < 0 || i >= len(c.t) {
		return ""
	}
	return c.word(c.t[i])
}

// isWord reports whether a shown token is an identifier or keyword.
func (c *cText) isWord(i int) bool { return i >= 0 && i < len(c.t) && c.t[i].Kind == Word }

// pair finds the brackets that belong together.
func (c *cText) pair() {
	var open []int
	for i := range c.t {
		if c.t[i].Kind != Punct {
			continue
		}
		switch text := c.at(i); text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			for k := range min(len(open), maxMismatch) {
				o := open[len(open)-1-k]
				if core.Closers[c.at(o)] == text {
					c.t[o].match, c.t[i].match = i, o
					open = open[:len(open)-1-k]
					break
				}
			}
		}
	}
}

// hide blanks the tokens from one to another, the last included.
func (c *cText) hide(from, to int) {
	from, to = max(from, 0), min(to, len(c.t)-1)
	for i := from; i <= to; i++ {
		core.Blank(c.out[c.t[i].Start:c.t[i].End])
		if i == to {
			break
		}
		for at := c.t[i].End; at < c.t[i+1].Start; at++ { // what a mask has put there
			if c.out[at] == '_' && c.text[at] != '_' {
				c.out[at] = ' '
			}
		}
	}
}

// readDefines finds the macros that the file defines.
func (c *cText) readDefines() {
	c.defined = map[string]bool{}
	for _, t := range c.all {
		if t.Kind != Directive {
			continue
		}
		if name, rest := SplitDirective(c.word(t)); name == "define" {
			end := 0
			for end < len(rest) && core.NameByte(rest[end]) {
				end++
			}
			c.defined[rest[:end]] = true
		}
	}
}

// isMacro reports whether a word is by its form a macro's name: the file defines
// it, it has no small letters, or it is one of the words that mark declarations.
func (c *cText) isMacro(word string) bool {
	return c.defined[word] || Capitals(word) || c.isMark(word)
}

var cppMarks = core.SetOf("__host__", "__device__", "__global__", "__shared__", "__constant__", "__forceinline__", "__noinline__",
	"__always_inline", "__unused", "__packed", "__may_alias", "__launch_bounds__")

// Capitals reports whether a word has capitals, at least two, and no small letters.
func Capitals(word string) bool {
	n := 0
	for i := range len(word) {
		switch {
		case word[i] >= 'a' && word[i] <= 'z' || word[i] >= 0x80:
			return false
		case word[i] >= 'A' && word[i] <= 'Z':
			n++
		}
	}
	return n > 1
}

// isMark tells words of compilers and system headers that mark a declaration:
// two underscores and small letters, where that is no type or keyword. Libraries
// of C++ have many such names of other kinds.
func (c *cText) isMark(word string) bool {
	if c.cpp {
		return cppMarks[word]
	}
	name, ok := strings.CutPrefix(word, "__")
	if !ok || name == "" || strings.HasSuffix(name, "_t") || CWords[word] != 0 {
		return false
	}
	last := name[len(name)-1]
	return last < '0' || last > '9' // __u32 and __int128 are types
}
