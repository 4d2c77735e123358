// Package index turns a project into a stored code graph, and keeps it so.
//
// [Run] does it: it lists the project's source files, parses those that have
// changed, links what the changes touch (see package link), and stores the result.
// A first run, a new version of the facts or [Options.Force] builds the whole graph
// beside the old one and puts it in its place; any other run is one transaction.
// Both leave the same graph: what a run stores depends on the files alone, but for
// the ids, which nodes keep as long as the thing they stand for keeps its name.
package index

import (
	"cmp"
	"context"
	"errors"
	"runtime"
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

// Options change how [Run] works. The zero value indexes what has changed.
type Options struct {
	Force   bool   // build the whole graph anew
	Version string // of the program, kept with the graph; "" for this one
	Workers int    // files parsed at once; 0 for as many as there are processors
	Now     func() time.Time
	// Scip names files that compilers' indexers wrote (SCIP), relative to the working
	// folder: what they know wins over what is worked out here. They are remembered
	// with the graph; nil takes those again, and an empty list forgets them.
	Scip []string
	// Wait is how long a run waits for one of another process; 0 for not at all.
	Wait time.Duration
	// Runs joins this run with others of this process; nil for a run of its own, which
	// fails beside another. Fresh takes no run that had begun before.
	Runs  *Runs
	Fresh bool
}

// Mode is what a run did.
type Mode string

// The modes.
const (
	Full        Mode = "full"
	Incremental Mode = "incremental"
	Unchanged   Mode = "unchanged"
)

// Summary is what a run did and what the graph holds now.
type Summary struct {
	Project string `json:"project"`
	Root    string `json:"root"`
	Mode    Mode   `json:"mode"`
	Why     string `json:"why,omitempty"` // why the whole graph was built

	Parsed  int `json:"parsed"`  // files read and parsed
	Linked  int `json:"linked"`  // files whose edges were worked out
	Removed int `json:"removed"` // files that are gone

	Files       int            `json:"files"`
	Unresolved  map[string]int `json:"unresolved"` // calls without an edge, by reason
	ParseErrors int            `json:"parseErrors"`
	Size        int64          `json:"size"` // bytes on disk

	Nodes map[codegraph.Label]int        `json:"nodes"`
	Edges map[codegraph.Relationship]int `json:"edges"`

	Scip *ScipUse `json:"scip,omitempty"` // nil without such indexes

	Skipped  project.Skipped `json:"skipped"`
	Vendored int             `json:"vendored"` // third-party files left out
	Warnings []string        `json:"warnings,omitempty"`
	Duration time.Duration   `json:"duration"` // nanoseconds
}

// ScipUse is what SCIP indexes brought. The counts are 0 where a run had no need to
// read them.
type ScipUse struct {
	Files     []string `json:"files"`
	Documents int      `json:"documents"` // files of the project of which they tell
	Written   int      `json:"written"`   // files that were written since: what they tell of those does not count
}

// Run brings the stored graph of a project up to date. Progress is reported as the
// stages "wait", "parse" and "link". The errors are those of listing the project, of the
// store ([store.LockedError], ...), and the context's; whatever happens, the store
// holds the old graph or the new one.
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
	if err := r.count(ctx); err != nil {
		return nil, message.Errorf("index %s: %w", p.Root(), err)
	}
	r.sum.Duration = opts.Now().Sub(begin)
	return r.sum, nil
}

// run is one run under way.
type run struct {
	project *project.Project
	store   store.Store
	opts    Options
	name    string
	listing *project.Listing
	sources []project.Entry // the files that are indexed, sorted by path
	parser  *source.Parser
	names   map[string]string // file -> qualified name of its module
	begin   time.Time
	inputs  []store.Input // the SCIP indexes that count
	sum     *Summary
	unread  int // warnings of files that were not read
}

func newRun(ctx context.Context, p *project.Project, s store.Store, opts Options) (*run, error) {
	begin := opts.Now()
	name, err := s.Name(ctx, p.Root())
	if err != nil {
		return nil, err
	}
	l, err := p.List(ctx, ".")
	if err != nil {
		return nil, err
	}
	opts.Version = cmp.Or(opts.Version, reversespec.Version())
	opts.Workers = cmp.Or(opts.Workers, runtime.GOMAXPROCS(0))
	r := &run{
		project: p, store: s, opts: opts, name: name, listing: l, begin: begin, parser: source.NewParser(p, l),
		sum: &Summary{Project: name, Root: p.Root(), Skipped: l.Skipped, Warnings: l.Warnings},
	}
	r.chooseSources(ctx)
	r.names = moduleNames(name, r.sources)
	return r, nil
}

// index does the work: what can be done in one transaction, or else all of it.
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

// errOutdated is the reason to build anew what another version of the program
// stored.
var errOutdated = message.Errorf("the stored facts are of another version")

// rebuildable reports whether a graph that cannot be opened or read is built anew, and
// says why.
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

// schema is the version of what is stored of a file's text.
const schema = code.FactsVersion<<8 | words.Version

// state describes the graph after this run.
func (r *run) state(ctx context.Context) store.State {
	return store.State{
		Project: r.name, Root: r.project.Root(), BuiltAt: r.begin.UTC(), Commit: project.HeadCommit(ctx, r.project.Root()),
		Version: r.opts.Version, Schema: schema, Inputs: r.inputs,
	}
}

// count fills in what the graph holds.
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
