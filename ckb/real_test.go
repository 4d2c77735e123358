package ckb_test

import (
	"os"
	"testing"

	"github.com/reverse-spec/reverse-spec/ckb"
)

// realCKB returns a client of the real CKB, with a project that it has indexed: cobra.
// scripts/ckb.sh fetches both and runs these tests.
func realCKB(t *testing.T, env map[string]string) (*ckb.Client, *processes) {
	t.Helper()
	program, project := os.Getenv("REAL_CKB"), os.Getenv("REAL_CKB_PROJECT")
	if program == "" || project == "" {
		t.Skip("make truth fetches CKB and sets REAL_CKB and REAL_CKB_PROJECT")
	}
	p := &processes{}
	c := ckb.New(ckb.Options{
		Root: project, State: t.TempDir(), Start: p.start,
		Getenv: func(name string) string {
			if name == "CKB_MCP_CLIENT" {
				return program + " mcp --repo " + project
			}
			return env[name]
		},
	})
	t.Cleanup(func() {
		c.Close()
		p.allGone(t)
	})
	return c, p
}

func TestRealCKBIsWell(t *testing.T) {
	c, _ := realCKB(t, nil)
	a := c.Reach(t.Context())
	if got, want := a.Status(), (ckb.Status{Available: true}); got != want {
		t.Fatalf("got %+v, want %+v", got, want)
	}
	symbols, err := a.Symbols(t.Context(), "ExecuteC", "command.go", 5)
	t.Log(symbols, err)
	g, err := a.CallGraph(t.Context(), symbols[0].ID, ckb.Both)
	t.Log(g, err)
	r, err := a.References(t.Context(), symbols[0].ID, 10)
	t.Log(r, err)
	for d := 1; d <= 5; d++ {
		a := c.Reach(t.Context())
		edges := a.Expand(t.Context(), []ckb.Anchor{{Name: "ExecuteC", File: "command.go", Start: 1084, End: 1170}}, d)
		t.Log(d, len(edges), a.Status())
	}
}
