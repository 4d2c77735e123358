package index

import (
	"context"
	"errors"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// The polling interval of a watched project, and how long its files must be unchanged before indexing: editors and
// checkouts write many files.
const (
	watchEvery = time.Second
	watchStill = 300 * time.Millisecond
)

// Watch indexes a project, and again whenever its files change, until the context ends. It calls show with the
// summary of the first run and of each run that changed something; an error of show ends the watch. A run that
// fails because another process is indexing the project is repeated.
func Watch(ctx context.Context, p *project.Project, s store.Store, opts Options, show func(*Summary) error) error {
	was, err := treeStateOf(ctx, p) // before the run, so that changes during the run are seen
	if err != nil {
		return err
	}
	sum, err := Run(ctx, p, s, opts)
	if err != nil {
		return err
	}
	opts.Force, opts.Scip, opts.Wait = false, nil, 0 // stored with the graph
	if err := show(sum); err != nil {
		return err
	}
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for err == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		was, err = step(ctx, p, s, opts, was, show)
	}
	return err
}

// step polls once, and indexes if something changed and is stable now.
func step(ctx context.Context, p *project.Project, s store.Store, opts Options, was treeState, show func(*Summary) error) (treeState, error) {
	now, err := treeStateOf(ctx, p)
	if err != nil || now == was {
		return was, err
	}
	select {
	case <-ctx.Done():
		return was, ctx.Err()
	case <-time.After(watchStill):
	}
	if still, err := treeStateOf(ctx, p); err != nil || still != now {
		return was, err
	}
	sum, err := Run(ctx, p, s, opts)
	locked := (*store.LockedError)(nil)
	if errors.As(err, &locked) {
		return was, nil
	}
	if err != nil {
		return was, err
	}
	if sum.Mode != Unchanged {
		err = show(sum)
	}
	return now, err
}

// treeState is the state of a project's files as used to detect changes: their number, total size and times.
type treeState struct {
	files  int
	bytes  int64
	newest time.Time
	sum    int64 // sum of all times, so that replacing a newer file by an older one shows
}

func treeStateOf(ctx context.Context, p *project.Project) (treeState, error) {
	l, err := p.List(ctx, ".")
	if err != nil {
		return treeState{}, err
	}
	out := treeState{files: len(l.Files)}
	for _, f := range l.Files {
		out.bytes += f.Size
		out.sum = out.sum*31 + f.ModTime.UnixNano() + int64(f.Stamp())
		if f.ModTime.After(out.newest) {
			out.newest = f.ModTime
		}
	}
	return out, nil
}
