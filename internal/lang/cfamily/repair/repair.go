// Package repair rewrites C and C++ for grammars that have no preprocessor and are
// older than the languages, without moving a line: macros that stand for syntax,
// conditional branches that cut through it, modules, and what is newer than the
// grammar.
package repair

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Rewriter returns the repair of C or C++: what macros and directives leave
// ([cRepair]), modules, and members that the grammars lack.
func Rewriter(cpp bool) func(t *syntax.Tree) []byte {
	macros := cRepair(cpp)
	return func(t *syntax.Tree) []byte {
		text := macros(t)
		if text == nil {
			text = bytes.Clone(t.Source)
		}
		hideInitializers(t.Root(), text)
		if cpp {
			for _, s := range ScanModule(text).hide {
				core.Blank(text[s.Start:s.End])
			}
			showExpressions(text)
		}
		if bytes.Equal(text, t.Source) {
			return nil
		}
		return text
	}
}

// hideInitializers hides what the grammars do not read of a member declaration:
// the values of several members, or of bit-fields, and bit-fields without a name
// behind others.
func hideInitializers(root syntax.Node, text []byte) {
	for n := range root.Within() {
		if n.Is("field_declaration") && n.HasError() && n.End()-n.Start() < maxMember && isUnread(n) {
			part := []byte(n.Text())
			if hideIn(part) {
				copy(text[n.Start():n.End()], part)
			}
		}
	}
}

// maxMember is how long the declaration of members is that are several on a line.
const maxMember = 600

// isUnread tells a member declaration a part of which was not read itself.
func isUnread(n syntax.Node) bool {
	for c := range n.Children() {
		if c.Is("ERROR") || c.Is("field_identifier") && c.Missing() {
			return true
		}
	}
	return false
}

// hideIn reports whether it has hidden anything.
func hideIn(part []byte) (done bool) {
	tokens := Tokens(part, true)
	if !plainMembers(part, tokens) {
		return false
	}
	depth, from := 0, -1 // from is where what is hidden begins
	hide := func(to int) {
		if from >= 0 {
			core.Blank(part[from:to])
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

// opensValue tells a token that begins what a member is set to.
func opensValue(token string, before Token) bool {
	return token == "=" || token == "{" && before.Kind != Punct
}

// nesting is how a token changes how many brackets are open.
func nesting(token string) int {
	switch token {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

// plainMembers tells one declaration of data members of a type that is defined
// elsewhere.
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
