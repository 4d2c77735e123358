// Package mcpclient is an MCP client: it connects to the servers that a user
// has configured, lists their tools and resources, calls them, and keeps the
// connections alive.
//
// [Load] reads the configuration, [Approvals] decides which of a project's servers
// may start, [Start] connects to all of them and keeps a [Registry] of their
// tools, and [Dial] connects to one server by itself, without a registry.
//
// From the bottom: a transport (stdio.go, streamable.go, sse.go) carries messages, a
// peer (peer.go, over package jsonrpc) matches responses with requests, a [Session] is MCP over it,
// an upstream (upstream.go) keeps one session for one server, and the registry
// joins the upstreams.
//
// The package does not use mcp-go's client. Its calls outlive
// their contexts when a child does not read, its child processes leave their own
// children running, its SSE calls wait for their timeouts when the stream is lost, and
// its tools lose keywords of their schemas; none of that can be fixed from
// outside.
package mcpclient

import (
	"cmp"
	"log/slog"
	"time"
)

// The defaults of [Options].
const (
	defaultConnect = 30 * time.Second
	defaultCall    = 10 * time.Minute
	defaultPing    = 30 * time.Second
	defaultGrace   = 2 * time.Second
)

// maxMessage is the longest message taken from a server, in bytes. A longer one
// is skipped and logged.
const maxMessage = 64 << 20

// Options configure connections.
type Options struct {
	Version string        // of this program, as sent to servers; "" for "0"
	Log     *slog.Logger  // nil for none; also gets the standard error of child processes
	Connect time.Duration // how long a connection may take with its initialize; 0 for 30 s
	Call    time.Duration // the timeout of a call without one of its own; 0 for 10 minutes, negative for ever
	Ping    time.Duration // between pings; 0 for 30 s
	Grace   time.Duration // between the steps by which a child process is ended; 0 for 2 s
	Filter  Filter        // of the tools that a registry exposes
}

// filled returns the options with defaults for zero values.
func (o Options) filled() Options {
	o.Version = cmp.Or(o.Version, "0")
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Connect = cmp.Or(o.Connect, defaultConnect)
	o.Call = cmp.Or(o.Call, defaultCall)
	o.Ping = cmp.Or(o.Ping, defaultPing)
	o.Grace = cmp.Or(o.Grace, defaultGrace)
	return o
}
