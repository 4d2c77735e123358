package mcp_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/mcp"
	upstream "github.com/reverse-spec/reverse-spec/mcp/client"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// other is a server of somebody else, and a registry that is connected to it.
func other(t *testing.T, more ...server.ServerTool) (*server.MCPServer, *upstream.Registry) {
	t.Helper()
	s := server.NewMCPServer("other", "1.0", server.WithToolCapabilities(true))
	yes := true
	reads := mcpgo.NewToolWithRawSchema("read", "Reads.", json.RawMessage(`{"type":"object","oneOf":[{"required":["id"]}]}`))
	reads.Annotations.ReadOnlyHint = &yes
	s.AddTool(reads, func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		if token := r.Params.Meta; token != nil && token.ProgressToken != nil {
			_ = server.ServerFromContext(ctx).SendNotificationToClient(ctx, "notifications/progress",
				map[string]any{"progressToken": token.ProgressToken, "progress": 0.5, "total": 1, "message": "half"})
		}
		return mcpgo.NewToolResultText("a < b"), nil
	})
	s.AddTool(mcpgo.NewTool("write"), func(context.Context, mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		return mcpgo.NewToolResultError("disk full"), nil
	})
	s.AddTools(more...)
	host := httptest.NewServer(server.NewStreamableHTTPServer(s))
	t.Cleanup(host.Close)
	t.Cleanup(host.CloseClientConnections)
	r := upstream.Start(t.Context(), []upstream.Server{{Name: "db", Type: upstream.TypeHTTP, URL: host.URL}}, nil, upstream.Options{})
	t.Cleanup(func() { r.Close() })
	if err := r.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, r
}

// TestToolsOfOthersAreOffered next to ours, and called.
func TestToolsOfOthersAreOffered(t *testing.T) {
	_, r := other(t)
	c := dial(t.Context(), t, mcp.New(mcp.Options{Version: "2.0.0", Tools: []mcp.Tool{echo()}, Proxy: r}))
	initialize := c.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if !strings.Contains(initialize, `"tools":{"listChanged":true}`) {
		t.Error(initialize)
	}
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema json.RawMessage
			}
		}
	}
	if err := json.Unmarshal([]byte(c.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)), &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name+" "+string(tool.InputSchema))
	}
	want := []string{
		`echo {"type":"object","properties":{"text":{"type":"string","description":""}},"required":[]}`,
		`db__read {"type":"object","oneOf":[{"required":["id"]}]}`,
		`db__write {"properties":{},"required":[],"type":"object"}`,
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	for call, want := range map[string]string{
		`{"name":"db__read"}`:               `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a \u003c b"}]}}`,
		`{"name":"db__write"}`:              `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"disk full"}],"isError":true}}`,
		`{"name":"db__drop"}`:               `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"db__drop 失败: unknown tool db__drop"}],"isError":true}}`,
		`{"name":"dc__read"}`:               `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"dc__read 失败: unknown server dc; did you mean db?"}],"isError":true}}`,
		`{"name":"db__read","arguments":7}`: `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"db__read 失败: tool db:read: the arguments must be a JSON object"}],"isError":true}}`,
	} {
		got := c.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":%s}`, call)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", call, diff)
		}
	}
	c.send(`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"db__read","_meta":{"progressToken":"p"}}}`)
	if got, want := c.next(), `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":0.5,"total":1,"message":"half"}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := c.next(); !strings.Contains(got, `"id":4`) {
		t.Error(got)
	}
	c.end()
}

// TestClientsAreToldWhenToolsOfOthersChange after they were initialised.
func TestClientsAreToldWhenToolsOfOthersChange(t *testing.T) {
	_, r := other(t)
	c := dial(t.Context(), t, mcp.New(mcp.Options{Version: "2.0.0", Tools: []mcp.Tool{echo()}, Proxy: r}))
	c.ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if err := r.Close(); err != nil { // all tools are gone
		t.Fatal(err)
	}
	if got, want := c.next(), `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := c.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`); strings.Contains(got, "db__") {
		t.Error(got)
	}
	c.end()
}

// TestReadOnlyOffersToolsThatSayTheyRead and calls no others.
func TestReadOnlyOffersToolsThatSayTheyRead(t *testing.T) {
	_, r := other(t)
	c := dial(t.Context(), t, mcp.New(mcp.Options{Version: "2.0.0", Tools: []mcp.Tool{echo()}, Proxy: r, ReadOnly: true}))
	list := c.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if !strings.Contains(list, `"db__read"`) || strings.Contains(list, `"db__write"`) {
		t.Error(list)
	}
	if got := c.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"db__write"}}`); !strings.Contains(got, "does not say that it only reads") {
		t.Error(got)
	}
	c.end()
}

// TestSlowCallsOfOthersKeepNoWorker from our own tools.
func TestSlowCallsOfOthersKeepNoWorker(t *testing.T) {
	running := make(chan struct{}, 100)
	_, r := other(t, server.ServerTool{Tool: mcpgo.NewTool("slow"), Handler: func(ctx context.Context, _ mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		running <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	hold := mcp.Tool{Name: "own", Run: func(context.Context, *workspace.Project, mcp.Arguments) (any, error) { return "done", nil }}
	c := dial(t.Context(), t, mcp.New(mcp.Options{Version: "2.0.0", Tools: []mcp.Tool{hold}, Proxy: r}))
	for i := range 10 {
		c.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"db__slow"}}`, 100+i)
		<-running
	}
	if got := c.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"own"}}`); !strings.Contains(got, `"id":1`) {
		t.Error(got)
	}
	for i := range 10 {
		c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, 100+i)
	}
	c.end()
}
