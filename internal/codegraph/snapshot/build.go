package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// builder builds the sections of a snapshot. Nodes are added first, sorted by id, then edges.
type builder struct {
	dict    dictionary
	labels  map[codegraph.Label]uint16
	types   map[codegraph.Relationship]uint16
	hows    map[weightedRule]uint16
	strings texts
	ids     []uint32
	nodes   []record
	buckets []uint32
	edges   []edge
	words   wordIndex
}

// edge is an edge between two nodes, given by their indexes.
type edge struct {
	from, at uint32
	outEdge
}

func newBuilder() *builder {
	return &builder{
		labels: map[codegraph.Label]uint16{}, types: map[codegraph.Relationship]uint16{}, hows: map[weightedRule]uint16{},
		strings: newTexts(), words: newWordIndex(),
	}
}

// number returns the index of a value in a list, appending it if needed.
func number[T comparable](known map[T]uint16, list *[]T, value T) (uint16, error) {
	if n, ok := known[value]; ok {
		return n, nil
	}
	if len(*list) > math.MaxUint16 {
		return 0, fmt.Errorf("more than %d kinds of %T", len(*list), value)
	}
	n := uint16(len(*list))
	known[value] = n
	*list = append(*list, value)
	return n, nil
}

// toUint32 converts a non-negative number to 32 bits.
func toUint32(n int) (uint32, error) {
	if n < 0 || int64(n) > math.MaxUint32 {
		return 0, fmt.Errorf("%d is no line or count", n)
	}
	return uint32(n), nil
}

// addNode adds a node.
func (b *builder) addNode(n store.Node) error {
	if last := len(b.ids) - 1; n.ID == 0 || last >= 0 && uint32(n.ID) <= b.ids[last] {
		return fmt.Errorf("node %d is not in the order of ids", n.ID)
	}
	label, err1 := number(b.labels, &b.dict.Labels, n.Label)
	start, err2 := toUint32(n.StartLine)
	end, err3 := toUint32(n.EndLine)
	if err := errors.Join(err1, err2, err3); err != nil {
		return fmt.Errorf("node %d: %w", n.ID, err)
	}
	if int(label) == len(b.dict.LabelCount) {
		b.dict.LabelCount = append(b.dict.LabelCount, 0)
	}
	b.dict.LabelCount[label]++
	r := record{start: start, end: end, label: label}
	if n.Exported {
		r.flags |= flagExported
	}
	if n.Test {
		r.flags |= flagTest
	}
	decorators := ""
	if len(n.Decorators) > 0 {
		decorators = strings.Join(n.Decorators, decoratorEnd) + decoratorEnd
	}
	t := &b.strings
	for _, x := range [...]struct {
		to   *uint32
		text string
	}{{&r.name, n.Name}, {&r.kind, n.Kind}, {&r.path, n.Path}, {&r.language, n.Language}, {&r.version, n.Version}} {
		*x.to = t.shared(x.text)
	}
	r.qualified, r.signature, r.doc, r.decorators = t.add(n.QualifiedName), t.add(n.Signature), t.add(n.Doc), t.add(decorators)
	b.words.add(uint32(len(b.nodes)), &n)
	b.ids = append(b.ids, uint32(n.ID))
	b.nodes = append(b.nodes, r)
	return nil
}

// addEdge adds an edge.
func (b *builder) addEdge(e store.Edge) error {
	if b.buckets == nil {
		b.makeBuckets()
	}
	kind, err1 := number(b.types, &b.dict.Types, e.Type)
	how, err2 := number(b.hows, &b.dict.Hows, weightedRule{e.Rule, e.Confidence})
	line, err3 := toUint32(e.Line)
	count, err4 := toUint32(e.Count)
	from, err5 := b.place(e.From)
	to, err6 := b.place(e.To)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		return fmt.Errorf("edge %d %s %d: %w", e.From, e.Type, e.To, err)
	}
	if int(kind) == len(b.dict.TypeCount) {
		b.dict.TypeCount = append(b.dict.TypeCount, 0)
	}
	b.dict.TypeCount[kind]++
	b.edges = append(b.edges, edge{from, to, outEdge{to: uint32(e.To), line: line, count: count, kind: kind, how: how}})
	return nil
}

// makeBuckets computes where the ids of each bucket begin. There are at most about as many buckets as nodes.
func (b *builder) makeBuckets() {
	last := uint32(0)
	if n := len(b.ids); n > 0 {
		last = b.ids[n-1]
	}
	b.dict.Shift = uint(max(0, bits.Len32(last)-bits.Len(uint(len(b.nodes)))))
	b.buckets = make([]uint32, last>>b.dict.Shift+2)
	for _, id := range b.ids {
		b.buckets[id>>b.dict.Shift+1]++
	}
	prefixSums(b.buckets)
}

// prefixSums converts sizes to end offsets, in place.
func prefixSums(sizes []uint32) {
	sum := uint32(0)
	for i, n := range sizes {
		sum += n
		sizes[i] = sum
	}
}

// place returns the index of a node.
func (b *builder) place(id codegraph.ID) (uint32, error) {
	if at := uint64(id) >> b.dict.Shift; at+1 < uint64(len(b.buckets)) {
		for i := b.buckets[at]; i < b.buckets[at+1]; i++ {
			if b.ids[i] == uint32(id) {
				return i, nil
			}
		}
	}
	return 0, fmt.Errorf("there is no node %d", id)
}

// finish returns the sections.
func (b *builder) finish(ctx context.Context) ([]section, error) {
	if b.buckets == nil {
		b.makeBuckets()
	}
	outEnds, out, inEnds, in := b.adjacency()
	keys, keyEnds, keyed := b.keys()
	paths, pathEnds, pathed := b.paths()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	qualified := b.qualified()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	terms, termCounts, termEnds, postings := b.words.finish(&b.strings)
	if err := errors.Join(ctx.Err(), b.strings.err); err != nil {
		return nil, err
	}
	dict, err := json.Marshal(&b.dict)
	if err != nil {
		return nil, err
	}
	return []section{
		{secDict, dict},
		{secIDs, raw(b.ids)},
		{secNodes, raw(b.nodes)},
		{secBuckets, raw(b.buckets)},
		{secOutEnds, raw(outEnds)},
		{secOut, raw(out)},
		{secInEnds, raw(inEnds)},
		{secIn, raw(in)},
		{secStrings, raw(b.strings.ends)},
		{secText, b.strings.text},
		{secQualified, raw(qualified)},
		{secKeys, raw(keys)},
		{secKeyEnds, raw(keyEnds)},
		{secKeyed, raw(keyed)},
		{secPaths, raw(paths)},
		{secPathEnds, raw(pathEnds)},
		{secPathed, raw(pathed)},
		{secTerms, raw(terms)},
		{secTermEnds, raw(termEnds)},
		{secTermCounts, raw(termCounts)},
		{secPostings, postings},
	}, nil
}

// adjacency returns the edges grouped by source and by target.
func (b *builder) adjacency() (outEnds []uint32, out []outEdge, inEnds []uint32, in []inEdge) {
	out, in = make([]outEdge, len(b.edges)), make([]inEdge, len(b.edges))
	place := make([]uint32, len(b.edges)) // index in out of each edge
	outEnds = group(len(b.nodes), len(b.edges), func(i int) uint32 { return b.edges[i].from }, func(i int, to uint32) {
		out[to], place[i] = b.edges[i].outEdge, to
	})
	inEnds = group(len(b.nodes), len(b.edges), func(i int) uint32 { return b.edges[i].at }, func(i int, to uint32) {
		e := &b.edges[i]
		in[to] = inEdge{from: b.ids[e.from], edge: place[i], kind: uint32(e.kind)}
	})
	b.edges = nil
	return outEnds, out, inEnds, in
}

// group is a stable counting sort: it calls put with the new position of each of n items, so that items of one
// group are adjacent, and returns where each group ends.
func group(groups, n int, groupOf func(i int) uint32, put func(i int, to uint32)) (ends []uint32) {
	ends = make([]uint32, groups+1)
	for i := range n {
		ends[groupOf(i)+1]++
	}
	prefixSums(ends)
	for i := range n {
		g := groupOf(i)
		put(i, ends[g])
		ends[g]++ // from its start to its end
	}
	return ends[:groups]
}

// qualified returns the indexes of the nodes, sorted by qualified name.
func (b *builder) qualified() []uint32 {
	places := make([]uint32, len(b.nodes))
	for i := range places {
		places[i] = uint32(i)
	}
	slices.SortFunc(places, func(x, y uint32) int {
		return strings.Compare(b.strings.get(b.nodes[x].qualified), b.strings.get(b.nodes[y].qualified))
	})
	return places
}

// paths returns the nodes by path.
func (b *builder) paths() (paths, ends, pathed []uint32) {
	entries := make([]entry, 0, len(b.nodes))
	for i := range b.nodes {
		if path := b.nodes[i].path; path != 0 {
			entries = append(entries, entry{path, uint32(i)})
		}
	}
	return b.listed(entries)
}

// keys returns the nodes by name and by the last part of their qualified name if that differs.
func (b *builder) keys() (keys, ends, keyed []uint32) {
	var entries []entry
	for i := range b.nodes {
		name := b.nodes[i].name
		entries = append(entries, entry{name, uint32(i)})
		if part := lastPart(b.strings.get(b.nodes[i].qualified)); part != b.strings.get(name) {
			entries = append(entries, entry{b.strings.shared(part), uint32(i)})
		}
	}
	return b.listed(entries)
}

// entry is a node listed under a string.
type entry struct{ key, place uint32 }

// listed returns the strings of entries, sorted, and the nodes listed under each.
func (b *builder) listed(entries []entry) (keys, ends, places []uint32) {
	rank, sorted := b.strings.sorted(func(yield func(uint32)) {
		for _, e := range entries {
			yield(e.key)
		}
	})
	places = make([]uint32, len(entries))
	ends = group(len(sorted), len(entries), func(i int) uint32 { return rank[entries[i].key] }, func(i int, to uint32) { places[to] = entries[i].place })
	return sorted, ends, places
}
