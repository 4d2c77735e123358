package live

import (
	"context"
	"errors"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Watch indexes a project, and again whenever its files change, until the context ends. It calls show with the summary of
// the first run and of each run that changed something; an error of show ends the watch. A run that fails because
// another process is indexing the project is repeated. Where there are no events, poll is called with the reason, once,
// and the files are looked at again and again.
func Watch(ctx context.Context, p *project.Project, s store.Store, opts index.Options, show func(*index.Summary) error, poll func(why error)) error {
	opts.Memory = &index.Memory{}
	w := &watcher{project: p, store: s, opts: opts, show: show}
	var why error
	w.tree, why = watch(ctx, p, &texts{}) // before the run, so that changes during the run are seen
	defer func() {
		if w.tree != nil {
			_ = w.tree.close() // nothing is written
		}
	}()
	if why != nil && ctx.Err() == nil {
		poll(why)
	}
	sum, err := index.Run(ctx, p, s, opts)
	if err != nil {
		return err
	}
	w.opts.Force, w.opts.Scip, w.opts.Wait = false, nil, 0 // stored with the graph
	if err := show(sum); err != nil {
		return err
	}
	if w.tree != nil {
		w.tree.mark(changes{all: true}) // the first listing names the rest of the folders to watch
	}
	for err == nil && ctx.Err() == nil {
		err = w.step(ctx)
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// watcher is a watch under way.
type watcher struct {
	project *project.Project
	store   store.Store
	opts    index.Options
	show    func(*index.Summary) error
	tree    *tree            // nil where there are no events
	listing *project.Listing // as of what was last taken from the tree; nil for unknown
}

// Without events, the files are looked at every second, or so rarely that it takes a fiftieth of the time.
const (
	pollEvery = time.Second
	pollShare = 50
)

// step waits for a change and indexes it.
func (w *watcher) step(ctx context.Context) error {
	if w.tree == nil {
		begin := time.Now()
		if err := w.index(ctx, nil); err != nil {
			return err
		}
		return sleep(ctx, max(pollEvery, pollShare*time.Since(begin)))
	}
	select {
	case <-ctx.Done():
		return nil
	case <-w.tree.told:
	}
	if !rest(ctx, w.tree, defaultStill) {
		return nil
	}
	if w.tree.catchUp(ctx) != nil && ctx.Err() == nil {
		w.renew(ctx)
		return nil
	}
	if !w.tree.isPending() {
		return nil
	}
	taken := w.tree.take()
	listed := time.Now()
	defer w.tree.giveBack(changes{})
	l, err := w.tree.list(ctx, w.listing, &taken)
	if err != nil {
		return err
	}
	w.opts.Listing, w.opts.Listed = l, listed
	err = w.index(ctx, &taken)
	w.opts.Listing = nil
	return err
}

// renew replaces a broken tree.
func (w *watcher) renew(ctx context.Context) {
	_ = w.tree.close() // nothing is written
	w.tree, w.listing = nil, nil
	if t, err := watch(ctx, w.project, &texts{}); err == nil { // else the files are looked at
		w.tree = t
		t.mark(changes{all: true})
	}
}

// index indexes what was taken from the tree.
func (w *watcher) index(ctx context.Context, taken *changes) error {
	sum, err := index.Run(ctx, w.project, w.store, w.opts)
	if locked := (*store.LockedError)(nil); errors.As(err, &locked) {
		if taken == nil {
			return nil
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return err
		}
		w.tree.mark(*taken)
		return nil
	}
	if err != nil {
		return err
	}
	w.listing = w.opts.Listing
	if sum.Mode == index.Unchanged {
		return nil
	}
	return w.show(sum)
}

// sleep waits.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
