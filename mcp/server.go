// Package mcp is the MCP server: tools for the specs, the files and the code graph of a
// project, over a pair of streams in JSON-RPC, one object a line.
//
// A [Tool] is a value in a table, one file each: its name and parameters as
// clients see them, and the function that does the work. [New] declares the
// table, [Server.Serve] serves one client.
//
// A tools/call request takes five steps, each in a file of its own: serve.go reads a line
// and routes the message, decode.go decodes the params, call.go queues the call and runs the
// tool (queue.go has the workers, projects.go finds the project, progress.go notifies),
// encode.go gives the result its form, session.go writes it. Every other request is answered by
// mcp-go, in engine.go. Calls of other servers' tools go through proxy.go.
//
// # What mcp-go does, and what not
//
// mcp-go has the types of the protocol, the versions and how they are negotiated
// (initialize, server/discover), and lists the declared tools. It does not do the following,
// which is therefore here and in package jsonrpc:
//
//   - Its stdio transport answers in any order, drops progress, cancels what
//     runs when the input ends, and rounds ids. Serve is the transport instead.
//   - It takes a request as text only and decodes it up to five times, matching member names without
//     regard to case. Tool calls never reach it; the few other requests are encoded
//     for it once, from the members that were checked (engineRequest).
//   - It reads a request's protocol version and capabilities (_meta, since 2026-07-28) only on
//     that way; meta.protocol does so for calls, with its types and its words.
//   - It escapes <, > and & in results, and leaves out listChanged when it is false: callResult
//     and handshake are the forms that are sent.
//   - Its schemas have their properties in the order of a Go map: [Tool] writes them in the
//     order of its parameters.
//   - Its error messages are English: those that a client can cause have a translation here.
package mcp

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/mcpclient"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// serverName is the server's name in the contract, section 1.
const serverName = "reverse-spec"

// Options is what a server is made of.
type Options struct {
	// Project is what the tools read and write. No path outside it is touched. It may be
	// nil with Roots.
	Project *project.Project
	// Roots makes a client's calls work in the client's own folders, if the client names
	// them. Otherwise they work in Project, and without one in
	// the project around the first absolute path.
	Roots   bool
	Version string         // as sent to clients: "2.0.0"
	Lang    message.Lang   // of texts for clients; "" for English
	Log     *slog.Logger   // nil for none; must not write to the protocol's stream
	Tools   []Tool         // nil for those of [Tools]
	Graphs  *graphs.Graphs // for the tools of the code graph; not needed with Tools. The caller closes them.
	Writers Writers        // add prose to specs; nil for none
	// Forms is a folder outside the projects, for what batch knows of the forms that it writes besides pages; "" for none.
	Forms string
	// Only are the names of the tools to offer; none for all. Other servers' tools are offered too.
	Only []string
	// ReadOnly leaves out the tools that write, and lets those that can do
	// without write nothing.
	ReadOnly bool
	// AllowRun lets tools run code of the project; ReadOnly forbids it in any case.
	AllowRun bool
	// AllowWrite are the places of files that programs run to which write_file and
	// surgical_replace_code may write.
	AllowWrite project.Places
	// Proxy is other servers, whose tools are offered too, under their aliases; nil
	// for none. With ReadOnly, only those that declare that they only read. The caller closes it.
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
	refused []string // tools that are left out because the server may not write
	version string
	proxy   *proxy // nil for none
	mcp     *server.MCPServer
}

// New returns a server. It panics when a tool's default is not a JSON value.
func New(o Options) *Server {
	s := &Server{project: o.Project, roots: o.Roots, lang: cmp.Or(o.Lang, message.English), log: o.Log, tools: o.Tools, places: o.AllowWrite, version: o.Version}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.tools == nil {
		s.tools = Tools(o.Graphs, o.Writers, o.Forms)
	}
	if len(o.Only) > 0 {
		s.tools = slices.DeleteFunc(slices.Clone(s.tools), func(t Tool) bool { return !slices.Contains(o.Only, t.Name) })
	}
	if !o.AllowRun {
		s.without(func(t Tool) bool { return t.Runs })
		s.refuseUnsafe()
	} else {
		for i, t := range s.tools {
			s.tools[i] = t.mayRunCode()
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
		s.mcp.AddTool(declared, nil) // for lists; calls never reach mcp-go
	}
	return s
}

// refuseUnsafe makes tools refuse the calls that would run code of the project.
func (s *Server) refuseUnsafe() {
	for i := range s.tools {
		t := &s.tools[i]
		refusal, run := t.RefuseUnsafe, t.Run
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

// without replaces the tools that this server may not have by their read-only form, or
// removes them.
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

// ordered sorts tools, which mcp-go sorts by name, in the order of the table.
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

// tool returns a tool of the server, which must exist.
func (s *Server) tool(name string) Tool {
	return s.tools[slices.IndexFunc(s.tools, func(t Tool) bool { return t.Name == name })]
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
