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

// Runs joins the runs of one process: a caller that wants a project indexed while a run is active gets the result
// of that run. The zero value is ready to use. A run is cancelled when no caller waits for it any more.
type Runs struct {
	mu    sync.Mutex
	begun int // number of runs so far
	open  map[string]*sharedRun
}

// sharedRun is one run shared by several callers.
type sharedRun struct {
	number int
	opts   Options
	cancel context.CancelFunc
	done   chan struct{} // closed when the fields below are set
	sum    *Summary
	err    error
	fault  any // a recovered panic

	blocked   chan struct{} // closed if the run waits for another process
	blocking  sync.Once
	mu        sync.Mutex
	waiting   int
	listeners map[int]progress.Func
	last      int
}

// run is [Run] for one caller.
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
		case <-blocked: // a caller that does not wait gets the lock's holder as an error
			opts.Runs = nil
			defer leave()
			return Run(ctx, p, s, opts)
		case <-j.done:
		}
		leave()
		if locked := (*store.LockedError)(nil); errors.As(j.err, &locked) && j.opts.Wait < opts.Wait {
			continue
		}
		// A fresh run must see the files as they are now: a run that had already begun may have listed them before.
		if !joins || opts.Fresh && j.number <= since {
			continue
		}
		if j.fault != nil {
			panic(j.fault)
		}
		return j.sum, j.err
	}
}

// enter joins the active run, or begins one. It reports whether that run is what the options request.
func (r *Runs) enter(ctx context.Context, p *project.Project, s store.Store, opts Options) (j *sharedRun, leave func(), joins bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if j = r.open[p.Root()]; j != nil {
		leave, alive := j.listen(ctx)
		return j, leave, alive && j.serves(opts)
	}
	r.begun++
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	j = &sharedRun{number: r.begun, opts: opts, cancel: cancel, done: make(chan struct{}), blocked: make(chan struct{}), listeners: map[int]progress.Func{}}
	leave, _ = j.listen(ctx)
	if r.open == nil {
		r.open = map[string]*sharedRun{}
	}
	r.open[p.Root()] = j
	go r.work(progress.With(own, j.report), j, p.Root(), s)
	return j, leave, true
}

// serves reports whether a run does what the options request.
func (j *sharedRun) serves(opts Options) bool {
	return (j.opts.Force || !opts.Force) && (!j.opts.NoSizes || opts.NoSizes) && (opts.Scip == nil || slices.Equal(opts.Scip, j.opts.Scip) && j.opts.Scip != nil)
}

// listen registers a caller until leave is called; alive is false for a run that is being cancelled. The last
// caller to leave cancels the run and waits for its end.
func (j *sharedRun) listen(ctx context.Context) (leave func(), alive bool) {
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

// report sends a progress event to all callers.
func (j *sharedRun) report(e progress.Event) {
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

// work does the run. It opens the project itself, because the caller that began the run may leave first.
func (r *Runs) work(ctx context.Context, j *sharedRun, root string, s store.Store) {
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
	defer func() { _ = p.Close() }() // it was only read
	opts := j.opts
	opts.Runs = nil
	j.sum, j.err = Run(ctx, p, s, opts)
}
