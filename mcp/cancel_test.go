//go:build unix

package mcp_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// endless is a spec whose test never ends, and says which processes it is.
const endless = "---\nhealth: unverified\n---\n\n## 4. Contract tests\n\n### CT-1: it waits\n\n" +
	"**Type**: behavior\n\n**Covers**: REQ-1\n\n**Script**:\n```bash\n" +
	"sleep 100000 &\necho $$ $! >pids.new\nmv pids.new pids\nmkfifo gate\nread x <gate\n```\n"

// TestACancelledCallLeavesNothingBehind cancels each long call when it is at
// work. There is no answer then, no file that is half written, and the next call works.
// The test ends when nothing runs any more: what went on would be waited for.
func TestACancelledCallLeavesNothingBehind(t *testing.T) {
	t.Setenv("CKB_UNAVAILABLE", "1")
	for _, c := range []struct{ tool, arguments string }{
		{"prepare", `{"targetPath":"many","deep":true}`},
		{"generate", `{"targetPath":"many"}`},
		{"batch", `{}`},
		{"index_repository", `{}`},
		{"diff", `{"specPath":"specs/src/auth.go.spec.md","sourcePath":"many"}`},
		{"ci_graph_rag", `{"query":"login"}`},
		{"ci_call_chain", `{"symbol":"Login"}`},
	} {
		t.Run(c.tool, func(t *testing.T) {
			p := equipped(t)
			fill(t, p.Root())
			home := t.TempDir()
			s, err := sqlite.Open(sqlite.Options{Home: home})
			if err != nil {
				t.Fatal(err)
			}
			server := mcp.New(mcp.Options{Project: p, AllowRun: true, Graphs: graphs.New(graphs.Options{Store: func() (store.Store, error) { return s, nil }, Shared: true})})
			before := contents(t, p.Root())

			client := dial(t.Context(), t, server)
			client.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.tool, c.arguments)
			client.ask(ping)
			client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			client.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"src/auth.go"}}}`)
			var answered []string
			for _, line := range client.end() {
				if m := decode(t, line); m.ID != nil {
					answered = append(answered, line)
				}
			}
			if len(answered) != 1 || !strings.Contains(answered[0], `"id":2,"result":{"content":[{"type":"text","text":"package auth`) {
				t.Errorf("answered: %q", answered)
			}
			if diff := cmp.Diff(before, contents(t, p.Root())); diff != "" && c.tool != "batch" { // which goes on from what it has
				t.Error(diff)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if left := unfinished(t, home, p.Root()); left != nil {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// fill adds what takes a while to read.
func fill(t *testing.T, dir string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "endless.spec.md"), []byte(endless), 0o644); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		file := filepath.Join(dir, "many", fmt.Sprintf("m%03d", i), "m.go")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(manyCallers("int"), "package many", "package m")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// unfinished are files that were being made.
func unfinished(t *testing.T, dirs ...string) (files []string) {
	t.Helper()
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
			if strings.Contains(d.Name(), ".new") || strings.Contains(d.Name(), ".tmp") {
				files = append(files, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestACancelledTestIsGone: with the processes that it started, and nothing is written of it.
func TestACancelledTestIsGone(t *testing.T) {
	p := equipped(t)
	fill(t, p.Root())
	client := dial(t.Context(), t, mcp.New(mcp.Options{Project: p, AllowRun: true}))
	client.send(call2, "verify", `{"specPath":"endless.spec.md","run":true,"timeout":100000}`)
	gate := filepath.Join(p.Root(), "gate")
	for _, err := os.Stat(gate); err != nil; _, err = os.Stat(gate) { // it is at work when it is there
		client.ask(ping)
	}
	text, err := os.ReadFile(filepath.Join(p.Root(), "pids"))
	if err != nil {
		t.Fatal(err)
	}
	client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if rest := client.end(); rest != nil {
		t.Errorf("answered: %v", rest)
	}
	if now, err := os.ReadFile(filepath.Join(p.Root(), "endless.spec.md")); err != nil || string(now) != endless {
		t.Errorf("%v: %q", err, now)
	}
	for field := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, 0); err == nil && !zombie(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// zombie reports whether a process has ended but was not waited for.
func zombie(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ")
}

// TestACancelledQueryStops: it would take a minute, and then be refused.
func TestACancelledQueryStops(t *testing.T) {
	s, _ := large(t, map[string]string{"many.go": manyCallers("int")})
	talk(t, s, fmt.Sprintf(call2, "index_repository", "{}"))
	client := dial(t.Context(), t, s)
	client.send(call2, "query_code_graph", `{"natural_language_query":"MATCH (a),(b),(c),(d),(e) RETURN count(*)"}`)
	client.ask(ping)
	client.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if rest := client.end(); rest != nil {
		t.Errorf("answered: %.300s", rest)
	}
}
