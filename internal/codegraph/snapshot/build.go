package snapshot

import (
	"cmp"
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
	labels  numbers[codegraph.Label]
	types   numbers[codegraph.Relationship]
	hows    numbers[weightedRule]
	strings texts
	// Texts that nodes often have in common with the one before.
	kinds, paths, languages, versions repeated

	ids     []uint32
	nodes   []record
	files   []uint32 // by place
	buckets []uint32
	edges   []edge
	words   wordIndex
}

// edge is an edge between two nodes, given by their places, and the file that it was found in.
type edge struct {
	from, at, file uint32
	outEdge
}

func newBuilder() *builder {
	return &builder{
		labels: newNumbers[codegraph.Label](), types: newNumbers[codegraph.Relationship](), hows: newNumbers[weightedRule](),
		strings: newTexts(), words: newWordIndex(),
	}
}

// numbers finds the index of a value in a list. The same value is often asked for again.
type numbers[T comparable] struct {
	known map[T]uint16
	last  T
	n     uint16 // of the last
}

func newNumbers[T comparable]() numbers[T] { return numbers[T]{known: map[T]uint16{}} }

// of returns the index of a value in a list, appending it if needed.
func (k *numbers[T]) of(list *[]T, value T) (uint16, error) {
	if value == k.last && len(*list) > 0 {
		return k.n, nil
	}
	n, ok := k.known[value]
	if !ok {
		if len(*list) > math.MaxUint16 {
			return 0, fmt.Errorf("more than %d kinds of %T", len(*list), value)
		}
		n = uint16(len(*list))
		k.known[value] = n
		*list = append(*list, value)
	}
	k.last, k.n = value, n
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
func (b *builder) addNode(n *store.Node) error {
	if last := len(b.ids) - 1; n.ID == 0 || last >= 0 && uint32(n.ID) <= b.ids[last] {
		return fmt.Errorf("node %d is not in the order of ids", n.ID)
	}
	label, err1 := b.label(n.Label)
	start, err2 := toUint32(n.StartLine)
	end, err3 := toUint32(n.EndLine)
	if err := errors.Join(err1, err2, err3); err != nil {
		return fmt.Errorf("node %d: %w", n.ID, err)
	}
	r := record{start: start, end: end, label: label}
	if n.Exported {
		r.flags |= flagExported
	}
	if n.Test {
		r.flags |= flagTest
	}
	if isWhole(n) {
		r.flags |= flagWhole
	}
	decorators := ""
	if len(n.Decorators) > 0 {
		decorators = strings.Join(n.Decorators, decoratorEnd) + decoratorEnd
	}
	t := &b.strings
	r.name, r.kind, r.path = t.shared(n.Name), b.kinds.of(t, n.Kind), b.paths.of(t, n.Path)
	r.language, r.version = b.languages.of(t, n.Language), b.versions.of(t, n.Version)
	r.qualified, r.signature, r.doc, r.decorators = t.add(n.QualifiedName), t.add(n.Signature), t.add(n.Doc), t.add(decorators)
	b.words.add(uint32(len(b.nodes)), n)
	b.put(uint32(n.ID), r, uint32(n.File))
	return nil
}

// put appends a node.
func (b *builder) put(id uint32, r record, file uint32) {
	b.dict.LabelCount[r.label]++
	b.ids, b.nodes, b.files = append(b.ids, id), append(b.nodes, r), append(b.files, file)
}

// label returns the number of a label.
func (b *builder) label(l codegraph.Label) (uint16, error) {
	n, err := b.labels.of(&b.dict.Labels, l)
	if int(n) == len(b.dict.LabelCount) {
		b.dict.LabelCount = append(b.dict.LabelCount, 0)
	}
	return n, err
}

// kind returns the number of a type of edges.
func (b *builder) kind(t codegraph.Relationship) (uint16, error) {
	n, err := b.types.of(&b.dict.Types, t)
	if int(n) == len(b.dict.TypeCount) {
		b.dict.TypeCount = append(b.dict.TypeCount, 0)
	}
	return n, err
}

// how returns the number of a rule with its confidence.
func (b *builder) how(r weightedRule) (uint16, error) { return b.hows.of(&b.dict.Hows, r) }

// addEdge adds an edge.
func (b *builder) addEdge(e store.Edge) error {
	if b.buckets == nil {
		b.makeBuckets()
	}
	numbered, err := b.numbered(&e)
	if err == nil {
		err = b.locate(&numbered)
	}
	if err != nil {
		return err
	}
	b.join(numbered)
	return nil
}

// numbered returns an edge with the ids of its ends instead of their places.
func (b *builder) numbered(e *store.Edge) (edge, error) {
	kind, err1 := b.kind(e.Type)
	how, err2 := b.how(weightedRule{e.Rule, e.Confidence})
	line, err3 := toUint32(e.Line)
	count, err4 := toUint32(e.Count)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return edge{}, fmt.Errorf("edge %d %s %d: %w", e.From, e.Type, e.To, err)
	}
	return edge{uint32(e.From), uint32(e.To), uint32(e.File), outEdge{to: uint32(e.To), line: line, count: count, kind: kind, how: how}}, nil
}

// locate replaces the ids of an edge's ends by their places.
func (b *builder) locate(e *edge) error {
	from, there := b.find(e.from)
	to, too := b.find(e.at)
	if !there || !too {
		return fmt.Errorf("edge %d %s %d: there is no such node", e.from, b.dict.Types[e.kind], e.at)
	}
	e.from, e.at = from, to
	return nil
}

// join appends an edge.
func (b *builder) join(e edge) {
	b.dict.TypeCount[e.kind]++
	b.edges = append(b.edges, e)
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

// find returns the place of a node.
func (b *builder) find(id uint32) (place uint32, there bool) {
	if at := uint64(id) >> b.dict.Shift; at+1 < uint64(len(b.buckets)) {
		for i := b.buckets[at]; i < b.buckets[at+1]; i++ {
			if b.ids[i] == id {
				return i, true
			}
		}
	}
	return 0, false
}

// lists are the sections by which nodes are found.
type lists struct {
	qualified []uint32
	keys      listing
	paths     listing
	words     inverted
}

// lists returns the lists of all nodes.
func (b *builder) lists(ctx context.Context) (l lists, err error) {
	all := make([]uint32, len(b.nodes))
	for i := range all {
		all[i] = uint32(i)
	}
	l.keys, l.paths = b.listed(b.keys(all)), b.listed(b.pathsOf(all))
	if err := ctx.Err(); err != nil {
		return l, err
	}
	l.qualified = b.qualified(all)
	if err := ctx.Err(); err != nil {
		return l, err
	}
	err = b.words.each(b.words.finish(), func(i int, stem []byte, list []impact) error {
		if isReported(i) {
			report(ctx, i, string(stem), i, b.words.stems.Len())
		}
		l.words.add(b.strings.sharedBytes(stem), list)
		return ctx.Err()
	})
	return l, err
}

// sections returns the sections.
func (b *builder) sections(l *lists) ([]section, error) {
	if b.buckets == nil {
		b.makeBuckets()
	}
	if len(l.words.postings) > math.MaxUint32 {
		b.strings.err = errTooLarge
	}
	if b.strings.err != nil {
		return nil, b.strings.err
	}
	outEnds, out, files, inEnds, in := b.adjacency()
	dict, err := json.Marshal(&b.dict)
	if err != nil {
		return nil, err
	}
	return []section{
		{secDict, dict},
		{secIDs, raw(b.ids)},
		{secNodes, raw(b.nodes)},
		{secNodeFiles, raw(b.files)},
		{secSizes, raw(b.words.lengths)},
		{secBuckets, raw(b.buckets)},
		{secOutEnds, raw(outEnds)},
		{secOut, raw(out)},
		{secEdgeFiles, raw(files)},
		{secInEnds, raw(inEnds)},
		{secIn, raw(in)},
		{secStrings, raw(b.strings.table.Ends)},
		{secText, b.strings.table.Text},
		{secQualified, raw(l.qualified)},
		{secKeys, raw(l.keys.keys)},
		{secKeyEnds, raw(l.keys.ends)},
		{secKeyed, raw(l.keys.places)},
		{secPaths, raw(l.paths.keys)},
		{secPathEnds, raw(l.paths.ends)},
		{secPathed, raw(l.paths.places)},
		{secTerms, raw(l.words.terms)},
		{secTermEnds, raw(l.words.ends)},
		{secTermCounts, raw(l.words.counts)},
		{secPostings, l.words.postings},
	}, nil
}

// adjacency returns the edges grouped by source, those by type and target, and by target, those by source.
func (b *builder) adjacency() (outEnds []uint32, out []outEdge, files, inEnds []uint32, in []inEdge) {
	b.sortEdges()
	out, files, in = make([]outEdge, len(b.edges)), make([]uint32, len(b.edges)), make([]inEdge, len(b.edges))
	outEnds = make([]uint32, len(b.nodes))
	for i := range b.edges {
		e := &b.edges[i]
		out[i], files[i] = e.outEdge, e.file
		outEnds[e.from]++
	}
	prefixSums(outEnds)
	inEnds = group(len(b.nodes), len(b.edges), func(i int) uint32 { return b.edges[i].at }, func(i int, to uint32) {
		e := &b.edges[i]
		in[to] = inEdge{from: b.ids[e.from], edge: uint32(i), kind: uint32(e.kind)}
	})
	b.edges = nil
	return outEnds, out, files, inEnds, in
}

// sortEdges sorts the edges by source, type and target. Those of a stored graph are almost sorted.
func (b *builder) sortEdges() {
	ranks := make([]int, len(b.dict.Types))
	byName := slices.Sorted(slices.Values(b.dict.Types))
	for i, t := range b.dict.Types {
		ranks[i], _ = slices.BinarySearch(byName, t)
	}
	if from := func(x, y edge) int { return cmp.Compare(x.from, y.from) }; !slices.IsSortedFunc(b.edges, from) {
		sorted := make([]edge, len(b.edges))
		group(len(b.nodes), len(b.edges), func(i int) uint32 { return b.edges[i].from }, func(i int, to uint32) { sorted[to] = b.edges[i] })
		b.edges = sorted
	}
	rest := func(x, y edge) int {
		return cmp.Or(cmp.Compare(ranks[x.kind], ranks[y.kind]), cmp.Compare(x.to, y.to))
	}
	for i, j := 0, 0; i < len(b.edges); i = j {
		for j = i + 1; j < len(b.edges) && b.edges[j].from == b.edges[i].from; j++ {
		}
		if of := b.edges[i:j]; !slices.IsSortedFunc(of, rest) {
			slices.SortFunc(of, rest)
		}
	}
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
