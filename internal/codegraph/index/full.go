package index

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// full builds the whole graph and replaces the old one.
func (r *run) full(ctx context.Context, why string) (err error) {
	r.sum.Mode, r.sum.Why = Full, why
	r.chooseSources(ctx)
	if r.opts.BeforeFull != nil {
		size := int64(0)
		for i := range r.sources {
			size += r.sources[i].Size
		}
		r.opts.BeforeFull(size)
	}
	manifest := r.manifests(ctx)
	known, err := r.readScip(ctx, manifest) // before the long work, because it may be damaged
	if err != nil {
		return err
	}
	b, err := r.store.Build(ctx, r.project.Root())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Discard()) }()
	kept := &spill{}
	defer func() { err = errors.Join(err, kept.close()) }()
	f := &fullRun{run: r, builder: b, ids: &idAllocator{next: 1}, nextFile: 1, spill: kept, manifest: manifest}
	if err := f.parseAll(ctx); err != nil {
		return err
	}
	project := f.resolve(known)
	if err := f.structure(ctx); err != nil {
		return err
	}
	if err := f.linkAll(ctx, project); err != nil {
		return err
	}
	s := r.state(ctx)
	s.NextNode, s.NextFile = f.ids.next, f.nextFile
	if err := b.Commit(ctx, s); err != nil {
		return err
	}
	g, err := r.store.Open(ctx, r.project.Root())
	if err != nil {
		return err
	}
	heads := make(map[string]*code.File, len(f.heads))
	for _, head := range f.heads {
		heads[head.Path] = head
	}
	r.keepHeads(ctx, g, heads)
	r.remember(ctx, g)
	return g.Close()
}

// fullRun is a full build in progress.
type fullRun struct {
	*run
	builder    store.Builder
	ids        *idAllocator
	nextFile   store.FileID
	spill      *spill
	facts      []place      // encoded facts, parallel to files
	words      []place      // encoded words, parallel to files
	files      []store.File // sorted by id
	heads      []*code.File // parallel to files
	places     *places
	resolution *codegraph.Resolution
	manifest   *manifest.Manifests
}

// batch is the number of files passed to the store at once.
const batch = 256

// parseAll parses every file and stores its nodes.
func (f *fullRun) parseAll(ctx context.Context) error {
	f.places = newPlaces(f.ids)
	var u store.Update
	err := f.parse(ctx, f.sources, func(p parsed) error {
		if p.err != nil {
			f.countUnread(p.err)
			return nil //nolint:nilerr // it is counted
		}
		head, err := code.DecodeHead(p.facts)
		if err != nil {
			return err
		}
		file := f.fileOf(p)
		file.ID = f.nextFile
		f.nextFile++
		ids := f.ids.take(len(p.symbols))
		f.places.files[file.Path] = ids
		u.Nodes = append(u.Nodes, nodesOf(f.names[file.Path], p.file, p.symbols, ids, file.ID)...)
		facts, err1 := f.spill.put(p.facts)
		words, err2 := f.spill.put(p.words)
		err = errors.Join(err1, err2)
		file.Facts, file.Words = nil, nil
		f.files, f.heads = append(f.files, file), append(f.heads, head)
		f.facts, f.words = append(f.facts, facts), append(f.words, words)
		f.sum.Parsed++
		if err == nil && len(f.files)%batch == 0 {
			err, u = f.builder.Add(ctx, u), store.Update{}
		}
		return err
	})
	if err != nil {
		return err
	}
	return f.builder.Add(ctx, u)
}

// resolve resolves imports and prepares linking.
func (f *fullRun) resolve(known resolve.Oracle) *resolve.Project {
	f.resolution = codegraph.Resolve(f.heads, f.manifest)
	project := resolve.New(f.heads, f.resolution)
	project.SetOracle(known)
	return project
}

// structure stores the nodes and edges that belong to no single file.
func (f *fullRun) structure(ctx context.Context) error {
	s := newStructure(f.run, f.heads, f.resolution, f.manifest)
	nodes := s.nodes(func(string) (codegraph.ID, bool) { return 0, false }, f.ids)
	s.enter(f.places, nodes)
	edges, err := s.edges(f.places)
	if err != nil {
		return err
	}
	return f.builder.Add(ctx, store.Update{Nodes: nodes, Edges: edges})
}

// linked is the result of linking a file.
type linked struct {
	facts  []byte
	result *resolve.Result
	err    error
}

// linkAll computes the edges of every file and stores them with the file.
func (f *fullRun) linkAll(ctx context.Context, project *resolve.Project) error {
	var u store.Update
	linkers := newLinkers(project, f.opts.Workers)
	err := inOrder(ctx, f.opts.Workers, len(f.files), func(i int) linked {
		facts, err := f.spill.get(f.facts[i])
		if err != nil {
			return linked{err: err}
		}
		return linkers.link(f.files[i].Path, facts)
	}, func(i int, l linked) error {
		if l.err != nil {
			return l.err
		}
		file := &f.files[i]
		words, err := f.spill.get(f.words[i])
		if err != nil {
			return err
		}
		file.Facts, file.Words = l.facts, words
		f.finish(file, l.result, f.resolution)
		edges, err := f.places.edges(file, l.result)
		if err != nil {
			return err
		}
		u.Files, u.Nodes, u.Edges = append(u.Files, *file), append(u.Nodes, f.places.takeFresh()...), append(u.Edges, edges...)
		file.Facts, file.Lookups, file.Words = nil, nil, nil
		f.sum.Linked++
		progress.Report(ctx, progress.Event{Stage: "link", Item: file.Path, Done: i + 1, Total: len(f.files)})
		if len(u.Files) == batch {
			err, u = f.builder.Add(ctx, u), store.Update{}
		}
		return err
	})
	if err != nil {
		return err
	}
	return f.builder.Add(ctx, u)
}

// linkers is a pool of linkers for several goroutines.
type linkers struct{ free chan *resolve.Linker }

func newLinkers(p *resolve.Project, n int) *linkers {
	l := &linkers{make(chan *resolve.Linker, n)}
	for range n {
		l.free <- p.Linker()
	}
	return l
}

// link links one file, given its encoded facts.
func (l *linkers) link(path string, facts []byte) linked {
	f, err := code.Decode(facts)
	if err != nil {
		return linked{err: err}
	}
	one := <-l.free
	defer func() { l.free <- one }()
	defer f.Facts.Drop()
	return linked{facts: facts, result: one.File(path, f.Facts)}
}
