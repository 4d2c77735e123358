package index

import (
	"context"
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index/record"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// incremental applies the changes since the last run in one transaction.
func (r *run) incremental(ctx context.Context, g store.Graph) error {
	r.sum.Mode = Incremental
	i := &incrementalRun{run: r, graph: g, files: map[string]*store.File{}, changed: map[string]*change{}, changedNames: map[uint32]struct{}{}}
	if same, err := i.same(ctx); err != nil || same {
		r.sum.Mode = Unchanged
		return err
	}
	r.chooseSources(ctx)
	if err := i.load(ctx); err != nil {
		return err
	}
	if err := i.compare(ctx); err != nil {
		return err
	}
	if len(i.changed) == 0 && len(i.touched) == 0 && !i.listingChanged {
		r.sum.Mode = Unchanged
		r.remember(ctx, g)
		return nil
	}
	if len(i.changed) == 0 && !i.listingChanged && (len(i.inputs) == 0 || !i.redated) {
		r.sum.Mode = Unchanged
		return i.touchOnly(ctx)
	}
	if err := i.loadHeads(ctx); err != nil {
		return err
	}
	if err := i.link(ctx); err != nil {
		return err
	}
	i.update.State = r.state(ctx)
	i.update.State.NextNode, i.update.State.NextFile = i.ids.next, i.nextFile
	if err := g.Update(ctx, i.update); err != nil {
		return err
	}
	i.keepHeads(ctx, g, i.heads)
	r.remember(ctx, g)
	return nil
}

// keepHeads puts the heads of the stored graph into the memory.
func (r *run) keepHeads(ctx context.Context, g store.Graph, heads map[string]*code.File) {
	if r.opts.Memory == nil {
		return
	}
	if s, err := g.State(ctx); err == nil {
		r.opts.Memory.put(s, heads)
	}
}

// touchOnly stores new file system metadata, which no answer depends on.
func (i *incrementalRun) touchOnly(ctx context.Context) error {
	for _, f := range i.touched {
		i.update.Files = append(i.update.Files, *f)
	}
	i.update.State, i.update.Touch = i.stored, true
	if err := i.graph.Update(ctx, i.update); err != nil {
		return err
	}
	i.remember(ctx, i.graph)
	return nil
}

// incrementalRun is an incremental run in progress.
type incrementalRun struct {
	*run
	graph     store.Graph
	stored    store.State
	seen      record.Record
	ids       *idAllocator
	nextFile  store.FileID
	files     map[string]*store.File // as stored; updated during the run
	heads     map[string]*code.File  // the same
	changed   map[string]*change
	touched   []*store.File // content unchanged, file system metadata changed
	redated   bool          // the time of one of them
	samePaths bool          // the same paths are listed as when the graph was last compared with them
	// listingChanged is set if a file of an unsupported language was added or removed.
	listingChanged  bool
	manifestChanged bool
	scipChanged     []string            // unchanged files that a SCIP index covers now but did not before, or the reverse
	changedNames    map[uint32]struct{} // hashes of names whose declarations changed
	everything      bool                // the meaning of any name may have changed
	places          *places
	update          store.Update
}

// change is an added, changed or removed file.
type change struct {
	parsed
	old  *code.File // head; nil for a new file, and until the heads are loaded
	gone bool
}

// same reads the state of the graph, and reports whether its files are as they were when it was last compared with
// them.
func (i *incrementalRun) same(ctx context.Context) (bool, error) {
	s, err := i.graph.State(ctx)
	if err != nil {
		return false, err
	}
	if s.Schema != schema || s.Version != i.opts.Version {
		return false, errOutdated
	}
	i.stored, i.ids, i.nextFile = s, &idAllocator{s.NextNode}, s.NextFile
	i.seen = i.recall(i.graph, s)
	if i.seen.Tree == "" {
		return false, nil
	}
	tree, paths, _ := i.hashTree()
	i.samePaths = paths == i.seen.Paths
	if tree != i.seen.Tree {
		return false, nil
	}
	i.sum.Skipped.Add(i.seen.Unread)
	return true, nil
}

// load reads the stored files.
func (i *incrementalRun) load(ctx context.Context) error {
	files, err := i.graph.Files(ctx)
	if err != nil {
		return err
	}
	for k := range files {
		i.files[files[k].Path] = &files[k]
	}
	return nil
}

// loadHeads reads the heads of all files' facts concurrently, unless they are in memory.
func (i *incrementalRun) loadHeads(ctx context.Context) error {
	if i.heads = i.opts.Memory.take(i.stored); i.heads != nil {
		for path, c := range i.changed {
			c.old = i.heads[path]
		}
		return nil
	}
	byID := make(map[store.FileID]string, len(i.files))
	for path, f := range i.files {
		byID[f.ID] = path
	}
	var paths []string
	var facts [][]byte
	err := i.graph.Facts(ctx, nil, func(id store.FileID, data []byte) error {
		paths, facts = append(paths, byID[id]), append(facts, slices.Clone(data))
		return nil
	})
	if err != nil {
		return err
	}
	type decoded struct {
		head *code.File
		err  error
	}
	i.heads = make(map[string]*code.File, len(paths))
	return inOrder(ctx, i.opts.Workers, len(paths), func(k int) decoded {
		head, err := code.DecodeHead(facts[k])
		return decoded{head, err}
	}, func(k int, d decoded) error {
		i.heads[paths[k]] = d.head
		if c := i.changed[paths[k]]; c != nil {
			c.old = d.head
		}
		return d.err
	})
}

// link computes the effects of the changes and fills the update.
func (i *incrementalRun) link(ctx context.Context) error {
	i.compareScip()
	if err := i.replaceFiles(ctx); err != nil {
		return err
	}
	heads := make([]*code.File, 0, len(i.heads))
	for _, path := range slices.Sorted(maps.Keys(i.heads)) {
		heads = append(heads, i.heads[path])
	}
	m := i.manifests(ctx)
	resolved := codegraph.Resolve(heads, m)
	known, err := i.readScip(ctx, m)
	if err != nil {
		return err
	}
	project := resolve.New(heads, resolved)
	project.SetOracle(known)
	if err := i.putStructure(ctx, newStructure(i.run, heads, resolved, m)); err != nil {
		return err
	}
	again, err := i.affected(ctx, resolved)
	if err != nil {
		return err
	}
	return i.relink(ctx, again, project, resolved)
}

// replaceFiles adds changed files and their nodes to the update.
func (i *incrementalRun) replaceFiles(ctx context.Context) error {
	ids := make(map[string]store.FileID, len(i.files))
	for path, f := range i.files {
		ids[path] = f.ID
	}
	i.places = newPlaces(i.ids)
	i.places.load = loadIDs(ctx, i.graph, ids)
	for _, path := range slices.Sorted(maps.Keys(i.changed)) {
		c := i.changed[path]
		i.compareInterfaces(c)
		if c.gone {
			i.update.DropFiles = append(i.update.DropFiles, i.files[path].ID)
			delete(i.files, path)
			delete(i.heads, path)
			continue
		}
		if err := i.replace(ctx, path, c); err != nil {
			return err
		}
	}
	return nil
}

func (i *incrementalRun) replace(ctx context.Context, path string, c *change) error {
	head, err := code.DecodeHead(c.facts)
	if err != nil {
		return err
	}
	file := i.fileOf(c.parsed)
	var old []store.Node
	if f := i.files[path]; f != nil {
		file.ID = f.ID
		if old, err = i.graph.NodesOf(ctx, f.ID); err != nil {
			return err
		}
	} else {
		file.ID = i.nextFile
		i.nextFile++
	}
	kept, dropped := keepIDs(old, c.symbols, i.ids)
	i.places.files[path] = kept
	i.update.DropNodes = append(i.update.DropNodes, dropped...)
	i.update.Nodes = append(i.update.Nodes, nodesOf(i.names[path], c.file, c.symbols, kept, file.ID)...)
	i.files[path], i.heads[path] = &file, head
	return nil
}

// compareInterfaces records the names whose declarations in a changed file changed.
func (i *incrementalRun) compareInterfaces(c *change) {
	was, is := resolve.Interface{}, resolve.Interface{}
	if c.old != nil {
		was = resolve.InterfaceOf(c.old)
	}
	if !c.gone {
		is = resolve.InterfaceOf(c.file)
	}
	i.renamed(was.Changed(is))
}

func (i *incrementalRun) renamed(names map[uint32]struct{}) {
	maps.Copy(i.changedNames, names)
	if _, any := names[resolve.Hash(resolve.Everything)]; any {
		i.everything = true
	}
}

// affected returns the files whose edges must be computed again, sorted.
func (i *incrementalRun) affected(ctx context.Context, resolved *codegraph.Resolution) ([]string, error) {
	again := map[string]bool{}
	for _, path := range i.scipChanged {
		again[path] = true
	}
	for path, c := range i.changed {
		if !c.gone {
			again[path] = true
		}
	}
	byID := make(map[store.FileID]string, len(i.files))
	for path, f := range i.files {
		byID[f.ID] = path
	}
	lookups := map[string][]uint32{}
	err := i.graph.Lookups(ctx, func(id store.FileID, data []byte) error {
		path, known := byID[id]
		if !known || again[path] {
			return nil
		}
		targets, names, err := decodeLookups(data)
		if err != nil {
			return err
		}
		lookups[path] = names
		if targets != targetsHash(resolved.Targets[path]) { // its imports resolve differently
			again[path] = true
			i.renamed(resolve.Interface{}.Changed(resolve.InterfaceOf(i.heads[path])))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for path, names := range lookups {
		if i.everything || slices.ContainsFunc(names, func(h uint32) bool { _, hit := i.changedNames[h]; return hit }) {
			again[path] = true
		}
	}
	return slices.Sorted(maps.Keys(again)), nil
}

// relink computes the edges of files and adds them to the update.
func (i *incrementalRun) relink(ctx context.Context, paths []string, project *resolve.Project, resolved *codegraph.Resolution) error {
	files := make([]*store.File, len(paths))
	for k, path := range paths {
		f := *i.files[path]
		files[k] = &f
		i.update.DropEdges = append(i.update.DropEdges, f.ID)
	}
	facts, err := i.loadFacts(ctx, files)
	if err != nil {
		return err
	}
	linkers := newLinkers(project, i.opts.Workers)
	err = inOrder(ctx, i.opts.Workers, len(files), func(k int) linked {
		return linkers.link(files[k].Path, facts[files[k].ID])
	}, func(k int, l linked) error {
		if l.err != nil {
			return l.err
		}
		i.finish(files[k], l.result, resolved)
		edges, err := i.places.edges(files[k], l.result)
		i.update.Files, i.update.Edges = append(i.update.Files, *files[k]), append(i.update.Edges, edges...)
		i.update.Nodes = append(i.update.Nodes, i.places.takeFresh()...)
		i.sum.Linked++
		progress.Report(ctx, progress.Event{Stage: "link", Item: files[k].Path, Done: k + 1, Total: len(files)})
		return err
	})
	for _, f := range i.touched {
		if !slices.Contains(paths, f.Path) {
			i.update.Files = append(i.update.Files, *f)
			continue
		}
		for k := range i.update.Files {
			if i.update.Files[k].ID == f.ID {
				i.update.Files[k].ModTime, i.update.Files[k].Size, i.update.Files[k].Stamp = f.ModTime, f.Size, f.Stamp
			}
		}
	}
	return err
}

// loadFacts returns the encoded facts of files: new ones for changed files, stored ones for others.
func (i *incrementalRun) loadFacts(ctx context.Context, files []*store.File) (map[store.FileID][]byte, error) {
	out := map[store.FileID][]byte{}
	var stored []store.FileID
	for _, f := range files {
		if f.Facts != nil {
			out[f.ID] = f.Facts
			continue
		}
		stored = append(stored, f.ID)
	}
	if len(stored) == 0 {
		return out, nil
	}
	slices.Sort(stored)
	return out, i.graph.Facts(ctx, stored, func(id store.FileID, facts []byte) error {
		out[id] = slices.Clone(facts)
		return nil
	})
}

// putStructure adds folders, files and external packages that differ from the stored ones to the update.
func (i *incrementalRun) putStructure(ctx context.Context, s *structure) error {
	old, err := i.graph.NodesOf(ctx, 0)
	if err != nil {
		return err
	}
	old = slices.DeleteFunc(old, i.places.enterType)
	i.update.Prune = externals
	ids := make(map[string]codegraph.ID, len(old))
	stored := make(map[codegraph.ID]store.Node, len(old))
	for _, n := range old {
		ids[structureKey(n.Node)], stored[n.ID] = n.ID, n
	}
	nodes := s.nodes(func(key string) (codegraph.ID, bool) { id, ok := ids[key]; return id, ok }, i.ids)
	s.enter(i.places, nodes)
	same := len(nodes) == len(old)
	for _, n := range nodes {
		was, known := stored[n.ID]
		delete(stored, n.ID)
		if known && was.Version == n.Version && was.Ordinal == n.Ordinal {
			continue
		}
		same = false
		i.update.Nodes = append(i.update.Nodes, n)
	}
	for id := range stored {
		i.update.DropNodes = append(i.update.DropNodes, id)
	}
	slices.Sort(i.update.DropNodes)
	if same && !i.modulesChanged() {
		return nil
	}
	i.update.DropEdges = append(i.update.DropEdges, 0)
	edges, err := s.edges(i.places)
	i.update.Edges = append(i.update.Edges, edges...)
	return err
}

// modulesChanged reports whether a source file was added or removed.
func (i *incrementalRun) modulesChanged() bool {
	for _, c := range i.changed {
		if c.gone || c.old == nil {
			return true
		}
	}
	return false
}
