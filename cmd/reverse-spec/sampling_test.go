package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lender is an MCP client at the other end of the program's server, which lends its model.
type lender struct {
	t     *testing.T
	in    io.WriteCloser
	lines chan map[string]any
}

// lend starts the server in a project with one package. The client declares the capabilities.
func lend(t *testing.T, capabilities string, env map[string]string) (*lender, string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module shop\n\ngo 1.26\n",
		"till/till.go": "package till\n\nimport \"errors\"\n\n// Pay pays.\nfunc Pay(n int) error {\n\tif n > 7 {\n\t\treturn errors.New(\"too much\")\n\t}\n\treturn nil\n}\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, name := range []string{"ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "REVERSE_SPEC_CLAUDE_CLI", "REVERSE_SPEC_PROVIDER", "REVERSE_SPEC_LANG"} {
		t.Setenv(name, env[name])
	}
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = run(ctx, []string{"mcp-server", "--project", dir, "--no-proxy", "--lang", "en"}, streams{in: in, out: out, err: io.Discard})
		_ = out.Close()
	}()
	c := &lender{t, toServer, make(chan map[string]any, 100)}
	go func() {
		defer close(c.lines)
		for s := bufio.NewScanner(fromServer); s.Scan(); {
			var m map[string]any
			if json.Unmarshal(s.Bytes(), &m) == nil {
				c.lines <- m
			}
		}
	}()
	t.Cleanup(func() {
		_ = toServer.Close()
		cancel()
		for range c.lines {
		}
		<-done
	})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"lender","version":"1"}}}`, capabilities)
	c.next()
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c, dir
}

func (c *lender) send(format string, args ...any) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.in, format+"\n", args...); err != nil {
		c.t.Fatal(err)
	}
}

func (c *lender) next() map[string]any {
	c.t.Helper()
	m, ok := <-c.lines
	if !ok {
		c.t.Fatal("the server is gone")
	}
	return m
}

const generateTill = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"generate","arguments":{"targetPath":"till"%s}}}`

// prose is an answer about the package.
const tillProse = `{"intent":[{"text":"Pay refuses amounts above 7.","cites":["till/till.go:7"],"inferred":false}],"requirements":[],"business_logic":[],"constraints":[],"edge_cases":[],"technical_debt":[]}`

// answer answers the request of the server for a completion.
func (c *lender) answer(request map[string]any, text string) {
	c.t.Helper()
	quoted, _ := json.Marshal(text)
	c.send(`{"jsonrpc":"2.0","id":%q,"result":{"role":"assistant","content":{"type":"text","text":%s},"model":"m","stopReason":"endTurn"}}`, request["id"], quoted)
}

// result returns the text of the result of the call and whether it is an error.
func resultOf(m map[string]any) (text string, isError bool) {
	result, _ := m["result"].(map[string]any)
	content, _ := result["content"].([]any)
	if len(content) > 0 {
		text, _ = content[0].(map[string]any)["text"].(string)
	}
	isError, _ = result["isError"].(bool)
	return text, isError
}

// TestClientLendsItsModel: a call that asks for prose is answered by the client's model, without a key, and the server answers other
// requests meanwhile.
func TestClientLendsItsModel(t *testing.T) {
	c, dir := lend(t, `{"sampling":{}}`, nil)
	c.send(generateTill, `,"prose":true`)
	request := c.next()
	if request["method"] != "sampling/createMessage" {
		t.Fatalf("not a request for a completion: %v", request)
	}
	params := request["params"].(map[string]any)
	asked := fmt.Sprint(params["systemPrompt"], params["messages"])
	if !strings.Contains(asked, "n > 7") || !strings.Contains(asked, `"technical_debt"`) || params["maxTokens"] == nil {
		t.Errorf("the request has neither the code nor the schema: %s", asked)
	}
	c.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	if m := c.next(); m["id"] != 3.0 {
		t.Errorf("no answer to a ping while the client is asked: %v", m)
	}
	c.answer(request, "Here it is:\n```json\n"+tillProse+"\n```\n")
	if text, isError := resultOf(c.next()); isError {
		t.Errorf("generate failed: %s", text)
	}
	page, err := os.ReadFile(filepath.Join(dir, "specs/till.spec.md"))
	if err != nil || !strings.Contains(string(page), "Explained by client") || !strings.Contains(string(page), "Pay refuses amounts above 7.") {
		t.Errorf("the spec has no prose: %v\n%s", err, page)
	}
}

// TestAnswerIsCorrected: an answer that is not as the schema says is sent back with what is wrong.
func TestAnswerIsCorrected(t *testing.T) {
	c, _ := lend(t, `{"sampling":{}}`, nil)
	c.send(generateTill, `,"prose":true`)
	c.answer(c.next(), `{"intent":"Pay pays."}`)
	request := c.next()
	said := fmt.Sprint(request["params"].(map[string]any)["messages"])
	if !strings.Contains(said, `{"intent":"Pay pays."}`) || !strings.Contains(said, "cannot be used: it is not as the schema says") {
		t.Errorf("the second request does not say what is wrong: %s", said)
	}
	c.answer(request, tillProse)
	if text, isError := resultOf(c.next()); isError {
		t.Errorf("generate failed: %s", text)
	}
}

// TestClientIsAskedOnlyForProse: nobody is interrupted by a call that asks for no prose, or whose client lends no model.
func TestClientIsAskedOnlyForProse(t *testing.T) {
	for name, c := range map[string]struct{ capabilities, argument string }{
		"no prose": {`{"sampling":{}}`, ""}, "no model": {`{}`, `,"prose":true`},
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := lend(t, c.capabilities, nil)
			l.send(generateTill, c.argument)
			text, isError := resultOf(l.next())
			if isError || !strings.Contains(text, "specs/till.spec.md") || !strings.Contains(text, "no model was asked") {
				t.Errorf("%v %s", isError, text)
			}
		})
	}
}

// TestClientThatDeclines: the spec is written without prose, the result is an error that says what to do, and nobody is asked twice.
func TestClientThatDeclines(t *testing.T) {
	c, dir := lend(t, `{"sampling":{}}`, nil)
	c.send(generateTill, `,"prose":true`)
	c.send(`{"jsonrpc":"2.0","id":%q,"error":{"code":-1,"message":"User rejected sampling request"}}`, c.next()["id"])
	text, isError := resultOf(c.next())
	for _, want := range []string{"generate 失败: ", "the MCP client refused to answer: User rejected sampling request", "specs/till.spec.md", "allow it in the client"} {
		if !isError || !strings.Contains(text, want) {
			t.Errorf("the result lacks %q: %s", want, text)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "specs/till.spec.md")); err != nil {
		t.Error(err)
	}
}

// TestProviderClientNeedsOne: a provider that was named and is not there is an error.
func TestProviderClientNeedsOne(t *testing.T) {
	c, _ := lend(t, `{}`, map[string]string{"REVERSE_SPEC_PROVIDER": "client"})
	c.send(generateTill, "")
	if text, isError := resultOf(c.next()); !isError || !strings.Contains(text, "there is no MCP client that offers its model") || !strings.Contains(text, "capability sampling") {
		t.Errorf("%v %s", isError, text)
	}
}

// TestCancelledCallCancelsItsRequest: the client is told that nobody waits for its model any more.
func TestCancelledCallCancelsItsRequest(t *testing.T) {
	c, _ := lend(t, `{"sampling":{}}`, map[string]string{"REVERSE_SPEC_PROVIDER": "client"})
	c.send(generateTill, "")
	request := c.next()
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	m := c.next()
	if params, _ := m["params"].(map[string]any); m["method"] != "notifications/cancelled" || params["requestId"] != request["id"] {
		t.Errorf("the client is not told: %v", m)
	}
	c.send(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
	if m := c.next(); m["id"] != 4.0 {
		t.Errorf("the call was answered though it was cancelled: %v", m)
	}
}
