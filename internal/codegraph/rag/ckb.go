package rag

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
)

// With returns the options with CKB: its status, and the expansion of its graph if it is available.
func (o Options) With(g *explore.Graph, access *ckb.Access) Options {
	o.waited = access.Waited()
	if o.CKB = access.Status(); o.CKB.Available {
		o.Expander = CKB{access, g.Reader()}
	}
	return o
}

// CKB expands along the calls and uses known to CKB. It finds nothing if CKB is not available. If CKB fails during
// the walk, Expand returns a [*ckb.FailedError] and what was found until then.
type CKB struct {
	Access *ckb.Access
	Reader codegraph.Reader // the project's own graph, to whose symbols those of CKB are mapped
}

// Expand walks the edges of CKB and of the project's graph together; see [Local].
func (c CKB) Expand(ctx context.Context, anchors []Anchor, depth int) ([]Neighbour, error) {
	if !c.Access.Status().Available {
		return nil, nil
	}
	o, err := c.overlay(ctx, anchors, depth, ckb.Both)
	if err != nil {
		return nil, err
	}
	near, err := Local{union{c.Reader, o}}.Expand(ctx, anchors, depth)
	if s := c.Access.Status(); !s.Available {
		err = errors.Join(err, &ckb.FailedError{Status: s})
	}
	return near, err
}

// overlay returns CKB's edges around the anchors, with one query per direction.
func (c CKB) overlay(ctx context.Context, anchors []Anchor, depth int, directions ...string) (*overlay, error) {
	from := make([]ckb.Anchor, len(anchors))
	for i, a := range anchors {
		from[i] = ckb.Anchor{Name: a.Node.Name, File: a.Node.Path, Start: a.Node.StartLine, End: a.Node.EndLine}
	}
	o := &overlay{Reader: c.Reader, edges: map[codegraph.ID][]codegraph.Edge{}}
	p := places{reader: c.Reader, files: map[string][]codegraph.Node{}}
	for _, direction := range directions {
		for _, e := range c.Access.Follow(ctx, from, direction, depth) {
			if err := o.add(ctx, &p, &e); err != nil {
				return nil, err
			}
		}
	}
	return o, nil
}

// joined returns a graph of the reader's calls and those that CKB knows around a symbol. If CKB fails, only the
// reader's are used, and the answer says so.
func joined(ctx context.Context, reader codegraph.Reader, access *ckb.Access, start codegraph.Node, depth int, directions []string) (union, error) {
	none := union{reader, &overlay{Reader: reader}}
	if !access.Status().Available || depth == 0 {
		return none, nil
	}
	o, err := CKB{access, reader}.overlay(ctx, []Anchor{{Node: start}}, depth, directions...)
	if err != nil || !access.Status().Available {
		return none, err
	}
	return union{reader, o}, nil
}

// source returns the graph that an edge is from.
func (u union) source(e codegraph.Edge) EdgeSource {
	switch {
	case e.Rule == rule:
		return OfCKB
	case slices.ContainsFunc(u.more.edges[e.From], func(k codegraph.Edge) bool { return sameEdge(k, e) }):
		return OfBoth
	}
	return OfLocal
}

// union is a graph with additional edges.
type union struct {
	codegraph.Reader
	more *overlay
}

// Expand returns the edges of both graphs. Of duplicates it keeps the reader's, which has the line.
func (u union) Expand(ctx context.Context, ids []codegraph.ID, d codegraph.Direction, types ...codegraph.Relationship) (codegraph.Expansion, error) {
	own, err := u.Reader.Expand(ctx, ids, d, types...)
	if err != nil {
		return own, err
	}
	more, err := u.more.Expand(ctx, ids, d, types...)
	if err != nil {
		return own, err
	}
	var x codegraph.Expansion
	for i := range ids {
		x.Edges = append(x.Edges, own.At(i)...)
		for _, e := range more.At(i) {
			if !slices.ContainsFunc(own.At(i), func(k codegraph.Edge) bool { return sameEdge(k, e) }) {
				x.Edges = append(x.Edges, e)
			}
		}
		x.Ends = append(x.Ends, len(x.Edges))
	}
	return x, nil
}

func sameEdge(a, b codegraph.Edge) bool { return a.From == b.From && a.To == b.To && a.Type == b.Type }

// rule is the rule of edges from CKB.
const rule = "ckb"

// overlay is a graph whose edges replace those of the reader.
type overlay struct {
	codegraph.Reader
	edges map[codegraph.ID][]codegraph.Edge // by either end
}

// add adds an edge between symbols of the graph.
func (o *overlay) add(ctx context.Context, p *places, e *ckb.Edge) error {
	from, err := p.symbol(ctx, e.From)
	if err != nil {
		return err
	}
	to, err := p.symbol(ctx, e.To)
	if err != nil || from == 0 || to == 0 || from == to {
		return err
	}
	edge := codegraph.Edge{From: from, To: to, Type: codegraph.References, Rule: rule, Confidence: float32(e.Confidence)}
	if e.Call {
		edge.Type = codegraph.Calls
	}
	if e.From.Name == "" { // From is the location of the use itself
		edge.Line = e.From.Line
	}
	if !slices.ContainsFunc(o.edges[from], func(k codegraph.Edge) bool { return sameEdge(k, edge) }) {
		o.edges[from] = append(o.edges[from], edge)
		o.edges[to] = append(o.edges[to], edge)
	}
	return nil
}

// Expand returns the edges of the overlay.
func (o *overlay) Expand(_ context.Context, ids []codegraph.ID, d codegraph.Direction, types ...codegraph.Relationship) (codegraph.Expansion, error) {
	var x codegraph.Expansion
	for _, id := range ids {
		for _, e := range o.edges[id] {
			along := d == codegraph.Both || (d == codegraph.Out) == (e.From == id)
			if along && (len(types) == 0 || slices.Contains(types, e.Type)) {
				x.Edges = append(x.Edges, e)
			}
		}
		x.Ends = append(x.Ends, len(x.Edges))
	}
	return x, nil
}

// places maps locations reported by CKB to symbols of a graph.
type places struct {
	reader codegraph.Reader
	files  map[string][]codegraph.Node // by file
}

// symbol returns the symbol at a location: the innermost around the line, preferably with the given name, because
// CKB's index may be older. It is 0 if there is none.
func (p *places) symbol(ctx context.Context, at ckb.Place) (codegraph.ID, error) {
	if at.File == "" {
		return p.named(ctx, at.Name)
	}
	nodes, err := p.in(ctx, at.File)
	if err != nil {
		return 0, err
	}
	var best codegraph.Node
	for _, n := range nodes {
		named := n.Name == at.Name
		around := n.StartLine <= at.Line && at.Line <= n.EndLine
		switch {
		case !named && !around, at.Name != "" && !named:
		case best.ID == 0, around && (!encloses(best, at.Line) || n.StartLine >= best.StartLine):
			best = n
		}
	}
	return best.ID, nil
}

func encloses(n codegraph.Node, line int) bool { return n.StartLine <= line && line <= n.EndLine }

// named returns the symbol whose qualified name ends in name, if it is the only one.
func (p *places) named(ctx context.Context, name string) (codegraph.ID, error) {
	name = strings.Trim(name, ".")
	if name == "" {
		return 0, nil
	}
	ids, err := p.reader.Suffixed(ctx, name)
	if err != nil || len(ids) != 1 {
		return 0, err
	}
	return ids[0], nil
}

// in returns the symbols in a file.
func (p *places) in(ctx context.Context, file string) ([]codegraph.Node, error) {
	if nodes, known := p.files[file]; known {
		return nodes, nil
	}
	ids, err := p.reader.At(ctx, file, false)
	if err != nil {
		return nil, err
	}
	nodes, err := p.reader.Nodes(ctx, ids, codegraph.FieldName, codegraph.FieldPath)
	if err != nil {
		return nil, err
	}
	p.files[file] = slices.DeleteFunc(nodes, func(n codegraph.Node) bool { return !hasSource(&n) })
	return p.files[file], nil
}
