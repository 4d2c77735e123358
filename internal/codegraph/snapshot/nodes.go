package snapshot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// bytesOf returns the bytes of a string. They are part of the mapped file.
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

// span returns the i-th part of an array whose parts have the given ends.
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

// place returns the place of a node; -1 if there is none.
func (s *Snapshot) place(id codegraph.ID) int {
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

// id returns the id of the node at a place.
func (s *Snapshot) id(place uint32) (codegraph.ID, error) {
	if uint64(place) >= uint64(len(s.ids)) {
		return 0, fmt.Errorf("%w: node %d", ErrDamaged, place)
	}
	return codegraph.ID(s.ids[place]), nil
}

// Nodes returns the nodes with the ids.
func (s *Snapshot) Nodes(ctx context.Context, ids []codegraph.ID, fields ...codegraph.Field) ([]codegraph.Node, error) {
	nodes := make([]codegraph.Node, len(ids))
	if len(fields) == 0 {
		fields = allFields
	}
	err := s.read(func() error {
		for i, id := range ids {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if at := s.place(id); at >= 0 {
				nodes[i].ID = id
				if err := s.node(&s.nodes[at], &nodes[i], fields); err != nil {
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

// allFields are all text fields of a node.
var allFields = []codegraph.Field{
	codegraph.FieldQualifiedName, codegraph.FieldName, codegraph.FieldKind, codegraph.FieldPath, codegraph.FieldSignature,
	codegraph.FieldDoc, codegraph.FieldLanguage, codegraph.FieldVersion, codegraph.FieldDecorators,
}

// node fills in a node except its id.
func (s *Snapshot) node(r *record, n *codegraph.Node, fields []codegraph.Field) error {
	if int(r.label) >= len(s.dict.Labels) {
		return fmt.Errorf("%w: label %d", ErrDamaged, r.label)
	}
	*n = codegraph.Node{
		ID: n.ID, Label: s.dict.Labels[r.label], StartLine: int(r.start), EndLine: int(r.end),
		Exported: r.flags&flagExported != 0, Test: r.flags&flagTest != 0,
	}
	for _, f := range fields {
		number, to := r.text(f, n)
		text, err := s.bytesOf(number)
		if err != nil {
			return err
		}
		switch {
		case to != nil:
			*to = string(text)
		case len(text) > 0:
			n.Decorators = strings.Split(strings.TrimSuffix(string(text), decoratorEnd), decoratorEnd)
		}
	}
	return nil
}

// text returns the string number of a field and a pointer to the field; nil for the decorators.
func (r *record) text(f codegraph.Field, n *codegraph.Node) (number uint32, to *string) {
	switch f {
	case codegraph.FieldQualifiedName:
		return r.qualified, &n.QualifiedName
	case codegraph.FieldName:
		return r.name, &n.Name
	case codegraph.FieldKind:
		return r.kind, &n.Kind
	case codegraph.FieldPath:
		return r.path, &n.Path
	case codegraph.FieldSignature:
		return r.signature, &n.Signature
	case codegraph.FieldDoc:
		return r.doc, &n.Doc
	case codegraph.FieldLanguage:
		return r.language, &n.Language
	case codegraph.FieldVersion:
		return r.version, &n.Version
	default:
		return r.decorators, nil
	}
}

// decoratorEnd terminates each decorator.
const decoratorEnd = "\x00"

// Labelled returns the nodes with any of the labels.
func (s *Snapshot) Labelled(ctx context.Context, labels ...codegraph.Label) (ids []codegraph.ID, err error) {
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
		ids = make([]codegraph.ID, 0, max(0, min(size, len(s.nodes))))
		for i := range s.nodes {
			if l := int(s.nodes[i].label); l < len(wanted) && wanted[l] {
				ids = append(ids, codegraph.ID(s.ids[i]))
			}
		}
		return nil
	}, secIDs, secNodes)
	return ids, err
}

// Counts returns the size of the graph.
func (s *Snapshot) Counts(ctx context.Context) (codegraph.Counts, error) {
	n := codegraph.Counts{Nodes: map[codegraph.Label]int{}, Edges: map[codegraph.Relationship]int{}}
	for i, l := range s.dict.Labels {
		n.Nodes[l] = s.dict.LabelCount[i]
	}
	for i, t := range s.dict.Types {
		n.Edges[t] = s.dict.TypeCount[i]
	}
	return n, ctx.Err()
}
