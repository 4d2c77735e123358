//go:build unix

package ckb_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
)

// realProject returns the options of a project that the real CKB has indexed: cobra.
// scripts/ckb.sh fetches both and runs these tests.
func realProject(t *testing.T, env map[string]string) (ckb.Options, *processes) {
	t.Helper()
	program, project := os.Getenv("REAL_CKB"), os.Getenv("REAL_CKB_PROJECT")
	if program == "" || project == "" {
		t.Skip("make truth fetches CKB, and says where it is by REAL_CKB and REAL_CKB_PROJECT")
	}
	t.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	p := &processes{}
	t.Cleanup(func() { p.allGone(t) })
	return ckb.Options{
		Root: project, State: t.TempDir(), Start: p.start,
		Getenv: func(name string) string { return env[name] },
	}, p
}

// executeC is the function that the tests ask about.
func executeC(t *testing.T, root string) ckb.Anchor {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "command.go"))
	if err != nil {
		t.Fatal(err)
	}
	before, body, found := strings.Cut(string(text), "\nfunc (c *Command) ExecuteC(")
	if !found {
		t.Fatal("there is no ExecuteC")
	}
	start := strings.Count(before, "\n") + 2
	return ckb.Anchor{Name: "ExecuteC", File: "command.go", Start: start, End: start + strings.Count(body[:strings.Index(body, "\n}")], "\n") + 1}
}

func TestRealCKBKnowsSymbols(t *testing.T) {
	o, _ := realProject(t, nil)
	a := open(t, o).Reach(t.Context())
	expect(t, a.Status(), well())
	anchor := executeC(t, o.Root)

	symbols, err := a.Symbols(t.Context(), "ExecuteC", "command.go", 20)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(symbols, func(s ckb.Symbol) bool { return s.Name == "ExecuteC" })
	if i < 0 || symbols[i].File != "command.go" || symbols[i].Start != anchor.Start || symbols[i].End != anchor.End {
		t.Fatalf("%+v, not %+v", symbols, anchor)
	}

	g, err := a.CallGraph(t.Context(), symbols[i].ID, ckb.Both)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Execute", "ExecuteContextC", "executeCommandC"}, names(g.Callers)); diff != "" {
		t.Errorf("callers: -want +got:\n%s", diff)
	}
	for _, name := range []string{"Find", "Traverse", "execute", "InitDefaultHelpCmd", "initCompleteCmd"} {
		if !slices.Contains(names(g.Callees), name) {
			t.Errorf("callees: %s is not among %v", name, names(g.Callees))
		}
	}

	references, err := a.References(t.Context(), symbols[i].ID, 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(references) != 4 {
		t.Errorf("%d references, not 4: %+v", len(references), references)
	}
	for _, r := range references {
		if !strings.Contains(line(t, o.Root, r.File, r.Line), "ExecuteC(") {
			t.Errorf("%s:%d does not call it", r.File, r.Line)
		}
	}
}

func names(symbols []ckb.Symbol) []string {
	var out []string
	for _, s := range symbols {
		out = append(out, s.Name)
	}
	slices.Sort(out)
	return out
}

// line is a line of a file.
func line(t *testing.T, root, file string, number int) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if number < 1 || number > len(lines) {
		t.Fatalf("%s has no line %d", file, number)
	}
	return lines[number-1]
}

func TestRealCKBWalksToDepth5(t *testing.T) {
	o, p := realProject(t, nil)
	c, before := open(t, o), 0
	for depth := 1; depth <= 5; depth++ {
		begin := time.Now()
		a := c.Reach(t.Context())
		edges := a.Expand(t.Context(), []ckb.Anchor{executeC(t, o.Root)}, depth)
		expect(t, a.Status(), well())
		deepest := 0
		for _, e := range edges {
			deepest = max(deepest, e.Distance)
			for _, at := range []ckb.Place{e.From, e.To} {
				if at.Line > 0 && !strings.Contains(line(t, o.Root, at.File, at.Line), at.Name) {
					t.Errorf("%s is not in %s:%d", at.Name, at.File, at.Line)
				}
			}
		}
		if deepest != depth || len(edges) <= before {
			t.Errorf("depth %d: %d edges, after %d at the depth before, the deepest at %d", depth, len(edges), before, deepest)
		}
		before = len(edges)
		t.Logf("depth %d: %d edges in %s", depth, len(edges), time.Since(begin).Round(time.Millisecond))
	}
	if n := p.number(); n != 1 {
		t.Errorf("%d processes, not 1", n)
	}
}

func TestRealCKBWithFaults(t *testing.T) {
	stop := func(p *processes) { signal(t, p.newest(), "STOP") }
	for name, c := range map[string]struct {
		env    map[string]string
		start  func(p *processes) // when it has started
		during func(p *processes) // when it is well
		call   func(p *processes) // while a call waits
		want   ckb.Reason
	}{
		"killed in a call":           {during: stop, call: func(p *processes) { signal(t, p.newest(), "KILL") }, want: ckb.MCPError},
		"killed between calls":       {during: func(p *processes) { signal(t, p.newest(), "KILL") }, want: ckb.MCPError},
		"hung in a call":             {env: map[string]string{"CKB_TIMEOUT": "2"}, during: stop, want: ckb.MCPError},
		"hung in the health check":   {env: map[string]string{"CKB_TIMEOUT": "2"}, start: stop, want: ckb.ConnectionTimeout},
		"killed in the health check": {start: func(p *processes) { signal(t, p.newest(), "KILL") }, want: ckb.HealthCheckFailed},
		"slower than the time-out":   {env: map[string]string{"CKB_MOCK_DELAY_MS": "1990", "CKB_TIMEOUT": "2"}, start: stop, want: ckb.ConnectionTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			o, p := realProject(t, c.env)
			start := o.Start
			o.Start = func(ctx context.Context, command ckb.Command) (ckb.Session, error) {
				s, err := start(ctx, command)
				if err == nil && c.start != nil {
					c.start(p)
				}
				return s, err
			}
			client, begin := open(t, o), time.Now()
			a := client.Reach(t.Context())
			if c.start == nil {
				expect(t, a.Status(), well())
				c.during(p)
			}
			if c.call != nil {
				time.AfterFunc(200*time.Millisecond, func() { c.call(p) }) // when the call is under way
			}
			edges := a.Expand(t.Context(), []ckb.Anchor{executeC(t, o.Root)}, 5)
			s := a.Status()
			if s.Available || s.Reason != c.want || s.LastError == "" || len(edges) > 0 {
				t.Errorf("%d edges, %+v, not %s", len(edges), s, c.want)
			}
			if d := time.Since(begin); d > 6*time.Second {
				t.Errorf("it took %s", d)
			}
			if delayed := c.env["CKB_MOCK_DELAY_MS"] != ""; delayed { // others do not learn of it
				if files, err := os.ReadDir(o.State); len(files) > 0 {
					t.Errorf("%v, %v", files, err)
				}
			} else if after := open(t, o).Reach(t.Context()).Status(); after.Reason != ckb.Cooldown || after.CooldownLeft < 50 || after.CooldownLeft > 60 || after.LastError != s.LastError {
				t.Errorf("the next process: %+v", after)
			}
			client.Close()
			p.allGone(t)
			t.Logf("%s: %s, in %s", s.Reason, s.LastError, time.Since(begin).Round(time.Millisecond))
		})
	}
}

func TestRealCKBWithAnIndexThatIsNone(t *testing.T) {
	for name, spoil := range map[string]func(index string) error{
		"noise": func(index string) error { return os.WriteFile(index, []byte(strings.Repeat("noise", 1000)), 0o600) },
		"none":  os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			o, _ := realProject(t, nil)
			spoilt := filepath.Join(t.TempDir(), "project")
			if err := os.CopyFS(spoilt, os.DirFS(o.Root)); err != nil {
				t.Fatal(err)
			}
			if err := spoil(filepath.Join(spoilt, "index.scip")); err != nil {
				t.Fatal(err)
			}
			o.Root = spoilt
			s := open(t, o).Reach(t.Context()).Status()
			if s.Available || s.Reason != ckb.HealthCheckFailed || s.LastError == "" {
				t.Errorf("%+v", s)
			}
			t.Log(s.LastError) // sometimes it says so, sometimes it dies
		})
	}
}
