package cypher

import (
	"slices"
	"sync/atomic"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// execution is what the steps of one plan share while it runs.
type execution struct {
	graph Graph
	used  atomic.Int64 // bytes
	limit int64        // bytes
	stop  func()       // ends the run
	cut   int          // rows that the last LIMIT left out
	over  bool         // there may be more of these
	notes []string
}

// hold counts bytes that are kept for a while; a negative number gives them back.
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

// note says something once.
func (x *execution) note(text string) {
	if !slices.Contains(x.notes, text) {
		x.notes = append(x.notes, text)
	}
}
