package mcp_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	upstream "github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// other is a registry that is connected to a server of somebody else. running
// receives when its slow tool is called.
func other(t *testing.T) (r *upstream.Registry, running <-chan bool) {
	t.Helper()
	slow := make(chan bool, 100)
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name string
				Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
			}
		}
		if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&request) != nil {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		if request.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if token := request.Params.Meta.ProgressToken; token != nil {
			fmt.Fprintf(w, `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":0.5,"total":1,"message":"half"}}`+"\n\n", token)
		}
		if request.Params.Name == "slow" {
			slow <- true
			<-r.Context().Done()
		}
		results := map[string]string{
			"initialize": `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"other","version":"1.0"}}`,
			"tools/list": `{"tools":[
				{"name":"read","inputSchema":{"type":"object","oneOf":[{"required":["id"]}]},"annotations":{"readOnlyHint":true}},
				{"name":"write"},{"name":"slow"}]}`,
			"read":  `{"content":[{"type":"text","text":"a < b"}],"_meta":{"k":1}}`,
			"write": `{"content":[{"type":"text","text":"disk full"}],"isError":true}`,
		}
		fmt.Fprintf(w, `data: {"jsonrpc":"2.0","id":%s,"result":%s}`+"\n\n", request.ID,
			strings.ReplaceAll(results[cmp.Or(request.Params.Name, request.Method)], "\n", ""))
	}))
	t.Cleanup(host.Close)
	t.Cleanup(host.CloseClientConnections)
	r = upstream.Start(t.Context(), []upstream.Server{{Name: "db", Type: upstream.TypeHTTP, URL: host.URL}}, nil, upstream.Options{})
	t.Cleanup(func() { r.Close() })
	if err := r.Settled(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r, slow
}

// TestToolsOfOthersAreOffered next to ours, and called.
func TestToolsOfOthersAreOffered(t *testing.T) {
	r, _ := other(t)
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
		`echo {"type":"object","properties":{"text":{"type":"string"}},"required":[]}`,
		`db__read {"type":"object","oneOf":[{"required":["id"]}]}`,
		`db__write {"type":"object"}`,
		`db__slow {"type":"object"}`,
	}
	if diff := gocmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	for call, want := range map[string]string{
		`{"name":"db__read"}`:               `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a < b"}],"_meta":{"k":1}}}`,
		`{"name":"db__write"}`:              `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"disk full"}],"isError":true}}`,
		`{"name":"db__drop"}`:               `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"db__drop failed: unknown tool db__drop"}],"isError":true}}`,
		`{"name":"dc__read"}`:               `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"dc__read failed: unknown server dc; did you mean db?"}],"isError":true}}`,
		`{"name":"db__read","arguments":7}`: `{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"db__read failed: tool db:read: the arguments must be a JSON object"}],"isError":true}}`,
	} {
		got := c.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":%s}`, call)
		if diff := gocmp.Diff(want, got); diff != "" {
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
	r, _ := other(t)
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
	r, _ := other(t)
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
	r, running := other(t)
	hold := mcp.Tool{Name: "own", Run: func(context.Context, *project.Project, mcp.Arguments) (any, error) { return "done", nil }}
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
