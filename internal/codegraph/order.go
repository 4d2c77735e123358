package codegraph

// components returns the number of the strongly connected component of each node. Numbers are topologically sorted:
// a component has a higher number than all that can be reached from it (Tarjan 1972).
func components(next [][]int) []int {
	t := tarjan{next: next, component: make([]int, len(next)), index: make([]int, len(next)), low: make([]int, len(next))}
	for n := range next {
		if t.index[n] == 0 {
			t.visit(n)
		}
	}
	return t.component
}

// tarjan is the state of the algorithm.
type tarjan struct {
	next      [][]int
	component []int
	index     []int // 1 + the order of the first visit; 0 if not visited
	low       []int // the least index on the stack that a node reaches
	stack     []int
	visited   int
	found     int
}

// frame is a node on the current path and its next edge.
type frame struct{ node, edge int }

// visit searches from a node. It is iterative, because a path may have as many nodes as the project has modules.
func (t *tarjan) visit(start int) {
	way := []frame{{node: start}}
	t.enter(start)
	for len(way) > 0 {
		top := &way[len(way)-1]
		n := top.node
		if top.edge < len(t.next[n]) {
			to := t.next[n][top.edge]
			top.edge++
			switch {
			case t.index[to] == 0:
				t.enter(to)
				way = append(way, frame{node: to})
			case t.low[to] > 0: // still on the stack
				t.low[n] = min(t.low[n], t.index[to])
			}
			continue
		}
		low := t.low[n]
		if low == t.index[n] {
			t.leave(n)
		}
		way = way[:len(way)-1]
		if len(way) > 0 && t.low[n] > 0 {
			up := way[len(way)-1].node
			t.low[up] = min(t.low[up], low)
		}
	}
}

func (t *tarjan) enter(n int) {
	t.visited++
	t.index[n], t.low[n] = t.visited, t.visited
	t.stack = append(t.stack, n)
}

// leave pops the component of n off the stack. A low of 0 marks a node that is not on the stack.
func (t *tarjan) leave(n int) {
	for {
		last := len(t.stack) - 1
		top := t.stack[last]
		t.stack = t.stack[:last]
		t.component[top], t.low[top] = t.found, 0
		if top == n {
			t.found++
			return
		}
	}
}

// levels returns for each node the length of the longest path from it to a component without dependencies, counted
// in components.
func levels(next [][]int, component []int) []int {
	members := make([][]int, len(component))
	for n, c := range component {
		members[c] = append(members[c], n)
	}
	of := make([]int, len(component))
	for c, list := range members { // the dependencies of c have lower numbers
		for _, n := range list {
			for _, to := range next[n] {
				if d := component[to]; d != c {
					of[c] = max(of[c], of[d]+1)
				}
			}
		}
	}
	out := make([]int, len(component))
	for n, c := range component {
		out[n] = of[c]
	}
	return out
}
