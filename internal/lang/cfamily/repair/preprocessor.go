package repair

import (
	"bytes"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// The grammars of C and C++ parse text before preprocessing. Macros are never expanded here.
// Where macros or directives leave text that is not valid syntax, the parser reads a rewritten
// text of the same length: one branch of a conditional group that cuts through a declaration
// ([rewriting.chooseBranches]), a declaration without words that the grammar does not accept
// ([rewriting.declarations]), a statement instead of a macro that expands to one ([rewriting.block]),
// and older forms of newer syntax ([rewriting.modern]).

// rewriter returns the repair of C or C++.
func rewriter(cpp bool) func(t *syntax.Tree) []byte {
	return func(t *syntax.Tree) []byte {
		c := rewriteText(t.Source, cpp, nil)
		if !bytes.Equal(c.out, t.Source) {
			return c.out
		}
		lost := unreadSpans(t.Root())
		if len(lost) == 0 {
			return nil
		}
		if c = rewriteText(t.Source, cpp, lost); !bytes.Equal(c.out, t.Source) {
			return c.out
		}
		if c.hideBodies(lost) {
			return c.out
		}
		return nil
	}
}

// rewriteText rewrites a text. All branches of conditional groups that overlap the spans lost are
// shown, without their directives.
func rewriteText(text []byte, cpp bool, lost []core.Span) *rewriting {
	c := &rewriting{text: text, out: bytes.Clone(text), cpp: cpp, lost: lost}
	for _, mark := range core.ConflictMarks(c.out) {
		srctext.Blank(c.out[mark.Start:mark.End])
	}
	c.text = bytes.Clone(c.out)
	c.source = string(c.out)
	c.all = Tokens(c.text, cpp)
	c.readDefines()
	c.chooseBranches()
	c.pair()
	c.modern()
	c.declarations(0, len(c.t), "", 0)
	return c
}

// rewriting is a text that is being rewritten.
type rewriting struct {
	text    []byte // the source
	source  string // the source as a string
	out     []byte // the rewritten text
	cpp     bool
	all     []Token         // all tokens, directives included
	t       []Token         // the tokens that are shown, without directives
	defined map[string]bool // the macros that the file defines
	nesting int             // current depth of nested declarators
	lost    []core.Span     // the unread spans, in order
	bodies  []core.Span     // the bodies of functions, without braces
}

// word returns a token's text.
func (c *rewriting) word(t Token) string { return c.source[t.Start:t.End] }

// at returns the text of shown token i; "" if out of range.
func (c *rewriting) at(i int) string {
	if i < 0 || i >= len(c.t) {
		return ""
	}
	return c.word(c.t[i])
}

// isWord reports whether shown token i is an identifier or keyword.
func (c *rewriting) isWord(i int) bool { return i >= 0 && i < len(c.t) && c.t[i].Kind == Word }

// pair matches the brackets.
func (c *rewriting) pair() {
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
				if syntax.Closers[c.at(o)] == text {
					c.t[o].match, c.t[i].match = i, o
					open = open[:len(open)-1-k]
					break
				}
			}
		}
	}
}

// hide blanks a range of tokens, to included.
func (c *rewriting) hide(from, to int) {
	from, to = max(from, 0), min(to, len(c.t)-1)
	for i := from; i <= to; i++ {
		srctext.Blank(c.out[c.t[i].Start:c.t[i].End])
		if i == to {
			break
		}
		for at := c.t[i].End; at < c.t[i+1].Start; at++ { // text inserted by mask
			if c.out[at] == '_' && c.text[at] != '_' {
				c.out[at] = ' '
			}
		}
	}
}

// readDefines records the macros that the file defines.
func (c *rewriting) readDefines() {
	c.defined = map[string]bool{}
	for _, t := range c.all {
		if t.Kind != Directive {
			continue
		}
		if name, rest := SplitDirective(c.word(t)); name == "define" {
			end := 0
			for end < len(rest) && srctext.NameByte(rest[end]) {
				end++
			}
			c.defined[rest[:end]] = true
		}
	}
}

// isMacro reports whether a word is likely a macro: the file defines it, it has no lower-case
// letters, or it is a known annotation.
func (c *rewriting) isMacro(word string) bool {
	return c.defined[word] || Capitals(word) || c.isMark(word)
}

var cppMarks = core.SetOf("__host__", "__device__", "__global__", "__shared__", "__constant__", "__forceinline__", "__noinline__",
	"__always_inline", "__unused", "__packed", "__may_alias", "__launch_bounds__")

// Capitals reports whether a word has at least two upper-case and no lower-case letters.
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

// isMark reports whether a word is an annotation of a compiler or system header: two
// underscores and lower-case letters, but not a type or keyword. Not used for C++, whose
// libraries have other names of that form.
func (c *rewriting) isMark(word string) bool {
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
