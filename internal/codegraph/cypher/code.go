package cypher

import (
	"context"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// Code returns a code graph as a property graph. Root is the project's folder, for absolute_path; "" if unknown.
func Code(r codegraph.Reader, root string) Graph { return &code{reader: r, root: root} }

// code is the property graph of a code graph.
type code struct {
	reader codegraph.Reader
	root   string
}

// Find returns the nodes that match a lookup.
func (c *code) Find(ctx context.Context, l Lookup) ([]codegraph.ID, error) {
	if l.Property == "" {
		return c.reader.Labelled(ctx, labelsOf(l.Labels)...)
	}
	ids, ok, err := c.sought(ctx, l)
	if err != nil {
		return nil, err
	}
	if !ok {
		if ids, err = c.reader.Labelled(ctx, labelsOf(l.Labels)...); err != nil {
			return nil, err
		}
	}
	p, known := properties[l.Property]
	if !known {
		return nil, nil
	}
	nodes, err := c.reader.Nodes(ctx, ids, p.field...)
	if err != nil {
		return nil, err
	}
	found := ids[:0]
	for i := range nodes {
		n := &nodes[i]
		text, _ := p.of(c, n).(string)
		if fitsText(l, text) && (len(l.Labels) == 0 || slices.Contains(l.Labels, string(n.Label))) {
			found = append(found, n.ID)
		}
	}
	return found, nil
}

// fitsText reports whether a text matches a lookup.
func fitsText(l Lookup, text string) bool {
	switch l.By {
	case Prefix:
		return strings.HasPrefix(text, l.Text)
	case Suffix:
		return strings.HasSuffix(text, l.Text)
	default:
		return text == l.Text
	}
}

// sought returns the nodes that may match a lookup from an index; false if there is no index.
func (c *code) sought(ctx context.Context, l Lookup) (ids []codegraph.ID, ok bool, err error) {
	switch {
	case l.Property == "name" && l.By == Equal:
		ids, err = c.reader.Named(ctx, l.Text)
	case l.Property == "qualified_name" && l.By == Equal:
		id, err := c.reader.Qualified(ctx, l.Text)
		if id == 0 {
			return nil, true, err
		}
		return []codegraph.ID{id}, true, err
	case l.Property == "qualified_name" && l.By == Prefix:
		ids, err = c.reader.Prefixed(ctx, l.Text)
	case l.Property == "qualified_name" && l.By == Suffix && len(l.Text) > 1 && l.Text[0] == '.':
		ids, err = c.reader.Suffixed(ctx, l.Text[1:])
	case l.Property == "path" && l.By != Suffix:
		ids, err = c.reader.At(ctx, l.Text, l.By == Prefix)
	default:
		return nil, false, nil
	}
	return ids, true, err
}

// Estimate returns the approximate number of nodes that match a lookup.
func (c *code) Estimate(ctx context.Context, l Lookup) (nodes int, indexed bool, err error) {
	if l.Property != "" {
		ids, ok, err := c.sought(ctx, l)
		if ok || err != nil {
			return len(ids), ok, err
		}
	}
	counts, err := c.reader.Counts(ctx)
	for label, n := range counts.Nodes {
		if len(l.Labels) == 0 || slices.Contains(l.Labels, string(label)) {
			nodes += n
		}
	}
	return nodes, l.Property == "", err
}

// Size returns the number of relationships of the types.
func (c *code) Size(ctx context.Context, types ...string) (n int, err error) {
	counts, err := c.reader.Counts(ctx)
	for t, count := range counts.Edges {
		if len(types) == 0 || slices.Contains(types, string(t)) {
			n += count
		}
	}
	return n, err
}

// Expand returns the relationships at the nodes.
func (c *code) Expand(ctx context.Context, ids []codegraph.ID, d codegraph.Direction, types ...string) (Expansion, error) {
	wanted := make([]codegraph.Relationship, len(types))
	for i, t := range types {
		wanted[i] = codegraph.Relationship(t)
	}
	x, err := c.reader.Expand(ctx, ids, d, wanted...)
	if err != nil {
		return Expansion{}, err
	}
	found := Expansion{Relationships: make([]value.Relationship, len(x.Edges)), Ends: x.Ends}
	for i := range x.Edges {
		found.Relationships[i] = (*edge)(&x.Edges[i])
	}
	return found, nil
}

// Labels returns the labels of the nodes.
func (c *code) Labels(ctx context.Context, ids []codegraph.ID) ([][]string, error) {
	nodes, err := c.reader.Nodes(ctx, ids, codegraph.FieldKind)
	if err != nil {
		return nil, err
	}
	all := make([]string, len(nodes))
	labels := make([][]string, len(nodes))
	for i := range nodes {
		if nodes[i].ID != 0 {
			all[i] = string(nodes[i].Label)
			labels[i] = all[i : i+1 : i+1]
		}
	}
	return labels, nil
}

// Properties returns the values of properties of the nodes.
func (c *code) Properties(ctx context.Context, ids []codegraph.ID, keys ...string) ([][]value.Value, error) {
	read := make([]*nodeProperty, len(keys))
	fields := []codegraph.Field{codegraph.FieldKind}
	for i, k := range keys {
		if p, ok := properties[k]; ok {
			read[i] = &p
			fields = append(fields, p.field...)
		}
	}
	nodes, err := c.reader.Nodes(ctx, ids, fields...)
	if err != nil {
		return nil, err
	}
	all := make([]value.Value, len(ids)*len(keys))
	values := make([][]value.Value, len(ids))
	for i := range nodes {
		values[i], all = all[:len(keys):len(keys)], all[len(keys):]
		for k, p := range read {
			if p != nil && nodes[i].ID != 0 {
				values[i][k] = p.of(c, &nodes[i])
			}
		}
	}
	return values, nil
}

// Vocabulary returns the existing labels and types, and the properties that nodes and relationships may have.
func (c *code) Vocabulary(ctx context.Context) (Vocabulary, error) {
	counts, err := c.reader.Counts(ctx)
	v := Vocabulary{Properties: slices.Sorted(slices.Values(append(propertyNames(), edgeProperties...)))}
	for label := range counts.Nodes {
		v.Labels = append(v.Labels, string(label))
	}
	for t := range counts.Edges {
		v.Types = append(v.Types, string(t))
	}
	slices.Sort(v.Labels)
	slices.Sort(v.Types)
	return v, err
}

// Keys returns the names of the nodes' properties.
func (c *code) Keys(ctx context.Context, ids []codegraph.ID) ([][]string, error) {
	nodes, err := c.reader.Nodes(ctx, ids)
	if err != nil {
		return nil, err
	}
	keys := make([][]string, len(ids))
	for i := range nodes {
		if nodes[i].ID == 0 {
			continue
		}
		for _, name := range propertyNames() {
			if p := properties[name]; p.of(c, &nodes[i]) != nil {
				keys[i] = append(keys[i], name)
			}
		}
	}
	return keys, nil
}

func labelsOf(names []string) []codegraph.Label {
	labels := make([]codegraph.Label, len(names))
	for i, n := range names {
		labels[i] = codegraph.Label(n)
	}
	return labels
}
