package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// directive rewrites the parts of a directive that the grammars cannot parse: comments inside
// a definition, and header names and attributes in a condition.
func (c *rewriting) directive(t Token) {
	out := c.out[t.Start:t.End]
	switch name, _ := SplitDirective(c.word(t)); name {
	case "define":
		c.blankComments(t)
	case "if", "elif":
		for i, b := range out {
			if b == '"' || b == '\'' {
				out[i] = '_'
			}
			if b == '(' {
				maskHeader(out[i+1:])
			}
		}
	case "embed":
		srctext.Blank(out)
	}
}

// maskHeader replaces the <name> or "name" of a header, or a qualified name, up to the closing
// bracket, by a name.
func maskHeader(text []byte) {
	end := bytes.IndexByte(text, ')')
	if end <= 0 || text[0] != '<' && text[0] != '"' && !bytes.Contains(text[:end], []byte("::")) {
		return
	}
	for i := range text[:end] {
		if !srctext.NameByte(text[i]) {
			text[i] = '_'
		}
	}
}

// blankComments blanks comments after which a definition continues.
func (c *rewriting) blankComments(t Token) {
	text := c.text[t.Start:t.End]
	for i := 0; i+1 < len(text); i++ {
		switch {
		case text[i] == '"':
			if end := quoteEnd(text, i); bytes.IndexByte(text[i:end], '\n') < 0 {
				i = end - 1
			}
		case text[i] == '/' && text[i+1] == '*':
			end := SkipComment(text, i)
			if len(bytes.TrimSpace(text[end:])) == 0 {
				return
			}
			comment := c.out[t.Start+i : t.Start+end]
			for k, b := range comment {
				if b != '\n' && b != '\r' && (b != '\\' || k+1 == len(comment) || comment[k+1] != '\n' && comment[k+1] != '\r') {
					comment[k] = ' '
				}
			}
			i = end - 1
		}
	}
}
