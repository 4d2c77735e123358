// Package mcpclient is the other end of MCP: it connects to the servers that a user
// has configured, finds their tools and resources, calls them, and keeps the
// connections alive.
//
// [Load] reads the configuration, [Approvals] says which of a project's servers
// may start, [Start] connects to all of them and keeps a [Registry] of their
// tools, and [Dial] connects to one server by itself, without a registry.
//
// From the bottom: a wire (stdio.go, streamable.go, sse.go) carries messages, a
// peer (peer.go) matches answers with requests, a [Session] speaks MCP over it,
// an upstream (upstream.go) keeps one session for one server, and the registry
// joins the upstreams.
//
// The protocol is spoken here and not by mcp-go's client, whose calls outlive
// their contexts when a child does not read, whose children leave grandchildren
// behind, whose SSE calls wait for their time-outs when the stream is gone, and
// whose tools lose keywords of their schemas; none of that can be mended from
// outside.
package mcpclient

import (
	"cmp"
	"log/slog"
	"time"
)

// The limits that hold where [Options] names no others.
const (
	defaultConnect = 30 * time.Second
	defaultCall    = 10 * time.Minute
	defaultPing    = 30 * time.Second
	defaultGrace   = 2 * time.Second
)

// maxMessage is the longest message taken from a server, in bytes. A longer one
// is skipped and logged.
const maxMessage = 64 << 20

// Options is how connections are made and kept.
type Options struct {
	Version string        // of this program, as told to servers; "" for "0"
	Log     *slog.Logger  // nil for none; standard error of child processes goes there
	Connect time.Duration // how long a connection may take with its initialize; 0 for 30 s
	Call    time.Duration // how long a call without a time-out of its own may take; 0 for 10 minutes, negative for ever
	Ping    time.Duration // between two looks whether a server lives; 0 for 30 s
	Grace   time.Duration // between the steps by which a child process is ended; 0 for 2 s
	Filter  Filter        // of the tools that a registry exposes
}

// filled returns the options with the defaults in place of zeros.
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
