// Package graphs opens the code graphs that one process asks, for the commands and for the
// MCP server alike: the store when it is first needed, a project's graph brought up to date
// in it, and what deepens the answers, which is a project's CKB and its model.
package graphs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/live"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Options is where code graphs are and what deepens their answers.
type Options struct {
	// Store opens the store. It is called once, when the store is first needed. Nil is no graphs of this machine: every
	// question is about a project of the shared store.
	Store func() (store.Store, error)
	// Organisation opens the store that the machines of an organisation share; nil for none. It is called once, when
	// a project is asked for that is not on this machine.
	Organisation func() (store.Shared, error)
	// Guard lets the caller of a question see only the shared projects that [store.AccessOf] its context allows, and write
	// nothing.
	Guard bool
	// Idle is how long shared graphs stay open without a question; 0 for five minutes.
	Idle time.Duration
	// Patience is how long the shared store may take to say which state of a graph is the current one, before the last one is used; 0 for
	// fifteen seconds.
	Patience time.Duration
	// CKB returns the client of a project's CKB; nil for none. Its owner closes the clients.
	CKB func(p *project.Project) *ckb.Client
	// Model opens the model that is configured for a project, nil where there is none. The
	// notes are for the answer. A nil function is no model for any project.
	Model func(ctx context.Context, p *project.Project) (m llm.Model, notes []string, err error)
	// Shared makes concurrent questions share one index run for a project. Each
	// question is about the files as they are when it is asked. A process that
	// asks once needs neither.
	Shared bool
	// Resident is asked first whether a graph is that of the files, in a process that is not shared; nil for nobody.
	Resident Resident
	// Live configures the live indexes of a shared process; Runs and Log are set here.
	Live live.Options
	// Log is where a shared process says why it cannot follow changes; nil for nowhere.
	Log *slog.Logger
}

// Resident is a process that goes on running and follows the files of projects.
type Resident interface {
	// Current returns which stored graph is that of the files of the project in a folder, which is brought up to date; nil if it
	// does not know.
	Current(ctx context.Context, root string) *explore.Current
	// Compared is told that all files of a project had to be listed to look for changes, and how many these are.
	Compared(root string, files int)
}

// Graphs is the code graphs of one process. It may be used by several goroutines at once.
type Graphs struct {
	options Options
	runs    index.Runs

	mu     sync.Mutex
	opened bool
	store  store.Store
	live   *live.Indexes // of a process that is asked again and again
	err    error

	team team
}

// New returns the code graphs of a process. Nothing is opened yet. The caller closes them.
func New(o Options) *Graphs {
	return &Graphs{options: o, team: team{guard: o.Guard, kept: kept{idle: o.Idle, patience: o.Patience, guard: o.Guard}}}
}

// errNoOwn is the error of a question about a folder where there are only shared graphs.
var errNoOwn = message.Errorf("there are only the graphs of the shared store here: name a project")

// own reports whether there are graphs of this machine.
func (g *Graphs) own() bool { return g.options.Store != nil }

// Store returns the store, opened by the first call. The error is that of opening it, the same for all
// calls. The store is closed by Close.
func (g *Graphs) Store() (store.Store, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.own() {
		return nil, errNoOwn
	}
	if !g.opened {
		g.opened = true
		var s store.Store
		if s, g.err = g.options.Store(); g.err == nil { // with an error s may be a nil pointer, which is not nil here
			g.store = s
			if g.options.Shared {
				opts := g.options.Live
				opts.Runs, opts.Log = &g.runs, g.options.Log
				g.live = live.New(s, opts)
			}
		}
	}
	return g.store, g.err
}

// Close closes the store, if it was opened.
func (g *Graphs) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.team.close()
	if g.store == nil {
		return err
	}
	if g.live != nil {
		g.live.Close()
	}
	return errors.Join(err, g.store.Close())
}

// AsksModels reports whether questions may go to a model. Of nil Graphs they do not.
func (g *Graphs) AsksModels() bool { return g != nil && g.options.Model != nil }

// Model opens the model that is configured for a project, nil where there is none.
func (g *Graphs) Model(ctx context.Context, p *project.Project) (m llm.Model, notes []string, err error) {
	if !g.AsksModels() {
		return nil, nil, nil
	}
	return g.options.Model(ctx, p)
}

// Delete removes the graph of a project, see [explore.DeleteProject].
func (g *Graphs) Delete(ctx context.Context, name string) error {
	s, err := g.Store()
	if err != nil {
		return err
	}
	g.forget()
	return explore.DeleteProject(ctx, s, name)
}

// Wipe removes the graphs of all projects.
func (g *Graphs) Wipe(ctx context.Context) error {
	s, err := g.Store()
	if err != nil {
		return err
	}
	g.forget()
	return s.Wipe(ctx)
}

// forget closes the graphs that are kept open.
func (g *Graphs) forget() {
	if g.live != nil {
		g.live.Drop()
	}
}

// Index brings the graph of a project up to date, or builds it anew with force. A call while
// another indexes the project returns the summary of that run.
func (g *Graphs) Index(ctx context.Context, p *project.Project, force bool) (*index.Summary, error) {
	s, err := g.Store()
	if err != nil {
		return nil, err
	}
	return index.Run(ctx, p, s, index.Options{Force: force, Wait: index.DefaultWait, Runs: &g.runs})
}

// Live returns the state of the live index of a project; nil if there is none.
func (g *Graphs) Live(p *project.Project) *live.Status {
	if g.live == nil {
		return nil
	}
	for _, s := range g.live.Status() {
		if s.Root == p.Root() {
			return &s
		}
	}
	return nil
}

// OpenOptions change how a graph is opened.
type OpenOptions struct {
	NoIndex bool // take the stored graph as it is
	// Wait is how long indexing may take where a graph is stored, which is taken
	// after that; 0 for as long as it takes.
	Wait time.Duration
}

// Graph is the code graph of one project, open for questions.
type Graph struct {
	*explore.Graph
	of *Graphs
}

// Open opens the graph of a project, brought up to date first, see [explore.Open]. The
// caller closes it.
func (g *Graphs) Open(ctx context.Context, p *project.Project, o OpenOptions) (*Graph, error) {
	s, err := g.Store()
	if err != nil {
		return nil, err
	}
	opts := explore.Options{NoIndex: o.NoIndex, Wait: o.Wait}
	open := func() (*explore.Graph, error) { return explore.Open(ctx, p, s, opts) }
	switch {
	case g.live != nil:
		open = func() (*explore.Graph, error) { return g.live.Open(ctx, p, opts) }
	case g.options.Resident != nil && !o.NoIndex && o.Wait == 0 && p.IsWorkTree():
		open = func() (*explore.Graph, error) { return g.openWithResident(ctx, p, s) }
	}
	opened, err := open()
	if err != nil {
		return nil, err
	}
	return &Graph{opened, g}, nil
}

// openWithResident opens the graph that the resident process has found to be that of the files, else it looks for changes itself.
func (g *Graphs) openWithResident(ctx context.Context, p *project.Project, s store.Store) (*explore.Graph, error) {
	if c := g.options.Resident.Current(ctx, p.Root()); c != nil {
		if opened, err := explore.OpenCurrent(ctx, p, s, c); err == nil {
			return opened, nil
		}
	}
	opened, err := explore.Open(ctx, p, s, explore.Options{})
	if err == nil && !opened.Index.Stale && opened.Index.Compared > 0 {
		g.options.Resident.Compared(p.Root(), opened.Index.Compared)
	}
	return opened, err
}

// Current brings the graph of the project in a folder up to date for another process, see [live.Indexes.Current]. Only a shared
// process follows files.
func (g *Graphs) Current(ctx context.Context, root string) (*explore.Current, error) {
	if _, err := g.Store(); err != nil {
		return nil, err
	}
	if g.live == nil {
		return nil, &live.NotFollowedError{}
	}
	p, err := project.Open(root)
	if err != nil {
		return nil, err
	}
	c, err := g.live.Current(ctx, p)
	return c, errors.Join(err, p.Close())
}

// With opens the graph of a project, asks it and closes it. Without graphs of this machine it is the only project of the shared
// store that the caller may see.
func (g *Graphs) With(ctx context.Context, p *project.Project, o OpenOptions, ask func(*Graph) error) error {
	if !g.own() {
		return g.withOnly(ctx, o, ask)
	}
	opened, err := g.Open(ctx, p, o)
	if err != nil {
		return err
	}
	return errors.Join(ask(opened), opened.Close())
}

// In is [Graphs.WithNamed] for a name, and [Graphs.With] for none.
func (g *Graphs) In(ctx context.Context, p *project.Project, name string, o OpenOptions, ask func(*Graph) error) error {
	if name != "" {
		return g.WithNamed(ctx, name, o, ask)
	}
	return g.With(ctx, p, o, ask)
}

// reach reaches the CKB of the project for one question.
func (g *Graph) reach(ctx context.Context) *ckb.Access {
	if g.of.options.CKB == nil || g.Project() == nil {
		return (*ckb.Client)(nil).Reach(ctx)
	}
	return g.of.options.CKB(g.Project()).Reach(ctx)
}

// Search finds the code that a question is about, with the project's CKB, see [rag.Query].
func (g *Graph) Search(ctx context.Context, text string, o rag.Options) (*rag.Answer, error) {
	return rag.Query(ctx, g.Graph, text, o.With(g.Graph, g.reach(ctx)))
}

// CallChain follows the calls of a symbol, with the project's CKB, see [rag.CallChain].
func (g *Graph) CallChain(ctx context.Context, symbol string, o rag.ChainOptions) (*rag.Chain, error) {
	o.CKB = g.reach(ctx)
	return rag.CallChain(ctx, g.Graph, symbol, o)
}
