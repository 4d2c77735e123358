package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// quoted is what testdata/contract.json quotes from the contract, sections 2
// and 3, and from that of the code graph's tools.
type quoted struct {
	Initialize struct{ Request, Response json.RawMessage }
	List, Call json.RawMessage
	Tools      []tool
}

// tool is an element of tools/list, its properties as sent.
type tool struct {
	Name        string
	Description string
	InputSchema struct {
		Type       string
		Properties map[string]json.RawMessage
		Required   []string
	}
}

func readContract(t *testing.T) quoted {
	t.Helper()
	text, err := os.ReadFile("testdata/contract.json")
	if err != nil {
		t.Fatal(err)
	}
	var c quoted
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// contractTools is the contract's tools; prepare returns the arguments it got.
func contractTools() []mcp.Tool {
	tools := mcp.Tools(nil, nil, "")
	tools[0].Run = func(_ context.Context, _ *project.Project, a mcp.Arguments) (any, error) { return a, nil }
	return tools
}

func TestSessionOfTheContract(t *testing.T) {
	want := readContract(t)
	c := dial(t.Context(), t, fake(contractTools()[:len(want.Tools)]...))

	got := c.ask("%s", compact(t, want.Initialize.Request))
	if diff := cmp.Diff(compact(t, want.Initialize.Response), got); diff != "" {
		t.Errorf("initialize (-want +got):\n%s", diff)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)

	var list struct{ Result struct{ Tools []tool } }
	if err := json.Unmarshal([]byte(c.ask("%s", compact(t, want.List))), &list); err != nil {
		t.Fatal(err)
	}
	for i, tool := range list.Result.Tools { // our own optional properties aside
		for name := range tool.InputSchema.Properties {
			if want.Tools[i].InputSchema.Properties[name] == nil {
				delete(tool.InputSchema.Properties, name)
			}
		}
	}
	asText := cmp.Transformer("compact", func(raw json.RawMessage) string { return compact(t, raw) })
	if diff := cmp.Diff(want.Tools, list.Result.Tools, asText); diff != "" {
		t.Errorf("tools/list (-want +got):\n%s", diff)
	}

	got = c.ask("%s", compact(t, want.Call))
	const result = `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text",` +
		`"text":"{\"deep\":true,\"maxTokens\":20000,\"offset\":0,\"targetPath\":\"src/auth/\"}"}],` +
		`"structuredContent":{"deep":true,"maxTokens":20000,"offset":0,"targetPath":"src/auth/"}}}`
	if diff := cmp.Diff(result, got); diff != "" {
		t.Errorf("tools/call (-want +got):\n%s", diff)
	}
	if rest := c.end(); rest != nil || c.err != nil {
		t.Errorf("at the end: %v %v", rest, c.err)
	}
}

func TestToolList(t *testing.T) {
	line := talk(t, fake(mcp.Tools(nil, nil, "")...), `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)[0]
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(line), "", "  "); err != nil {
		t.Fatal(err)
	}
	golden.Equal(t, "tools.json", b.String()+"\n")
}

func TestCodeIsNotEscapedAsForHTML(t *testing.T) {
	line := talk(t, fake(echo()), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"a<b && c>d \\u003c 中文"}}}`)[0]
	const want = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"text\":\"a<b && c>d \\\\u003c 中文\"}"}],` +
		`"structuredContent":{"text":"a<b && c>d \\u003c 中文"}}}`
	if diff := cmp.Diff(want, line); diff != "" {
		t.Error(diff)
	}
}

// TestEveryToolIsDocumented in docs/mcp-server.md, in the order of the list.
func TestEveryToolIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/mcp-server.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(text)
	for _, tool := range mcp.Tools(nil, nil, "") {
		var found bool
		if _, rest, found = strings.Cut(rest, "\n| `"+tool.Name+"` |"); !found {
			t.Fatalf("docs/mcp-server.md does not have %s, or has it too early", tool.Name)
		}
	}
}
