package rust

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// The grammar parses the arguments and bodies of macros as tokens. Their meaning
// depends on the macro, so all tokens are hashed except those that rustfmt adds or
// removes where the tokens look like code.

// isTokens reports whether n is a tree of macro tokens.
func isTokens(n syntax.Node) bool {
	return n.Is("token_tree", "token_tree_pattern", "token_repetition", "token_repetition_pattern")
}

// token hashes a token of a macro. Trailing commas and the kind of the outermost
// brackets are ignored.
func token(n syntax.Node) (drop bool, as string) {
	around, text := n.Parent(), n.Text()
	switch {
	case text == "":
		return true, ""
	case text == ">>":
		return false, ">\x00>"
	case text == "," && around.Is("token_tree"):
		return n.Next().Is(")", "]", "}", ">", ">>") || isArm(n.Previous()) && !isArmTokens(n.Previous()), text
	case strings.Contains("()[]{}", text) && isArmTokens(around):
		if last := around.Next(); text == "}" && isArm(around) && last.Ok() && !last.Is(",", ")", "]", "}") {
			return false, "," // a => { b } c is a => b, c
		}
		return true, ""
	case strings.Contains("()[]{}", text):
		return around.Is("token_tree", "token_tree_pattern") && !isTokens(around.Parent()), text
	}
	return false, text
}

// isArm reports whether n is a brace tree after =>, as in a match arm.
func isArm(n syntax.Node) bool {
	return n.Is("token_tree") && n.Has("{") && n.Previous().Is("=>")
}

// isArmTokens reports whether n is the braces around the single expression of a match
// arm or closure, which rustfmt adds or removes.
func isArmTokens(n syntax.Node) bool {
	return n.Is("token_tree") && isTokens(n.Parent()) && n.Has("{") && !n.Has(";") && n.Previous().Is("=>", "|", "||")
}
