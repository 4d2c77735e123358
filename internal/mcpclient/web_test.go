package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
)

// reference is a server made with mcp-go, which is not ours. It says when its slow
// tool is called, where there is room for that.
func reference(slow chan<- bool) *server.MCPServer {
	s := server.NewMCPServer("reference", "1.0", server.WithToolCapabilities(true), server.WithResourceCapabilities(false, true))
	s.AddTool(mcpgo.NewTool("echo", mcpgo.WithString("text")), func(_ context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		return mcpgo.NewToolResultText(r.GetString("text", "")), nil
	})
	s.AddTool(mcpgo.NewTool("slow"), func(ctx context.Context, _ mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		select {
		case slow <- true:
		default:
		}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	s.AddTool(mcpgo.NewTool("more"), func(context.Context, mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		s.AddTool(mcpgo.NewTool("added"), nil)
		return mcpgo.NewToolResultText("added"), nil
	})
	s.AddResource(mcpgo.NewResource("mem://a", "a"), func(context.Context, mcpgo.ReadResourceRequest) ([]mcpgo.ResourceContents, error) {
		return []mcpgo.ResourceContents{mcpgo.TextResourceContents{URI: "mem://a", Text: "hello"}}, nil
	})
	return s
}

// host serves a handler, and records what headers its requests had.
func host(t *testing.T, handler http.Handler) (url string, seen func(header string) []string) {
	t.Helper()
	var mu sync.Mutex
	var headers []http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		headers = append(headers, r.Header.Clone())
		mu.Unlock()
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL, func(header string) (values []string) {
		mu.Lock()
		defer mu.Unlock()
		for _, h := range headers {
			values = append(values, h.Get(header))
		}
		return values
	}
}

// sseHandler is the reference server over the protocol of 2024-11-05.
func sseHandler(t *testing.T) http.Handler {
	t.Helper()
	return server.NewSSEServer(reference(nil))
}

func streamableHandler() http.Handler { return server.NewStreamableHTTPServer(reference(nil)) }

func TestBothKindsOfHTTP(t *testing.T) {
	for name, c := range map[string]struct {
		kind, path, transport string
		handler               http.Handler
	}{
		"http":                 {mcpclient.TypeHTTP, "/mcp", mcpclient.TypeHTTP, streamableHandler()},
		"sse":                  {mcpclient.TypeSSE, "/sse", mcpclient.TypeSSE, sseHandler(t)},
		"sse that is http":     {mcpclient.TypeSSE, "/mcp", mcpclient.TypeHTTP, refuseGET(streamableHandler())},
		"http that is but sse": {mcpclient.TypeHTTP, "/sse", mcpclient.TypeSSE, sseHandler(t)},
	} {
		t.Run(name, func(t *testing.T) {
			url, seen := host(t, c.handler)
			s, err := mcpclient.Dial(t.Context(), mcpclient.Server{
				Name: "it", Type: c.kind, URL: url + c.path, Headers: map[string]string{"Authorization": "Bearer s3cret"},
			}, quick())
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := s.Info(); got.Transport != c.transport || got.Name != "reference" {
				t.Errorf("%+v", got)
			}
			tools, err := s.Tools(t.Context())
			if err != nil || len(tools) != 3 {
				t.Errorf("%v, %v", tools, err)
			}
			r, err := s.Call(t.Context(), mcpclient.Call{Tool: "echo", Arguments: json.RawMessage(`{"text":"hi"}`)})
			if err != nil || r.Text() != "hi" {
				t.Errorf("%v, %v", r, err)
			}
			_, err = s.Call(t.Context(), mcpclient.Call{Tool: "slow", Timeout: 50 * time.Millisecond})
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			contents, err := s.Read(t.Context(), "mem://a")
			if err != nil || len(contents) != 1 || contents[0].Text != "hello" {
				t.Errorf("%v, %v", contents, err)
			}
			if err := s.Ping(t.Context()); err != nil {
				t.Error(err)
			}
			for _, value := range seen("Authorization") {
				if value != "Bearer s3cret" {
					t.Errorf("a request came with Authorization %q", value)
				}
			}
		})
	}
}

// refuseGET is a server without a stream of its own.
func refuseGET(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		h.ServeHTTP(w, r)
	})
}

func TestServerSendsThatItsToolsChanged(t *testing.T) {
	for kind, c := range map[string]struct {
		path    string
		handler http.Handler
	}{mcpclient.TypeHTTP: {"/mcp", streamableHandler()}, mcpclient.TypeSSE: {"/sse", sseHandler(t)}} {
		t.Run(kind, func(t *testing.T) {
			url, _ := host(t, c.handler)
			s, err := mcpclient.Dial(t.Context(), mcpclient.Server{Name: "it", Type: kind, URL: url + c.path}, quick())
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			// The stream of the server may not be open yet: it is asked until it is.
			for changed := false; !changed; {
				if _, err := s.Call(t.Context(), mcpclient.Call{Tool: "more"}); err != nil {
					t.Fatal(err)
				}
				select {
				case <-s.ToolsChanged():
					changed = true
				case <-time.After(10 * time.Millisecond):
				}
			}
		})
	}
}

// TestWhatIsNotFollowed says where it would have led, and sends nothing there.
func TestWhatIsNotFollowed(t *testing.T) {
	elsewhere, seen := host(t, streamableHandler())
	for name, c := range map[string]struct {
		kind, want string
		handler    http.HandlerFunc
	}{
		"a redirect": {
			mcpclient.TypeHTTP, "redirected to another host",
			func(w http.ResponseWriter, r *http.Request) {
				http.Redirect(w, r, elsewhere+"/mcp", http.StatusTemporaryRedirect)
			},
		},
		"a redirect that loses the message": {
			mcpclient.TypeHTTP, "turns a message into a question",
			func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) },
		},
		"an endpoint": {
			mcpclient.TypeSSE, "the server names an endpoint on another host",
			func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprintf(w, "event: endpoint\ndata: %s/messages\n\n", elsewhere)
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			url, _ := host(t, c.handler)
			_, err := mcpclient.Dial(t.Context(), mcpclient.Server{
				Name: "it", Type: c.kind, URL: url + "/x?key=s3cret", Headers: map[string]string{"X-Key": "s3cret"},
			}, quick())
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v has no %q", err, c.want)
			}
			if strings.Contains(fmt.Sprint(err), "s3cret") {
				t.Errorf("the secret is in the error: %v", err)
			}
			if got := seen("X-Key"); got != nil {
				t.Errorf("the other host was sent %v", got)
			}
		})
	}
}

// TestWhatAnHTTPServerRefuses is said with its words; what cannot be the other
// transport is not tried as it.
func TestWhatAnHTTPServerRefuses(t *testing.T) {
	for code, want := range map[int]string{
		http.StatusUnauthorized: "connect to server it: initialize: HTTP status 401 Unauthorized: no token",
		http.StatusNotFound: "connect to server it: as http: initialize: HTTP status 404 Not Found: no token\n" +
			"as sse: HTTP status 404 Not Found: no token",
		http.StatusServiceUnavailable: "connect to server it: initialize: HTTP status 503 Service Unavailable: no token",
	} {
		url, _ := host(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, "no token\n")
		}))
		_, err := mcpclient.Dial(t.Context(), mcpclient.Server{Name: "it", Type: mcpclient.TypeHTTP, URL: url}, quick())
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// TestCallsEndWithTheStream and not when their time is over.
func TestCallsEndWithTheStream(t *testing.T) {
	for kind, path := range map[string]string{mcpclient.TypeSSE: "/sse", mcpclient.TypeHTTP: "/mcp"} {
		t.Run(kind, func(t *testing.T) {
			slow := make(chan bool, 1)
			var handler http.Handler = server.NewStreamableHTTPServer(reference(slow))
			if kind == mcpclient.TypeSSE {
				handler = server.NewSSEServer(reference(slow))
			}
			s := httptest.NewServer(handler)
			defer s.Close()
			session, err := mcpclient.Dial(t.Context(), mcpclient.Server{Name: "it", Type: kind, URL: s.URL + path}, quick())
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			ended := make(chan error)
			go func() {
				_, err := session.Call(t.Context(), mcpclient.Call{Tool: "slow", Timeout: -1})
				ended <- err
			}()
			<-slow
			s.CloseClientConnections()
			err = <-ended
			if lost, ok := errors.AsType[*mcpclient.LostError](err); !ok {
				t.Errorf("%v is no lost connection %v", err, lost)
			}
			<-session.Lost()
		})
	}
}

// TestSessionThatTheServerForgot is lost, so that there is a new one.
func TestSessionThatTheServerForgot(t *testing.T) {
	for _, code := range []int{http.StatusNotFound, http.StatusBadRequest} {
		forgot := make(chan struct{})
		inner := streamableHandler()
		url, _ := host(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-forgot:
				http.Error(w, "No valid session ID provided", code)
			default:
				inner.ServeHTTP(w, r)
			}
		}))
		s, err := mcpclient.Dial(t.Context(), mcpclient.Server{Name: "it", Type: mcpclient.TypeHTTP, URL: url}, quick())
		if err != nil {
			t.Fatal(err)
		}
		close(forgot)
		_, _ = s.Call(t.Context(), mcpclient.Call{Tool: "echo"})
		<-s.Lost()
		if want := "No valid session ID provided"; !strings.Contains(s.Err().Error(), want) {
			t.Error(s.Err())
		}
		s.Close()
	}
}

func TestEventsOfAStream(t *testing.T) {
	got, err := mcpclient.Events("\xef\xbb\xbf: hi\nevent: endpoint\ndata: /x\n\ndata:a\ndata: b\r\nid: 7\n\nevent: nothing\n\ndata\n\ndata: cut")
	want := []string{"endpoint /x", " a\nb", " "}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
