package graphs_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// write commits files; "" removes one.
func (m *module) write(files map[string]string) {
	m.t.Helper()
	for name, text := range files {
		path := filepath.Join(m.dir, name)
		var err error
		if text == "" {
			err = os.Remove(path)
		} else {
			err = errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600))
		}
		if err != nil {
			m.t.Fatal(err)
		}
	}
	m.git("add", "-A", ".")
	m.git("commit", "-qm", "x")
}

const (
	ordersAPI = "openapi: 3.1.0\npaths:\n  /orders/{id}/lines:\n    get: {operationId: listLines}\n"
	ordersWeb = "import requests\n\ndef lines(id):\n    return requests.get(f\"{HOST}/orders/{id}/lines\")\n"
)

// Whichever project is pushed first, there are the same edges by contracts, and each push computes what it can touch.
func TestContractEdgesBetweenPushedProjects(t *testing.T) {
	server := pgserver.Start(t)
	want := []string{"web.py:4 web.web.lines -> listLines:4"}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		g := machine(t, server.Database())
		all := []*module{newModule(t, "api"), newModule(t, "web")}
		api, web := all[0], all[1]
		api.write(map[string]string{"openapi.yaml": ordersAPI})
		web.write(map[string]string{"web.py": ordersWeb})
		expect := func(when string, want []string) {
			t.Helper()
			if diff := cmp.Diff(want, uses(t, g, api)); diff != "" {
				t.Errorf("order %v: %s: -want +got\n%s", order, when, diff)
			}
		}
		for _, i := range order {
			all[i].push(g)
		}
		expect("pushed", want)
		if again := web.push(g); again.Linked != nil {
			t.Errorf("a push of the same commit computes %+v", again.Linked)
		}

		api.write(map[string]string{"openapi.yaml": "# A comment.\n" + ordersAPI})
		if p := api.push(g); p.Linked == nil || p.Linked.To != 1 {
			t.Errorf("a push of a contract alone: %+v", p.Linked)
		}
		expect("the lines moved", []string{"web.py:4 web.web.lines -> listLines:5"})
		api.write(map[string]string{"openapi.yaml": strings.ReplaceAll(ordersAPI, "lines", "rows")})
		api.push(g)
		expect("the path changed", nil)
		api.write(map[string]string{"openapi.yaml": ordersAPI})
		api.push(g)
		expect("the path came back", want)

		other := newModule(t, "other")
		other.write(map[string]string{"openapi.yaml": strings.ReplaceAll(ordersAPI, "listLines", "otherLines")})
		other.push(g)
		expect("another has the path", nil)
		other.write(map[string]string{"openapi.yaml": "", "README": "nothing"})
		other.push(g)
		expect("only one has it again", want)

		web.write(map[string]string{"web.py": "def lines(id):\n    return []\n"})
		web.push(g)
		expect("the user stopped", nil)
		web.write(map[string]string{"web.py": ordersWeb})
		web.push(g)
		expect("it uses it again", want)
		if err := g.DeleteShared(t.Context(), web.key()); err != nil {
			t.Fatal(err)
		}
		expect("the user was deleted", nil)
	}
}

const cartProto = "syntax = \"proto3\";\npackage shop;\nservice Cart { rpc Add(AddRequest) returns (Empty); }\n"

// A contract that many have a copy of is that of the server.
func TestACopiedContractIsThatOfTheServer(t *testing.T) {
	g := machine(t, pgserver.Start(t).Database())
	client := func(i int) string {
		return fmt.Sprintf("import shop_pb2_grpc\n\ndef buy%d(channel):\n    shop_pb2_grpc.CartStub(channel).Add(request)\n", i)
	}
	var cart *module
	for i := range 12 {
		m := newModule(t, fmt.Sprint("web", i))
		m.write(map[string]string{"shop.proto": cartProto, "buy.py": client(i)})
		m.push(g)
		if i == 5 {
			cart = newModule(t, "cart")
			cart.write(map[string]string{"shop.proto": cartProto, "cart.py": "class Cart(shop_pb2_grpc.CartServicer):\n    pass\n\ndef serve(s):\n    shop_pb2_grpc.add_CartServicer_to_server(Cart(), s)\n"})
			cart.push(g)
		}
	}
	if got := uses(t, g, cart); len(got) != 24 || !slices.Contains(got, "buy.py:4 web11.buy.buy11 -> shop.Cart.Add:3") {
		t.Errorf("%d uses: %q", len(got), got)
	}
	cart.write(map[string]string{"cart.py": "def nothing():\n    pass\n"})
	cart.push(g)
	if got := uses(t, g, cart); len(got) != 24 {
		t.Errorf("it has nothing to do with it but the contract: %q", got)
	}
	cart.write(map[string]string{"cart.py": client(99)})
	cart.push(g)
	if got := uses(t, g, cart); len(got) != 0 {
		t.Errorf("all have a copy, and none serves it: %q", got)
	}
}

// A question about a symbol of a contract is answered with its users in other projects, to those who may see both.
func TestImpactOfAContract(t *testing.T) {
	address := pgserver.Start(t).Database()
	g := machine(t, address)
	api, web := newModule(t, "api"), newModule(t, "web")
	api.write(map[string]string{"openapi.yaml": ordersAPI, "api.py": "def list_lines(id):\n    return rows(id)\n\ndef rows(id):\n    return []\n"})
	web.write(map[string]string{"web.py": ordersWeb})
	api.push(g)
	web.push(g)
	ask := func(graph *graphs.Graph) (got []string, err error) {
		i, err := graph.Impact(t.Context(), "listLines", explore.ImpactOptions{})
		if err != nil {
			return nil, err
		}
		got = append(got, fmt.Sprintf("%s %s:%d", i.Symbol.QualifiedName, i.Symbol.Path, i.Symbol.StartLine))
		for _, c := range i.Consumers {
			got = append(got, c.Project+" "+c.Symbol)
		}
		return got, i.Unknown
	}
	want := []string{"listLines openapi.yaml:4", "web web.web.lines"}
	for _, in := range []string{"", api.key()} {
		err := g.In(t.Context(), api.open(), in, graphs.OpenOptions{}, func(graph *graphs.Graph) error {
			got, err := ask(graph)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("in %q: -want +got\n%s", in, diff)
			}
			return err
		})
		if err != nil {
			t.Errorf("in %q: %v", in, err)
		}
	}
	for name, want := range map[string]int{"list_lines": 1, "rows": 1} { // what serves the operation, and what that uses
		err := g.WithNamed(t.Context(), api.key(), graphs.OpenOptions{}, func(graph *graphs.Graph) error {
			i, err := graph.Impact(t.Context(), name, explore.ImpactOptions{})
			if err == nil && len(i.Consumers) != want {
				t.Errorf("%s: %+v", name, i.Consumers)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
	open := func() (store.Shared, error) { return postgres.Open(address, postgres.Options{Cache: t.TempDir()}) }
	guarded := graphs.New(graphs.Options{Guard: true, Shared: true, Organisation: open})
	defer guarded.Close()
	ctx := store.WithAccess(t.Context(), store.Access{Keys: []string{api.key()}})
	err := guarded.WithNamed(ctx, api.key(), graphs.OpenOptions{}, func(graph *graphs.Graph) error {
		i, err := graph.Impact(ctx, "listLines", explore.ImpactOptions{})
		if err == nil {
			t.Errorf("who may not see the user: %+v", i)
		}
		edges, err := graph.Virtual(ctx, nil)
		if len(edges) != 0 {
			t.Errorf("who may not see the user: %+v", edges)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Projects that are pushed at once have the edges by contracts that they have when they are pushed one after the other.
func TestPushesAtOnceLinkContracts(t *testing.T) {
	address := pgserver.Start(t).Database()
	const webs = 4
	api := newModule(t, "api")
	api.write(map[string]string{"openapi.yaml": ordersAPI})
	all := []*module{api}
	for i := range webs {
		m := newModule(t, fmt.Sprint("web", i))
		m.write(map[string]string{"web.py": ordersWeb})
		all = append(all, m)
	}
	g := machine(t, address)
	for round := range 3 {
		var pushes sync.WaitGroup
		for _, m := range all {
			p, mine := m.open(), machine(t, address)
			pushes.Go(func() {
				pushed, err := mine.Push(t.Context(), p, shared.PushOptions{Getenv: func(string) string { return "" }})
				if err == nil {
					err = pushed.Unlinked
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		pushes.Wait()
		got := uses(t, g, api)
		for _, one := range got {
			if !strings.HasSuffix(one, fmt.Sprint(":", 4+round)) {
				t.Errorf("round %d: %s", round, one)
			}
		}
		if len(got) != webs {
			t.Fatalf("round %d: %d uses, want %d: %q", round, len(got), webs, got)
		}
		api.write(map[string]string{"openapi.yaml": strings.Repeat("# A comment.\n", round+1) + ordersAPI})
		for _, m := range all[1:] {
			m.write(map[string]string{"web.py": ordersWeb + strings.Repeat("\n# A comment.\n", round+1)})
		}
	}
}
