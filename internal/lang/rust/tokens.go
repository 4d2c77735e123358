package rust

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// The arguments and bodies of macros are tokens to the grammar. What they mean
// is the macro's affair, so all of them are hashed, but for what rustfmt adds and
// takes away where they look like code.

// isTokens tells a node of tokens that only a macro understands.
func isTokens(n syntax.Node) bool {
	return n.Is("token_tree", "token_tree_pattern", "token_repetition", "token_repetition_pattern")
}

// rustToken hashes a token of a macro: without trailing commas, and without the
// outermost brackets, of which there are three kinds to choose from.
func rustToken(n syntax.Node) (drop bool, as string) {
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

// isArm tells braces after =>, as in the arms of a match.
func isArm(n syntax.Node) bool {
	return n.Is("token_tree") && n.Has("{") && n.Previous().Is("=>")
}

// isArmTokens tells the braces around the one expression of a match arm or a
// closure: rustfmt puts them there and takes them away.
func isArmTokens(n syntax.Node) bool {
	return n.Is("token_tree") && isTokens(n.Parent()) && n.Has("{") && !n.Has(";") && n.Previous().Is("=>", "|", "||")
}
