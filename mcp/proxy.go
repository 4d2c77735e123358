package mcp

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// proxy is the tools of other servers, offered to our clients. A nil *proxy has
// none.
type proxy struct {
	servers  *mcpclient.Registry
	readOnly bool // without the tools that do not declare that they only read
	first    sync.Once
}

// firstListTimeout is how long the client that first asks for the tools waits for servers that
// are still connecting: many clients ask once, and never again.
const firstListTimeout = 2 * time.Second

// tools returns the tools that are offered at the moment.
func (p *proxy) tools() []mcpclient.Tool {
	tools := []mcpclient.Tool{}
	for _, t := range p.servers.Tools() {
		if !p.readOnly || t.Annotations.ReadOnly {
			tools = append(tools, t)
		}
	}
	return tools
}

// has reports whether a name is that of another server's tool. No tool of ours contains "__";
// a tool whose server is disconnected still belongs to that, which gives the reason.
func (p *proxy) has(called string) bool {
	return p != nil && strings.Contains(called, "__")
}

// toolList is the result of tools/list with the tools of other servers, the members by name.
type toolList struct {
	Meta       *mcpgo.Meta      `json:"_meta,omitempty"`
	CacheScope mcpgo.CacheScope `json:"cacheScope,omitempty"`
	NextCursor mcpgo.Cursor     `json:"nextCursor,omitempty"`
	ResultType mcpgo.ResultType `json:"resultType,omitempty"`
	Tools      []any            `json:"tools"`
	TTLMs      *int64           `json:"ttlMs,omitempty"`
}

// list adds the tools to a result of tools/list, each as its server describes it,
// with every keyword of its schema.
func (p *proxy) list(ctx context.Context, own mcpgo.ListToolsResult) toolList {
	p.first.Do(func() {
		ctx, done := context.WithTimeout(ctx, firstListTimeout)
		defer done()
		_ = p.servers.Settled(ctx) // slower servers are announced by list_changed
	})
	all := toolList{own.Meta, own.CacheScope, own.NextCursor, own.ResultType, []any{}, own.TTLMs}
	for _, t := range own.Tools {
		all.Tools = append(all.Tools, t)
	}
	for _, t := range p.tools() {
		if renamed, err := t.Renamed(); err == nil { // always: it was read from JSON
			all.Tools = append(all.Tools, renamed)
		}
	}
	return all
}

// watch returns a function that notifies the client, until its context ends, when the tools
// are not those they were when watch was called.
func (p *proxy) watch(c *connection) func(context.Context) {
	if p == nil {
		return func(context.Context) {}
	}
	changes := p.servers.Watch()
	return func(ctx context.Context) {
		_ = changes.Each(ctx, func(e mcpclient.Event) {
			if e.Kind == mcpclient.ToolsChanged {
				c.notifications.toolsChanged(c.session)
			}
		})
	}
}

// notifications holds back tools/list_changed until the client has its response to
// initialize.
type notifications struct {
	mu      sync.Mutex
	enabled bool
	pending bool
}

func (n *notifications) toolsChanged(s *session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.pending = true
	n.send(s)
}

func (n *notifications) enable(s *session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.enabled = true
	n.send(s)
}

func (n *notifications) send(s *session) {
	if n.enabled && n.pending {
		n.pending = false
		s.notify("notifications/tools/list_changed", nil)
	}
}

// relay forwards a call to another server, and its progress to the client, and returns the
// response: the server's result or error as it was sent, and any other failure as a result
// to read.
func (c *connection) relay(ctx context.Context, call *toolCall) jsonrpc.Response {
	out := mcpclient.Call{Tool: call.tool, Arguments: call.arguments}
	if token := call.meta.progressToken; token != "" {
		out.Progress = func(e jsonrpc.Progress) {
			if ctx.Err() == nil {
				c.session.notify(jsonrpc.MethodProgress, jsonrpc.ProgressParams{Token: token, Progress: e})
			}
		}
	}
	result, err := c.server.proxy.call(ctx, out)
	if refusal, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return jsonrpc.Response{ID: call.id, Error: refusal}
	}
	if err != nil {
		failed := mcpgo.NewToolResultError(Tool{Name: call.tool}.failure(ctx, err, nil))
		return jsonrpc.Response{ID: call.id, Result: failed}
	}
	return jsonrpc.Response{ID: call.id, Result: result}
}

// call calls a tool of another server and returns its result as it was sent, also when the
// tool failed.
func (p *proxy) call(ctx context.Context, c mcpclient.Call) (any, error) {
	if t, ok := p.servers.Tool(c.Tool); ok && p.readOnly && !t.Annotations.ReadOnly {
		return mcpgo.NewToolResultError(message.Sprintf(ctx, "tool %s does not say that it only reads, and the server was started with --read-only", c.Tool)), nil
	}
	result, err := p.servers.Call(ctx, c)
	if failed, ok := errors.AsType[*mcpclient.ToolError](err); ok {
		return failed.Result.Raw, nil
	}
	if err != nil {
		return nil, err
	}
	return result.Raw, nil
}
