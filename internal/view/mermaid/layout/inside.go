package layout

import "maps"

// placeInside lays out the contents of a group and sets its size.
func (t *tree) placeInside(group int) *block {
	d := t.direction(group)
	whole := newBlock()
	if t.children[group] != nil {
		whole = t.placeParts(group, d)
	}
	for box, r := range whole.boxes {
		t.g.Boxes[box].Rect = r
	}
	if group == t.root {
		return whole
	}
	b := &t.g.Boxes[group]
	whole = whole.framed(b.Title, d, t.crossing[group])
	for box, r := range whole.boxes {
		t.g.Boxes[box].Rect = r
	}
	b.Size = whole.size
	return whole
}

// placeParts lays out each connected component. Components with edges across the border form a
// single part of full height.
func (t *tree) placeParts(group int, d Direction) *block {
	ported, rest := t.parts(group)
	var free []*block
	for _, p := range rest {
		free = append(free, t.layer(p, d).turned(d))
	}
	if len(ported) == 0 {
		return pack(free)
	}
	main := t.layer(ported, d).turned(d)
	if len(free) == 0 {
		return main
	}
	beside := pack(free)
	at := Point{main.size.W + blockGap, 0}
	if d.sideways() {
		at = Point{0, main.size.H + blockGap}
	}
	out := newBlock()
	out.add(main, Point{})
	out.add(beside, at)
	out.ports = maps.Clone(main.ports)
	return out
}

// parts returns the contents of a group with edges from outside, which are drawn together, and
// the other connected components.
func (t *tree) parts(group int) (ported []int, rest [][]int) {
	leader := map[int]int{}
	var find func(int) int
	find = func(i int) int {
		if leader[i] != i {
			leader[i] = find(leader[i])
		}
		return leader[i]
	}
	join := func(a, b int) {
		a, b = find(a), find(b)
		leader[max(a, b)] = min(a, b)
	}
	for _, c := range t.children[group] {
		leader[c] = c
	}
	for _, e := range t.within[group] {
		join(t.lifted[e].from, t.lifted[e].to)
	}
	for _, p := range t.crossing[group] {
		join(p.child, t.crossing[group][0].child)
	}
	at := map[int]int{}
	for _, c := range t.children[group] {
		if len(t.crossing[group]) > 0 && find(c) == find(t.crossing[group][0].child) {
			ported = append(ported, c)
			continue
		}
		if _, known := at[find(c)]; !known {
			at[find(c)] = len(rest)
			rest = append(rest, nil)
		}
		rest[at[find(c)]] = append(rest[at[find(c)]], c)
	}
	return ported, rest
}
