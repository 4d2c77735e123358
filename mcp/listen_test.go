package mcp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/mcp"
)

// noSessions has no sessions: the requests below need none.
type noSessions struct{}

func (noSessions) Start(*http.Request) string       { return "" }
func (noSessions) Check(*http.Request, string) bool { return false }
func (noSessions) End(*http.Request, string)        {}

// TestListenIsAcknowledgedFirst asks many times, since mcp-go drops the acknowledgement of about one request in fifty.
func TestListenIsAcknowledgedFirst(t *testing.T) {
	const body = `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	handler := mcp.New(mcp.Options{ReadOnly: true, Tools: mcp.TeamTools(nil)}).HTTP(mcp.HTTPOptions{Sessions: noSessions{}})
	s := httptest.NewServer(handler)
	defer s.Close()
	for range 3000 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen",
		} {
			r.Header.Set(k, v)
		}
		response, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(response.Body)
		response.Body.Close()
		first, _, _ := strings.Cut(string(got), "\n\n")
		if err != nil || !strings.Contains(first, `"notifications/subscriptions/acknowledged"`) || !strings.Contains(first, `subscriptionId":7`) {
			t.Fatalf("first: %s, of %d: %s", first, response.StatusCode, got)
		}
		if !strings.Contains(string(got), `"result"`) {
			t.Fatalf("no result: %s", got)
		}
	}
}
