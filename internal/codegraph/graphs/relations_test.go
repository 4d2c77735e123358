package graphs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// rowsOf asks all projects a query, and returns the values of each row.
func rowsOf(ctx context.Context, t *testing.T, g *graphs.Graphs, query string) []string {
	t.Helper()
	a, err := g.Ask(ctx, nil, graphs.Question{Text: query, Project: graphs.Everywhere})
	if err != nil || a.Error != "" {
		t.Fatalf("%s: %v %+v", query, err, a)
	}
	rows := []string{}
	for _, row := range a.Results {
		text := ""
		for _, f := range row {
			if f.Name != "project" { // each row of a pattern begins with it
				text += fmt.Sprint(f.Value)
			}
		}
		rows = append(rows, text)
	}
	return rows
}

// What projects use of each other is said in lists and is a relationship of Cypher, to those who may see both.
func TestWhatProjectsUseOfEachOther(t *testing.T) {
	address := pgserver.Start(t).Database()
	g := machine(t, address)
	all := map[string]*module{}
	for _, name := range []string{"api", "shop", "till", "web"} {
		all[name] = newModule(t, name)
	}
	all["api"].write(map[string]string{"openapi.yaml": ordersAPI})
	all["web"].write(map[string]string{"web.py": ordersWeb})
	all["shop"].commit(shopText)
	all["till"].commit(tillText, "shop")
	all["till"].write(map[string]string{"orders.py": ordersWeb})
	for _, m := range all {
		m.push(g)
	}
	open := func() (store.Shared, error) { return postgres.Open(address, postgres.Options{Cache: t.TempDir()}) }
	guarded := graphs.New(graphs.Options{Guard: true, Shared: true, Organisation: open})
	defer guarded.Close()

	code, orders, web := graphs.Relation{Project: "till", Uses: "shop", Kind: "go", Places: 3}, graphs.Relation{Project: "till", Uses: "api", Kind: "openapi", Contract: true, Places: 1},
		graphs.Relation{Project: "web", Uses: "api", Kind: "openapi", Contract: true, Places: 1}
	for _, c := range []struct {
		sees  string
		want  []graphs.Relation
		users string // of the contract
	}{
		{"api shop till web", []graphs.Relation{orders, web, code}, "till web"},
		{"api till web", []graphs.Relation{orders, web}, "till web"},
		{"api web shop", []graphs.Relation{web}, "web"},
		{"shop till", []graphs.Relation{code}, ""},
		{"api shop", nil, ""},
		{"", nil, ""},
	} {
		access := store.Access{}
		for name := range strings.FieldsSeq(c.sees) {
			access.Keys = append(access.Keys, all[name].key())
		}
		ctx := store.WithAccess(t.Context(), access)
		list, err := guarded.List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		got, err := guarded.Relations(ctx, list, list)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("who sees %q: %v, -want +got\n%s", c.sees, err, diff)
		}
		everything := append([]graphs.Listed{{Project: store.Project{Name: "x", Root: all["shop"].key()}, Shared: true}}, list...)
		if got, err := guarded.Relations(ctx, everything, list); err != nil || !strings.Contains(c.sees, "shop") && len(got) != len(c.want) {
			t.Errorf("who sees %q, and asks about the shop: %v, %v", c.sees, got, err)
		}
		uses, _ := guarded.ContractUses(ctx, all["api"].key())
		var users []string
		for _, u := range uses {
			users = append(users, u.Project)
		}
		if strings.Join(users, " ") != c.users {
			t.Errorf("who sees %q: users of the contract %q", c.sees, users)
		}
		if c.sees == "" {
			continue
		}
		want := []string{}
		for _, r := range c.want {
			want = append(want, fmt.Sprint(r.Project, r.Uses, r.Kind)+fmt.Sprint(r.Contract)+fmt.Sprint(r.Places))
		}
		const query = "MATCH (a:Project)-[r:USES]->(b:Project) RETURN a.name AS a, b.name AS b, r.kind AS kind, r.contract AS contract, r.count AS n ORDER BY b, a"
		if diff := cmp.Diff(want, rowsOf(ctx, t, guarded, query)); diff != "" {
			t.Errorf("who sees %q: -want +got\n%s", c.sees, diff)
		}
	}
	ctx := store.WithAccess(t.Context(), store.Access{All: true})
	for query, want := range map[string][]string{
		"MATCH (a:Project)<-[r:USES {contract: true}]-(b) RETURN a.name AS a, count(b) AS n":                                          {"api2"},
		"MATCH (a:Project {name: 'till'})-[r]-(b:Project) RETURN type(r) AS t, b.name AS b ORDER BY b":                                {"USESapi", "USESshop"},
		"MATCH (a:Project {name: 'web'})-[:USES]->()<-[:USES]-(b:Project)-[:USES]->(c) WHERE c.name <> 'api' RETURN c.name AS c":      {"shop"},
		"MATCH (p:Project) WHERE NOT ()-[:USES]->(p) RETURN p.name AS name ORDER BY name":                                             {"till", "web"},
		"MATCH p = (:Project {name: 'web'})-[:USES*1..2]-(b:Project) RETURN length(p) AS n, b.name AS b ORDER BY n":                   {"1api", "2till"},
		"MATCH (a:Project {name: 'shop'})<-[r:USES]-(b:Project)-[:CONTAINS_MODULE]->(m:Module) RETURN m.project AS of, count(*) AS n": {"till2"},
	} {
		if diff := cmp.Diff(want, rowsOf(ctx, t, guarded, query)); diff != "" {
			t.Errorf("%s: -want +got\n%s", query, diff)
		}
	}
	if users, more := graphs.UsedBy("api", []graphs.Relation{orders, web, {Project: "web", Uses: "api", Kind: "proto"}, code}, 1); users != "till (openapi)" || more != 1 {
		t.Errorf("%q and %d", users, more)
	}
	if users, _ := graphs.UsedBy("api", []graphs.Relation{web, {Project: "web", Uses: "api", Kind: "proto"}}, 5); users != "web (openapi, proto)" {
		t.Errorf("%q", users)
	}
	if err := g.DeleteShared(t.Context(), "till"); err != nil {
		t.Fatal(err)
	}
	if got := rowsOf(ctx, t, guarded, "MATCH ()-[r:USES]->(b) RETURN count(*) AS n, collect(b.name) AS names"); len(got) != 1 || got[0] != "1[api]" {
		t.Errorf("after till was deleted: %q", got)
	}
}
