package snapshot

import (
	"bytes"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// hierarchy answers what types have to do with each other; what it finds out is kept.
type hierarchy struct {
	s                             *Snapshot
	inherits, implements, defines uint32 // types of edges; none if the graph has no such edge
	above                         map[int][]int
	narrow                        map[[2]int]narrowed
}

// narrowed is what a method runs when it is called on a type that has it from another: those of the methods that override it that are
// of the types below that type. It is known if each of these has one.
type narrowed struct {
	methods map[int]bool
	known   bool
}

// narrowed returns those of the methods that a call of an abstract one can run, by the types on which the caller calls methods:
// on a Session, which embeds io.Closer, Close runs no other closer.
func (d *dispatch) narrowed(caller codegraph.ID, method int, methods []int) ([]int, error) {
	receivers, err := d.receivers(caller)
	if err != nil {
		return nil, err
	}
	var can []narrowed
	for _, r := range receivers {
		direct, has, err := d.types.has(r, method)
		if err != nil || direct {
			return methods, err
		}
		if !has {
			continue
		}
		n, err := d.types.narrowed(r, method, methods)
		if err != nil || !n.known {
			return methods, err
		}
		can = append(can, n)
	}
	if len(can) == 0 {
		return methods, nil
	}
	return slices.DeleteFunc(slices.Clone(methods), func(m int) bool {
		return !slices.ContainsFunc(can, func(n narrowed) bool { return n.methods[m] })
	}), nil
}

// receivers returns the places of the types on which a node calls methods that these have from others.
func (d *dispatch) receivers(caller codegraph.ID) ([]int, error) {
	place := d.s.place(caller)
	if d.callsOn == none || place < 0 {
		return nil, nil
	}
	edges, err := span(d.s.out, d.s.outEnds, place)
	var out []int
	for i := range edges {
		if uint32(edges[i].kind) != d.callsOn {
			continue
		}
		if r := d.s.place(codegraph.ID(edges[i].to)); r >= 0 {
			out = append(out, r)
		}
	}
	return out, err
}

// has reports whether a type declares a method, and whether it has it from another type.
func (h *hierarchy) has(r, method int) (direct, inherited bool, err error) {
	of, err := h.owner(method)
	if err != nil || r == of {
		return r == of, false, err
	}
	if direct, err = h.outside(r, method); err != nil || direct {
		return direct, false, err
	}
	above, err := h.bases(r)
	if err != nil || of >= 0 {
		return false, slices.Contains(above, of), err
	}
	for _, b := range above {
		if inherited, err = h.outside(b, method); err != nil || inherited {
			return false, inherited, err
		}
	}
	return false, false, nil
}

// outside reports whether a node is the type outside the project that a method is of.
func (h *hierarchy) outside(r, method int) (bool, error) {
	if !h.labelled(r, codegraph.LabelExternalType) || !h.labelled(method, codegraph.LabelExternalMethod) {
		return false, nil
	}
	of, err := h.s.qualifiedOf(uint32(r))
	if err != nil {
		return false, err
	}
	name, err := h.s.qualifiedOf(uint32(method))
	i := bytes.LastIndexByte(name, '.')
	return i > 0 && bytes.Equal(name[:i], of), err
}

func (h *hierarchy) labelled(place int, label codegraph.Label) bool {
	return place >= 0 && place < len(h.s.nodes) && h.s.labelAt(uint32(place)) == label
}

// owner returns the place of the type that a method is declared in; -1 if there is none.
func (h *hierarchy) owner(method int) (int, error) {
	edges, err := span(h.s.in, h.s.inEnds, method)
	for _, e := range edges {
		if e.kind == h.defines {
			return h.s.place(codegraph.ID(e.from)), err
		}
	}
	return -1, err
}

// bases returns the types that a type builds on, directly or not, nearest first.
func (h *hierarchy) bases(t int) ([]int, error) {
	if known, ok := h.above[t]; ok {
		return known, nil
	}
	var out []int
	seen := map[int]bool{t: true}
	for open := []int{t}; len(open) > 0; open = open[1:] {
		edges, err := span(h.s.out, h.s.outEnds, open[0])
		if err != nil {
			return nil, err
		}
		for i := range edges {
			if k := uint32(edges[i].kind); k != h.inherits && k != h.implements {
				continue
			}
			if b := h.s.place(codegraph.ID(edges[i].to)); b >= 0 && !seen[b] {
				seen[b] = true
				out, open = append(out, b), append(open, b)
			}
		}
	}
	h.above[t] = out
	return out, nil
}

// below returns the types that build on a type, directly or not, and of each whether another one builds on it.
func (h *hierarchy) below(t int) (types []int, built map[int]bool, err error) {
	built = map[int]bool{}
	seen := map[int]bool{t: true}
	for open := []int{t}; len(open) > 0; open = open[1:] {
		edges, err := span(h.s.in, h.s.inEnds, open[0])
		if err != nil {
			return nil, nil, err
		}
		for _, e := range edges {
			if e.kind != h.inherits && e.kind != h.implements {
				continue
			}
			built[open[0]] = true
			if b := h.s.place(codegraph.ID(e.from)); b >= 0 && !seen[b] {
				seen[b] = true
				types, open = append(types, b), append(open, b)
			}
		}
	}
	return types, built, nil
}

// narrowed returns what a method runs on the types below one, of those that override it.
func (h *hierarchy) narrowed(t, method int, methods []int) (narrowed, error) {
	key := [2]int{t, method}
	if n, ok := h.narrow[key]; ok {
		return n, nil
	}
	of := map[int][]int{}
	for _, m := range methods {
		owner, err := h.owner(m)
		if err != nil {
			return narrowed{}, err
		}
		of[owner] = append(of[owner], m)
	}
	types, built, err := h.below(t)
	if err != nil {
		return narrowed{}, err
	}
	n := narrowed{map[int]bool{}, len(types) > 0}
	for _, t := range types {
		if h.labelled(t, codegraph.LabelInterface) {
			continue
		}
		has, err := h.nearest(t, of)
		if err != nil {
			return narrowed{}, err
		}
		for _, m := range has {
			n.methods[m] = true
		}
		if len(has) == 0 && !built[t] { // it has the method from an interface that it embeds
			n.known = false
		}
	}
	h.narrow[key] = n
	return n, nil
}

// nearest returns the methods of a type or of the nearest of its bases that has some.
func (h *hierarchy) nearest(t int, of map[int][]int) ([]int, error) {
	if len(of[t]) > 0 {
		return of[t], nil
	}
	bases, err := h.bases(t)
	for _, b := range bases {
		if len(of[b]) > 0 {
			return of[b], err
		}
	}
	return nil, err
}
