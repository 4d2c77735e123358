package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// liveServer is a client of the program running as a server.
type liveServer struct {
	in    io.WriteCloser
	lines chan string // its output
	log   *syncBuffer
	last  int
	pid   int
	stop  func()
}

// syncBuffer is a concurrency-safe buffer.
type syncBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// patient is the time limit for expected messages.
const patient = 60 * time.Second

// startServer starts a server for a project, with its own home and store.
func startServer(t *testing.T, dir string, env []string, arguments ...string) *liveServer {
	t.Helper()
	home := filepath.Join(dir, ".home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "reverse-spec", append([]string{"mcp-server"}, arguments...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "REVERSE_SPEC_HOME="+filepath.Join(home, "data"), "GRAPH_DB_PATH=", "ANTHROPIC_API_KEY=",
		"OPENAI_API_KEY=", "REVERSE_SPEC_PROVIDER=", "TARGET_REPO_PATH=", "CLAUDE_PROJECT_ROOT=", "CLAUDE_PROJECT_DIR=", "REVERSE_SPEC_MCP_CHILD=", "CKB_UNAVAILABLE=1",
		"LC_ALL=C", "REVERSE_SPEC_LANG=")
	cmd.Env = append(cmd.Env, env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s := &liveServer{in: in, lines: make(chan string, 1000), log: &syncBuffer{}}
	cmd.Stderr = s.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.pid = cmd.Process.Pid
	read := make(chan struct{})
	go func() {
		defer close(read)
		defer close(s.lines)
		r := bufio.NewReader(out)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			s.lines <- line
		}
	}()
	s.stop = sync.OnceFunc(func() {
		_ = in.Close()
		<-read
		if err := cmd.Wait(); err != nil && t.Context().Err() == nil {
			t.Errorf("the server ended: %v\n%s", err, s.log)
		}
	})
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			t.Logf("its log:\n%s", s.log)
		}
	})
	return s
}

// rpcMessage is a message from a server.
type rpcMessage struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// send sends a request and returns its id.
func (s *liveServer) send(t *testing.T, method, params string) int {
	t.Helper()
	s.last++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.last, method, params); err != nil {
		t.Fatal(err)
	}
	return s.last
}

// wait returns the first message that matches.
func (s *liveServer) wait(t *testing.T, what string, wanted func(rpcMessage) bool) rpcMessage {
	t.Helper()
	limit := time.After(patient)
	for {
		select {
		case line, open := <-s.lines:
			var m rpcMessage
			if err := json.Unmarshal([]byte(line), &m); err != nil || !open {
				t.Fatalf("%s: %q %v\n%s", what, line, err, s.log)
			}
			if wanted(m) {
				return m
			}
		case <-limit:
			t.Fatalf("%s: nothing came\n%s", what, s.log)
		}
	}
}

// ask sends a request and waits for its response.
func (s *liveServer) ask(t *testing.T, method, params string) rpcMessage {
	t.Helper()
	id := s.send(t, method, params)
	return s.wait(t, method, func(m rpcMessage) bool { return m.ID == id && m.Method == "" })
}

// call calls a tool.
func (s *liveServer) call(t *testing.T, tool, arguments string) toolResult {
	t.Helper()
	m := s.ask(t, "tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	var r toolResult
	if err := json.Unmarshal(m.Result, &r); err != nil || len(r.Content) == 0 {
		t.Fatalf("%s %s: %s %s", tool, arguments, m.Result, m.Error)
	}
	return r
}

// tools returns the names of the tools, one per line.
func (s *liveServer) tools(t *testing.T) string {
	t.Helper()
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(s.ask(t, "tools/list", `{}`).Result, &list); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, tool := range list.Tools {
		b.WriteString(tool.Name + "\n")
	}
	return b.String()
}

// initialize initialises the session and returns the result.
func (s *liveServer) initialize(t *testing.T) string {
	t.Helper()
	return string(s.ask(t, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"claude-code","version":"1.0.0"}}`).Result)
}
