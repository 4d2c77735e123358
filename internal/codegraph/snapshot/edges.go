package snapshot

import (
	"context"
	"fmt"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Expand returns the edges at the nodes. Calls include those that dynamic dispatch makes of others; see dispatch.go.
func (s *Snapshot) Expand(ctx context.Context, ids []codegraph.ID, d codegraph.Direction, types ...codegraph.Relationship) (codegraph.Expansion, error) {
	w := walk{s: s, d: d, all: len(types) == 0, ends: make([]int, 0, len(ids))}
	if !w.all {
		w.wanted = make([]bool, len(s.dict.Types))
		for i, t := range s.dict.Types {
			w.wanted[i] = slices.Contains(types, t)
		}
	}
	if w.all || slices.Contains(types, codegraph.Calls) {
		w.dispatch = newDispatch(s)
	}
	err := s.read(func() error {
		if err := w.measure(ids); err != nil {
			return err
		}
		for i, id := range ids {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if at := s.place(id); at >= 0 {
				if err := w.at(id, at); err != nil {
					return err
				}
			}
			w.ends = append(w.ends, len(w.edges))
		}
		return nil
	}, secIDs, secNodes, secBuckets, secOutEnds, secOut, secInEnds, secIn, secStrings, secText)
	if err != nil {
		return codegraph.Expansion{}, err
	}
	return codegraph.Expansion{Edges: w.edges, Ends: w.ends}, nil
}

// walk collects edges.
type walk struct {
	s      *Snapshot
	d      codegraph.Direction
	all    bool   // of all types
	wanted []bool // by type
	edges  []codegraph.Edge
	ends   []int
	// dispatch is nil if calls are not requested.
	dispatch *dispatch
}

// maxRoom bounds the initial allocation.
const maxRoom = 1 << 16

// measure counts the edges and allocates room for them.
func (w *walk) measure(ids []codegraph.ID) error {
	room := 0
	for _, id := range ids {
		at := w.s.place(id)
		if at < 0 {
			continue
		}
		out, err := span(w.s.out, w.s.outEnds, at)
		if err != nil {
			return err
		}
		in, err := span(w.s.in, w.s.inEnds, at)
		if err != nil {
			return err
		}
		if w.d != codegraph.In {
			room += len(out)
		}
		if w.d != codegraph.Out {
			room += len(in)
		}
		if room > maxRoom {
			break
		}
	}
	w.edges = make([]codegraph.Edge, 0, min(room, maxRoom))
	return nil
}

// at adds the edges at a node.
func (w *walk) at(id codegraph.ID, place int) error {
	if w.d != codegraph.In {
		if err := w.leaving(id, place); err != nil {
			return err
		}
	}
	if w.d != codegraph.Out {
		return w.entering(id, place)
	}
	return nil
}

// leaving adds the edges from a node.
func (w *walk) leaving(id codegraph.ID, place int) error {
	out, err := span(w.s.out, w.s.outEnds, place)
	if err != nil {
		return err
	}
	for i := range out {
		if !w.wants(uint32(out[i].kind)) {
			continue
		}
		if err := w.add(id, &out[i]); err != nil {
			return err
		}
	}
	return w.dispatched(id, place, (*dispatch).from, true)
}

// entering adds the edges to a node.
func (w *walk) entering(id codegraph.ID, place int) error {
	s := w.s
	in, err := span(s.in, s.inEnds, place)
	if err != nil {
		return err
	}
	for _, e := range in {
		if !w.wants(e.kind) || w.d == codegraph.Both && e.from == uint32(id) {
			continue
		}
		if uint64(e.edge) >= uint64(len(s.out)) || s.out[e.edge].to != uint32(id) {
			return fmt.Errorf("%w: edge %d", ErrDamaged, e.edge)
		}
		if err := w.add(codegraph.ID(e.from), &s.out[e.edge]); err != nil {
			return err
		}
	}
	return w.dispatched(id, place, (*dispatch).to, w.d != codegraph.Both)
}

// dispatched adds the calls at a node that are not stored.
func (w *walk) dispatched(id codegraph.ID, place int, find func(*dispatch, codegraph.ID, int) ([]codegraph.Edge, error), loops bool) error {
	if w.dispatch == nil {
		return nil
	}
	found, err := find(w.dispatch, id, place)
	for _, e := range found {
		if loops || e.From != e.To {
			w.edges = append(w.edges, e)
		}
	}
	return err
}

// wants reports whether edges of a type are requested.
func (w *walk) wants(kind uint32) bool {
	return w.all || uint64(kind) < uint64(len(w.wanted)) && w.wanted[kind]
}

// add adds an edge.
func (w *walk) add(from codegraph.ID, e *outEdge) error {
	d := &w.s.dict
	if int(e.kind) >= len(d.Types) || int(e.how) >= len(d.Hows) {
		return fmt.Errorf("%w: an edge", ErrDamaged)
	}
	how := &d.Hows[e.how]
	w.edges = append(w.edges, codegraph.Edge{
		From: from, To: codegraph.ID(e.to), Type: d.Types[e.kind],
		Line: int(e.line), Count: int(e.count), Rule: how.Rule, Confidence: how.Confidence,
	})
	return nil
}
