package syntax

import "sync"

// KindMarks gives nodes bits by their kind, without a look-up by name for each node.
type KindMarks struct {
	Bits      func(kind string) uint8
	byGrammar sync.Map // *tables -> Marks
}

// Of returns the bits of each kind of node in the tree of n.
func (k *KindMarks) Of(n Node) Marks {
	g := n.t.grammar
	if known, ok := k.byGrammar.Load(g); ok {
		return known.(Marks)
	}
	m := make(Marks, 0, len(g.kinds)+1)
	for _, kind := range g.kinds {
		m = append(m, k.Bits(kind))
	}
	known, _ := k.byGrammar.LoadOrStore(g, append(m, k.Bits("ERROR")))
	return known.(Marks)
}

// Marks are the bits of each kind of a grammar; see [KindMarks.Of].
type Marks []uint8

// Of returns the bits of a node.
func (m Marks) Of(n Node) uint8 { return m[min(int(n.rec().kind), len(m)-1)] }
