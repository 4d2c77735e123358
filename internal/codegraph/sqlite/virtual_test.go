package sqlite_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	zombie "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// execute runs statements on a database as another program would.
func execute(t *testing.T, path, script string) {
	t.Helper()
	c, err := zombie.OpenConn(path, zombie.OpenReadWrite)
	check(t, err)
	check(t, sqlitex.ExecuteScript(c, script, nil))
	check(t, c.Close())
}

// The table is added when a database of version 2 is opened.
func TestMigrationAddsVirtualEdges(t *testing.T) {
	s := newShop(t, 2)
	execute(t, s.database(t), "DROP TABLE virtual_edges; DROP TABLE words; DROP TABLE touched; ALTER TABLE file DROP COLUMN stamp; PRAGMA user_version = 2;")
	g, err := s.Open(t.Context(), s.root)
	check(t, err)
	defer g.Close()
	if edges, err := g.Virtual(t.Context(), nil); len(edges) != 0 || err != nil {
		t.Errorf("edges %v, %v", edges, err)
	}
	if n, err := s.readAll(t.Context()); n != 2 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
}

// Other programs know only the columns of code-intelligence-mcp.
func TestVirtualEdgesOfOtherPrograms(t *testing.T) {
	s := newShop(t, 1)
	execute(t, s.database(t), `INSERT INTO virtual_edges(id, source_repo, source_symbol, target_repo, target_symbol, edge_type, contract_type,
		confidence, confidence_level, exact_match, signature_similarity, contract_bonus, created_at, updated_at)
		VALUES('x', 'shop', 'shop.a', 'api', 'Get', 'VIRTUAL_CALLS', 'openapi', 0.9, 'high', 1, 0.8, 0.05, '2026-01-02 03:04:05', 'just now')`)
	g, err := s.Open(t.Context(), s.root)
	check(t, err)
	defer g.Close()
	edges, err := g.Virtual(t.Context(), []string{"shop.a"})
	check(t, err)
	want := []store.VirtualEdge{{
		ID: "x", SourceRepo: "shop", SourceSymbol: "shop.a", TargetRepo: "api", TargetSymbol: "Get", Type: store.VirtualCalls, Contract: "openapi",
		Confidence: 0.9, Level: "high", ExactMatch: 1, SignatureSimilarity: 0.8, ContractBonus: 0.05,
		CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}}
	if diff := cmp.Diff(want, edges); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
