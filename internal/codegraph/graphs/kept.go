package graphs

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// maxKept bounds the shared graphs that are kept open between questions, and keptIdle how long they are without one: an
// open graph needs a connection to the store.
const (
	maxKept  = 32
	keptIdle = 5 * time.Minute
)

// lookingFor is how long the store may take to say which state is the current one: more than to find that a server is away.
const lookingFor = 15 * time.Second

// kept keeps shared graphs open between questions. Each question asks the store which state is the current one.
type kept struct {
	idle     time.Duration // 0 for keptIdle
	patience time.Duration // 0 for lookingFor
	guard    bool          // see [Options.Guard]

	mu     sync.Mutex
	timer  *time.Timer // drops all; nil before the first question
	clock  int         // counts questions
	graphs map[string]*keptGraph
	names  map[string]string // what was asked for -> key
}

// keptGraph is a shared graph in one state. It is closed when it is not used and no longer kept.
type keptGraph struct {
	graph *explore.Graph
	of    store.SharedProject
	at    time.Time // when it was last known to be the current state
	uses  int
	last  int // the last question
	gone  bool
}

// open returns a project's graph in its current state, by its key or name. If the store cannot be reached, the graph that was
// asked before is returned, and says so.
func (k *kept) open(ctx context.Context, s store.Shared, name string) (*explore.Graph, error) {
	p, err := k.look(ctx, s, name)
	if err != nil {
		if errors.Is(err, store.ErrNone) || ctx.Err() != nil {
			return nil, err
		}
		return k.older(ctx, name, err)
	}
	if g := k.current(name, p); g != nil {
		return g, nil
	}
	opened, err := explore.OpenShared(ctx, s, p)
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		return k.older(ctx, name, err) // the server may be away since it was asked for the state
	}
	return k.put(name, p, opened)
}

// look asks the store which state of a project is the current one.
func (k *kept) look(ctx context.Context, s store.Shared, name string) (store.SharedProject, error) {
	patience := cmp.Or(k.patience, lookingFor)
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	p, err := s.Find(bounded, name)
	if err != nil && bounded.Err() != nil && ctx.Err() == nil {
		err = message.Errorf("the shared store has not answered within %s", patience)
	}
	return p, err
}

// current lends the kept graph of a project if it is in the state of p.
func (k *kept) current(name string, p store.SharedProject) *explore.Graph {
	k.mu.Lock()
	defer k.mu.Unlock()
	g := k.graphs[p.Origin.Key]
	if g == nil || g.of.Identity != p.Identity || g.of.Serial != p.Serial {
		return nil
	}
	g.of, g.at = p, time.Now()
	f := g.graph.Index
	f.Branch, f.Commit = p.Origin.Branch, p.Origin.Commit
	k.names[name] = p.Origin.Key
	return k.lend(g, f)
}

// older lends the kept graph of a project that could not be looked up.
func (k *kept) older(ctx context.Context, name string, why error) (*explore.Graph, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := k.names[name]
	g := k.graphs[key]
	if g == nil || k.guard && !store.AccessOf(ctx).Allows(key) {
		return nil, why
	}
	f := g.graph.Index
	f.Branch, f.Commit, f.Stale, f.Current, f.Why = g.of.Origin.Branch, g.of.Origin.Commit, true, g.at, message.Render(message.From(ctx), why)
	return k.lend(g, f), nil
}

// lend returns a graph for one question. The mutex is held.
func (k *kept) lend(g *keptGraph, f explore.Freshness) *explore.Graph {
	k.clock++
	k.postpone()
	g.uses, g.last = g.uses+1, k.clock
	return g.graph.Lend(f, sync.OnceValue(func() error { return k.release(g) }))
}

// postpone makes the kept graphs stay for a while from now on. The mutex is held.
func (k *kept) postpone() {
	idle := cmp.Or(k.idle, keptIdle)
	if k.timer == nil {
		k.timer = time.AfterFunc(idle, func() { _ = k.close() }) // only read
		return
	}
	k.timer.Reset(idle)
}

// put keeps a graph instead of the one in an earlier state, and lends it.
func (k *kept) put(name string, p store.SharedProject, opened *explore.Graph) (*explore.Graph, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.graphs == nil {
		k.graphs, k.names = map[string]*keptGraph{}, map[string]string{}
	}
	g := &keptGraph{graph: opened, of: p, at: time.Now()}
	err := k.drop(p.Origin.Key)
	k.graphs[p.Origin.Key], k.names[name] = g, p.Origin.Key
	lent := k.lend(g, opened.Index)
	for len(k.graphs) > maxKept {
		err = errors.Join(err, k.drop(k.oldest()))
	}
	return lent, err
}

// oldest returns the key of the graph that was not asked for the longest time.
func (k *kept) oldest() (key string) {
	last := k.clock + 1
	for candidate, g := range k.graphs {
		if g.last < last {
			key, last = candidate, g.last
		}
	}
	return key
}

// drop no longer keeps a graph, if there is one. The mutex is held.
func (k *kept) drop(key string) error {
	g := k.graphs[key]
	if g == nil {
		return nil
	}
	delete(k.graphs, key)
	g.gone = true
	if g.uses > 0 {
		return nil
	}
	return g.graph.Close()
}

func (k *kept) release(g *keptGraph) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if g.uses--; g.uses > 0 || !g.gone {
		return nil
	}
	return g.graph.Close()
}

// close closes all graphs that are not used, and keeps none.
func (k *kept) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.timer != nil {
		k.timer.Stop()
	}
	var err error
	for key := range k.graphs {
		err = errors.Join(err, k.drop(key))
	}
	return err
}
