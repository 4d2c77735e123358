package live

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Index is the live index of one project.
type Index struct {
	of      *Indexes
	project *project.Project
	idle    *time.Timer
	ctx     context.Context //nolint:containedctx // that of the work in the background
	cancel  context.CancelFunc
	work    sync.WaitGroup
	busy    chan struct{} // holds one value while the graph is brought up to date
	texts   texts
	memory  index.Memory
	used    atomic.Int64 // when the last question came, in nanoseconds since 1970

	mu       sync.Mutex
	closed   bool
	tree     *tree // nil while there are no events
	making   bool  // a tree is being made
	why      error // why there are no events
	retry    time.Time
	kept     *keptGraph
	listing  *project.Listing // as of what was last taken from the tree; nil for unknown
	swept    time.Time        // when all files were last compared, and how long it took
	sweeping time.Duration
	changes  int    // runs that changed the graph
	derived  string // path of the graph's derived file; "" for unknown
	telling  bool   // the state is being written
	answered bool   // a question had an answer, so that the next one is worth preparing for
}

// keptGraph is a graph that stays open between questions.
type keptGraph struct {
	*explore.Graph
	state  store.State
	inputs []outsideFile // parallel to state.Inputs
	users  int           // questions, and the index while it is its current graph; guarded by the index's mu
}

func newIndex(of *Indexes, p *project.Project) *Index {
	i := &Index{of: of, project: p, busy: make(chan struct{}, 1)}
	i.ctx, i.cancel = context.WithCancel(context.Background())
	i.idle = time.AfterFunc(of.opts.Idle, func() { of.forget(i) })
	i.begin()
	return i
}

// begin makes a tree in the background, unless one is being made.
func (i *Index) begin() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.making || i.closed || i.tree != nil || time.Now().Before(i.retry) {
		return
	}
	i.making = true
	i.work.Go(i.makeTree)
}

// retryAfter is the time between attempts to get events.
const retryAfter = 5 * time.Minute

// errUnwanted is why there are no events that were not wanted.
var errUnwanted = message.Errorf("events are switched off")

func (i *Index) watch() (*tree, error) {
	if i.of.opts.NoEvents {
		return nil, errUnwanted
	}
	return watch(i.ctx, i.project, &i.texts)
}

func (i *Index) makeTree() {
	t, err := i.watch()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.making = false
	if err != nil {
		if i.why == nil && i.ctx.Err() == nil {
			i.of.opts.Log.Info("each question compares all files: no events", "project", i.project.Root(), "why", err)
		}
		i.why, i.retry = err, time.Now().Add(retryAfter)
		return
	}
	if i.closed {
		_ = t.close()
		return
	}
	i.tree, i.why, i.listing = t, nil, nil
	i.work.Go(func() { i.follow(t) })
	t.mark(changes{all: true})
}

// replace ends a broken tree and begins another one.
func (i *Index) replace(t *tree) {
	i.mu.Lock()
	current := i.tree == t
	if current {
		i.tree, i.listing = nil, nil
	}
	i.mu.Unlock()
	if current {
		i.texts.drop()
		_ = t.close() // nothing is written
		i.begin()
	}
}

// close ends the index.
func (i *Index) close() {
	i.idle.Stop()
	i.cancel()
	i.mu.Lock()
	i.closed = true
	t := i.tree
	i.tree = nil
	i.mu.Unlock()
	if t != nil {
		_ = t.close()
	}
	i.work.Wait()
	i.drop()
	if i.derived != "" {
		_ = os.Remove(i.statusFile()) // of a process that has ended nobody reads it
	}
	_ = i.project.Close() // it was only read
}

// drop closes the kept graph when the last question has closed it.
func (i *Index) drop() {
	i.mu.Lock()
	kept := i.kept
	i.kept, i.answered = nil, false
	i.mu.Unlock()
	i.memory.Drop()
	if kept != nil {
		_ = i.release(kept) // it was only read
	}
}

// release ends one use of a graph.
func (i *Index) release(k *keptGraph) error {
	i.mu.Lock()
	k.users--
	last := k.users == 0
	i.mu.Unlock()
	if last {
		return k.Close()
	}
	return nil
}

// current returns the tree, caught up with what happened before the call; nil if there are no events.
func (i *Index) current(ctx context.Context) *tree {
	i.mu.Lock()
	t := i.tree
	i.mu.Unlock()
	if t == nil {
		i.begin()
		return nil
	}
	err := t.catchUp(ctx)
	if err == nil {
		return t
	}
	if ctx.Err() == nil {
		i.replace(t)
	}
	return nil
}

// openGraph opens the graph for one question.
func (i *Index) openGraph(ctx context.Context, p *project.Project, opts explore.Options) (*explore.Graph, error) {
	g, err := i.ask(ctx, p, opts)
	if err == nil {
		i.mu.Lock()
		first, t := !i.answered || i.derived == "", i.tree
		i.answered, i.derived = true, g.Stored().Derived()
		i.mu.Unlock()
		if first && t != nil {
			t.mark(changes{}) // the background may begin
		}
		if first {
			i.tell()
		}
	}
	return g, err
}

func (i *Index) ask(ctx context.Context, p *project.Project, opts explore.Options) (*explore.Graph, error) {
	if opts.NoIndex {
		return explore.Open(ctx, p, i.of.store, opts)
	}
	t := i.current(ctx)
	if t != nil && !t.isPending() {
		if g := i.share(ctx, p, t); g != nil {
			i.sweepLater(t)
			return g, nil
		}
	}
	if late, err := i.enter(ctx, opts); err != nil || late != nil {
		if err != nil {
			return nil, err
		}
		return late(p)
	}
	defer i.leave()
	return i.update(ctx, p, opts)
}

// enter waits until no other run is under way. If the options bound the time for that, and there is an older graph,
// late opens that one.
func (i *Index) enter(ctx context.Context, opts explore.Options) (late func(p *project.Project) (*explore.Graph, error), err error) {
	var over <-chan time.Time
	if opts.Wait > 0 {
		timer := time.NewTimer(opts.Wait)
		defer timer.Stop()
		over = timer.C
	}
	for {
		select {
		case i.busy <- struct{}{}:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-over:
			over = nil
			opts.NoIndex = true
			g, err := explore.Open(ctx, i.project, i.of.store, opts)
			if err != nil { // there is no older graph: wait on
				continue
			}
			g.Index.Why = message.Sprintf(ctx, "indexing takes longer than %v: run reverse-spec index", opts.Wait)
			return func(p *project.Project) (*explore.Graph, error) {
				shared := g.Share(p, nil, g.Close)
				shared.Index = g.Index
				return shared, nil
			}, nil
		}
	}
}

func (i *Index) leave() { <-i.busy }

// update brings the graph up to date and opens it. The caller has entered.
func (i *Index) update(ctx context.Context, p *project.Project, opts explore.Options) (*explore.Graph, error) {
	t := i.current(ctx) // once more: another run may have taken what was pending
	if t == nil {
		opts.Index = i.options(opts.Index)
		return explore.Open(ctx, p, i.of.store, opts)
	}
	if !t.isPending() {
		if g := i.share(ctx, p, t); g != nil {
			return g, nil
		}
	}
	begin := time.Now()
	taken := t.take()
	g, err := i.run(ctx, p, t, &taken, opts)
	i.of.trim(i)
	if err != nil || g.Index.Stale {
		t.giveBack(taken)
		return g, err
	}
	i.mu.Lock()
	if taken.all {
		i.swept, i.sweeping = begin, time.Since(begin)
	}
	i.mu.Unlock()
	warnings := g.Index.Warnings
	kept := i.keep(ctx, t, g)
	t.giveBack(changes{})
	if !kept {
		return g, nil
	}
	shared := i.share(ctx, p, t)
	if shared == nil { // another process has changed the graph since
		g, err := explore.Open(ctx, p, i.of.store, explore.Options{NoIndex: true})
		if err == nil {
			g.Index.Stale, g.Index.Why = false, ""
		}
		return g, err
	}
	shared.Index.Warnings = warnings
	return shared, nil
}

// options are those of a run.
func (i *Index) options(o index.Options) index.Options {
	o.Runs, o.Fresh, o.Memory = i.of.opts.Runs, true, &i.memory
	return o
}

// run indexes what was taken from the tree. It sets taken.all if all files were compared.
func (i *Index) run(ctx context.Context, p *project.Project, t *tree, taken *changes, opts explore.Options) (*explore.Graph, error) {
	opts.Index = i.options(opts.Index)
	listed := time.Now()
	i.mu.Lock()
	was := i.listing
	i.mu.Unlock()
	l, err := t.list(ctx, was, taken)
	if err != nil {
		return nil, err
	}
	opts.Index.Listing, opts.Index.Listed = l, listed
	g, err := explore.Open(ctx, p, i.of.store, opts)
	if err == nil && !g.Index.Stale {
		i.mu.Lock()
		if i.tree == t {
			i.listing = l
		}
		i.mu.Unlock()
	}
	return g, err
}

// keep makes a graph the one that questions share. It is false if the graph cannot be kept; then it is open still.
func (i *Index) keep(ctx context.Context, t *tree, g *explore.Graph) bool {
	state, err := g.Stored().State(ctx)
	if err != nil {
		return false
	}
	k := &keptGraph{Graph: g, state: state, users: 1}
	for _, in := range state.Inputs {
		k.inputs = append(k.inputs, lookOutside(in.Path))
	}
	i.mu.Lock()
	if i.closed || i.tree != t {
		i.mu.Unlock()
		return false
	}
	old := i.kept
	if old != nil && (old.state.Serial != state.Serial || old.state.Identity != state.Identity) {
		i.changes++
	}
	i.kept = k
	i.mu.Unlock()
	if old != nil {
		_ = i.release(old)
	}
	return true
}

// share returns the kept graph for one question; nil if there is none, or if another process has changed it.
func (i *Index) share(ctx context.Context, p *project.Project, t *tree) *explore.Graph {
	i.mu.Lock()
	k := i.kept
	if k == nil || i.tree != t {
		i.mu.Unlock()
		return nil
	}
	k.users++
	i.mu.Unlock()
	if !k.current(ctx) {
		_ = i.release(k)
		return nil
	}
	var once sync.Once
	read := func(name string) ([]byte, error) { return i.texts.read(name, p.ReadFile) }
	return k.Share(p, read, func() (err error) {
		once.Do(func() { err = i.release(k) })
		return err
	})
}

// current reports whether the graph is what is stored, and was made with the inputs as they are.
func (k *keptGraph) current(ctx context.Context) bool {
	same, err := k.Stored().Current(ctx)
	if err != nil || !same {
		return false
	}
	s, err := k.Stored().State(ctx)
	if err != nil || s.Serial != k.state.Serial || s.Identity != k.state.Identity {
		return false
	}
	for n, in := range k.state.Inputs {
		if !lookOutside(in.Path).same(k.inputs[n]) {
			return false
		}
	}
	return true
}

// sweepLater makes all files pending if they were not compared for a while.
func (i *Index) sweepLater(t *tree) {
	i.mu.Lock()
	due := !i.swept.IsZero() && time.Since(i.swept) > max(i.of.opts.Sweep, sweepShare*i.sweeping)
	if due {
		i.swept = time.Now()
	}
	i.mu.Unlock()
	if due {
		t.mark(changes{all: true})
	}
}

// follow indexes in the background what changes in a tree.
func (i *Index) follow(t *tree) {
	for {
		select {
		case <-i.ctx.Done():
			return
		case <-t.done:
			return
		case <-t.told:
		}
		i.tell()
		if !rest(i.ctx, t, i.of.opts.Still) {
			return
		}
		i.mu.Lock()
		answered := i.answered
		i.mu.Unlock()
		if answered && t.isPending() {
			i.refresh(t)
			i.tell()
		}
	}
}

// again is how long the background waits after a run that failed, because another process is indexing, among others.
const again = 2 * time.Second

// refresh brings the graph up to date for the next question.
func (i *Index) refresh(t *tree) {
	g, err := i.ask(i.ctx, i.project, explore.Options{})
	if err == nil {
		stale := g.Index.Stale
		_ = g.Close() // it was only read
		if !stale {
			return
		}
	}
	if i.ctx.Err() != nil {
		return
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		i.of.opts.Log.Warn("the code graph was not brought up to date", "project", i.project.Root(), "error", err)
	}
	time.AfterFunc(again, func() { t.mark(changes{}) })
}
