package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Runs joins the runs of one process: who wants a project indexed that is being indexed
// gets what that run gives. The zero value is ready. A run ends early when everyone who
// waits for it is gone.
type Runs struct {
	mu    sync.Mutex
	begun int // runs so far
	open  map[string]*joint
}

// joint is one run, for all who wait for it.
type joint struct {
	number int
	opts   Options
	cancel context.CancelFunc
	done   chan struct{} // closed when the fields below are set
	sum    *Summary
	err    error
	fault  any // of a panic

	blocked   chan struct{} // closed when another process has to be waited for
	blocking  sync.Once
	mu        sync.Mutex
	waiting   int
	listeners map[int]progress.Func
	last      int
}

// run is [Run] for one of those who wait.
func (r *Runs) run(ctx context.Context, p *project.Project, s store.Store, opts Options) (*Summary, error) {
	r.mu.Lock()
	since := r.begun
	r.mu.Unlock()
	for {
		j, leave, joins := r.enter(ctx, p, s, opts)
		blocked := j.blocked
		if opts.Wait > 0 {
			blocked = nil
		}
		select {
		case <-ctx.Done():
			leave()
			return nil, ctx.Err()
		case <-blocked: // who does not wait is told who is waited for
			opts.Runs = nil
			defer leave()
			return Run(ctx, p, s, opts)
		case <-j.done:
		}
		leave()
		if locked := (*store.LockedError)(nil); errors.As(j.err, &locked) && j.opts.Wait < opts.Wait {
			continue
		}
		// A question is about the files as they are when it is asked: a run that had begun
		// before may have listed them already.
		if !joins || opts.Fresh && j.number <= since {
			continue
		}
		if j.fault != nil {
			panic(j.fault)
		}
		return j.sum, j.err
	}
}

// enter waits for the run under way, or begins one. It reports whether that is the run
// that the options ask for.
func (r *Runs) enter(ctx context.Context, p *project.Project, s store.Store, opts Options) (j *joint, leave func(), joins bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j = r.open[p.Root()]; j != nil {
		leave, alive := j.listen(ctx)
		return j, leave, alive && j.serves(opts)
	}
	r.begun++
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j = &joint{number: r.begun, opts: opts, cancel: cancel, done: make(chan struct{}), blocked: make(chan struct{}), listeners: map[int]progress.Func{}}
	leave, _ = j.listen(ctx)
	if r.open == nil {
		r.open = map[string]*joint{}
	}
	r.open[p.Root()] = j
	go r.work(progress.With(own, j.report), j, p.Root(), s)
	return j, leave, true
}

// serves reports whether a run does what the options ask for.
func (j *joint) serves(opts Options) bool {
	return (j.opts.Force || !opts.Force) && (opts.Scip == nil || slices.Equal(opts.Scip, j.opts.Scip) && j.opts.Scip != nil)
}

// listen counts one more who waits, until leave is called; alive is false for a run that
// is ending because nobody waited. The last one to leave ends the run, and waits for that.
func (j *joint) listen(ctx context.Context) (leave func(), alive bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	alive = j.waiting > 0 || j.last == 0
	j.last++
	id := j.last
	j.waiting++
	j.listeners[id] = func(e progress.Event) { progress.Report(ctx, e) }
	return func() {
		j.mu.Lock()
		delete(j.listeners, id)
		j.waiting--
		last := j.waiting == 0
		j.mu.Unlock()
		if last {
			j.cancel()
			<-j.done
		}
	}, alive
}

// report tells everyone who waits how far the run is.
func (j *joint) report(e progress.Event) {
	if e.Stage == "wait" {
		j.blocking.Do(func() { close(j.blocked) })
	}
	j.mu.Lock()
	listeners := slices.Collect(maps.Values(j.listeners))
	j.mu.Unlock()
	for _, tell := range listeners {
		tell(e)
	}
}

// work does the run. It has the project open for itself: who began it may be gone first.
func (r *Runs) work(ctx context.Context, j *joint, root string, s store.Store) {
	defer close(j.done)
	defer func() {
		r.mu.Lock()
		delete(r.open, root)
		r.mu.Unlock()
	}()
	defer func() {
		if fault := recover(); fault != nil {
			j.fault = fmt.Sprintf("%v\n%s", fault, debug.Stack())
		}
	}()
	p, err := project.Open(root)
	if err != nil {
		j.err = message.Errorf("index %s: %w", root, err)
		return
	}
	defer func() { _ = p.Close() }() // nothing was written
	opts := j.opts
	opts.Runs = nil
	j.sum, j.err = Run(ctx, p, s, opts)
}
