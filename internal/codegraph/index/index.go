// Package index builds and updates the stored code graph of a project.
//
// [Run] lists the project's source files, parses those that changed, links what the changes affect (see package
// resolve), and stores the result. A first run, a new version of the facts or [Options.Force] builds the whole
// graph in a new database, which replaces the old one; any other run is one transaction. Both give the same graph:
// it depends on the files alone, except for node ids, which are stable as long as a declaration keeps its name.
package index

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	reversespec "github.com/reverse-spec/reverse-spec"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search/words"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// Options configure [Run]. The zero value indexes what changed.
type Options struct {
	Force   bool   // rebuild the whole graph
	Version string // version of the program to record; "" for this one's
	Workers int    // number of files parsed concurrently; 0 for the number of processors
	Now     func() time.Time
	// Scip lists SCIP index files written by compilers' indexers, relative to the working folder. Their references
	// take precedence over inferred ones. The list is stored with the graph: nil uses the stored list, an empty
	// list clears it.
	Scip []string
	// Wait is how long to wait for a run of another process; 0 not to wait.
	Wait time.Duration
	// Runs joins this run with other runs of this process. If it is nil, the run fails if another one is active.
	// With Fresh, it does not join a run that has already begun.
	Runs  *Runs
	Fresh bool
	// Listing is the listing of the project's files, of those times, by a caller that follows their changes; nil to
	// list them.
	Listing *project.Listing
	Listed  time.Time // when the files of Listing that changed since the last run were looked at
	// Memory keeps what a run decodes for the next one; nil for nothing.
	Memory *Memory
	// NoSizes leaves out of the summary what is counted in the graph and in the listing, for a caller that only wants
	// the graph.
	NoSizes bool
	// BeforeFull is called before a full build reads the sources, with their size in bytes; it may be nil.
	BeforeFull func(size int64)
}

// Mode is the kind of a run.
type Mode string

// The modes.
const (
	Full        Mode = "full"
	Incremental Mode = "incremental"
	Unchanged   Mode = "unchanged"
)

// Summary describes a run and the resulting graph.
type Summary struct {
	Project string `json:"project"`
	Root    string `json:"root"`
	Mode    Mode   `json:"mode"`
	Why     string `json:"why,omitempty"` // reason for a full build

	Listed  int `json:"-"`       // files of the project, of all kinds
	Parsed  int `json:"parsed"`  // files read and parsed
	Linked  int `json:"linked"`  // files whose edges were computed
	Removed int `json:"removed"` // files removed from the graph

	Files       int            `json:"files"`
	Unresolved  map[string]int `json:"unresolved"` // calls without an edge, by reason
	ParseErrors int            `json:"parseErrors"`
	Size        int64          `json:"size"` // bytes on disk

	Nodes map[codegraph.Label]int        `json:"nodes"`
	Edges map[codegraph.Relationship]int `json:"edges"`

	Scip *ScipUse `json:"scip,omitempty"` // nil if there are no SCIP indexes

	Skipped  project.Skipped `json:"skipped"`
	Vendored int             `json:"vendored"` // third-party files that were left out
	Warnings []string        `json:"warnings,omitempty"`
	Duration time.Duration   `json:"duration"` // nanoseconds
}

// ScipUse describes the use of SCIP indexes. The counts are 0 if the run did not need to read them.
type ScipUse struct {
	Files     []string `json:"files"`
	Documents int      `json:"documents"` // files of the project that they cover
	Written   int      `json:"written"`   // covered files that were changed since, for which they are ignored
}

// Run brings the stored graph of a project up to date. It reports progress as the stages "wait", "parse" and
// "link". Errors come from listing the project, from the store ([store.LockedError], ...), and from the context. On
// error the store keeps the old graph.
func Run(ctx context.Context, p *project.Project, s store.Store, opts Options) (sum *Summary, err error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Runs != nil {
		return opts.Runs.run(ctx, p, s, opts)
	}
	begin := opts.Now()
	release, err := Lock(ctx, s, p.Root(), opts.Wait)
	if err != nil {
		return nil, message.Errorf("index %s: %w", p.Root(), err)
	}
	defer func() { err = errors.Join(err, release()) }()
	r, err := newRun(ctx, p, s, opts)
	if err != nil {
		return nil, message.Errorf("index %s: %w", p.Root(), err)
	}
	if err := r.index(ctx); err != nil {
		return nil, message.Errorf("index %s: %w", p.Root(), err)
	}
	if !opts.NoSizes {
		if err := r.countOrRebuild(ctx); err != nil {
			return nil, message.Errorf("index %s: %w", p.Root(), err)
		}
	}
	r.sum.Duration = opts.Now().Sub(begin)
	return r.sum, nil
}

// run is a run in progress.
type run struct {
	project     *project.Project
	store       store.Store
	opts        Options
	name        string
	listing     *project.Listing
	sources     []project.Entry // the indexed files, sorted by path
	parser      *source.Parser
	names       map[string]string // file -> qualified name of its module
	begin       time.Time
	looked      time.Time     // when the files were listed, by the clock of the system
	inputs      []store.Input // the SCIP indexes in use
	sum         *Summary
	unreadCount int             // number of warnings about unread files
	unread      project.Skipped // sources that could not be read
	unsure      bool            // one of them perhaps only this time
}

func newRun(ctx context.Context, p *project.Project, s store.Store, opts Options) (*run, error) {
	begin, looked := opts.Now(), time.Now()
	name, err := s.Name(ctx, p.Root())
	if err != nil {
		return nil, err
	}
	l := opts.Listing
	if l == nil {
		if l, err = p.List(ctx, "."); err != nil {
			return nil, err
		}
	} else {
		looked = opts.Listed
	}
	opts.Version = cmp.Or(opts.Version, reversespec.Version())
	opts.Workers = cmp.Or(opts.Workers, runtime.GOMAXPROCS(0))
	r := &run{
		project: p, store: s, opts: opts, name: name, listing: l, begin: begin, looked: looked,
		sum: &Summary{Project: name, Root: p.Root(), Listed: len(l.Files), Skipped: l.Skipped, Warnings: slices.Clip(l.Warnings)},
	}
	if !opts.NoSizes {
		r.chooseSources(ctx)
	}
	return r, nil
}

// index does the work: one transaction if possible, else a full build.
func (r *run) index(ctx context.Context) error {
	g, err := r.store.Open(ctx, r.project.Root())
	why, rebuild := rebuildable(ctx, err)
	if r.opts.Force {
		why, rebuild = message.Sprintf(ctx, "forced"), true
	}
	if err != nil {
		if !rebuild {
			return err
		}
		g = nil
	}
	other, err := r.chooseInputs(ctx, g)
	if len(r.inputs) > 0 {
		r.sum.Scip = &ScipUse{}
		for _, in := range r.inputs {
			r.sum.Scip.Files = append(r.sum.Scip.Files, in.Path)
		}
	}
	if err == nil && !rebuild && other == "" {
		err = r.incremental(ctx, g)
		if why, rebuild = rebuildable(ctx, err); rebuild {
			err = nil
		}
	}
	if g != nil {
		err = errors.Join(err, g.Close())
	}
	if err == nil && (rebuild || other != "") {
		return r.full(ctx, cmp.Or(why, other))
	}
	return err
}

// errOutdated is the reason to rebuild a graph written by another version of the program.
var errOutdated = message.Errorf("the stored facts are of another version")

// rebuildable reports whether a graph that cannot be opened or read is rebuilt, and the reason.
func rebuildable(ctx context.Context, err error) (why string, ok bool) {
	damaged := (*store.DamagedError)(nil)
	switch {
	case errors.Is(err, store.ErrNone):
		return message.Sprintf(ctx, "first time"), true
	case errors.Is(err, errOutdated), errors.Is(err, code.ErrFactsVersion):
		return message.Render(message.From(ctx), errOutdated), true
	case errors.As(err, &damaged):
		return message.Render(message.From(ctx), damaged), true
	}
	return "", false
}

// schema is the version of what is stored: the nodes and edges of a graph, the facts and words of a file.
const schema = graphVersion<<16 | code.FactsVersion<<8 | words.Version

// IsReadable reports whether the facts of a stored graph are of this version, so that they can be decoded.
func IsReadable(s store.State) bool { return s.Schema>>8&0xff == schema>>8&0xff }

// IsCurrent reports whether a graph was made by this version of the indexer.
func IsCurrent(s store.State) bool { return s.Schema == schema }

// graphVersion is the version of the nodes and edges that are made from the same facts.
const graphVersion = 6 // TESTS edges of tests in files of code

// state returns the state of the graph after this run.
func (r *run) state(ctx context.Context) store.State {
	return store.State{
		Project: r.name, Root: r.project.Root(), BuiltAt: r.begin.UTC(), Commit: project.HeadCommit(ctx, r.project.Root()),
		Version: r.opts.Version, Schema: schema, Inputs: r.inputs,
	}
}

// countOrRebuild is count, and builds the graph anew if it is found damaged: a run that found nothing changed has read
// little of it.
func (r *run) countOrRebuild(ctx context.Context) error {
	err := r.count(ctx)
	why, rebuild := rebuildable(ctx, err)
	if !rebuild || r.sum.Mode == Full {
		return err
	}
	if err := r.full(ctx, why); err != nil {
		return err
	}
	return r.count(ctx)
}

// count fills in the sizes of the graph.
func (r *run) count(ctx context.Context) error {
	g, err := r.store.Open(ctx, r.project.Root())
	if err != nil {
		return err
	}
	c, err := g.Counts(ctx)
	if err != nil {
		return errors.Join(err, g.Close())
	}
	r.sum.Files, r.sum.Size, r.sum.ParseErrors, r.sum.Unresolved = c.Files, c.Size, c.Errors, c.Unresolved
	r.sum.Nodes, r.sum.Edges = c.Nodes, c.Edges
	return g.Close()
}
