package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// distinct keeps the first of the rows that are alike in some slots.
type distinct struct {
	x     *execution
	slots []int
}

func (d *distinct) explain() step { return step{name: "Distinct"} }

// entrySize is about how many bytes an entry of a map takes beside its key.
const entrySize = 48

func (d *distinct) run(_ context.Context, in stream) stream {
	return func(yield func([]eval.Row, error) bool) {
		seen, key, held := map[string]struct{}{}, []byte(nil), int64(0)
		defer func() { _ = d.x.hold(-held) }()
		keep(in, func(r eval.Row) (bool, error) {
			key = keyOf(key[:0], r, d.slots)
			if _, there := seen[string(key)]; there {
				return false, nil
			}
			seen[string(key)] = struct{}{}
			size := int64(len(key)) + entrySize
			held += size
			return true, d.x.hold(size)
		})(yield)
	}
}

// keyOf appends what makes rows alike.
func keyOf(key []byte, r eval.Row, slots []int) []byte {
	for _, slot := range slots {
		key = value.AppendKey(key, r[slot])
	}
	return key
}
