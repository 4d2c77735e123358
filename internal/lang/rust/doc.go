package rust

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// doc returns the documentation before n: /// and /** comments and #[doc = "…"].
// Attributes and other comments in between are skipped.
func doc(n syntax.Node) string {
	var parts []string
	for p := n.Previous(); p.Is("attribute_item") || syntax.IsComment(p.Kind()); p = p.Previous() {
		if text, ok := docPart(p, "outer"); ok {
			parts = append(parts, text)
		}
	}
	slices.Reverse(parts)
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// innerDoc returns the documentation inside a file or module: //! and /*! at its start.
func innerDoc(body syntax.Node) string {
	var parts []string
	for c := range body.Children() {
		if text, ok := docPart(c, "inner"); ok {
			parts = append(parts, text)
			continue
		}
		if !syntax.IsComment(c.Kind()) && !c.Is("inner_attribute_item", "{", "shebang") {
			break
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// docPart returns the text of a comment or attribute that documents the following item
// ("outer") or the enclosing one ("inner").
func docPart(n syntax.Node, side string) (string, bool) {
	switch {
	case n.Is("attribute_item") && side == "outer":
		a := n.Child("attribute")
		value := a.Field("value")
		if !a.First().TextIs("doc") || !value.Is("string_literal", "raw_string_literal") {
			return "", false
		}
		return strings.TrimPrefix(value.Child("string_content").Text(), " "), true
	case !syntax.IsComment(n.Kind()) || !n.Field(side).Ok():
		return "", false
	case n.Is("block_comment"):
		return srctext.BlockComment(n.Text()), true
	}
	text := strings.TrimRight(n.Field("doc").Text(), "\r\n")
	return strings.TrimPrefix(text, " "), true
}
