//go:build unix

package snapshot_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"
	zombiezen "zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// benchSource is the graph that is measured on: 100,000 nodes, or as many as
// BENCH_NODES says, and five times as many edges.
func benchSource(b *testing.B) *source {
	b.Helper()
	nodes := 100_000
	if text := os.Getenv("BENCH_NODES"); text != "" {
		n, err := strconv.Atoi(text)
		check(b, err)
		nodes = n
	}
	return random(rand.New(rand.NewPCG(9, 9)), nodes, 5*nodes)
}

// processor reports the processor time that each round of a benchmark takes, from
// its call to that of done. On a machine with other work it says more than the
// time that passes.
func processor(b *testing.B) (done func()) {
	b.Helper()
	used := func() int64 {
		var u unix.Rusage
		check(b, unix.Getrusage(unix.RUSAGE_SELF, &u))
		return u.Utime.Nano() + u.Stime.Nano()
	}
	before := used()
	return func() { b.ReportMetric(float64(used()-before)/float64(b.N), "cpu-ns/op") }
}

// BenchmarkNeighbours walks one hop and three from random nodes: on the snapshot,
// and by SQL on the database that it is of. The snapshot returns all edges on the
// way, SQL the nodes.
func BenchmarkNeighbours(b *testing.B) {
	s := benchSource(b)
	g, _ := stored(b, s)
	snap, err := snapshot.Load(b.Context(), g)
	check(b, err)
	defer snap.Close()
	db := filepath.Join(filepath.Dir(g.Derived()), filepath.Base(g.Derived()[:len(g.Derived())-len(".snap")]))
	c, err := zombiezen.OpenConn(db, zombiezen.OpenReadOnly)
	check(b, err)
	defer c.Close()
	start := func(r *rand.Rand) codegraph.ID { return s.nodes[r.IntN(len(s.nodes))].ID }
	for _, hops := range []int{1, 3} {
		name := strconv.Itoa(hops) + "hop"
		b.Run(name+"/snapshot", func(b *testing.B) {
			r, found := rand.New(rand.NewPCG(1, 2)), 0
			seen, walk := make([]int32, 2*len(s.nodes)+1), int32(0)
			done := processor(b)
			for b.Loop() {
				walk++
				found += hop(b, snap, start(r), hops, seen, walk)
			}
			done()
			b.ReportMetric(float64(found)/float64(b.N), "nodes/op")
		})
		b.Run(name+"/sql", func(b *testing.B) {
			r, found := rand.New(rand.NewPCG(1, 2)), 0
			done := processor(b)
			for b.Loop() {
				found += hopSQL(b, c, start(r), hops)
			}
			done()
			b.ReportMetric(float64(found)/float64(b.N), "nodes/op")
		})
	}
}

// hop returns how many nodes are at most so many hops away. The nodes that a walk
// has seen have its number.
func hop(b *testing.B, snap *snapshot.Snapshot, from codegraph.ID, hops int, seen []int32, walk int32) (n int) {
	seen[from] = walk
	frontier := []codegraph.ID{from}
	for range hops {
		x, err := snap.Expand(b.Context(), frontier, codegraph.Out)
		check(b, err)
		frontier = frontier[:0]
		for i := range x.Edges {
			if to := x.Edges[i].To; seen[to] != walk {
				seen[to] = walk
				frontier = append(frontier, to)
				n++
			}
		}
	}
	return n
}

func hopSQL(b *testing.B, c *zombiezen.Conn, from codegraph.ID, hops int) (n int) {
	stmt, err := c.Prepare(`
WITH RECURSIVE reach(id, depth) AS (
	SELECT ?1, 0 UNION SELECT e.dst, r.depth + 1 FROM reach r JOIN edge e ON e.src = r.id WHERE r.depth < ?2)
SELECT DISTINCT n.id FROM reach JOIN node n USING(id) WHERE n.id != ?1`)
	check(b, err)
	stmt.BindInt64(1, int64(from))
	stmt.BindInt64(2, int64(hops))
	for {
		more, err := stmt.Step()
		check(b, err)
		if !more {
			check(b, stmt.Reset())
			return n
		}
		n++
	}
}

// BenchmarkSearch asks for words that are common, and for some that are not.
func BenchmarkSearch(b *testing.B) {
	snap := write(b, benchSource(b))
	for name, terms := range map[string][]snapshot.Term{"2common": termsOf("wordd worde"), "3rare": termsOf("wordbbd wordbbe wordbbf")} {
		b.Run(name, func(b *testing.B) {
			hits := 0
			done := processor(b)
			for b.Loop() {
				found, err := snap.Search(b.Context(), terms, 50)
				check(b, err)
				hits = len(found.Symbols)
			}
			done()
			b.ReportMetric(float64(hits), "hits/op")
		})
	}
}

// BenchmarkLifecycle stores a graph, reads and updates it, writes its snapshot, makes
// another one from that after an update, and opens it.
func BenchmarkLifecycle(b *testing.B) {
	s := benchSource(b)
	each := func(name string, f func(b *testing.B)) {
		b.Run(name, func(b *testing.B) {
			done := processor(b)
			for b.Loop() {
				f(b)
			}
			done()
		})
	}
	each("store", func(b *testing.B) { stored(b, s) })
	g, _ := stored(b, s)
	each("scan", func(b *testing.B) {
		check(b, g.All(b.Context(), nil, func(store.Node) error { return nil }, func(store.Edge) error { return nil }))
	})
	files := rand.New(rand.NewPCG(5, 5))
	each("updateOneFile", func(b *testing.B) {
		check(b, g.Update(b.Context(), again(s, store.FileID(1+files.IntN(len(s.nodes)/20)))))
	})
	each("write", func(b *testing.B) { check(b, snapshot.Write(context.Background(), g.Derived(), g)) })
	each("updateOneFileAndExtend", func(b *testing.B) {
		check(b, g.Update(b.Context(), again(s, store.FileID(1+files.IntN(len(s.nodes)/20)))))
		snap, err := snapshot.Load(b.Context(), g)
		check(b, err)
		check(b, snap.Close())
	})
	state, err := g.State(b.Context())
	check(b, err)
	open := func(b *testing.B) *snapshot.Snapshot {
		snap, err := snapshot.Open(g.Derived(), state.Serial, state.Identity)
		check(b, err)
		return snap
	}
	each("open", func(b *testing.B) { check(b, open(b).Close()) })
	each("openAndRead", func(b *testing.B) { // which looks at the checksums
		snap := open(b)
		_, err := snap.Search(b.Context(), termsOf("worda"), 1)
		check(b, err)
		_, err = snap.Expand(b.Context(), nil, codegraph.Both)
		check(b, err)
		check(b, snap.Close())
	})
	info, err := os.Stat(g.Derived())
	check(b, err)
	counts, err := g.Counts(b.Context())
	check(b, err)
	b.Logf("database %d MB, snapshot %d MB", counts.Size>>20, info.Size()>>20)
}

// again returns an update that replaces everything of a file.
func again(s *source, file store.FileID) store.Update {
	u := store.Update{DropEdges: []store.FileID{file}}
	for _, n := range s.nodes {
		if n.File == file {
			u.Nodes = append(u.Nodes, n)
		}
	}
	for _, e := range s.edges {
		if e.File == file {
			u.Edges = append(u.Edges, e)
		}
	}
	return u
}
