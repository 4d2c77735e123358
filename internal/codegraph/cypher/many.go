package cypher

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Part is one of several graphs that are asked as one.
type Part struct {
	Name string // the property [PartProperty] of its nodes
	Graph
}

// PartProperty is the property with the name of the [Part] that a node is of.
const PartProperty = "project"

// Uses is the type of the relationships between parts, from the node of a project to that of another.
const Uses = "USES"

// Between says that one of several graphs uses another.
type Between struct {
	From, To int    // indexes of parts
	Kind     string // "openapi", "go"; at most one for each pair
	Contract bool
	Count    int // of places
}

// Many returns several graphs as one. Relationships lead from one to another between their projects only, where some are given.
func Many(ctx context.Context, parts []Part, between []Between) (Graph, error) {
	m := &many{parts: parts, last: make([]codegraph.ID, len(parts)), between: map[codegraph.ID][]*use{}}
	end := uint64(0)
	for i, p := range parts {
		ids, err := p.Find(ctx, Lookup{})
		if err != nil {
			return nil, err
		}
		if len(ids) > 0 {
			end += uint64(slices.Max(ids))
		}
		if end > math.MaxUint32 {
			return nil, message.Errorf("the %d graphs have too many nodes to be asked as one", len(parts))
		}
		m.last[i] = codegraph.ID(end)
	}
	return m, m.join(ctx, between)
}

// join makes the relationships between parts.
func (m *many) join(ctx context.Context, between []Between) error {
	projects := map[int]codegraph.ID{}
	project := func(part int) (codegraph.ID, error) {
		if id, known := projects[part]; known {
			return id, nil
		}
		ids, err := m.parts[part].Find(ctx, Lookup{Labels: []string{string(codegraph.LabelProject)}})
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		projects[part] = ids[0] + m.before(part)
		return projects[part], nil
	}
	for i, b := range between {
		from, err1 := project(b.From)
		to, err2 := project(b.To)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		if from == 0 || to == 0 {
			continue
		}
		u := &use{Between: b, key: value.Key{From: from, To: to, Type: Uses, Number: int64(i)}}
		m.between[from] = append(m.between[from], u)
		if to != from {
			m.between[to] = append(m.between[to], u)
		}
		m.uses++
	}
	return nil
}

// use is the relationship between two parts.
type use struct {
	Between
	key value.Key
}

// Key returns the identity of the relationship.
func (u *use) Key() value.Key { return u.key }

// Property returns the value of a property.
func (u *use) Property(name string) value.Value {
	switch name {
	case "contract":
		return u.Contract
	case "count":
		return int64(u.Count)
	case "kind":
		return u.Kind
	}
	return nil
}

// Properties returns the names of the properties.
func (u *use) Properties() []string { return []string{"contract", "count", "kind"} }

// at returns the relationships at the project of a part.
func (m *many) at(id codegraph.ID, d codegraph.Direction, types []string) (out []value.Relationship) {
	if len(types) > 0 && !slices.Contains(types, Uses) {
		return nil
	}
	for _, u := range m.between[id] {
		if d != codegraph.In && u.key.From == id {
			out = append(out, u)
		}
	}
	for _, u := range m.between[id] {
		if d != codegraph.Out && u.key.To == id && (u.key.From != id || d == codegraph.In) {
			out = append(out, u)
		}
	}
	return out
}

// many is several graphs as one. The nodes of a part have the ids of its own graph after the last of the part before.
type many struct {
	parts []Part
	last  []codegraph.ID // of each part

	between map[codegraph.ID][]*use // of the projects of parts, at both ends
	uses    int
}

// before returns what is added to the ids of a part.
func (m *many) before(part int) codegraph.ID {
	if part == 0 {
		return 0
	}
	return m.last[part-1]
}

// partOf returns the part with a node; the number of parts if there is none.
func (m *many) partOf(id codegraph.ID) int {
	i, _ := slices.BinarySearch(m.last, id)
	return i
}

// scatter asks each part about its nodes, and returns the answers in the order of ids; a zero one for an unknown id.
func scatter[T any](m *many, ids []codegraph.ID, ask func(p *Part, ids []codegraph.ID) ([]T, error)) ([]T, error) {
	out := make([]T, len(ids))
	own := make([][]codegraph.ID, len(m.parts))
	at := make([][]int, len(m.parts))
	for i, id := range ids {
		if part := m.partOf(id); part < len(m.parts) {
			own[part], at[part] = append(own[part], id-m.before(part)), append(at[part], i)
		}
	}
	for part := range m.parts {
		if len(own[part]) == 0 {
			continue
		}
		answers, err := ask(&m.parts[part], own[part])
		if err != nil {
			return nil, err
		}
		for i, a := range answers {
			out[at[part][i]] = a
		}
	}
	return out, nil
}

// Find returns the nodes that match a lookup.
func (m *many) Find(ctx context.Context, l Lookup) ([]codegraph.ID, error) {
	var found []codegraph.ID
	for i, p := range m.parts {
		look := l
		if l.Property == PartProperty {
			if !fitsText(l, p.Name) {
				continue
			}
			look = Lookup{Labels: l.Labels}
		}
		ids, err := p.Find(ctx, look)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			found = append(found, id+m.before(i))
		}
	}
	return found, nil
}

// Estimate returns the approximate number of nodes that match a lookup.
func (m *many) Estimate(ctx context.Context, l Lookup) (nodes int, indexed bool, err error) {
	indexed = true
	for _, p := range m.parts {
		look := l
		if l.Property == PartProperty {
			if !fitsText(l, p.Name) {
				continue
			}
			look = Lookup{Labels: l.Labels}
		}
		n, ok, err := p.Estimate(ctx, look)
		if err != nil {
			return 0, false, err
		}
		nodes, indexed = nodes+n, indexed && ok
	}
	return nodes, indexed, nil
}

// Size returns the number of relationships of the types.
func (m *many) Size(ctx context.Context, types ...string) (int, error) {
	sum := 0
	if len(types) == 0 || slices.Contains(types, Uses) {
		sum = m.uses
	}
	for _, p := range m.parts {
		n, err := p.Size(ctx, types...)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// moved is a relationship of a part.
type moved struct {
	value.Relationship
	by codegraph.ID
}

// Key returns the identity of the relationship.
func (r moved) Key() value.Key {
	k := r.Relationship.Key()
	k.From, k.To = k.From+r.by, k.To+r.by
	return k
}

// Expand returns the relationships at the nodes.
func (m *many) Expand(ctx context.Context, ids []codegraph.ID, d codegraph.Direction, types ...string) (Expansion, error) {
	lists, err := scatter(m, ids, func(p *Part, ids []codegraph.ID) ([][]value.Relationship, error) {
		x, err := p.Expand(ctx, ids, d, types...)
		if err != nil {
			return nil, err
		}
		lists := make([][]value.Relationship, len(ids))
		for i := range ids {
			lists[i] = x.At(i)
		}
		return lists, nil
	})
	if err != nil {
		return Expansion{}, err
	}
	out := Expansion{Ends: make([]int, len(ids))}
	for i, list := range lists {
		by := m.before(m.partOf(ids[i]))
		for _, r := range list {
			out.Relationships = append(out.Relationships, moved{r, by})
		}
		out.Relationships = append(out.Relationships, m.at(ids[i], d, types)...)
		out.Ends[i] = len(out.Relationships)
	}
	return out, nil
}

// Labels returns the labels of each node.
func (m *many) Labels(ctx context.Context, ids []codegraph.ID) ([][]string, error) {
	return scatter(m, ids, func(p *Part, ids []codegraph.ID) ([][]string, error) { return p.Labels(ctx, ids) })
}

// Properties returns the values of properties of the nodes.
func (m *many) Properties(ctx context.Context, ids []codegraph.ID, keys ...string) ([][]value.Value, error) {
	named := slices.Index(keys, PartProperty)
	return scatter(m, ids, func(p *Part, ids []codegraph.ID) ([][]value.Value, error) {
		values, err := p.Properties(ctx, ids, keys...)
		for i := range values {
			if named >= 0 {
				values[i][named] = p.Name
			}
		}
		return values, err
	})
}

// Vocabulary returns the names used in any of the graphs.
func (m *many) Vocabulary(ctx context.Context) (Vocabulary, error) {
	var all Vocabulary
	for _, p := range m.parts {
		v, err := p.Vocabulary(ctx)
		if err != nil {
			return all, err
		}
		all.Labels, all.Types, all.Properties = append(all.Labels, v.Labels...), append(all.Types, v.Types...), append(all.Properties, v.Properties...)
	}
	all.Properties = append(all.Properties, PartProperty)
	if m.uses > 0 {
		all.Types, all.Properties = append(all.Types, Uses), append(all.Properties, (*use)(nil).Properties()...)
	}
	for _, list := range []*[]string{&all.Labels, &all.Types, &all.Properties} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return all, nil
}

// Keys returns the names of the nodes' properties.
func (m *many) Keys(ctx context.Context, ids []codegraph.ID) ([][]string, error) {
	return scatter(m, ids, func(p *Part, ids []codegraph.ID) ([][]string, error) {
		keys, err := p.Keys(ctx, ids)
		for i := range keys {
			if at, found := slices.BinarySearch(keys[i], PartProperty); !found {
				keys[i] = slices.Insert(slices.Clone(keys[i]), at, PartProperty)
			}
		}
		return keys, err
	})
}
