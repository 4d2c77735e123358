package graphs_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// module is a repository of a Go module of the organisation.
type module struct {
	t    *testing.T
	name string
	dir  string
	when string // the time of commits; "" for now
}

func newModule(t *testing.T, name string) *module {
	t.Helper()
	m := &module{t: t, name: name, dir: filepath.Join(t.TempDir(), name)}
	if err := os.MkdirAll(m.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	m.git("init", "-q", "-b", "main")
	m.git("remote", "add", "origin", "https://git.example.com/org/"+name)
	return m
}

func (m *module) git(args ...string) {
	m.t.Helper()
	c := exec.CommandContext(m.t.Context(), "git", append([]string{"-C", m.dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
	if m.when != "" {
		c.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+m.when, "GIT_COMMITTER_DATE="+m.when)
	}
	if out, err := c.CombinedOutput(); err != nil {
		m.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (m *module) key() string { return "https://git.example.com/org/" + m.name }

// commit commits one file, in a module that requires others.
func (m *module) commit(text string, requires ...string) {
	m.t.Helper()
	mod := "module git.example.com/org/" + m.name + "\n\ngo 1.22\n"
	for _, r := range requires {
		mod += fmt.Sprintf("\nrequire git.example.com/org/%s v1.0.0\n", r)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(m.dir, "go.mod"), []byte(mod), 0o600), os.WriteFile(filepath.Join(m.dir, m.name+".go"), []byte(text), 0o600)); err != nil {
		m.t.Fatal(err)
	}
	m.git("add", ".")
	m.git("commit", "-qm", "x")
}

func (m *module) open() *project.Project {
	m.t.Helper()
	p, err := project.Open(m.dir)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = p.Close() })
	return p
}

func (m *module) push(g *graphs.Graphs) *graphs.Pushed {
	m.t.Helper()
	pushed, err := g.Push(m.t.Context(), m.open(), shared.PushOptions{Getenv: func(string) string { return "" }})
	if err == nil {
		err = pushed.Unlinked
	}
	if err != nil {
		m.t.Fatal(err)
	}
	return pushed
}

const (
	shopText = "package shop\n\n// Cart holds.\ntype Cart struct{}\n\n// Total sums.\nfunc (c Cart) Total() int { return 0 }\n\n// New makes.\nfunc New() Cart { return Cart{} }\n"
	tillText = "package till\n\nimport \"git.example.com/org/shop\"\n\nfunc Charge() int { return shop.New().Total() }\n"
)

// uses returns who uses a project, as "consumer line -> symbol", sorted.
func uses(t *testing.T, g *graphs.Graphs, of *module) []string {
	t.Helper()
	found, err := g.Consumers(t.Context(), of.open())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range found {
		out = append(out, fmt.Sprintf("%s:%d %s -> %s:%d", c.File, c.Line, c.Symbol, c.Uses, c.Edge.StartLine))
	}
	slices.Sort(out)
	return out
}

// Whichever project is pushed first, there are the same edges; each push computes what it can touch, and no more.
func TestEdgesBetweenPushedProjects(t *testing.T) {
	server := pgserver.Start(t)
	want := []string{
		"till.go:3 till.till -> shop:0",
		"till.go:5 till.till.Charge -> shop.shop.Cart.Total:7",
		"till.go:5 till.till.Charge -> shop.shop.New:10",
	}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		g := machine(t, server.Database())
		all := []*module{newModule(t, "shop"), newModule(t, "till")}
		shop, till := all[0], all[1]
		shop.commit(shopText)
		till.commit(tillText, "shop")
		for _, i := range order {
			all[i].push(g)
		}
		if diff := cmp.Diff(want, uses(t, g, shop)); diff != "" {
			t.Errorf("pushed in order %v: -want +got\n%s", order, diff)
		}
		if again := till.push(g); again.Linked != nil {
			t.Errorf("a push of the same commit computes %+v", again.Linked)
		}

		shop.commit("\n\n" + shopText)
		if p := shop.push(g); !p.Linked.Kept || p.Linked.To != 3 {
			t.Errorf("a push that moves lines: %+v", p.Linked)
		}
		if got := uses(t, g, shop); !slices.Contains(got, "till.go:5 till.till.Charge -> shop.shop.New:12") {
			t.Errorf("the lines are those of before: %q", got)
		}

		shop.commit("package shop\n\n// Cart holds.\ntype Cart struct{}\n\nfunc New() Cart { return Cart{} }\n")
		if p := shop.push(g); p.Linked.Kept {
			t.Errorf("a push that removes a method: %+v", p.Linked)
		}
		if got := uses(t, g, shop); slices.ContainsFunc(got, func(s string) bool { return s == want[1] }) || len(got) != 2 {
			t.Errorf("after Total was removed: %q", got)
		}
		shop.commit(shopText)
		shop.push(g)
		if diff := cmp.Diff(want, uses(t, g, shop)); diff != "" {
			t.Errorf("after Total came back: -want +got\n%s", diff)
		}

		till.commit("package till\n")
		till.push(g)
		if got := uses(t, g, shop); len(got) != 0 {
			t.Errorf("after the user stopped: %q", got)
		}
		till.commit(tillText, "shop")
		till.push(g)
		if err := g.DeleteShared(t.Context(), till.key()); err != nil {
			t.Fatal(err)
		}
		if got := uses(t, g, shop); len(got) != 0 {
			t.Errorf("after the user was deleted: %q", got)
		}
	}
}

// Impact names the users in other projects, in a checkout under another name and from afar; graph-rag's edges lead there.
func TestImpactNamesUsersElsewhere(t *testing.T) {
	g := machine(t, pgserver.Start(t).Database())
	shop, till := newModule(t, "shop"), newModule(t, "till")
	shop.commit(shopText)
	till.commit(tillText, "shop")
	till.push(g)
	shop.push(g)
	other := &module{t: t, name: "shop", dir: filepath.Join(t.TempDir(), "a.checkout")}
	if err := os.CopyFS(other.dir, os.DirFS(shop.dir)); err != nil {
		t.Fatal(err)
	}
	ask := func(in string) (got []string) {
		err := g.In(t.Context(), other.open(), in, graphs.OpenOptions{}, func(graph *graphs.Graph) error {
			i, err := graph.Impact(t.Context(), "Cart.Total", explore.ImpactOptions{})
			if err != nil {
				return err
			}
			for _, c := range i.Consumers {
				got = append(got, c.Project+" "+c.Symbol)
			}
			return i.Unknown
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, in := range []string{"", "https://git.example.com/org/shop"} {
		if diff := cmp.Diff([]string{"till till.till.Charge"}, ask(in)); diff != "" {
			t.Errorf("in %q: -want +got\n%s", in, diff)
		}
	}
	err := g.WithNamed(t.Context(), "till", graphs.OpenOptions{}, func(graph *graphs.Graph) error {
		edges, err := graph.Virtual(t.Context(), []string{"till.till.Charge"})
		if len(edges) != 2 || edges[0].TargetRepo != "shop" || edges[0].TargetRoot != "" {
			t.Errorf("%+v", edges)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A caller sees an edge if it may see both its ends.
func TestEdgesOfOtherProjectsAreNotSeen(t *testing.T) {
	address := pgserver.Start(t).Database()
	g := machine(t, address)
	shop, till := newModule(t, "shop"), newModule(t, "till")
	shop.commit(shopText)
	till.commit(tillText, "shop")
	till.push(g)
	shop.push(g)
	open := func() (store.Shared, error) { return postgres.Open(address, postgres.Options{Cache: t.TempDir()}) }
	guarded := graphs.New(graphs.Options{Guard: true, Shared: true, Organisation: open})
	defer guarded.Close()
	for keys, want := range map[[2]string][3]int{{shop.key(), till.key()}: {1, 1, 2}, {shop.key()}: {1, 0, -1}, {till.key()}: {-1, -1, 0}, {}: {-1, -1, -1}} {
		ctx := store.WithAccess(t.Context(), store.Access{Keys: keys[:]})
		got := [3]int{-1, -1, -1}
		_ = guarded.WithNamed(ctx, shop.key(), graphs.OpenOptions{}, func(graph *graphs.Graph) error {
			i, err := graph.Impact(ctx, "Cart.Total", explore.ImpactOptions{})
			if err != nil {
				return err
			}
			got[0], got[1] = 1, len(i.Consumers)
			return i.Unknown
		})
		_ = guarded.WithNamed(ctx, till.key(), graphs.OpenOptions{}, func(graph *graphs.Graph) error {
			edges, err := graph.Virtual(ctx, []string{"till.till.Charge"})
			got[2] = len(edges)
			return err
		})
		if got != want {
			t.Errorf("who sees %q: %v, want %v", keys, got, want)
		}
	}
}

// Projects that are pushed at once have the edges that they have when they are pushed one after the other.
func TestPushesAtOnceLinkAll(t *testing.T) {
	address := pgserver.Start(t).Database()
	const tills = 4
	shop := newModule(t, "shop")
	shop.commit(shopText)
	all := []*module{shop}
	for i := range tills {
		m := newModule(t, fmt.Sprint("till", i))
		m.commit(fmt.Sprintf("package till%d\n\nimport \"git.example.com/org/shop\"\n\nfunc Charge() int { return shop.New().Total() }\n", i), "shop")
		all = append(all, m)
	}
	g := machine(t, address)
	for round := range 3 {
		var pushes sync.WaitGroup
		for _, m := range all {
			p := m.open()
			mine := machine(t, address)
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
		if got := uses(t, g, shop); len(got) != 3*tills {
			t.Fatalf("round %d: %d uses, want %d: %q", round, len(got), 3*tills, got)
		}
		shop.commit(shopText + fmt.Sprintf("\nfunc More%d() {}\n", round))
		for i, m := range all[1:] {
			m.commit(fmt.Sprintf("package till%d\n\nimport \"git.example.com/org/shop\"\n\n// Round %d.\nfunc Charge() int { return shop.New().Total() }\n", i, round), "shop")
		}
	}
}

// A question to all projects is asked of those whose names have its words, best first; a caller's, of those that it may see.
func TestQuestionsToAllProjects(t *testing.T) {
	address := pgserver.Start(t).Database()
	g := machine(t, address)
	for name, text := range map[string]string{
		"shop": shopText, "till": tillText,
		"parcel": "package parcel\n\n// TrackParcel tracks.\nfunc TrackParcel() {}\n\n// Total sums.\nfunc Total() {}\n",
	} {
		m := newModule(t, name)
		m.commit(text)
		m.push(g)
	}
	open := func() (store.Shared, error) { return postgres.Open(address, postgres.Options{Cache: t.TempDir()}) }
	guarded := graphs.New(graphs.Options{Guard: true, Shared: true, Organisation: open})
	defer guarded.Close()
	all := store.WithAccess(t.Context(), store.Access{All: true})
	two := store.WithAccess(t.Context(), store.Access{Keys: []string{"https://git.example.com/org/shop", "https://git.example.com/org/till"}})
	none := store.WithAccess(t.Context(), store.Access{})

	answer, err := guarded.SearchEverywhere(all, "track a parcel's total", rag.Defaults())
	if err != nil || len(answer.Candidates) == 0 || answer.Candidates[0].File != "parcel://parcel.go" {
		t.Fatalf("%+v, %v", answer, err)
	}
	if !slices.ContainsFunc(answer.Candidates, func(c rag.Candidate) bool { return c.Symbol == "shop.shop.Cart.Total" }) {
		t.Errorf("the shop has a total, too: %+v", answer.Candidates)
	}
	if answer, err = guarded.SearchEverywhere(two, "track a parcel's total", rag.Defaults()); err != nil {
		t.Fatal(err)
	}
	for _, c := range answer.Candidates {
		if strings.Contains(c.File, "parcel") {
			t.Errorf("it is not to be seen: %+v", c)
		}
	}
	if answer, err := guarded.SearchEverywhere(none, "track a parcel's total", rag.Defaults()); err == nil {
		t.Errorf("who may see nothing: %+v", answer)
	}
	for ctx, want := range map[context.Context][]string{all: {"parcel parcel", "shop shop", "till till"}, two: {"shop shop", "till till"}} {
		a, err := guarded.Ask(ctx, nil, graphs.Question{Text: "MATCH (p:Project) RETURN p.name AS name", Project: graphs.Everywhere})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range a.Results {
			got = append(got, fmt.Sprint(row[0].Value, " ", row[1].Value))
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
}

// Aggregates, order and patterns of a query to all projects are over all that the caller may see.
func TestQueriesOverAllProjects(t *testing.T) {
	address := pgserver.Start(t).Database()
	g := machine(t, address)
	for name, text := range map[string]string{
		"shop": "package shop\n\nfunc New() {}\n\nfunc Pay() { New() }\n", "till": "package till\n\nfunc New() {}\n\nfunc Open() {}\n\nfunc Close() {}\n",
		"vault": "package vault\n\nfunc New() {}\n",
	} {
		m := newModule(t, name)
		m.commit(text)
		m.push(g)
	}
	open := func() (store.Shared, error) { return postgres.Open(address, postgres.Options{Cache: t.TempDir()}) }
	guarded := graphs.New(graphs.Options{Guard: true, Shared: true, Organisation: open})
	defer guarded.Close()
	all := store.WithAccess(t.Context(), store.Access{All: true})
	two := store.WithAccess(t.Context(), store.Access{Keys: []string{"https://git.example.com/org/shop", "https://git.example.com/org/till"}})
	for _, c := range []struct {
		ctx   context.Context
		query string
		want  []string
	}{
		{all, "MATCH (f:Function) RETURN count(*) AS n", []string{"n=6"}},
		{two, "MATCH (f:Function) RETURN count(*) AS n", []string{"n=5"}},
		{all, "MATCH (f:Function) RETURN f.name AS name, count(f) AS n ORDER BY n DESC, name LIMIT 2", []string{"name=New n=3", "name=Close n=1"}},
		{two, "MATCH (f:Function) RETURN f.project AS of, count(f) AS n ORDER BY n DESC", []string{"of=till n=3", "of=shop n=2"}},
		{all, "MATCH (f:Function) RETURN DISTINCT f.name AS name ORDER BY name", []string{"name=Close", "name=New", "name=Open", "name=Pay"}},
		{all, "MATCH (f:Function) RETURN f.name AS name ORDER BY name DESC LIMIT 2", []string{"project=shop name=Pay", "project=till name=Open"}},
		{two, "MATCH (p:Project) RETURN collect(p.name) AS names", []string{"names=[shop till]"}},
		{all, "MATCH (a:Function), (b:Function) WHERE a.name = b.name AND a.project < b.project RETURN count(*) AS n", []string{"n=3"}},
		{two, "MATCH (f:Function {project: 'vault'}) RETURN count(*) AS n", []string{"n=0"}},
		{all, "MATCH (f:Function)-[:CALLS]->(g) RETURN f, g.project AS of", []string{"project=shop f=map of=shop"}},
	} {
		a, err := guarded.Ask(c.ctx, nil, graphs.Question{Text: c.query, Project: graphs.Everywhere})
		if err != nil || a.Error != "" {
			t.Fatalf("%s: %v %+v", c.query, err, a)
		}
		var got []string
		for _, row := range a.Results {
			var cells []string
			for _, f := range row {
				v := fmt.Sprint(f.Value)
				if f.Name == "f" {
					v = "map"
				}
				cells = append(cells, f.Name+"="+v)
			}
			got = append(got, strings.Join(cells, " "))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.query, diff)
		}
		if note := strings.Join(a.Notes, " "); c.ctx == two && strings.Contains(note, "vault") {
			t.Errorf("%s: %s", c.query, note)
		}
	}
	if a, err := guarded.Ask(all, nil, graphs.Question{Text: "MATCH (f:Function RETURN f", Project: graphs.Everywhere}); err != nil || !strings.Contains(a.Error, "line 1") {
		t.Errorf("%+v, %v", a, err)
	}
}
