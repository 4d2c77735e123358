package layout

import "slices"

// tree is the nesting of boxes. The root, which is not a box of the graph, has the index after
// the last box.
type tree struct {
	g        *Graph
	root     int
	children [][]int
	depth    []int
	lifted   []lifted // by edge
	within   [][]int  // by group: edges between its direct contents
	crossing [][]port // by group: edges across its border
	insides  []*block // by group
}

// lifted is an edge in terms of the innermost group around both ends.
type lifted struct {
	in       int // the group
	from, to int // direct contents of the group
	reversed bool
	loop     bool
}

// port is a crossing of an edge and a group's border.
type port struct {
	edge  int
	child int  // the direct content of the group that it leads to
	enter bool // on the incoming side, whatever way the edge is drawn
}

func newTree(g *Graph) *tree {
	n := len(g.Boxes)
	t := &tree{
		g: g, root: n, children: make([][]int, n+1), depth: make([]int, n+1),
		within: make([][]int, n+1), crossing: make([][]port, n+1), insides: make([]*block, n+1),
	}
	for i := range g.Boxes {
		p := t.parent(i)
		t.children[p] = append(t.children[p], i)
	}
	t.walk(t.root, func(box int) {
		if box != t.root {
			t.depth[box] = t.depth[t.parent(box)] + 1
		}
	})
	for i := range g.Edges {
		l := t.lift(&g.Edges[i])
		t.lifted = append(t.lifted, l)
		t.within[l.in] = append(t.within[l.in], i)
	}
	return t
}

func (t *tree) parent(box int) int {
	if p := t.g.Boxes[box].Parent; p >= 0 {
		return p
	}
	return t.root
}

// walk visits a box and its contents in preorder.
func (t *tree) walk(box int, visit func(box int)) {
	visit(box)
	for _, c := range t.children[box] {
		t.walk(c, visit)
	}
}

func (t *tree) lift(e *Edge) lifted {
	from, to := e.From, e.To
	for from != to && t.parent(from) != t.parent(to) {
		if t.depth[from] >= t.depth[to] {
			from = t.parent(from)
		} else {
			to = t.parent(to)
		}
	}
	return lifted{in: t.parent(from), from: from, to: to, loop: from == to}
}

// orient reverses edges until each group is acyclic, and records border crossings.
func (t *tree) orient() {
	out := make([][]int, t.root)
	incoming := make([]int, t.root)
	for i := range t.lifted {
		if l := &t.lifted[i]; !l.loop {
			out[l.from] = append(out[l.from], i)
			incoming[l.to]++
		}
	}
	state := make([]int8, t.root)
	for _, sources := range []bool{true, false} {
		for leaf := range t.root {
			if t.g.Boxes[leaf].Group {
				continue // its first content stands for it
			}
			for box := leaf; box != t.root; box = t.parent(box) {
				if state[box] == 0 && (incoming[box] == 0) == sources {
					t.turnBack(box, out, state)
				}
			}
		}
	}
	for i := range t.lifted {
		if l := &t.lifted[i]; !l.loop {
			t.cross(i, t.g.Edges[i].From, l.from, l.reversed)
			t.cross(i, t.g.Edges[i].To, l.to, !l.reversed)
		}
	}
}

// turnBack reverses the edges from nodes reachable from box back to nodes on the path.
func (t *tree) turnBack(box int, out [][]int, state []int8) {
	const onTheWay, done = 1, 2
	state[box] = onTheWay
	for _, e := range out[box] {
		switch l := &t.lifted[e]; state[l.to] {
		case onTheWay:
			l.reversed = true
		case done:
		default:
			t.turnBack(l.to, out, state)
		}
	}
	state[box] = done
}

// cross records the borders between the end of an edge and the box that stands for it.
func (t *tree) cross(edge, end, top int, enter bool) {
	for end != top {
		p := t.parent(end)
		t.crossing[p] = append(t.crossing[p], port{edge: edge, child: end, enter: enter})
		end = p
	}
}

// insideOut returns the groups from the inside out, the root last.
func (t *tree) insideOut() []int {
	var out []int
	t.walk(t.root, func(box int) {
		if box == t.root || t.g.Boxes[box].Group {
			out = append(out, box)
		}
	})
	slices.Reverse(out)
	return out
}

// direction returns the direction of edges within a group.
func (t *tree) direction(group int) Direction {
	for ; group != t.root; group = t.parent(group) {
		if b := &t.g.Boxes[group]; b.Turned && len(t.crossing[group]) == 0 {
			return b.Direction
		}
	}
	return t.g.Direction
}

// settle converts coordinates to those of the whole picture.
func (t *tree) settle() {
	origin := make([]Point, t.root+1)
	t.walk(t.root, func(box int) {
		if box != t.root {
			b, in := &t.g.Boxes[box], origin[t.parent(box)]
			b.Rect.X += in.X
			b.Rect.Y += in.Y
			origin[box] = Point{b.Rect.X, b.Rect.Y}
			if b.Group {
				b.TitleAt = t.insides[box].title.plus(origin[box])
			}
		}
	})
	for i := range t.g.Edges {
		e, l := &t.g.Edges[i], t.lifted[i]
		var path []Curve
		for g := t.parent(e.From); g != l.in; g = t.parent(g) {
			path = append(path, t.piece(i, g, origin[g])...)
		}
		path = append(path, t.piece(i, l.in, origin[l.in])...)
		at := len(path)
		for g := t.parent(e.To); g != l.in; g = t.parent(g) {
			path = slices.Insert(path, at, t.piece(i, g, origin[g])...)
		}
		e.Path = path
		e.At = t.insides[l.in].labels[i].plus(origin[l.in])
	}
	t.g.Size = t.insides[t.root].size
}

// piece returns the part of an edge within a group, in the edge's direction.
func (t *tree) piece(edge, group int, origin Point) []Curve {
	curves := moved(t.insides[group].pieces[edge], origin)
	if t.lifted[edge].reversed {
		slices.Reverse(curves)
		for i := range curves {
			slices.Reverse(curves[i][:])
		}
	}
	return curves
}

func (p Point) plus(q Point) Point { return Point{p.X + q.X, p.Y + q.Y} }

// moved returns a translated copy of the curves.
func moved(curves []Curve, by Point) []Curve {
	out := slices.Clone(curves)
	for i := range out {
		for k := range out[i] {
			out[i][k] = out[i][k].plus(by)
		}
	}
	return out
}
