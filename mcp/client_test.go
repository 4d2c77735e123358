package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// talk serves input to its end and returns the lines that came back.
func talk(t testing.TB, s *mcp.Server, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Serve(t.Context(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	if out.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// client is the other end of a server that runs.
type client struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string // closed when the server is done
	err   error       // what Serve returned; read after lines is closed
}

// dial starts a server. The test closes its input.
func dial(ctx context.Context, t testing.TB, s *mcp.Server) *client {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	c := &client{t: t, in: toServer, lines: make(chan string, 4096)}
	go func() {
		c.err = s.Serve(ctx, in, out)
		_ = out.Close()
	}()
	go func() {
		defer close(c.lines)
		r := bufio.NewReader(fromServer)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			c.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	return c
}

// send writes one message.
func (c *client) send(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
}

// ask writes one message and returns the next one from the server.
func (c *client) ask(format string, args ...any) string {
	c.t.Helper()
	c.send(format, args...)
	return c.next()
}

func (c *client) next() string {
	c.t.Helper()
	line, ok := <-c.lines
	if !ok {
		c.t.Fatalf("the server is gone: %v", c.err)
	}
	return line
}

// end closes the input and returns what came until the server was done.
func (c *client) end() []string {
	c.t.Helper()
	_ = c.in.Close()
	var rest []string
	for line := range c.lines {
		rest = append(rest, line)
	}
	return rest
}

// message is a message from the server.
type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  *struct {
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
		IsError           bool
	} `json:"result"`
	Error *struct {
		Code    int
		Message string
	} `json:"error"`
}

// decode reads a line from the server and fails the test when it is no JSON-RPC.
func decode(t testing.TB, line string) message {
	t.Helper()
	var m message
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		t.Fatalf("not JSON: %v\n%.300s", err, line)
	}
	answer := m.ID != nil && m.Method == "" && (m.Result == nil) == (m.Error != nil)
	notification := m.ID == nil && m.Method != "" && m.Result == nil && m.Error == nil
	if m.JSONRPC != "2.0" || !answer && !notification {
		t.Fatalf("not JSON-RPC: %.300s", line)
	}
	return m
}

// ids returns the ids that answers carry, in the order of the answers.
func ids(t testing.TB, lines []string) []string {
	t.Helper()
	found := []string{}
	for _, line := range lines {
		found = append(found, string(decode(t, line).ID))
	}
	return found
}

// echo is a tool that returns its arguments.
func echo() mcp.Tool {
	return mcp.Tool{
		Name:   "echo",
		Params: []mcp.Param{{Name: "text", Type: mcp.String}},
		Run: func(_ context.Context, _ *project.Project, a mcp.Arguments) (any, error) {
			return a, nil
		},
	}
}

// fake is a server with one tool.
func fake(tools ...mcp.Tool) *mcp.Server {
	return mcp.New(mcp.Options{Version: "2.0.0", Tools: tools})
}

// doing is a tool without parameters.
func doing(name string, run func(context.Context) (any, error)) mcp.Tool {
	return mcp.Tool{Name: name, Run: func(ctx context.Context, _ *project.Project, _ mcp.Arguments) (any, error) {
		return run(ctx)
	}}
}

const ping = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`

const pong = `{"jsonrpc":"2.0","id":"ping","result":{}}`
