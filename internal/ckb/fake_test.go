package ckb_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
)

// fake is a CKB in this process. Its zero value is well, and knows nothing.
type fake struct {
	root   string
	calls  map[string][]string // of each function of the project: those it calls
	stale  bool
	dial   error                    // of connecting
	slow   map[string]time.Duration // how long a tool takes; "connect" is one
	answer map[string]string        // the text that a tool answers in place of its own
	fault  map[string]error         // of calling a tool
	prefix string                   // of ids; "" for those of scip-go

	mu      sync.Mutex
	dialled int
	closed  int
	called  []string // the tools, in order
}

// scip is how ids of scip-go begin.
const scip = "scip-go gomod example.com/shop 0123456789ab "

func (f *fake) connect(ctx context.Context) (ckb.Session, error) {
	f.mu.Lock()
	f.dialled++
	slow, fault := f.slow["connect"], f.dial
	f.mu.Unlock()
	if err := rest(ctx, slow); err != nil {
		return nil, err
	}
	return f, fault
}

func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// counts returns how often it was connected to, and how often that was ended.
func (f *fake) counts() (dialled, closed int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dialled, f.closed
}

// expect checks how often it was connected to, and how often that was ended.
func (f *fake) expect(t *testing.T, dialled, closed int) {
	t.Helper()
	if d, c := f.counts(); d != dialled || c != closed {
		t.Errorf("%d connections, of which %d were ended, not %d and %d", d, c, dialled, closed)
	}
}

// change makes it another.
func (f *fake) change(to func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	to()
}

func (f *fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed++
	return nil
}

func (f *fake) Call(ctx context.Context, tool string, arguments map[string]any) (string, error) {
	f.mu.Lock()
	f.called = append(f.called, tool)
	text, fault, slow := f.answer[tool], f.fault[tool], f.slow[tool]
	f.mu.Unlock()
	if err := rest(ctx, slow); err != nil {
		return "", err
	}
	if fault != nil || text != "" {
		return text, fault
	}
	switch tool {
	case "getActiveRepo":
		return data(`{"name": "shop", "path": %q, "state": "valid"}`, f.root), nil
	case "getStatus":
		return data(`{"status": "healthy", "healthy": true, "backends": [{"id": "scip", "healthy": true}, {"id": "lsp", "healthy": false}],
			"index": {"exists": true, "fresh": %t}}`, !f.stale), nil
	case "searchSymbols":
		name := arguments["query"].(string)
		return data(`{"symbols": [%s, {"stableId": %q, "name": "x", "location": {"fileId": "a.go", "startLine": 1}}]}`, f.symbol(name), f.id(name)+"(x)"), nil
	case "getCallGraph":
		return f.graph(arguments["symbolId"].(string), arguments["direction"].(string)), nil
	}
	return "", &ckb.RefusedError{Message: "[RESOURCE_NOT_FOUND] tool not found: " + tool}
}

func data(format string, args ...any) string {
	return `{"schemaVersion": "1.0", "data": ` + fmt.Sprintf(format, args...) + `, "meta": {"confidence": {"score": 1}}}`
}

// The functions of the fake are called f0, f1, ...; fN begins in line 10 N of a.go.
func (f *fake) symbol(name string) string {
	line := 0
	fmt.Sscanf(name, "f%d", &line)
	return fmt.Sprintf(`{"stableId": %q, "name": %q, "kind": "function", "location": {"fileId": "a.go", "startLine": %d, "endLine": %d}}`,
		f.id(name), name, 10*line, 10*line+5)
}

func (f *fake) id(name string) string {
	if f.prefix != "" {
		return f.prefix + name + "()."
	}
	return scip + "`example.com/shop`/" + name + "()."
}

func (f *fake) graph(id, direction string) string {
	type node struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Location any    `json:"location,omitempty"`
	}
	type edge struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	nodes, edges := []node{{ID: id, Name: "root"}, {ID: "abroad", Name: "no location"}}, []edge{{id, "abroad"}}
	add := func(name string) {
		line := 0
		fmt.Sscanf(name, "f%d", &line)
		nodes = append(nodes, node{f.id(name), "om/shop`/" + name, map[string]any{"fileId": "a.go", "startLine": 10 * line}})
	}
	for from, callees := range f.calls {
		for _, to := range callees {
			switch {
			case f.id(from) == id && direction != "callers":
				add(to)
				edges = append(edges, edge{id, f.id(to)})
			case f.id(to) == id && direction != "callees":
				add(from)
				edges = append(edges, edge{f.id(from), id})
			}
		}
	}
	text, _ := json.Marshal(map[string]any{"nodes": nodes, "edges": edges})
	return data("%s", text)
}

// options are those of a project with a fake for its CKB.
func (f *fake) options(t *testing.T, env map[string]string) ckb.Options {
	t.Helper()
	f.root = t.TempDir()
	return ckb.Options{
		Root: f.root, State: filepath.Join(t.TempDir(), "state"), Configured: f.connect,
		Getenv: func(name string) string { return env[name] },
	}
}

// open makes a client that is closed with the test.
func open(t *testing.T, o ckb.Options) *ckb.Client {
	t.Helper()
	c := ckb.New(o)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// expect compares a status.
func expect(t *testing.T, got, want ckb.Status) {
	t.Helper()
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func failed(r ckb.Reason, why string) ckb.Status { return ckb.Status{Reason: r, LastError: why} }

func cooling(left int, why string) ckb.Status {
	return ckb.Status{Reason: ckb.Cooldown, LastError: why, CooldownLeft: left}
}

func well() ckb.Status { return ckb.Status{Available: true} }

var errGone = errors.New("the server ended")

// TestMain is the tests, or in a process that a test starts the program that the test
// wants to see.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && strings.HasPrefix(os.Args[1], "fake:") {
		mode := strings.ReplaceAll(strings.TrimPrefix(os.Args[1], "fake:"), "_", " ")
		os.Exit(runFake(os.Stdout, mode, os.Args[2])) //nolint:forbidigo // a program of its own
	}
	m.Run()
}
