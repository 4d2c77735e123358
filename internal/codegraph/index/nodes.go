package index

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// idAllocator allocates ids.
type idAllocator struct{ next codegraph.ID }

func (n *idAllocator) take(count int) []codegraph.ID {
	out := make([]codegraph.ID, count)
	for i := range out {
		out[i] = n.next
		n.next++
	}
	return out
}

// fileOf returns the stored record of a parsed file.
func (r *run) fileOf(p parsed) store.File {
	return store.File{
		Path: p.entry.Path, Language: p.file.Language, Size: p.entry.Size, ModTime: p.entry.ModTime, Hash: p.file.Hash, Stamp: r.stampOf(p.entry),
		Facts: p.facts, Words: p.words, ParseErrors: len(p.file.ParseErrors),
	}
}

// finish sets the results of linking in a file's record. The lookups begin with a hash of the targets of its
// imports.
func (r *run) finish(file *store.File, l *resolve.Result, resolved *codegraph.Resolution) {
	file.Unresolved = map[string]int{}
	for reason, n := range l.Unresolved {
		file.Unresolved[string(reason)] = n
	}
	file.Lookups = binary.LittleEndian.AppendUint64(nil, targetsHash(resolved.Targets[file.Path]))
	var last uint32
	for _, h := range l.Lookups {
		file.Lookups = binary.AppendUvarint(file.Lookups, uint64(h-last))
		last = h
	}
}

// targetsHash returns a hash of import targets.
func targetsHash(targets []codegraph.Target) uint64 {
	var texts []string
	for _, t := range targets {
		texts = append(texts, string(t.Origin), t.Path, t.Package, strings.Join(t.Files, "\n"))
	}
	return resolve.Hash64(texts...)
}

// nodesOf returns the nodes of a file's symbols.
func nodesOf(module string, f *code.File, symbols []resolve.Symbol, ids []codegraph.ID, file store.FileID) []store.Node {
	out := make([]store.Node, len(symbols))
	ofTests := resolve.OfTests(f, symbols)
	for i, s := range symbols {
		n := codegraph.Node{
			ID: ids[i], Label: s.Label, QualifiedName: module, Name: s.Name, Kind: string(s.Kind), Path: f.Path,
			StartLine: s.StartLine, EndLine: s.EndLine, Signature: s.Signature, Doc: s.Doc, Decorators: s.Decorators,
			Exported: s.Exported, Test: ofTests(&s), Language: f.Language,
		}
		if i > 0 {
			n.QualifiedName += "." + s.Qualified
		}
		out[i] = store.Node{Node: n, File: file, Ordinal: i}
	}
	return out
}

// places maps the ends of edges to node ids.
type places struct {
	files    map[string][]codegraph.ID // path of a source file -> ids of its symbols, by ordinal
	folders  map[string]codegraph.ID
	listed   map[string]codegraph.ID // ids of the File nodes
	packages map[string]codegraph.ID
	types    map[string]codegraph.ID // external types and their methods
	ids      *idAllocator            // for external types that are not known yet ...
	fresh    []store.Node            // ... and their nodes; see takeFresh
	// load returns the ids of a file's symbols that are not known yet; nil if there are none.
	load func(path string) ([]codegraph.ID, error)
}

func newPlaces(ids *idAllocator) *places {
	return &places{
		files: map[string][]codegraph.ID{}, folders: map[string]codegraph.ID{}, listed: map[string]codegraph.ID{},
		packages: map[string]codegraph.ID{}, types: map[string]codegraph.ID{}, ids: ids,
	}
}

// external returns the id of an external type or method, whose node is made when it is first needed.
func (p *places) external(label codegraph.Label, name string) codegraph.ID {
	id, known := p.types[name]
	if !known {
		id = p.ids.take(1)[0]
		p.types[name] = id
		p.fresh = append(p.fresh, store.Node{Node: codegraph.Node{
			ID: id, Label: label, QualifiedName: externalType + name, Name: name[strings.LastIndexByte(name, '.')+1:],
		}})
	}
	return id
}

// enterType adds a node if it is that of an external type or method, and reports whether it is.
func (p *places) enterType(n store.Node) bool {
	is := slices.Contains(externals, n.Label)
	if is {
		p.types[strings.TrimPrefix(n.QualifiedName, externalType)] = n.ID
	}
	return is
}

// externals are the labels of nodes that exist as long as edges lead to them.
var externals = []codegraph.Label{codegraph.LabelExternalType, codegraph.LabelExternalMethod}

// externalType begins the qualified names of external types. With a dot, "io.Reader" is found as the end of the name.
const externalType = "external."

// takeFresh returns the nodes of external types that were not known before the last call.
func (p *places) takeFresh() []store.Node {
	out := p.fresh
	p.fresh = nil
	return out
}

// symbol returns the id of a symbol of a file.
func (p *places) symbol(path string, ordinal int) (codegraph.ID, error) {
	ids, known := p.files[path]
	if !known && p.load != nil {
		var err error
		if ids, err = p.load(path); err != nil {
			return 0, err
		}
		p.files[path] = ids
	}
	if ordinal >= len(ids) {
		return 0, fmt.Errorf("%s has no symbol %d", path, ordinal)
	}
	return ids[ordinal], nil
}

// target returns the id of an edge's target; 0 if it has no node.
func (p *places) target(e *resolve.Edge) (codegraph.ID, error) {
	switch e.To {
	case resolve.Folder:
		return p.folders[e.Path], nil
	case resolve.Package:
		return p.packages[e.Path], nil
	case resolve.ExternalType:
		return p.external(codegraph.LabelExternalType, e.Path), nil
	case resolve.ExternalMethod:
		return p.external(codegraph.LabelExternalMethod, e.Path), nil
	}
	return p.symbol(e.Path, e.To)
}

// edges returns the edges of a linked file, with ids.
func (p *places) edges(file *store.File, l *resolve.Result) ([]store.Edge, error) {
	out := make([]store.Edge, 0, len(l.Edges))
	for i := range l.Edges {
		e := &l.Edges[i]
		of := e.Of
		if of == "" {
			of = file.Path
		}
		from, err := p.symbol(of, e.From)
		if err != nil {
			return nil, err
		}
		to, err := p.target(e)
		if err != nil {
			return nil, err
		}
		if to == 0 {
			continue
		}
		out = append(out, store.Edge{File: file.ID, Edge: codegraph.Edge{
			From: from, To: to, Type: e.Type, Line: e.Line, Count: e.Count, Rule: e.Rule.String(), Confidence: e.Weight,
		}})
	}
	return out, nil
}

// identities returns the keys by which symbols keep their ids: the name in the file and its rank among equal names,
// without the line.
func identities(qualified []string) []string {
	seen := map[string]int{}
	out := make([]string, len(qualified))
	for i, q := range qualified {
		base := withoutLine(q)
		seen[base]++
		out[i] = base + "\x00" + strconv.Itoa(seen[base])
	}
	return out
}

// withoutLine removes the "@12" from a qualified name.
func withoutLine(q string) string {
	for {
		i := strings.LastIndexByte(q, '@')
		if i < 0 || i+1 == len(q) || strings.Trim(q[i+1:], "0123456789") != "" {
			return q
		}
		q = q[:i]
	}
}

// keepIDs assigns the old ids to symbols that existed before, and new ids to others. It also returns the old ids
// that are no longer used.
func keepIDs(old []store.Node, symbols []resolve.Symbol, fresh *idAllocator) (ids, dropped []codegraph.ID) {
	was := make([]string, len(old))
	for i, n := range old {
		was[i] = strings.TrimPrefix(strings.TrimPrefix(n.QualifiedName, oldModule(old)), ".")
	}
	known := map[string]codegraph.ID{}
	for i, key := range identities(was) {
		known[key] = old[i].ID
	}
	now := make([]string, len(symbols))
	for i, s := range symbols {
		if i > 0 {
			now[i] = s.Qualified
		}
	}
	for _, key := range identities(now) {
		id, kept := known[key]
		if !kept {
			id = fresh.take(1)[0]
		}
		delete(known, key)
		ids = append(ids, id)
	}
	for _, id := range known {
		dropped = append(dropped, id)
	}
	slices.Sort(dropped)
	return ids, dropped
}

// oldModule returns the qualified name of the module that contains nodes.
func oldModule(old []store.Node) string {
	if len(old) == 0 {
		return ""
	}
	return old[0].QualifiedName
}

// loadIDs returns a function that loads the ids of the symbols of a stored file.
func loadIDs(ctx context.Context, g store.Graph, files map[string]store.FileID) func(path string) ([]codegraph.ID, error) {
	return func(path string) ([]codegraph.ID, error) {
		nodes, err := g.NodesOf(ctx, files[path])
		if err != nil {
			return nil, err
		}
		ids := make([]codegraph.ID, len(nodes))
		for i, n := range nodes {
			ids[i] = n.ID
		}
		return ids, nil
	}
}
