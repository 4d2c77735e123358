// Package teamserver serves the graphs of a shared store to a team over HTTP: the tools of [mcp.TeamTools] for agents, and
// pages for people. Nothing can be written.
//
// Every request but those for health carries a token, in the header Authorization or, of a browser that signed in, as a
// session in a cookie. What a request may see is in its context, see [store.AccessOf], and the store hides the rest:
// [graphs.Options] must have Guard set.
//
// A request goes through these steps, each in a file of its own: log.go notes it, guard.go checks host, origin and sizes,
// auth.go finds the token, limit.go bounds how much a token asks, and then mcp or pages.go answers.
package teamserver

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/net/netutil"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// Limits of requests.
const (
	maxBody       = 1 << 20  // bytes: arguments are names and questions
	maxHeader     = 16 << 10 // bytes
	headerTimeout = 5 * time.Second
	readTimeout   = 20 * time.Second
	answerTimeout = time.Minute
	writeTimeout  = answerTimeout + 20*time.Second
	idleTimeout   = 2 * time.Minute
	drainTimeout  = 20 * time.Second // of requests that run when the server is told to stop
	maxConns      = 2000
)

// Options configure a server.
type Options struct {
	Graphs  *graphs.Graphs // of a shared store, guarded; the caller closes them
	URL     *url.URL       // where clients reach the server, see [ParseURL]
	Version string
	Lang    message.Lang
	Log     *slog.Logger
	// Rate is how many requests a minute a token may make; 0 for [DefaultRate].
	Rate int
	// Concurrent is how many questions are answered at once; 0 for a number by the cores of the machine.
	Concurrent int
	Now        func() time.Time // nil for time.Now
}

// Server answers a team.
type Server struct {
	o        Options
	tokens   *tokens
	sessions *sessions
	logins   *sessions
	limits   *limits
	metrics  *metrics
	mcp      http.Handler
	pages    *pages
	specs    *specs
}

// New returns a server.
func New(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Server{o: o, metrics: newMetrics(), limits: newLimits(o)}
	s.tokens = newTokens(o.Graphs, o.Now)
	s.sessions = newSessions(o.Now, sessionIdle)
	s.logins = newSessions(o.Now, loginIdle)
	s.pages, s.specs = newPages(s), newSpecs(s)
	tools := mcp.New(mcp.Options{Version: o.Version, Lang: o.Lang, Log: o.Log, ReadOnly: true, Tools: mcp.TeamTools(o.Graphs)})
	s.mcp = tools.HTTP(mcp.HTTPOptions{Sessions: mcpSessions{s.sessions}, Called: s.called, Log: o.Log})
	return s
}

// called counts a tool call, and notes what it took.
func (s *Server) called(ctx context.Context, c mcp.Called) {
	s.metrics.call(c)
	if n := noteOf(ctx); n != nil {
		n.tool = c.Tool
	}
}

// Handler returns the HTTP handler.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", s.health)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("/mcp", s.authorized(s.limited(s.mcp)))
	mux.Handle("GET /metrics", s.authorized(s.limited(http.HandlerFunc(s.showMetrics))))
	s.pages.register(mux)
	return s.logged(s.guarded(mux))
}

// Serve serves requests until ctx ends, and then those that run, for some seconds. It closes the listener. That ctx ended
// is no error.
func (s *Server) Serve(ctx context.Context, l net.Listener, certificate, key string) error {
	server := &http.Server{
		Handler: s.Handler(), ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader, ErrorLog: slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) }, // those that run are answered
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		s.o.Log.Info("stopping")
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
		defer cancel()
		stopped <- server.Shutdown(last)
	})
	l = netutil.LimitListener(l, maxConns)
	var err error
	if certificate != "" {
		err = server.ServeTLS(l, certificate, key)
	} else {
		err = server.Serve(l)
	}
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return message.Errorf("serve: %w", err)
	}
	if err = <-stopped; err != nil {
		s.o.Log.Warn("requests that did not end were interrupted")
		err = server.Close()
	}
	return errors.Join(err, s.Close())
}

// Close removes what the server keeps in temporary folders. [Server.Serve] calls it.
func (s *Server) Close() error { return s.specs.close() }

// ParseURL reads the address where clients reach a server: https, or http on this machine alone.
func ParseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Path != "" && u.Path != "/":
		return nil, message.Errorf("%q is not an address such as https://code.example.org", text)
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		u.Path = ""
		return u, nil
	}
	return nil, message.Errorf("%q is not https, and tokens would be readable on the way: give the server a certificate, or put a proxy with one in front of it", text)
}

// health says that the process answers.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write([]byte("ok\n")) // a client that is gone misses nothing
}

// ready says whether the store answers.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if err := s.tokens.reachable(r.Context()); err != nil {
		s.o.Log.WarnContext(r.Context(), "the store does not answer", "error", err)
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = w.Write([]byte("the store does not answer\n"))
		return
	}
	_, _ = w.Write([]byte("ok\n"))
}
