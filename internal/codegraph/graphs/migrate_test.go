package graphs_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// ofThatTime makes the repositories that testdata/schema3.sql has, at the commits that were pushed.
func ofThatTime(t *testing.T) map[string]*module {
	t.Helper()
	all := map[string]*module{}
	for name, files := range map[string]map[string]string{
		"shop": {"go.mod": "module git.example.com/org/shop\n\ngo 1.22\n", "shop.go": shopText},
		"till": {"go.mod": "module git.example.com/org/till\n\ngo 1.22\n\nrequire git.example.com/org/shop v1.0.0\n", "till.go": tillText},
		"api":  {"openapi.yaml": ordersAPI, "api.py": "def list_lines(id):\n    return []\n"},
		"web":  {"web.py": ordersWeb},
		"cart": {"shop.proto": cartProto, "cart.py": "class Cart(shop_pb2_grpc.CartServicer):\n    pass\n"},
		"buy":  {"buy.py": "import shop_pb2_grpc\n\ndef buy(channel):\n    shop_pb2_grpc.CartStub(channel).Add(request)\n"},
	} {
		m := newModule(t, name)
		m.when = "2026-01-01T00:00:00Z"
		m.write(files)
		all[name] = m
	}
	return all
}

// relationsOf returns how many edges of a kind lead from project to project.
func relationsOf(t *testing.T, address string) []store.Relation {
	t.Helper()
	s, err := postgres.Open(address, postgres.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Relations(t.Context(), nil)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	return all
}

// edgesOf returns all edges of a store, without the times at which they were found.
func edgesOf(t *testing.T, address string, all map[string]*module) (out []store.Link) {
	t.Helper()
	s, err := postgres.Open(address, postgres.Options{Cache: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		links, err := s.LinksFrom(t.Context(), m.key(), nil)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, links...)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(out, func(a, b store.Link) int { return strings.Compare(a.Edge.ID, b.Edge.ID) })
	return out
}

// A store that an earlier version filled, which knew no edges by contracts, is brought to the current tables: the edges in code are there at
// once, and all others when their two projects were pushed again, whichever is first.
func TestTablesOfTheThirdVersion(t *testing.T) {
	server := pgserver.Start(t)
	all := ofThatTime(t)
	fresh := server.Database() // test1
	for _, name := range []string{"shop", "till", "api", "web", "cart", "buy"} {
		all[name].push(machine(t, fresh))
	}
	want := edgesOf(t, fresh, all)
	code := slices.DeleteFunc(slices.Clone(want), func(l store.Link) bool { return l.Contract })
	if len(code) != 3 || len(want) < 5 {
		t.Fatalf("a fresh store has %d edges, %d in code", len(want), len(code))
	}
	sameEdges := func(when, address string, want []store.Link) {
		t.Helper()
		if diff := cmp.Diff(want, edgesOf(t, address, all), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(store.VirtualEdge{}, "CreatedAt", "UpdatedAt")); diff != "" {
			t.Errorf("%s: -want +got\n%s", when, diff)
		}
	}
	for i, order := range [][]string{{"api", "web", "cart", "buy", "shop", "till"}, {"till", "buy", "web", "shop", "cart", "api"}} {
		address := server.Database()
		statements := []string{"CREATE SCHEMA reverse_spec"}
		for _, file := range []string{"../postgres/schema/1.sql", "../postgres/schema/2.sql", "../postgres/schema/3.sql", "testdata/schema3.sql"} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			statements = append(statements, string(text))
		}
		server.Exec(fmt.Sprintf("test%d", i+2), statements...)
		g := machine(t, address)
		asBefore := func(when string) {
			t.Helper()
			got := edgesOf(t, address, all)
			if !slices.EqualFunc(got, code, func(a, b store.Link) bool {
				return a.Edge.ID == b.Edge.ID && a.Edge.StartLine == b.Edge.StartLine && a.Target == b.Target
			}) || got[0].Contract {
				t.Errorf("%s: %+v", when, got)
			}
		}
		asBefore("after the migration")
		if diff := cmp.Diff([]store.Relation{{Source: all["till"].key(), Target: all["shop"].key(), Kind: "go", Edges: 3}}, relationsOf(t, address)); diff != "" {
			t.Errorf("after the migration: -want +got\n%s", diff)
		}
		if got := uses(t, g, all["shop"]); len(got) != 3 {
			t.Errorf("after the migration: %q", got)
		}
		if err := g.WithNamed(t.Context(), all["web"].key(), graphs.OpenOptions{}, func(*graphs.Graph) error { return nil }); err != nil {
			t.Errorf("a graph of that time: %v", err)
		}
		for n, name := range order {
			pushed := all[name].push(g)
			if pushed.Linked == nil {
				t.Errorf("%s: pushed again, and no edges by contracts are looked for", name)
			}
			if n == 0 {
				asBefore("one side was pushed again")
			}
			var skipped []string // the first of two that are linked in code finds the other as it was
			if other := map[string]string{"shop": "till", "till": "shop"}[name]; other != "" && !slices.Contains(order[:n], other) {
				skipped = []string{other}
			}
			if pushed.Linked != nil && !slices.Equal(pushed.Linked.Skipped, skipped) {
				t.Errorf("%s: its edges to %q stay, want %q", name, pushed.Linked.Skipped, skipped)
			}
		}
		sameEdges(fmt.Sprintf("pushed again in order %v", order), address, want)
		if diff := cmp.Diff(relationsOf(t, fresh), relationsOf(t, address)); diff != "" {
			t.Errorf("pushed again in order %v: -want +got\n%s", order, diff)
		}
		for name, m := range all {
			if again := m.push(g); again.Linked != nil {
				t.Errorf("%s: pushed once more, and linked again: %+v", name, again.Linked)
			}
		}
	}
}

// An older commit that is pushed after a newer one changes no edges by contracts, whichever side it is of.
func TestAnOlderPushChangesNoContractEdges(t *testing.T) {
	g := machine(t, pgserver.Start(t).Database())
	api, web := newModule(t, "api"), newModule(t, "web")
	api.when, web.when = "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"
	api.write(map[string]string{"openapi.yaml": "openapi: 3.1.0\npaths:\n  /invoices/{id}/lines:\n    get: {operationId: listInvoiceLines}\n"})
	web.write(map[string]string{"web.py": "def lines(id):\n    return []\n"})
	api.when, web.when = "2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"
	api.write(map[string]string{"openapi.yaml": ordersAPI})
	web.write(map[string]string{"web.py": ordersWeb})
	api.push(g)
	web.push(g)
	want := []string{"web.py:4 web.web.lines -> listLines:4"}
	for _, m := range []*module{api, web} {
		m.git("checkout", "-q", "HEAD~1")
		if p := m.push(g); p.Newer == "" || p.Linked != nil {
			t.Errorf("%s: an older commit: %+v", m.name, p)
		}
		if diff := cmp.Diff(want, uses(t, g, api)); diff != "" {
			t.Errorf("after an older push of %s: -want +got\n%s", m.name, diff)
		}
	}
}
