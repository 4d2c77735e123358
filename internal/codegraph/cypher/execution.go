package cypher

import (
	"slices"
	"sync/atomic"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// execution is the state that the operators of a running plan share.
type execution struct {
	graph Graph
	used  atomic.Int64 // bytes
	limit int64        // bytes
	stop  func()       // cancels the run
	cut   int          // number of rows after the last LIMIT
	over  bool         // cut is a lower bound
	notes []string
}

// hold counts allocated bytes; a negative number releases them.
func (x *execution) hold(bytes int64) error {
	if x.used.Add(bytes) <= x.limit || bytes <= 0 {
		return nil
	}
	return &syntax.Error{
		Class: syntax.ArgumentError, Code: "MemoryLimit",
		Message: message.New("the query holds more than %d MiB of rows", x.limit>>20),
		Advice:  message.New("name what you look for more closely, bound the length of paths, or RETURN DISTINCT the nodes at their ends"),
	}
}

// note adds a note unless it was added before.
func (x *execution) note(text string) {
	if !slices.Contains(x.notes, text) {
		x.notes = append(x.notes, text)
	}
}
