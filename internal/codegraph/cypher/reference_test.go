package cypher_test

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/eval"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/syntax"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/memory"
)

// reference evaluates queries without a plan: clause by clause, trying every node and relationship for a pattern.
// It supports what [questioner] generates, and panics otherwise.
type reference struct {
	ctx   context.Context
	g     *memory.Graph
	nodes []codegraph.ID
	rels  []value.Relationship
}

// bindings is one row: values by name.
type bindings = map[string]value.Value

func newReference(ctx context.Context, g *memory.Graph) *reference {
	nodes := must(g.Find(ctx, cypher.Lookup{}))
	return &reference{ctx: ctx, g: g, nodes: nodes, rels: must(g.Expand(ctx, nodes, codegraph.Out)).Relationships}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// with returns the bindings with one more.
func with(b bindings, name string, v value.Value) bindings {
	b = maps.Clone(b)
	b[name] = v
	return b
}

// answer returns the rows that the clauses make of some.
func (f *reference) answer(clauses []syntax.Clause, rows []bindings) []bindings {
	for _, clause := range clauses {
		var next []bindings
		switch clause := clause.(type) {
		case *syntax.Match:
			for _, row := range rows {
				next = append(next, f.match(clause, row)...)
			}
		case *syntax.Projection:
			next = f.project(clause, rows)
		default:
			panic(fmt.Sprintf("%T", clause))
		}
		rows = next
	}
	return rows
}

// match returns the rows that MATCH or OPTIONAL MATCH makes of a row.
func (f *reference) match(m *syntax.Match, row bindings) (found []bindings) {
	f.paths(m.Pattern, row, map[value.Key]bool{}, func(b bindings) {
		if m.Where == nil || f.value(m.Where, b) == true {
			found = append(found, b)
		}
	})
	if found != nil || !m.Optional {
		return found
	}
	row = maps.Clone(row)
	for _, name := range namesOf(m.Pattern) {
		if _, bound := row[name]; !bound {
			row[name] = nil
		}
	}
	return []bindings{row}
}

// namesOf returns the names in a pattern.
func namesOf(paths []*syntax.Path) (names []string) {
	add := func(v *syntax.Variable) {
		if v != nil {
			names = append(names, v.Name)
		}
	}
	for _, p := range paths {
		add(p.Var)
		for _, n := range p.Nodes {
			add(n.Var)
		}
		for _, r := range p.Rels {
			add(r.Var)
		}
	}
	return names
}

// paths calls emit for each way to find the paths, none of them with a relationship in
// used or one relationship twice.
func (f *reference) paths(paths []*syntax.Path, row bindings, used map[value.Key]bool, emit func(bindings)) {
	if len(paths) == 0 {
		emit(row)
		return
	}
	p := paths[0]
	rest := func(b bindings, path *value.Path) {
		if p.Var != nil {
			b = with(b, p.Var.Name, path)
		}
		f.paths(paths[1:], b, used, emit)
	}
	if p.Shortest != syntax.AnyLength {
		f.shortest(p, row, used, rest)
		return
	}
	for _, id := range f.nodes {
		if b, ok := f.node(p.Nodes[0], id, row); ok {
			f.hops(p, 0, b, used, &value.Path{Nodes: []value.Node{value.Node(id)}}, rest)
		}
	}
}

// shortest calls emit for the shortest of the paths between two nodes that are bound.
func (f *reference) shortest(p *syntax.Path, row bindings, used map[value.Key]bool, emit func(bindings, *value.Path)) {
	all := *p
	all.Shortest, all.Var = syntax.AnyLength, &syntax.Variable{Name: "the path"}
	var found []bindings
	f.paths([]*syntax.Path{&all}, row, used, func(b bindings) { found = append(found, b) })
	length := func(b bindings) int { return len(b["the path"].(*value.Path).Relationships) }
	slices.SortStableFunc(found, func(a, b bindings) int { return length(a) - length(b) })
	for i, b := range found {
		if length(b) > length(found[0]) || i > 0 && p.Shortest == syntax.ShortestOne {
			return
		}
		path := b["the path"].(*value.Path)
		b = maps.Clone(b)
		delete(b, "the path")
		emit(b, path)
	}
}

// hops follows the relationships of a path from the i-th on.
func (f *reference) hops(p *syntax.Path, i int, row bindings, used map[value.Key]bool, sofar *value.Path, emit func(bindings, *value.Path)) {
	if i == len(p.Rels) {
		emit(row, sofar)
		return
	}
	rel := p.Rels[i]
	f.walk(rel, row, used, sofar, len(sofar.Relationships), func(walked *value.Path) {
		b, ok := row, true
		if rel.Var != nil {
			taken := walked.Relationships[len(sofar.Relationships):]
			b, ok = bind(row, rel.Var.Name, relationshipsOf(rel, taken))
		}
		if !ok {
			return
		}
		end := codegraph.ID(walked.Nodes[len(walked.Nodes)-1])
		if b, ok = f.node(p.Nodes[i+1], end, b); ok {
			f.hops(p, i+1, b, used, walked, emit)
		}
	})
}

// relationshipsOf returns the value of the variable of a relationship.
func relationshipsOf(rel *syntax.RelPattern, taken []value.Relationship) value.Value {
	if rel.Length == nil {
		return taken[0]
	}
	list := value.List{}
	for _, r := range taken {
		list = append(list, r)
	}
	return list
}

// bind binds a name, or compares with what it is bound to.
func bind(b bindings, name string, v value.Value) (bindings, bool) {
	if known, ok := b[name]; ok {
		return b, known != nil && value.Order(known, v) == 0
	}
	return with(b, name, v), true
}

// walk goes along relationships that fit, one or as many as the pattern says; the walk
// began when there were as many as from.
func (f *reference) walk(rel *syntax.RelPattern, row bindings, used map[value.Key]bool, sofar *value.Path, from int, emit func(*value.Path)) {
	least, most := 1, 1
	if rel.Length != nil {
		least, most = rel.Length.Min, rel.Length.Max
	}
	n := len(sofar.Relationships) - from
	if n >= least {
		emit(sofar)
	}
	if n == most {
		return
	}
	at := codegraph.ID(sofar.Nodes[len(sofar.Nodes)-1])
	for _, r := range f.rels {
		k := r.Key()
		right, left := k.From == at && rel.Direction != syntax.Left, k.To == at && rel.Direction != syntax.Right
		if used[k] || !right && !left || len(rel.Types) > 0 && !slices.Contains(rel.Types, k.Type) || !f.has(rel.Properties, row, r.Property) {
			continue
		}
		end := k.To
		if !right {
			end = k.From
		}
		used[k] = true
		f.walk(rel, row, used, &value.Path{
			Nodes:         append(slices.Clip(sofar.Nodes), value.Node(end)),
			Relationships: append(slices.Clip(sofar.Relationships), r),
		}, from, emit)
		delete(used, k)
	}
}

// node binds the node of a pattern if it fits.
func (f *reference) node(n *syntax.NodePattern, id codegraph.ID, row bindings) (bindings, bool) {
	labels := must(f.g.Labels(f.ctx, []codegraph.ID{id}))[0]
	for _, group := range n.Labels {
		if !slices.ContainsFunc(group, func(l string) bool { return slices.Contains(labels, l) }) {
			return nil, false
		}
	}
	property := func(key string) value.Value {
		return must(f.g.Properties(f.ctx, []codegraph.ID{id}, key))[0][0]
	}
	if !f.has(n.Properties, row, property) {
		return nil, false
	}
	if n.Var == nil {
		return row, true
	}
	return bind(row, n.Var.Name, value.Node(id))
}

// has reports whether something has the properties that a pattern wants.
func (f *reference) has(wanted syntax.Expr, row bindings, property func(string) value.Value) bool {
	if wanted == nil {
		return true
	}
	for i, key := range wanted.(*syntax.Map).Keys {
		if value.Equal(property(key), f.value(wanted.(*syntax.Map).Values[i], row)) != true {
			return false
		}
	}
	return true
}

// value evaluates an expression; the patterns in it are for the reference.
func (f *reference) value(e syntax.Expr, row bindings) value.Value {
	scope := eval.NewScope()
	for _, name := range slices.Sorted(maps.Keys(row)) {
		scope.Add(name)
	}
	compiler := &eval.Compiler{Graph: f.g, Subquery: func(e syntax.Expr, _ *eval.Scope) (eval.Expr, error) {
		return func(context.Context, eval.Row) (value.Value, error) { return f.subquery(e, row), nil }, nil
	}}
	compiled := must(compiler.Compile(e, scope))
	slots := make(eval.Row, scope.Width())
	for name, v := range row {
		slot, _ := scope.Slot(name)
		slots[slot] = v
	}
	return must(compiled(f.ctx, slots))
}

// subquery evaluates an expression with a pattern.
func (f *reference) subquery(e syntax.Expr, row bindings) value.Value {
	switch e := e.(type) {
	case *syntax.PatternPredicate:
		return len(f.match(&syntax.Match{Pattern: []*syntax.Path{e.Path}}, row)) > 0
	case *syntax.Subquery:
		return len(f.answer(e.Query.Parts[0].Clauses, []bindings{row})) > 0
	}
	comprehension := e.(*syntax.PatternComprehension)
	list := value.List{}
	for _, b := range f.match(&syntax.Match{Pattern: []*syntax.Path{comprehension.Path}, Where: comprehension.Where}, row) {
		list = append(list, f.value(comprehension.Map, b))
	}
	return list
}

// project returns what WITH or RETURN makes of the rows. Of the aggregates it knows
// count.
func (f *reference) project(p *syntax.Projection, rows []bindings) []bindings {
	var results []bindings
	groups := map[string]bindings{}
	seen := map[string]bool{} // by count(DISTINCT) and group, and by row
	counts := slices.ContainsFunc(p.Items, func(i *syntax.Item) bool { return isCount(i.Expr) })
	for _, row := range rows {
		result, key := bindings{}, []byte(nil)
		for _, item := range p.Items {
			if !isCount(item.Expr) {
				result[item.Name()] = f.value(item.Expr, row)
				key = value.AppendKey(key, result[item.Name()])
			}
		}
		if counts {
			if group, ok := groups[string(key)]; ok {
				result = group
			} else {
				groups[string(key)] = result
				results = append(results, result)
			}
			f.count(p.Items, row, result, string(key), seen)
			continue
		}
		if p.Distinct && seen[string(key)] {
			continue
		}
		seen[string(key)] = true
		if p.Where == nil || f.value(p.Where, result) == true {
			results = append(results, result)
		}
	}
	if counts && len(p.Items) == 1 && results == nil {
		results = []bindings{{p.Items[0].Name(): int64(0)}}
	}
	return f.cut(p, results)
}

func isCount(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.CountStar:
		return true
	case *syntax.Call:
		return e.Name == "count"
	}
	return false
}

// count adds a row to the counts of its group.
func (f *reference) count(items []*syntax.Item, row, group bindings, key string, seen map[string]bool) {
	for _, item := range items {
		if !isCount(item.Expr) {
			continue
		}
		n, _ := group[item.Name()].(int64)
		group[item.Name()] = n
		if call, ok := item.Expr.(*syntax.Call); ok {
			v := f.value(call.Args[0], row)
			id := key + item.Name() + string(value.AppendKey(nil, v))
			if v == nil || call.Distinct && seen[id] {
				continue
			}
			seen[id] = true
		}
		group[item.Name()] = n + 1
	}
}

// cut sorts the rows and leaves those that SKIP and LIMIT let through.
func (f *reference) cut(p *syntax.Projection, rows []bindings) []bindings {
	slices.SortStableFunc(rows, func(a, b bindings) int {
		for _, key := range p.OrderBy {
			order := value.Order(f.value(key.Expr, a), f.value(key.Expr, b))
			if key.Descending {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return 0
	})
	if p.Skip != nil {
		rows = rows[min(len(rows), int(f.value(p.Skip, nil).(int64))):]
	}
	if p.Limit != nil {
		rows = rows[:min(len(rows), int(f.value(p.Limit, nil).(int64)))]
	}
	return rows
}
