package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// retrace matches a bound list of relationships, in order, from a bound node.
type retrace struct {
	hop
	scope  *eval.Scope
	length syntax.Length
}

func (t *retrace) explain() step { return step{name: "Retrace", detail: t.shown} }

func (t *retrace) run(_ context.Context, in stream) stream {
	return func(yield func([]eval.Row, error) bool) {
		keep(in, func(r eval.Row) (bool, error) {
			end, ok := t.end(r)
			if !ok || t.bound && r[t.to] != value.Value(end) {
				return false, nil
			}
			r[t.to] = end
			return true, nil
		})(yield)
	}
}

// end returns the node at the end of a row's relationships.
func (t *retrace) end(r eval.Row) (at value.Node, ok bool) {
	list, isList := r[t.rel].(value.List)
	at, isNode := r[t.from].(value.Node)
	if !isList || !isNode || len(list) < t.length.Min || t.length.Max != syntax.Unbounded && len(list) > t.length.Max {
		return 0, false
	}
	for i := range list {
		if t.back {
			i = len(list) - 1 - i
		}
		rel, isRel := list[i].(value.Relationship)
		if !isRel || !t.passes(rel.Key(), at) {
			return 0, false
		}
		at = otherEnd(rel.Key(), at)
	}
	return at, true
}

// passes reports whether a relationship can be followed from a node.
func (t *retrace) passes(k value.Key, from value.Node) bool {
	if len(t.types) > 0 && !anyOf([]string{k.Type}, t.types) {
		return false
	}
	out, in := codegraph.ID(from) == k.From, codegraph.ID(from) == k.To
	return out && t.direction != codegraph.In || in && t.direction != codegraph.Out
}
