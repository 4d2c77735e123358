package swift

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

var typeRules = &core.TypeRules{
	Before: "typealias A = ", Arguments: []string{"type_arguments"},
	Forms: map[string]code.TypeForm{"user_type": code.NamedType, "type_identifier": code.NamedType, "optional_type": code.NullableType},
	Read:  readType,
}

// readType reads a type in parentheses, which the grammar takes for a tuple.
func readType(r core.TypeReader, n syntax.Node, t *code.Type) bool {
	items := syntax.NamedChildren(n)
	if !n.Is("tuple_type") || len(items) != 1 || len(syntax.NamedChildren(items[0])) != 1 {
		return false
	}
	*t = r.Read(items[0].First())
	return true
}
