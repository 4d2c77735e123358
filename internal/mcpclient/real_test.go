package mcpclient_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
)

// real is the program of a server that npm has; scripts/truth.sh fetches it.
func real(t *testing.T, name string) string {
	t.Helper()
	cache := os.Getenv("TRUTH_CACHE")
	if cache == "" {
		t.Skip("TRUTH_CACHE names no folder with servers from npm: run make truth")
	}
	program := filepath.Join(cache, "mcp", "node_modules", "@modelcontextprotocol", name, "dist", "index.js")
	if _, err := os.Stat(program); err != nil {
		t.Skipf("%s could not be fetched from npm: run make truth", name)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	return program
}

// hosted starts server-everything over HTTP and returns its port.
func hosted(t *testing.T, program, transport string) (port int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port = l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "node", program, transport)
	cmd.Env = append(os.Environ(), fmt.Sprintf("PORT=%d", port))
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), fmt.Sprint(port)) { // it says where it listens
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return port
		}
	}
	t.Fatal("server-everything did not start")
	return 0
}

// TestRealServers does with public servers, over each transport, all that a
// client does.
func TestRealServers(t *testing.T) {
	everything := real(t, "server-everything")
	for _, c := range []struct{ name, kind, mode, path string }{
		{"stdio", mcpclient.TypeStdio, "stdio", ""},
		{"sse", mcpclient.TypeSSE, "sse", "/sse"},
		{"streamable HTTP", mcpclient.TypeHTTP, "streamableHttp", "/mcp"},
	} {
		t.Run("server-everything over "+c.name, func(t *testing.T) {
			s := mcpclient.Server{Name: "everything", Type: c.kind, Command: "node", Args: []string{everything, "stdio"}}
			if c.path != "" {
				s.URL = fmt.Sprintf("http://127.0.0.1:%d%s", hosted(t, everything, c.mode), c.path)
			}
			r := registry(t, mcpclient.Options{}, s)
			if got := r.Servers()[0]; got.State != mcpclient.Connected || got.Info.Transport != c.kind {
				t.Fatalf("%+v", got)
			}
			t.Run("discover", func(t *testing.T) { realTools(t, r) })
			t.Run("call", func(t *testing.T) { realCalls(t, r) })
			t.Run("progress", func(t *testing.T) { realProgress(t, r) })
			t.Run("cancel", func(t *testing.T) { realCancel(t, r) })
			t.Run("resources", func(t *testing.T) { realResources(t, r) })
		})
	}
}

func realTools(t *testing.T, r *mcpclient.Registry) {
	tools := r.Tools()
	echo, ok := r.Tool("everything:echo")
	if len(tools) < 10 || !ok {
		t.Fatalf("%d tools", len(tools))
	}
	if !strings.Contains(string(echo.InputSchema), `"$schema"`) || echo.Title == "" || echo.Description == "" {
		t.Errorf("%s", echo.Raw)
	}
	t.Logf("%d tools of %s %s, protocol %s", len(tools), r.Servers()[0].Info.Name, r.Servers()[0].Info.Version, r.Servers()[0].Info.Protocol)
}

func realCalls(t *testing.T, r *mcpclient.Registry) {
	got, err := r.Call(t.Context(), mcpclient.Call{Tool: "everything:echo", Arguments: json.RawMessage(`{"message":"<你好>"}`)})
	if err != nil || got.Text() != "Echo: <你好>" {
		t.Errorf("%v, %v", got, err)
	}
	_, err = r.Call(t.Context(), mcpclient.Call{Tool: "everything:get-sum", Arguments: json.RawMessage(`{"a":1,"b":"x"}`)})
	if failed, ok := errors.AsType[*mcpclient.ToolError](err); !ok || !strings.Contains(err.Error(), "expected number") {
		t.Errorf("%v, %v", failed, err)
	}
	got, err = r.Call(t.Context(), mcpclient.Call{Tool: "everything:get-tiny-image"})
	if err != nil || len(got.Content) != 3 || len(got.Content[1].Data) == 0 || got.Content[1].MIMEType != "image/png" {
		t.Errorf("%v, %v", got, err)
	}
	const calls = 300
	begin := time.Now()
	for range calls {
		if _, err := r.Call(t.Context(), mcpclient.Call{Tool: "everything:echo", Arguments: json.RawMessage(`{"message":"x"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d calls in %s", calls, time.Since(begin).Round(time.Millisecond))
}

func realProgress(t *testing.T, r *mcpclient.Registry) {
	var told []jsonrpc.Progress
	_, err := r.Call(t.Context(), mcpclient.Call{
		Tool: "everything:trigger-long-running-operation", Arguments: json.RawMessage(`{"duration":1,"steps":4}`),
		Progress: func(p jsonrpc.Progress) { told = append(told, p) },
	})
	want := []jsonrpc.Progress{{Progress: 1, Total: 4}, {Progress: 2, Total: 4}, {Progress: 3, Total: 4}, {Progress: 4, Total: 4}}
	if diff := cmp.Diff(want, told); diff != "" || err != nil {
		t.Error(err, diff)
	}
}

func realCancel(t *testing.T, r *mcpclient.Registry) {
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	enough := errors.New("enough")
	begin := time.Now()
	_, err := r.Call(ctx, mcpclient.Call{
		Tool: "everything:trigger-long-running-operation", Arguments: json.RawMessage(`{"duration":60,"steps":120}`),
		Progress: func(jsonrpc.Progress) { cancel(enough) },
	})
	if took := time.Since(begin); !errors.Is(err, enough) || took > 10*time.Second {
		t.Errorf("%v after %s", err, took)
	}
	if _, err := r.Call(t.Context(), mcpclient.Call{Tool: "everything:echo", Arguments: json.RawMessage(`{"message":"x"}`)}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func realResources(t *testing.T, r *mcpclient.Registry) {
	resources, err := r.Resources(t.Context(), "everything")
	if err != nil || len(resources) == 0 || resources[0].Name == "" || resources[0].MIMEType == "" {
		t.Fatalf("%v, %v", resources, err)
	}
	contents, err := r.Read(t.Context(), "everything", resources[0].URI)
	if err != nil || len(contents) != 1 || contents[0].Text == "" {
		t.Errorf("%v, %v", contents, err)
	}
	if _, err := r.Read(t.Context(), "everything", "demo://no/such/thing"); err == nil {
		t.Error("what is not there was read")
	}
}

// TestRealFileServer reads and writes, and stays in its folder.
func TestRealFileServer(t *testing.T) {
	dir := folder(t, map[string]string{"a.txt": "hello"})
	s := mcpclient.Server{Name: "files", Type: mcpclient.TypeStdio, Command: "node", Args: []string{real(t, "server-filesystem"), dir}}
	r := registry(t, mcpclient.Options{}, s)
	call := func(tool, path string) (string, error) {
		arguments := must(json.Marshal(map[string]string{"path": path}))
		got, err := r.Call(t.Context(), mcpclient.Call{Tool: "files:" + tool, Arguments: arguments})
		if err != nil {
			return "", err
		}
		return got.Text(), nil
	}
	if got, err := call("read_text_file", filepath.Join(dir, "a.txt")); err != nil || got != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := call("read_text_file", "/etc/hostname"); err == nil || !strings.Contains(err.Error(), "Access denied") {
		t.Error(err)
	}
}
