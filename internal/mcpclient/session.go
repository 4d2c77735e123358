package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// protocolVersion is the version asked for; servers answer with one of their own.
const protocolVersion = "2025-11-25"

// Session is a connection to one server, initialised. It may be used by several
// goroutines at once. It does not connect again: see [Registry] for that.
type Session struct {
	server    Server
	options   Options
	peer      *peer
	conn      transport
	info      Info
	tools     chan struct{} // room for one: the list of tools changed
	resources chan struct{} // room for one: the list of resources changed
}

// Info is how a server describes itself.
type Info struct {
	Name         string          `json:"name"`
	Title        string          `json:"title,omitempty"`
	Version      string          `json:"version"`
	Protocol     string          `json:"protocol"`               // version spoken
	Transport    string          `json:"transport"`              // the type that worked: stdio, sse or http
	Instructions string          `json:"instructions,omitempty"` // how to use the server; "" for none
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
}

// has reports whether a server has a capability: "tools", "resources".
func (i Info) has(capability string) bool {
	var all map[string]json.RawMessage
	return json.Unmarshal(i.Capabilities, &all) == nil && all[capability] != nil
}

// Dial connects to a server and initialises the connection, within the time of
// the options; ctx is needed until Dial returns, not longer. A server of type
// sse that does not answer so is tried as http, and the other way round. The
// errors name the server. Whether it is approved is for the caller to know; a
// server with an Err is not dialled; one without a type gets that of its command
// or URL. The caller closes the session.
func Dial(ctx context.Context, s Server, o Options) (*Session, error) {
	if s.Err != nil {
		return nil, s.Err
	}
	if key, err := s.check(); err != nil {
		return nil, message.Errorf("connect to server %s: %s %w", s.Name, key, err)
	}
	o = o.filled()
	ctx, done := context.WithTimeoutCause(ctx, o.Connect, &TimeoutError{message.New("connect to server %s", s.Name), o.Connect})
	defer done()
	var faults []error
	for _, transport := range transports(s.Type) {
		session, err := dial(ctx, s, transport, o)
		if err == nil {
			return session, nil
		}
		faults = append(faults, message.Errorf("as %s: %w", transport, err))
		if _, other := errors.AsType[*otherTransportError](err); !other {
			break
		}
	}
	if len(faults) == 1 {
		faults[0] = errors.Unwrap(faults[0])
	}
	return nil, message.Errorf("connect to server %s: %w", s.Name, errors.Join(faults...))
}

// transports are the ways to reach a server of a type, in the order of trying.
func transports(kind string) []string {
	switch kind {
	case TypeSSE:
		return []string{TypeSSE, TypeHTTP}
	case TypeHTTP:
		return []string{TypeHTTP, TypeSSE}
	default:
		return []string{kind}
	}
}

// TimeoutError is a timeout. errors.Is takes it for
// [context.DeadlineExceeded].
type TimeoutError struct {
	What  message.Text
	After time.Duration
}

func (e *TimeoutError) text() message.Text {
	return message.New("%s: no answer within %v", e.What, e.After)
}

func (e *TimeoutError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *TimeoutError) In(lang message.Lang) string { return e.text().In(lang) }

// Unwrap returns [context.DeadlineExceeded].
func (e *TimeoutError) Unwrap() error { return context.DeadlineExceeded }

// dial connects by one transport.
func dial(ctx context.Context, s Server, transport string, o Options) (*Session, error) {
	p := newPeer(s.Name, o.Log)
	session := &Session{server: s, options: o, peer: p, tools: make(chan struct{}, 1), resources: make(chan struct{}, 1)}
	session.info.Transport = transport
	p.notified = session.changed
	var err error
	switch transport {
	case TypeStdio:
		session.conn, err = openStdio(s, o, p)
	case TypeSSE:
		session.conn, err = openSSE(ctx, s, p)
	default:
		session.conn = openStreamable(s, p)
	}
	if err != nil {
		return nil, err
	}
	if err := session.initialize(ctx); err != nil {
		session.conn.close()
		return nil, err
	}
	return session, nil
}

func (s *Session) initialize(ctx context.Context) error {
	result, err := s.peer.call(ctx, s.conn, jsonrpc.Call{Method: "initialize", Params: map[string]any{
		"protocolVersion": protocolVersion,
		"capabilities":    struct{}{},
		"clientInfo":      map[string]string{"name": "reverse-spec", "version": s.options.Version},
	}})
	if err != nil {
		return message.Errorf("initialize: %w", err)
	}
	var answer struct {
		Protocol     string          `json:"protocolVersion"`
		Capabilities json.RawMessage `json:"capabilities"`
		Server       Info            `json:"serverInfo"`
		Instructions string          `json:"instructions"`
	}
	if err := json.Unmarshal(result, &answer); err != nil || answer.Protocol == "" {
		return message.Errorf("initialize: the answer is not one: %s", jsonrpc.Clip(string(result)))
	}
	transport := s.info.Transport
	s.info = answer.Server
	s.info.Protocol, s.info.Transport = answer.Protocol, transport
	s.info.Instructions, s.info.Capabilities = answer.Instructions, answer.Capabilities
	s.conn.negotiated(answer.Protocol)
	note, err := jsonrpc.Encode(jsonrpc.Request{Method: "notifications/initialized"})
	if err != nil {
		return err
	}
	if err := s.conn.notify(ctx, note); err != nil {
		return message.Errorf("notifications/initialized: %w", err)
	}
	s.conn.listen()
	return nil
}

// changed handles a notification of a change. Several that are not yet received count as one.
func (s *Session) changed(method string) {
	var what chan struct{}
	switch method {
	case "notifications/tools/list_changed":
		what = s.tools
	case "notifications/resources/list_changed":
		what = s.resources
	default:
		return
	}
	select {
	case what <- struct{}{}:
	default:
	}
}

// Info returns how the server describes itself.
func (s *Session) Info() Info { return s.info }

// ToolsChanged receives a value when the server notifies that its tools have changed.
func (s *Session) ToolsChanged() <-chan struct{} { return s.tools }

// ResourcesChanged receives a value when the server notifies that its resources have changed.
func (s *Session) ResourcesChanged() <-chan struct{} { return s.resources }

// Lost is closed when the connection is lost; Err returns why.
func (s *Session) Lost() <-chan struct{} { return s.peer.Closed() }

// Err returns why the connection was lost, nil while it is open.
func (s *Session) Err() error { return s.peer.Err() }

// Ping checks that the server responds. Any response will do: some servers do
// not know the method and respond with an error.
func (s *Session) Ping(ctx context.Context) error {
	_, err := s.peer.call(ctx, s.conn, jsonrpc.Call{Method: "ping", Params: map[string]any{}})
	if _, refused := errors.AsType[*jsonrpc.Error](err); refused {
		return nil
	}
	return err
}

// Close ends the connection. A child process and all that it started have ended when
// it returns: after its input is closed it has the grace of the options to end by
// itself, and as long again after SIGTERM. Calls end with [ErrClosed].
func (s *Session) Close() error {
	s.conn.close()
	return nil
}

// maxPages bounds a list that never ends.
const maxPages = 10_000

// list requests all pages of a list and passes each to add. A server without
// the capability that does not know the method has an empty list.
func (s *Session) list(ctx context.Context, method, capability string, add func(json.RawMessage) error) error {
	cursor, seen := "", []string{}
	for range maxPages {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		result, err := s.peer.call(ctx, s.conn, jsonrpc.Call{Method: method, Params: params})
		var refused *jsonrpc.Error
		if errors.As(err, &refused) && refused.Code == jsonrpc.CodeMethodNotFound && !s.info.has(capability) {
			return nil
		}
		if err != nil {
			return message.Errorf("server %s: %s: %w", s.server.Name, method, err)
		}
		var page struct {
			Next string `json:"nextCursor"`
		}
		if err := errors.Join(json.Unmarshal(result, &page), add(result)); err != nil {
			return message.Errorf("server %s: %s: the answer is not a list: %w", s.server.Name, method, err)
		}
		if page.Next == "" {
			return nil
		}
		if slices.Contains(seen, page.Next) {
			return message.Errorf("server %s: %s: the cursor %q comes again", s.server.Name, method, jsonrpc.Clip(page.Next))
		}
		cursor, seen = page.Next, append(seen, page.Next)
	}
	return message.Errorf("server %s: %s: more than %d pages", s.server.Name, method, maxPages)
}
