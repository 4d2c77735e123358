package snapshot

import (
	"cmp"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// dispatch finds the calls that are not stored because they follow from others: who calls a method may run any that overrides it.
// Storing them would take as many edges as there are callers times methods.
type dispatch struct {
	s                         *Snapshot
	calls, callsOn, overrides uint32 // types of edges; none if the graph has no such edge
	types                     *hierarchy
	constructed               map[uint16]bool       // ways of finding a call's target by which nothing else can run
	methods                   map[int][]int         // place of a method -> those that override it, directly or not
	abstract                  map[codegraph.ID]bool // methods of interfaces, and of types outside the project
}

// none is no type of edges.
const none = ^uint32(0)

func newDispatch(s *Snapshot) *dispatch {
	d := &dispatch{
		s: s, calls: none, callsOn: none, overrides: none, constructed: map[uint16]bool{}, methods: map[int][]int{}, abstract: map[codegraph.ID]bool{},
		types: &hierarchy{s: s, inherits: none, implements: none, defines: none, above: map[int][]int{}, narrow: map[[2]int]narrowed{}},
	}
	for i, t := range s.dict.Types {
		switch t {
		case codegraph.Calls:
			d.calls = uint32(i)
		case codegraph.CallsOn:
			d.callsOn = uint32(i)
		case codegraph.Overrides:
			d.overrides = uint32(i)
		case codegraph.DefinesMethod:
			d.types.defines = uint32(i)
		case codegraph.Inherits:
			d.types.inherits = uint32(i)
		case codegraph.Implements:
			d.types.implements = uint32(i)
		default:
		}
	}
	for i, h := range s.dict.Hows {
		d.constructed[uint16(i)] = h.Rule == resolve.Constructed.String()
	}
	return d
}

// dispatched is a call of a method that may run another.
type dispatched struct {
	other codegraph.ID // the caller or the method that may run
	edge  *outEdge     // the call
	share float32      // its confidence, as a share of that of the call
}

// from returns the calls that a node may make through the methods that it calls, by target.
func (d *dispatch) from(id codegraph.ID, place int) ([]codegraph.Edge, error) {
	out, err := span(d.s.out, d.s.outEnds, place)
	if err != nil || d.overrides == none {
		return nil, err
	}
	known := map[codegraph.ID]bool{}
	var found []dispatched
	for i := range out {
		e := &out[i]
		if uint32(e.kind) != d.calls {
			continue
		}
		known[codegraph.ID(e.to)] = true
		methods, share, err := d.running(id, e)
		if err != nil {
			return nil, err
		}
		for _, m := range methods {
			found = append(found, dispatched{codegraph.ID(d.s.ids[m]), e, share})
		}
	}
	return d.edges(found, known, func(other codegraph.ID) (codegraph.ID, codegraph.ID) { return id, other })
}

// to returns the calls that may run a method, by caller.
func (d *dispatch) to(id codegraph.ID, place int) ([]codegraph.Edge, error) {
	above, err := d.reach(place, d.overridden)
	if err != nil || len(above) == 0 {
		return nil, err
	}
	known := map[codegraph.ID]bool{}
	err = d.callers(place, id, func(from codegraph.ID, _ *outEdge) error {
		known[from] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	var found []dispatched
	for _, m := range above {
		err := d.callers(m, codegraph.ID(d.s.ids[m]), func(from codegraph.ID, e *outEdge) error {
			if known[from] {
				return nil
			}
			methods, share, err := d.running(from, e)
			if slices.Contains(methods, place) {
				found = append(found, dispatched{from, e, share})
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return d.edges(found, known, func(other codegraph.ID) (codegraph.ID, codegraph.ID) { return other, id })
}

// edges returns an edge for each other end, by the most certain of the calls.
func (d *dispatch) edges(found []dispatched, known map[codegraph.ID]bool, ends func(other codegraph.ID) (from, to codegraph.ID)) ([]codegraph.Edge, error) {
	hows := d.s.dict.Hows
	var out []codegraph.Edge
	for _, f := range found {
		if known[f.other] {
			continue
		}
		if int(f.edge.how) >= len(hows) {
			return nil, ErrDamaged
		}
		from, to := ends(f.other)
		out = append(out, codegraph.Edge{
			From: from, To: to, Type: codegraph.Calls, Line: int(f.edge.line), Count: int(f.edge.count),
			Rule: codegraph.RuleDispatch, Confidence: hows[f.edge.how].Confidence * f.share,
		})
	}
	slices.SortFunc(out, func(a, b codegraph.Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Line, b.Line))
	})
	return slices.CompactFunc(out, func(a, b codegraph.Edge) bool { return a.From == b.From && a.To == b.To }), nil
}

// running returns the methods other than its target that a call may run, and the confidence of each. None run if the receiver's
// very type is known, or if a method calls the one that it overrides: super.close(). What is constructed has no abstract methods: one that
// is called is a field's.
func (d *dispatch) running(caller codegraph.ID, call *outEdge) (methods []int, share float32, err error) {
	place := d.s.place(codegraph.ID(call.to))
	if place < 0 {
		return nil, 0, nil
	}
	methods, known := d.methods[place]
	if !known {
		if methods, err = d.reach(place, d.overriding); err != nil {
			return nil, 0, err
		}
		d.methods[place] = methods
	}
	if len(methods) == 0 {
		return nil, 0, nil
	}
	abstract, err := d.isAbstract(codegraph.ID(call.to), place)
	if err != nil {
		return nil, 0, err
	}
	if abstract {
		if methods, err = d.narrowed(caller, place, methods); err != nil {
			return nil, 0, err
		}
	}
	candidates := len(methods)
	if !abstract {
		if _, overrides := slices.BinarySearch(methods, d.s.place(caller)); overrides || d.constructed[call.how] {
			return nil, 0, nil
		}
		candidates++
	}
	share = resolve.Implementation.Confidence()
	if candidates > 1 {
		share *= 2 / float32(candidates+1)
	}
	return methods, share, nil
}

// reach returns the places that next leads to from a place, directly or not, sorted.
func (d *dispatch) reach(place int, next func(place int) ([]int, error)) ([]int, error) {
	if d.overrides == none {
		return nil, nil
	}
	var out []int
	seen := map[int]bool{place: true}
	for open := []int{place}; len(open) > 0; open = open[1:] {
		more, err := next(open[0])
		if err != nil {
			return nil, err
		}
		for _, m := range more {
			if m >= 0 && !seen[m] {
				seen[m] = true
				out, open = append(out, m), append(open, m)
			}
		}
	}
	slices.Sort(out)
	return out, nil
}

// overridden returns the methods that one overrides.
func (d *dispatch) overridden(place int) ([]int, error) {
	edges, err := span(d.s.out, d.s.outEnds, place)
	var out []int
	for i := range edges {
		if uint32(edges[i].kind) == d.overrides {
			out = append(out, d.s.place(codegraph.ID(edges[i].to)))
		}
	}
	return out, err
}

// overriding returns the methods that override one.
func (d *dispatch) overriding(place int) ([]int, error) {
	edges, err := span(d.s.in, d.s.inEnds, place)
	var out []int
	for _, e := range edges {
		if e.kind == d.overrides {
			out = append(out, d.s.place(codegraph.ID(e.from)))
		}
	}
	return out, err
}

// callers calls f for each stored call of a node.
func (d *dispatch) callers(place int, id codegraph.ID, f func(from codegraph.ID, e *outEdge) error) error {
	edges, err := span(d.s.in, d.s.inEnds, place)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if e.kind != d.calls {
			continue
		}
		if uint64(e.edge) >= uint64(len(d.s.out)) || d.s.out[e.edge].to != uint32(id) {
			return ErrDamaged
		}
		if err := f(codegraph.ID(e.from), &d.s.out[e.edge]); err != nil {
			return err
		}
	}
	return nil
}

// isAbstract reports whether a method is one of an interface or of a type outside the project.
func (d *dispatch) isAbstract(id codegraph.ID, place int) (bool, error) {
	if known, ok := d.abstract[id]; ok {
		return known, nil
	}
	is := d.labelled(place, codegraph.LabelExternalMethod)
	edges, err := span(d.s.in, d.s.inEnds, place)
	for _, e := range edges {
		is = is || e.kind == d.types.defines && d.labelled(d.s.place(codegraph.ID(e.from)), codegraph.LabelInterface)
	}
	d.abstract[id] = is
	return is, err
}

// labelled reports whether the node at a place has a label.
func (d *dispatch) labelled(place int, label codegraph.Label) bool {
	return place >= 0 && place < len(d.s.nodes) && d.s.labelAt(uint32(place)) == label
}
