package cypher

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// distinct keeps the first of the rows that are equal in some slots.
type distinct struct {
	x     *execution
	slots []int
}

func (d *distinct) explain() step { return step{name: "Distinct"} }

// entrySize is the approximate size of a map entry without its key, in bytes.
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

// keyOf appends a key that is equal for equal rows.
func keyOf(key []byte, r eval.Row, slots []int) []byte {
	for _, slot := range slots {
		key = value.AppendKey(key, r[slot])
	}
	return key
}
