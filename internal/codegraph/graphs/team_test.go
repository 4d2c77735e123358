package graphs_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/postgres"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/shared"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/pgserver"
)

// machine is the graphs of one machine of an organisation.
func machine(t *testing.T, address string) *graphs.Graphs {
	t.Helper()
	home := t.TempDir()
	g := graphs.New(graphs.Options{
		Shared: true,
		Store:  func() (store.Store, error) { return sqlite.Open(sqlite.Options{Home: home}) },
		Organisation: func() (store.Shared, error) {
			return postgres.Open(address, postgres.Options{Cache: filepath.Join(home, "shared")})
		},
	})
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// repository makes a repository of a shop with the given callers of Pay.
func repository(t *testing.T, dir string, callers ...string) *project.Project {
	t.Helper()
	text := "package shop\n\nfunc Pay() {}\n"
	for _, c := range callers {
		text += fmt.Sprintf("\nfunc %s() { Pay() }\n", c)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"}} {
		if out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func push(t *testing.T, g *graphs.Graphs, p *project.Project, name string) {
	t.Helper()
	if _, err := g.Push(t.Context(), p, shared.PushOptions{Name: name, Getenv: func(string) string { return "" }}); err != nil {
		t.Fatal(err)
	}
}

// callers asks for the callers of Pay in a project. From is the note that says which graph was asked.
func callers(t *testing.T, g *graphs.Graphs, here *project.Project, name string) (names []string, from string, err error) {
	t.Helper()
	const query = "MATCH (f)-[:CALLS]->(p:Function {name: 'Pay'}) RETURN f.name AS name ORDER BY name"
	answer, err := g.Ask(t.Context(), here, graphs.Question{Text: query, Project: name, Limit: 10, Bytes: 1 << 20, Size: func(any) int { return 1 }})
	if err != nil {
		return nil, "", err
	}
	for _, row := range answer.Results {
		names = append(names, fmt.Sprint(row[0].Value))
	}
	for _, note := range answer.Notes {
		if strings.HasPrefix(note, "from the shared graph") {
			from = note
		}
	}
	return names, from, nil
}

func wantCallers(t *testing.T, g *graphs.Graphs, here *project.Project, name string, want ...string) (from string) {
	t.Helper()
	got, from, err := callers(t, g, here, name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("callers in %s: -want +got\n%s", name, diff)
	}
	return from
}

// A machine without the code asks the shared graph, sees what was pushed since, and goes on with what it knows while the
// server is away.
func TestAnotherMachineAsks(t *testing.T) {
	server := pgserver.Start(t)
	address := server.Database()
	ci, laptop := machine(t, address), machine(t, address)
	dir := filepath.Join(t.TempDir(), "checkout")
	push(t, ci, repository(t, dir, "Buy"), "shop")
	here := shop(t) // has another shop
	for range 2 {
		if from := wantCallers(t, laptop, here, "project://shop", "Buy"); !strings.Contains(from, "project://shop: commit ") || !strings.Contains(from, " of branch main") {
			t.Errorf("from %q", from)
		}
	}
	push(t, ci, repository(t, dir, "Buy", "Sell"), "shop")
	wantCallers(t, laptop, here, "shop", "Buy", "Sell")

	server.Kill()
	if from := wantCallers(t, laptop, here, "shop", "Buy", "Sell"); !strings.Contains(from, "s ago (") || strings.Contains(from, "boss") {
		t.Errorf("from %q", from)
	}
	if _, _, err := callers(t, laptop, here, "never-asked"); err == nil {
		t.Error("a project that was never asked is answered without the server")
	}
	names, err := laptop.Projects(t.Context())
	if err == nil || len(names) != 0 {
		t.Errorf("%q, %v", names, err)
	}
	server.Run()
	push(t, ci, repository(t, dir, "Sell"), "shop")
	if from := wantCallers(t, laptop, here, "shop", "Sell"); strings.Contains(from, "s ago (") {
		t.Errorf("from %q", from)
	}
}

// What a machine has is asked there, and found by its name; the shared project of that name by its key.
func TestOwnProjectsComeFirst(t *testing.T) {
	g := machine(t, pgserver.Start(t).Database())
	push(t, g, repository(t, filepath.Join(t.TempDir(), "checkout"), "Sell"), "shop")
	push(t, g, repository(t, filepath.Join(t.TempDir(), "other"), "Sell"), "bank")
	here := shop(t)
	if _, err := g.Index(t.Context(), here, false); err != nil {
		t.Fatal(err)
	}
	if from := wantCallers(t, g, here, "shop", "Buy"); from != "" {
		t.Errorf("from %q", from)
	}
	if from := wantCallers(t, g, here, "project://shop", "Sell"); from == "" {
		t.Error("does not say which graph it is from")
	}
	names, err := g.Projects(t.Context())
	if err != nil || !slices.Equal(names, []string{"bank", "project://shop", "shop"}) {
		t.Errorf("%q, %v", names, err)
	}
	_, _, err = callers(t, g, here, "nothing")
	if unknown := (*explore.UnknownProjectError)(nil); !errors.As(err, &unknown) || len(unknown.Available) != 3 {
		t.Errorf("error %v", err)
	}
}

// A server that is not asked holds no lock, and so no connection for it; it is asked again as before.
func TestIdleServersLetGo(t *testing.T) {
	server := pgserver.Start(t)
	address, home := server.Database(), t.TempDir()
	g := graphs.New(graphs.Options{
		Idle: 300 * time.Millisecond, Shared: true,
		Store:        func() (store.Store, error) { return sqlite.Open(sqlite.Options{Home: home}) },
		Organisation: func() (store.Shared, error) { return postgres.Open(address, postgres.Options{Cache: home}) },
	})
	p := repository(t, filepath.Join(t.TempDir(), "checkout"), "Buy")
	push(t, g, p, "shop")
	locks := func(n int) {
		t.Helper()
		server.Exec("test1", fmt.Sprintf("DO $$ BEGIN ASSERT (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') = %d; END $$", n))
	}
	for range 2 {
		wantCallers(t, g, p, "shop", "Buy")
		locks(1)
		time.Sleep(time.Second)
		locks(0)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

// More projects than are kept open are asked in turn.
func TestManySharedProjects(t *testing.T) {
	g := machine(t, pgserver.Start(t).Database())
	p := repository(t, filepath.Join(t.TempDir(), "checkout"), "Buy")
	const many = 40
	for i := range many {
		push(t, g, p, fmt.Sprintf("shop%d", i))
	}
	for range 2 {
		for i := range many {
			wantCallers(t, g, p, fmt.Sprintf("shop%d", i), "Buy")
		}
	}
}
