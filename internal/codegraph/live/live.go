// Package live keeps the code graphs of a long-running process current.
//
// An [Index] is the live index of one project. It watches the project's folders, so that a question knows whether
// anything has changed since the graph was brought up to date, without a look at the tree: then the answer comes from the
// graph that is open. What has changed is indexed in the background when it is still for a moment, and at the latest
// when a question comes. A question first waits until all events of what happened before it have been handled, so
// that no answer is older than the question.
//
// Where events cannot be had (another system than Linux, a file system that others change, too, a limit of the
// system), each question compares the files' times with those of the graph; [Status] says why. Since events
// do not show all (a write through a mapping of memory), everything is compared in the background from time to time while
// questions are asked.
package live

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Options configure live indexes. The zero value is for use.
type Options struct {
	// Idle is how long a project's index is kept without a question; 0 for half an hour.
	Idle time.Duration
	// Still is how long files must be unchanged before they are indexed in the background; 0 for 300 ms.
	Still time.Duration
	// Sweep is the least time between two comparisons of all files in the background; 0 for a minute. They take at most
	// one part in 200 of the time.
	Sweep time.Duration
	// NoEvents lets each question compare the times of all files, as where there are no events.
	NoEvents bool
	// Memory bounds what is kept decoded of all projects between changes, in bytes, about; 0 for 256 MiB, less for
	// nothing.
	Memory int64
	// Runs joins the runs with others of the process.
	Runs *index.Runs
	Log  *slog.Logger // nil for none
}

const (
	defaultIdle  = 30 * time.Minute
	defaultStill = 300 * time.Millisecond
	defaultSweep = time.Minute
	sweepShare   = 200
	// defaultMemory is what the heads of some 15,000 files take.
	defaultMemory = 256 << 20
)

// Indexes are the live indexes of a process, by project. They are safe for concurrent use.
type Indexes struct {
	opts  Options
	store store.Store

	mu     sync.Mutex
	closed bool
	open   map[string]*Index
}

// New returns the live indexes of a store. Nothing is watched yet.
func New(s store.Store, opts Options) *Indexes {
	if opts.Idle == 0 {
		opts.Idle = defaultIdle
	}
	if opts.Still == 0 {
		opts.Still = defaultStill
	}
	if opts.Sweep == 0 {
		opts.Sweep = defaultSweep
	}
	if opts.Memory == 0 {
		opts.Memory = defaultMemory
	}
	if opts.Runs == nil {
		opts.Runs = &index.Runs{}
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	return &Indexes{opts: opts, store: s, open: map[string]*Index{}}
}

// Open opens the graph of a project for one question, as [explore.Open] does: brought up to date first. The first call
// for a project begins to watch it.
func (x *Indexes) Open(ctx context.Context, p *project.Project, opts explore.Options) (*explore.Graph, error) {
	i, err := x.of(p.Root())
	if err != nil {
		return nil, err
	}
	return i.openGraph(ctx, p, opts)
}

// Current brings the graph of a project up to date for another process, which opens it itself. The error is a
// [*NotFollowedError] where the files are not followed, or not yet: then the other process looks for changes as well. From
// the first call on they are, and the background prepares for the next.
func (x *Indexes) Current(ctx context.Context, p *project.Project) (*explore.Current, error) {
	i, err := x.of(p.Root())
	if err != nil {
		return nil, err
	}
	i.mu.Lock()
	followed, why := i.tree != nil, i.why
	i.answered = i.answered || !followed
	i.mu.Unlock()
	if !followed {
		i.begin()
		return nil, &NotFollowedError{why}
	}
	g, err := i.openGraph(ctx, p, explore.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = g.Close() }() // it was only read
	if g.Index.Stale {
		return nil, &NotFollowedError{errors.New(g.Index.Why)}
	}
	s, err := g.Stored().State(ctx)
	if err != nil {
		return nil, err
	}
	return &explore.Current{Identity: s.Identity, Serial: s.Serial, Warnings: g.Index.Warnings}, nil
}

// NotFollowedError says that the changes of a project's files are not followed. Why is nil if they will soon be.
type NotFollowedError struct{ Why error }

func (e *NotFollowedError) Error() string {
	if e.Why == nil {
		return "the files are not followed yet"
	}
	return "the files are not followed: " + e.Why.Error()
}

func (e *NotFollowedError) Unwrap() error { return e.Why }

// errClosed is returned after Close.
var errClosed = errors.New("the live indexes are closed")

// of returns the index of the project in a folder.
func (x *Indexes) of(root string) (*Index, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil, errClosed
	}
	i := x.open[root]
	if i == nil {
		p, err := project.Open(root)
		if err != nil {
			return nil, err
		}
		i = newIndex(x, p)
		x.open[root] = i
	}
	i.idle.Reset(x.opts.Idle)
	i.used.Store(time.Now().UnixNano())
	return i, nil
}

// trim drops what is kept in memory of other projects, those first that were asked first, and at last of one itself,
// while it is more than the bound.
func (x *Indexes) trim(last *Index) {
	x.mu.Lock()
	all := slices.Collect(maps.Values(x.open))
	x.mu.Unlock()
	slices.SortFunc(all, func(a, b *Index) int { return cmp.Compare(a.used.Load(), b.used.Load()) })
	all = append(slices.DeleteFunc(all, func(i *Index) bool { return i == last }), last)
	size := int64(0)
	for _, i := range all {
		size += i.memory.Size()
	}
	for _, i := range all {
		if size <= x.opts.Memory {
			return
		}
		size -= i.memory.Size()
		i.memory.Drop()
	}
}

// forget ends an index that nobody asks any more.
func (x *Indexes) forget(i *Index) {
	x.mu.Lock()
	if x.open[i.project.Root()] == i {
		delete(x.open, i.project.Root())
	}
	x.mu.Unlock()
	i.close()
}

// Drop forgets what is kept open of all graphs, for one who deletes some.
func (x *Indexes) Drop() {
	x.mu.Lock()
	all := make([]*Index, 0, len(x.open))
	for _, i := range x.open {
		all = append(all, i)
	}
	x.mu.Unlock()
	for _, i := range all {
		i.drop()
	}
}

// Close ends all watches. Graphs that are open stay so until they are closed.
func (x *Indexes) Close() {
	x.mu.Lock()
	x.closed = true
	all := x.open
	x.open = nil
	x.mu.Unlock()
	for _, i := range all {
		i.close()
	}
}

// Status returns the state of all live indexes, sorted by folder.
func (x *Indexes) Status() []Status {
	x.mu.Lock()
	all := make([]*Index, 0, len(x.open))
	for _, i := range x.open {
		all = append(all, i)
	}
	x.mu.Unlock()
	out := make([]Status, 0, len(all))
	for _, i := range all {
		out = append(out, i.status())
	}
	slices.SortFunc(out, func(a, b Status) int { return strings.Compare(a.Root, b.Root) })
	return out
}
