package snapshot

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// extension makes the snapshot of a graph from that of an earlier state. What belongs to files that were not touched since then is taken
// from there; the rest is read. The answers of the new snapshot are those of one that is made of the whole graph.
type extension struct {
	b     *builder
	old   *Snapshot
	files []uint32 // that were touched, sorted
	next  int      // the first place in the old snapshot that is not looked at yet
	now   []uint32 // by place in the old snapshot: the place now + 1; 0 for a node that is gone
	kept  []bool   // by place in the old snapshot: the node is taken over
	fresh []uint32 // places of the nodes that were read
	edges []store.Edge
	texts []uint32 // by number in the old snapshot: the number now; 0 if it is not taken over yet
	// The numbers now of what the old dictionary lists.
	labels, kinds, hows []uint16
}

// errOther is returned if an extension would be no better than a snapshot of the whole graph, or another one.
var errOther = errors.New("the snapshot cannot be extended")

// extend returns a builder with the lists of a source, of which old is the snapshot of an earlier state.
func extend(ctx context.Context, source store.Contents, old *Snapshot) (b *builder, l lists, err error) {
	files, err := source.Touched(ctx, old.serial)
	if err != nil {
		return nil, l, err
	}
	if files == nil {
		return nil, l, errOther
	}
	x := &extension{b: newBuilder(), old: old}
	for _, f := range files {
		x.files = append(x.files, uint32(f))
	}
	everything := []string{
		secIDs, secNodes, secNodeFiles, secSizes, secBuckets, secOutEnds, secOut, secEdgeFiles, secStrings, secText, secQualified,
		secKeys, secKeyEnds, secKeyed, secPaths, secPathEnds, secPathed, secTerms, secTermEnds, secTermCounts, secPostings,
	}
	err = old.read(func() error {
		if err := x.prepare(); err != nil {
			return err
		}
		if err := x.read(ctx, source, files); err != nil {
			return err
		}
		l, err = x.lists(ctx)
		return err
	}, everything...)
	return x.b, l, err
}

// prepare allocates, and numbers what the old dictionary lists.
func (x *extension) prepare() error {
	n, touched := len(x.old.nodes), 0
	x.now, x.kept, x.texts = make([]uint32, n), make([]bool, n), make([]uint32, len(x.old.stringAt))
	for _, file := range x.old.nodeFiles {
		if x.touched(file) {
			touched++
		}
	}
	if touched > n/2 {
		return errOther
	}
	b, dict := x.b, &x.old.dict
	for _, label := range dict.Labels {
		n, err := b.label(label)
		if err != nil {
			return err
		}
		x.labels = append(x.labels, n)
	}
	for _, kind := range dict.Types {
		n, err := b.kind(kind)
		if err != nil {
			return err
		}
		x.kinds = append(x.kinds, n)
	}
	for _, how := range dict.Hows {
		n, err := b.how(how)
		if err != nil {
			return err
		}
		x.hows = append(x.hows, n)
	}
	b.ids, b.nodes, b.files = slices.Grow(b.ids, n), slices.Grow(b.nodes, n), slices.Grow(b.files, n)
	t := &b.strings.table
	b.edges, t.Text, t.Ends = slices.Grow(b.edges, len(x.old.out)), slices.Grow(t.Text, len(x.old.text)), slices.Grow(t.Ends, len(x.old.stringAt))
	return nil
}

func (x *extension) touched(file uint32) bool {
	_, is := slices.BinarySearch(x.files, file)
	return is
}

// read merges the nodes, edges and words of the files that were touched with those of the others.
func (x *extension) read(ctx context.Context, source store.Contents, files []store.FileID) error {
	err := source.All(ctx, files, x.add, func(e store.Edge) error {
		x.edges = append(x.edges, e)
		return nil
	})
	if err != nil {
		return err
	}
	if err := x.keepBefore(^uint32(0)); err != nil {
		return err
	}
	if err := x.join(); err != nil {
		return err
	}
	return source.Words(ctx, files, x.b.words.addFile)
}

// add adds a node that was read, after the old ones before it.
func (x *extension) add(n store.Node) error {
	if err := x.keepBefore(uint32(n.ID)); err != nil {
		return err
	}
	place := uint32(len(x.b.nodes))
	if x.next < len(x.old.ids) && x.old.ids[x.next] == uint32(n.ID) {
		x.now[x.next] = place + 1
		x.next++
	}
	x.fresh = append(x.fresh, place)
	return x.b.addNode(&n)
}

// keepBefore takes over the nodes with lower ids.
func (x *extension) keepBefore(id uint32) error {
	for ; x.next < len(x.old.ids) && x.old.ids[x.next] < id; x.next++ {
		if x.touched(x.old.nodeFiles[x.next]) {
			continue
		}
		if err := x.keep(x.next); err != nil {
			return err
		}
	}
	return nil
}

// keep takes over a node.
func (x *extension) keep(place int) error {
	r, err := x.old.nodes[place], error(nil)
	if int(r.label) >= len(x.labels) {
		return ErrDamaged
	}
	r.label = x.labels[r.label]
	for _, text := range []*uint32{&r.qualified, &r.name, &r.kind, &r.path, &r.signature, &r.doc, &r.decorators, &r.language, &r.version} {
		if *text, err = x.text(*text); err != nil {
			return err
		}
	}
	x.b.words.keep(x.old.sizes[place], r.flags&flagWhole != 0)
	x.kept[place], x.now[place] = true, uint32(len(x.b.nodes)+1)
	x.b.put(x.old.ids[place], r, x.old.nodeFiles[place])
	return nil
}

// text takes over a text.
func (x *extension) text(n uint32) (uint32, error) {
	if uint64(n) >= uint64(len(x.texts)) {
		return 0, ErrDamaged
	}
	if n != 0 && x.texts[n] == 0 {
		text, err := x.old.bytesOf(n)
		if err != nil {
			return 0, err
		}
		x.texts[n] = x.b.strings.addBytes(text)
	}
	return x.texts[n], nil
}

// join merges the edges that were read with those of the other files whose ends are still there.
func (x *extension) join() error {
	x.b.makeBuckets()
	next := 0
	for place, now := range x.now {
		if now == 0 {
			continue
		}
		for ; next < len(x.edges) && x.edges[next].From < codegraph.ID(x.old.ids[place]); next++ {
			if err := x.b.addEdge(x.edges[next]); err != nil {
				return err
			}
		}
		if err := x.joinAt(place, now-1); err != nil {
			return err
		}
	}
	for _, e := range x.edges[next:] {
		if err := x.b.addEdge(e); err != nil {
			return err
		}
	}
	return nil
}

// joinAt takes over the edges from a node.
func (x *extension) joinAt(place int, now uint32) error {
	out, err := span(x.old.out, x.old.outEnds, place)
	if err != nil {
		return err
	}
	files, err := span(x.old.edgeFiles, x.old.outEnds, place)
	if err != nil {
		return err
	}
	for i, e := range out {
		to, there := x.b.find(e.to)
		if !there || x.touched(files[i]) {
			continue
		}
		if int(e.kind) >= len(x.kinds) || int(e.how) >= len(x.hows) {
			return ErrDamaged
		}
		e.kind, e.how = x.kinds[e.kind], x.hows[e.how]
		x.b.join(edge{now, to, files[i], e})
	}
	return nil
}

// lists merges the old lists with those of the nodes that were read.
func (x *extension) lists(ctx context.Context) (l lists, err error) {
	b, old := x.b, x.old
	if l.qualified, err = x.qualified(); err != nil {
		return l, err
	}
	if l.keys, err = x.listed(listing{old.keys, old.keyEnds, old.keyed}, b.keys(x.fresh)); err != nil {
		return l, err
	}
	if l.paths, err = x.listed(listing{old.paths, old.pathEnds, old.pathed}, b.pathsOf(x.fresh)); err != nil {
		return l, cmp.Or(ctx.Err(), err)
	}
	l.words, err = x.inverted()
	return l, cmp.Or(ctx.Err(), err)
}
