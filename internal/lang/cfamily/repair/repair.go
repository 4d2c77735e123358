// Package repair rewrites C and C++ source before it is parsed, because the grammars have no
// preprocessor and are older than the languages. It handles macros that expand to syntax,
// conditional groups that cut through declarations, modules, and syntax newer than the grammar.
// The rewritten text has the same length and lines. The entry point is [Rewriter].
//
// A newer grammar that parses the cases in internal/lang/testdata/c and cpp would make
// modern.go, modules.go and expressions.go unnecessary. The other files are needed as long as
// the grammars parse unpreprocessed text. To drop the package, remove the Repair fields of C and
// CPP and the function reread in package cfamily; that package also uses [Tokens], the lexer, and [ScanModule] to read
// macros, tests and modules.
package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Rewriter returns the Repair function of C or C++.
func Rewriter(cpp bool) func(t *syntax.Tree) []byte {
	macros := rewriter(cpp)
	return func(t *syntax.Tree) []byte {
		text := macros(t)
		if text == nil {
			text = bytes.Clone(t.Source)
		}
		hideInitializers(t.Root(), text)
		if cpp {
			for _, s := range ScanModule(text).hide {
				srctext.Blank(text[s.Start:s.End])
			}
			showExpressions(text)
		}
		if bytes.Equal(text, t.Source) {
			return nil
		}
		return text
	}
}

// hideInitializers hides parts of member declarations that the grammars do not accept: the
// initialisers of several members or of bit-fields, and unnamed bit-fields after others.
func hideInitializers(root syntax.Node, text []byte) {
	for n := range root.Descendants() {
		if n.Is("field_declaration") && n.HasError() && n.End()-n.Start() < maxMember && isUnread(n) {
			part := []byte(n.Text())
			if hideIn(part) {
				copy(text[n.Start():n.End()], part)
			}
		}
	}
}

// maxMember is the maximum length of a declaration of several members, in bytes.
const maxMember = 600

// isUnread reports whether a member declaration directly contains an ERROR node.
func isUnread(n syntax.Node) bool {
	for c := range n.Children() {
		if c.Is("ERROR") || c.Is("field_identifier") && c.Missing() {
			return true
		}
	}
	return false
}

// hideIn reports whether it hid anything.
func hideIn(part []byte) (done bool) {
	tokens := Tokens(part, true)
	if !plainMembers(part, tokens) {
		return false
	}
	depth, from := 0, -1 // from: start of the text to hide
	hide := func(to int) {
		if from >= 0 {
			srctext.Blank(part[from:to])
			from, done = -1, true
		}
	}
	for i, t := range tokens {
		at := string(part[t.Start:t.End])
		switch {
		case depth > 0:
		case at == "," || at == ";":
			hide(t.Start)
			if at == "," && i+1 < len(tokens) && part[tokens[i+1].Start] == ':' {
				from = t.Start
			}
		case from < 0 && i > 0 && opensValue(at, tokens[i-1]):
			from = t.Start
		}
		depth += nesting(at)
	}
	if depth == 0 {
		hide(len(part))
	}
	return done
}

// opensValue reports whether a token begins the initialiser of a member.
func opensValue(token string, before Token) bool {
	return token == "=" || token == "{" && before.Kind != Punct
}

// nesting returns the change of bracket depth by a token.
func nesting(token string) int {
	switch token {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

// plainMembers reports whether the tokens are one declaration of data members with a type
// defined elsewhere.
func plainMembers(part []byte, tokens []Token) bool {
	for i, t := range tokens {
		switch string(part[t.Start:t.End]) {
		case ";":
			if i+1 < len(tokens) {
				return false
			}
		case "struct", "class", "union", "enum", "operator", "(":
			return false
		}
	}
	return true
}
