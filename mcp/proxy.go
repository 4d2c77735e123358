package mcp

import (
	"context"
	"encoding/json"
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
	readOnly bool // without the tools that do not say that they only read
	first    sync.Once
}

// patience is how long the client that first asks for the tools waits for servers that are
// still being connected: many ask once, and never again.
const patience = 2 * time.Second

// tools returns what is offered at the moment.
func (p *proxy) tools() []mcpclient.Tool {
	tools := []mcpclient.Tool{}
	for _, t := range p.servers.Tools() {
		if !p.readOnly || t.Annotations.ReadOnly {
			tools = append(tools, t)
		}
	}
	return tools
}

// has tells whether a name is for another server. No tool of ours holds "__"; one
// whose server is away at the moment is still for that, which can say so.
func (p *proxy) has(called string) bool {
	return p != nil && strings.Contains(called, "__")
}

// list adds the tools to a result of tools/list, each as its server describes it,
// to the last keyword of its schema.
func (p *proxy) list(ctx context.Context, result any) any {
	if p == nil {
		return result
	}
	p.first.Do(func() {
		ctx, done := context.WithTimeout(ctx, patience)
		defer done()
		_ = p.servers.Settled(ctx) // the tools of those that take longer are told of later
	})
	text, err := encode(result)
	if err != nil {
		return result
	}
	var members map[string]json.RawMessage
	var tools []json.RawMessage
	if json.Unmarshal(text, &members) != nil || json.Unmarshal(members["tools"], &tools) != nil {
		return result
	}
	for _, t := range p.tools() {
		if renamed, err := t.Renamed(); err == nil { // it was read from JSON
			tools = append(tools, renamed)
		}
	}
	if members["tools"], err = encode(tools); err != nil {
		return result
	}
	return members
}

// watch returns a function that tells the client when the tools are others than
// they were when watch was called, until its context ends.
func (p *proxy) watch(l *loop) func(context.Context) {
	if p == nil {
		return func(context.Context) {}
	}
	changes := p.servers.Watch()
	return func(ctx context.Context) {
		_ = changes.Each(ctx, func(e mcpclient.Event) {
			if e.Kind == mcpclient.ToolsChanged {
				l.news.tell(l.session)
			}
		})
	}
}

// news is that the tools are others now. A client is told when it has its answer to
// initialize, and not before.
type news struct {
	mu      sync.Mutex
	ready   bool
	waiting bool
}

func (n *news) tell(s *session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.waiting = true
	n.send(s)
}

func (n *news) open(s *session) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ready = true
	n.send(s)
}

func (n *news) send(s *session) {
	if n.ready && n.waiting {
		n.waiting = false
		s.send([]byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`))
	}
}

// relay hands a call on and sends what comes back, unless the client cancelled it.
func (l *loop) relay(ctx context.Context, f frame, k *call) {
	token := f.member("_meta", "progressToken")
	c := mcpclient.Call{Arguments: f.member("arguments")}
	c.Tool, _ = text(f.member("name"))
	if id, ok := identity(token); ok && id != nil {
		c.Progress = func(e jsonrpc.Progress) {
			if ctx.Err() == nil {
				l.session.send(relayed(token, e))
			}
		}
	}
	answer := l.server.proxy.call(ctx, f.id, c)
	if l.calls.finish(k) {
		l.session.send(answer)
	}
}

// relayed is a notification of progress, with the client's token.
func relayed(token json.RawMessage, e jsonrpc.Progress) []byte {
	line, err := encode(map[string]any{
		"jsonrpc": mcpgo.JSONRPC_VERSION, "method": "notifications/progress",
		"params": struct {
			Token json.RawMessage `json:"progressToken"`
			jsonrpc.Progress
		}{token, e},
	})
	if err != nil { // never: the token was read from JSON, and so were the numbers
		return nil
	}
	return line
}

// call calls a tool of another server and returns the answer: its result as it
// was sent, its refusal with its code, and any other failure as a result to read.
func (p *proxy) call(ctx context.Context, id json.RawMessage, c mcpclient.Call) []byte {
	var result any
	if t, ok := p.servers.Tool(c.Tool); ok && p.readOnly && !t.Annotations.ReadOnly {
		result = mcpgo.NewToolResultError(message.Sprintf(ctx, "tool %s does not say that it only reads, and the server was started with --read-only", c.Tool))
	} else {
		got, err := p.servers.Call(ctx, c)
		failed, isFailed := errors.AsType[*mcpclient.ToolError](err)
		refusal, isRefused := errors.AsType[*jsonrpc.Error](err)
		switch {
		case err == nil:
			result = got.Raw
		case isFailed:
			result = failed.Result.Raw
		case isRefused:
			return refuseWith(id, mcpgo.NewJSONRPCErrorDetails(refusal.Code, refusal.Message, detailOf(refusal)))
		default:
			result = mcpgo.NewToolResultError(Tool{Name: c.Tool}.failure(ctx, err, nil))
		}
	}
	line, err := encode(answered{mcpgo.JSONRPC_VERSION, id, result})
	if err != nil {
		return refuse(id, mcpgo.INTERNAL_ERROR, internal(message.From(ctx), err.Error()))
	}
	return line
}

// detailOf is the data of a refusal, nil for none.
func detailOf(e *jsonrpc.Error) any {
	if len(e.Data) == 0 {
		return nil
	}
	return e.Data
}
