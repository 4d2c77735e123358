package resolve

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// edgeSet has the edges of the file being linked, each once. Its memory serves the next file.
type edgeSet struct {
	list []Edge
	at   map[edgeKey]int // indexes of list
}

// edgeKey is what makes two edges the same.
type edgeKey struct {
	of   string
	from int
	typ  codegraph.Relationship
	path string
	to   int
}

func (e *Edge) key() edgeKey { return edgeKey{e.Of, e.From, e.Type, e.Path, e.To} }

// of returns the edge of the set that is the same as e; nil if there is none. It holds until the next one is added.
func (s *edgeSet) of(e *Edge) *Edge {
	if i, known := s.at[e.key()]; known {
		return &s.list[i]
	}
	return nil
}

// add adds an edge that is not in the set.
func (s *edgeSet) add(e *Edge) {
	s.at[e.key()] = len(s.list)
	s.list = append(s.list, *e)
}

// sorted returns a copy of the edges.
func (s *edgeSet) sorted() []Edge {
	out := slices.Clone(s.list)
	slices.SortFunc(out, func(a, b Edge) int {
		return cmp.Or(cmp.Compare(a.Of, b.Of), cmp.Compare(a.From, b.From), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Path, b.Path), cmp.Compare(a.To, b.To))
	})
	return out
}

// manyEdges is the number of edges of a file that few files have: what they need is not kept, for it would be cleared for each of the others.
const manyEdges = 4096

// clear removes all edges.
func (s *edgeSet) clear() {
	if s.at == nil || len(s.list) > manyEdges {
		*s = edgeSet{at: map[edgeKey]int{}}
		return
	}
	clear(s.at)
	clear(s.list)
	s.list = s.list[:0]
}
