package syntax

import "sync"

// KindMarks gives nodes bits by their kind, without a look-up by name for each node. The zero value is ready to use. It is
// safe for concurrent use.
type KindMarks struct {
	byGrammar sync.Map // *tables -> Marks
}

// Of returns the bits of each kind of node in the tree of n, for which bits is asked once. A bit is the index of a property in
// the result of bits.
func (k *KindMarks) Of(n Node, bits func(kind string) []bool) Marks {
	g := n.t.grammar
	if known, ok := k.byGrammar.Load(g); ok {
		return known.(Marks)
	}
	m := make(Marks, 0, len(g.kinds)+1)
	for _, kind := range g.kinds {
		m = append(m, packed(bits(kind)))
	}
	known, _ := k.byGrammar.LoadOrStore(g, append(m, packed(bits("ERROR"))))
	return known.(Marks)
}

func packed(bits []bool) (out uint8) {
	for i, set := range bits {
		if set {
			out |= 1 << i
		}
	}
	return out
}

// Marks are the bits of each kind of a grammar; see [KindMarks.Of].
type Marks []uint8

// Of returns the bits of a node.
func (m Marks) Of(n Node) uint8 { return m[min(int(n.rec().Kind), len(m)-1)] }
