// Package mcp is the MCP server: tools for the specs and for the files of one
// project, spoken over a pair of streams in JSON-RPC, one object a line.
//
// A [Tool] is a value in a table, one file each: its name and parameters as
// clients see them, and the function that does the work. [New] declares the
// table to mcp-go, which knows the protocol and its versions. mcp-go's own stdio
// transport is not used: it answers in any order, drops progress, cancels what
// runs when the input ends, and rounds ids. [Server.Serve] is the loop in its
// place.
//
// What a message goes through: lines.go cuts it from the stream, frames.go reads
// its envelope, loop.go answers it at once or hands a tool call to calls.go,
// which queues, runs and cancels; projects.go tells where it works, and asks the
// client (requests.go) when it must; progress.go reports in between; answers.go
// gives the answer the contract's form, and session.go writes it. proxy.go hands
// on what is meant for another server.
package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
	"github.com/reverse-spec/reverse-spec/spec"
)

// serverName is the server's name in the contract, section 1.
const serverName = "reverse-spec"

// Options is what a server is made of.
type Options struct {
	// Project is what the tools read and write. No path outside it is touched. It may be
	// nil with Roots.
	Project *project.Project
	// Roots has a client's calls work in the folders that it works in itself, where it
	// says which those are. Where it does not, they work in Project, and without one in
	// the project that the first absolute path lies in.
	Roots   bool
	Version string       // as told to clients: "2.0.0"
	Lang    message.Lang // of what is told to clients; "" for English
	Log     *slog.Logger // nil for none; must not write to the protocol's stream
	Tools   []Tool       // nil for those of [Tools]
	Stores  Stores       // where the tools of the code graph find it; not needed with Tools
	CKB     CKBs         // what deepens the code graph; nil for nothing. Who made them closes them.
	Writers Writers      // what adds prose to specs; nil for nobody
	Models  Models       // what questions go to that rules cannot answer; nil for nobody
	// ReadOnly leaves out the tools that write, and lets those that can do
	// without write nothing.
	ReadOnly bool
	// AllowRun lets the tools that run what stands in the project run it; ReadOnly
	// forbids it all the same.
	AllowRun bool
	// AllowWrite are the places of files that programs run to which write_file and
	// surgical_replace_code may write.
	AllowWrite project.Places
	// Proxy is other servers, whose tools are offered too, under their aliases; nil
	// for none. With ReadOnly, only those that say they read. Who made it closes it.
	Proxy *mcpclient.Registry
}

// Server answers clients. It keeps nothing between calls and may serve several
// clients at once.
type Server struct {
	project *project.Project
	roots   bool
	lang    message.Lang
	log     *slog.Logger
	tools   []Tool
	places  project.Places
	refused []string // tools that the server would have if it might write
	proxy   *proxy   // nil for none
	mcp     *server.MCPServer
}

// New returns a server. It panics when a tool's default is no JSON value.
func New(o Options) *Server {
	s := &Server{project: o.Project, roots: o.Roots, lang: cmp.Or(o.Lang, message.English), log: o.Log, tools: o.Tools, places: o.AllowWrite}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.tools == nil {
		s.tools = Tools(o.Stores, o.CKB, o.Writers, o.Models)
	}
	if !o.AllowRun {
		s.without(func(t Tool) bool { return t.Runs })
		s.tame()
	} else {
		for i, t := range s.tools {
			s.tools[i] = t.untamed()
		}
	}
	if o.ReadOnly {
		s.without(func(t Tool) bool { return !t.Effects.ReadOnly })
	}
	if o.Proxy != nil {
		s.proxy = &proxy{servers: o.Proxy, readOnly: o.ReadOnly}
	}
	s.mcp = server.NewMCPServer(serverName, o.Version,
		server.WithToolCapabilities(false),
		server.WithInstructions(s.instructions()),
		server.WithToolFilter(s.ordered))
	for _, t := range s.tools {
		declared, err := t.declare(s.lang)
		if err != nil {
			panic(err)
		}
		s.mcp.AddTool(declared, s.handler(t))
	}
	return s
}

// tame keeps the tools that write from running what stands in the project.
func (s *Server) tame() {
	for i := range s.tools {
		t := &s.tools[i]
		refusal, run := t.Tame, t.Run
		if refusal == nil {
			continue
		}
		t.Run = func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			if err := refusal(a); err != nil {
				return nil, err
			}
			return run(ctx, p, a)
		}
	}
}

// without keeps, of the tools that do what this server may not, what writes and runs
// nothing.
func (s *Server) without(forbidden func(Tool) bool) {
	var kept []Tool
	for _, t := range s.tools {
		mild, ok := t, true
		if forbidden(t) {
			mild, ok = t.readOnly()
		}
		if ok {
			kept = append(kept, mild)
		} else {
			s.refused = append(s.refused, t.Name)
		}
	}
	s.tools = kept
}

// ordered puts tools, which mcp-go sorts by name, into the order of the table.
func (s *Server) ordered(_ context.Context, tools []mcpgo.Tool) []mcpgo.Tool {
	names := s.names()
	slices.SortFunc(tools, func(a, b mcpgo.Tool) int {
		return slices.Index(names, a.Name) - slices.Index(names, b.Name)
	})
	return tools
}

// names returns the names of the tools in order.
func (s *Server) names() []string {
	names := make([]string, len(s.tools))
	for i, t := range s.tools {
		names[i] = t.Name
	}
	return names
}

// unknownTool is the message for a call of a tool that does not exist; empty for one
// that does.
func (s *Server) unknownTool(called string) message.Text {
	names := s.names()
	switch {
	case slices.Contains(names, called), s.proxy.has(called):
		return message.Text{}
	case slices.Contains(s.refused, called):
		return message.New("tool %s writes, and the server was started with --read-only; its tools are %s", called, strings.Join(names, ", "))
	}
	if near := suggest.Nearest(called, names); near != "" {
		return message.New("unknown tool %s; did you mean %s? The tools are %s", literal(called), near, strings.Join(names, ", "))
	}
	return message.New("unknown tool %s; the tools are %s", literal(called), strings.Join(names, ", "))
}

// handler is the tool as mcp-go calls it. It never returns an error: what goes
// wrong in a tool is a result for the model to read, not a protocol error.
func (s *Server) handler(t Tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request mcpgo.CallToolRequest) (result *mcpgo.CallToolResult, _ error) {
		defer func() {
			if r := recover(); r != nil {
				s.log.ErrorContext(ctx, "tool panicked", "tool", t.Name, "panic", r, "stack", string(debug.Stack()))
				result = mcpgo.NewToolResultError(panicked(s.lang, r))
			}
		}()
		result, err := s.run(ctx, t, request.Params.Arguments)
		if errors.Is(err, errAskRoots) {
			return server.NewInputRequestBuilder("").Roots(rootsInput).ToolResult(), nil
		}
		if err != nil {
			s.log.DebugContext(ctx, "tool failed", "tool", t.Name, "error", err)
			return mcpgo.NewToolResultError(t.failure(ctx, err, request.Params.Arguments)), nil
		}
		return result, nil
	}
}

// panicked says that a tool panicked, in the contract's words, and short: the stack is in
// the log.
func panicked(lang message.Lang, r any) string {
	return internal(lang, suggest.Quote(fmt.Sprint(r)))
}

// run checks the arguments and runs the tool.
func (s *Server) run(ctx context.Context, t Tool, given any) (*mcpgo.CallToolResult, error) {
	if err := ctx.Err(); err != nil { // the server shut down while the call was waiting
		return nil, err
	}
	a, err := t.arguments(given)
	if err != nil {
		return nil, err
	}
	p, err := openProject(ctx, t, a)
	if err != nil {
		return nil, err
	}
	value, err := t.Run(ctx, p, a)
	if degraded, ok := errors.AsType[*spec.DegradedError](err); ok {
		return t.degraded(ctx, value, degraded)
	}
	if err != nil {
		return nil, err
	}
	return t.success(value)
}
