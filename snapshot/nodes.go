package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/graph"
)

// bytesOf returns a string's bytes, which are the file's.
func (s *Snapshot) bytesOf(n uint32) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	if uint64(n) >= uint64(len(s.stringAt)) {
		return nil, fmt.Errorf("%w: string %d", ErrDamaged, n)
	}
	from, to := s.stringAt[n-1], s.stringAt[n]
	if from > to || uint64(to) > uint64(len(s.text)) {
		return nil, fmt.Errorf("%w: string %d", ErrDamaged, n)
	}
	return s.text[from:to], nil
}

// span returns the part of an array that belongs to the i-th of those whose ends
// are given.
func span[T any](array []T, ends []uint32, i int) ([]T, error) {
	from := uint32(0)
	if i > 0 {
		from = ends[i-1]
	}
	to := ends[i]
	if from > to || uint64(to) > uint64(len(array)) {
		return nil, fmt.Errorf("%w: an end is out of range", ErrDamaged)
	}
	return array[from:to], nil
}

// place returns the place of a node among the nodes; -1 when it is not there.
func (s *Snapshot) place(id graph.ID) int {
	b := uint64(id) >> s.dict.Shift
	if b+1 >= uint64(len(s.buckets)) {
		return -1
	}
	for i := uint64(s.buckets[b]); i < min(uint64(s.buckets[b+1]), uint64(len(s.ids))); i++ {
		if s.ids[i] == uint32(id) {
			return int(i)
		}
	}
	return -1
}

// id returns the id of the node in a place.
func (s *Snapshot) id(place uint32) (graph.ID, error) {
	if uint64(place) >= uint64(len(s.ids)) {
		return 0, fmt.Errorf("%w: node %d", ErrDamaged, place)
	}
	return graph.ID(s.ids[place]), nil
}

// Nodes returns the nodes of some ids.
func (s *Snapshot) Nodes(ctx context.Context, ids []graph.ID) ([]graph.Node, error) {
	nodes := make([]graph.Node, len(ids))
	err := s.read(func() error {
		for i, id := range ids {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if at := s.place(id); at >= 0 {
				nodes[i].ID = id
				if err := s.node(&s.nodes[at], &nodes[i]); err != nil {
					return err
				}
			}
		}
		return nil
	}, secIDs, secNodes, secBuckets, secStrings, secText)
	if err != nil {
		return nil, err
	}
	return nodes, nil
}

// node fills in a node, but for its id.
func (s *Snapshot) node(r *record, n *graph.Node) error {
	if int(r.label) >= len(s.dict.Labels) {
		return fmt.Errorf("%w: label %d", ErrDamaged, r.label)
	}
	*n = graph.Node{
		ID: n.ID, Label: s.dict.Labels[r.label], StartLine: int(r.start), EndLine: int(r.end),
		Exported: r.flags&flagExported != 0, Test: r.flags&flagTest != 0,
	}
	decorators := ""
	for _, x := range [...]struct {
		from uint32
		to   *string
	}{
		{r.qualified, &n.QualifiedName},
		{r.name, &n.Name},
		{r.kind, &n.Kind},
		{r.path, &n.Path},
		{r.signature, &n.Signature},
		{r.doc, &n.Doc},
		{r.language, &n.Language},
		{r.version, &n.Version},
		{r.decorators, &decorators},
	} {
		text, err := s.bytesOf(x.from)
		if err != nil {
			return err
		}
		*x.to = string(text)
	}
	if decorators != "" {
		n.Decorators = strings.Split(strings.TrimSuffix(decorators, decoratorEnd), decoratorEnd)
	}
	return nil
}

// decoratorEnd stands after each decorator.
const decoratorEnd = "\x00"

// qualifiedOf returns the qualified name of the node in a place.
func (s *Snapshot) qualifiedOf(place uint32) ([]byte, error) {
	if uint64(place) >= uint64(len(s.nodes)) {
		return nil, fmt.Errorf("%w: node %d", ErrDamaged, place)
	}
	return s.bytesOf(s.nodes[place].qualified)
}

// find searches a sorted array of numbers that stand for texts.
func find(array []uint32, text string, textOf func(uint32) ([]byte, error)) (i int, found bool, err error) {
	want := []byte(text)
	i, found = slices.BinarySearchFunc(array, want, func(n uint32, want []byte) int {
		got, failed := textOf(n)
		if failed != nil {
			err = failed
		}
		return bytes.Compare(got, want)
	})
	return i, found, err
}

// Qualified returns the node of a qualified name.
func (s *Snapshot) Qualified(ctx context.Context, name string) (id graph.ID, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	err = s.read(func() error {
		i, found, err := find(s.qualified, name, s.qualifiedOf)
		if err != nil || !found {
			return err
		}
		id, err = s.id(s.qualified[i])
		return err
	}, secIDs, secNodes, secStrings, secText, secQualified)
	return id, err
}

// Named returns the nodes of a name.
func (s *Snapshot) Named(ctx context.Context, name string) ([]graph.ID, error) {
	return s.keyedBy(ctx, name, func(r *record) (bool, error) {
		got, err := s.bytesOf(r.name)
		return string(got) == name, err
	})
}

// Suffixed returns the nodes whose qualified names end in a suffix.
func (s *Snapshot) Suffixed(ctx context.Context, suffix string) ([]graph.ID, error) {
	return s.keyedBy(ctx, lastPart(suffix), func(r *record) (bool, error) {
		got, err := s.bytesOf(r.qualified)
		return endsIn(string(got), suffix) || endsIn(withoutLine(string(got)), suffix), err
	})
}

// endsIn tells whether a qualified name is a suffix, or has it behind a dot.
func endsIn(qualified, suffix string) bool {
	rest, ok := strings.CutSuffix(qualified, suffix)
	return ok && (rest == "" || strings.HasSuffix(rest, "."))
}

// lastPart returns the part of a qualified name behind the last dot, without the
// line that tells it from others.
func lastPart(qualified string) string {
	name := withoutLine(qualified)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// withoutLine cuts "@" and a line off a qualified name.
func withoutLine(qualified string) string {
	i := strings.LastIndexByte(qualified, '@')
	if i < 0 || i == len(qualified)-1 || strings.Trim(qualified[i+1:], "0123456789") != "" {
		return qualified
	}
	return qualified[:i]
}

// keyedBy returns the nodes under a key for which want says so.
func (s *Snapshot) keyedBy(ctx context.Context, key string, want func(r *record) (bool, error)) (ids []graph.ID, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.read(func() error {
		i, found, err := find(s.keys, key, s.bytesOf)
		if err != nil || !found {
			return err
		}
		places, err := span(s.keyed, s.keyEnds, i)
		if err != nil {
			return err
		}
		for _, place := range places {
			id, err := s.id(place)
			if err != nil {
				return err
			}
			switch ok, err := want(&s.nodes[place]); {
			case err != nil:
				return err
			case ok:
				ids = append(ids, id)
			}
		}
		return nil
	}, secIDs, secNodes, secStrings, secText, secKeys, secKeyEnds, secKeyed)
	return ids, err
}

// Labelled returns the nodes of any of the labels.
func (s *Snapshot) Labelled(ctx context.Context, labels ...graph.Label) (ids []graph.ID, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = s.read(func() error {
		wanted, size := make([]bool, len(s.dict.Labels)), 0
		for i, l := range s.dict.Labels {
			if wanted[i] = len(labels) == 0 || slices.Contains(labels, l); wanted[i] {
				size += s.dict.LabelCount[i]
			}
		}
		ids = make([]graph.ID, 0, max(0, min(size, len(s.nodes))))
		for i := range s.nodes {
			if l := int(s.nodes[i].label); l < len(wanted) && wanted[l] {
				ids = append(ids, graph.ID(s.ids[i]))
			}
		}
		return nil
	}, secIDs, secNodes)
	return ids, err
}

// Counts returns how much there is.
func (s *Snapshot) Counts(ctx context.Context) (graph.Counts, error) {
	n := graph.Counts{Nodes: map[graph.Label]int{}, Edges: map[graph.Relationship]int{}}
	for i, l := range s.dict.Labels {
		n.Nodes[l] = s.dict.LabelCount[i]
	}
	for i, t := range s.dict.Types {
		n.Edges[t] = s.dict.TypeCount[i]
	}
	return n, ctx.Err()
}
