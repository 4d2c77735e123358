package mcpclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// maxConnecting is how many servers are connected at once.
const maxConnecting = 3

// Registry is the tools and resources of all servers, as they are at the moment.
type Registry struct {
	upstreams []*upstream // by name
	events    *events
	stop      context.CancelFunc
	wg        sync.WaitGroup
}

// Start connects to servers, three at a time, and keeps them connected: each is
// pinged, and a lost one is connected again after 1 s, 2 s, 4 s ... 60 s, as
// long as the registry is open. It returns at once; [Registry.Settled] waits. Servers
// with an Err, and those of a project that are not approved, are listed but not
// connected. ctx provides values only; Close ends the connections.
func Start(ctx context.Context, servers []Server, approvals *Approvals, o Options) *Registry {
	return start(ctx, servers, approvals, o, Dial)
}

func start(ctx context.Context, servers []Server, approvals *Approvals, o Options, dial func(context.Context, Server, Options) (*Session, error)) *Registry {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &Registry{events: newEvents(), stop: stop}
	slots := make(chan struct{}, maxConnecting)
	for _, s := range servers {
		u := &upstream{
			server: s, options: o.filled(), dial: dial, slots: slots,
			changed: r.events.add, tried: make(chan struct{}),
		}
		r.upstreams = append(r.upstreams, u)
		if state, err := may(s, approvals); err != nil {
			u.status = Status{Server: s, State: state, Err: err}
			close(u.tried)
			continue
		}
		u.status = Status{Server: s, State: Connecting}
		r.wg.Go(func() { u.run(ctx) })
	}
	slices.SortFunc(r.upstreams, func(a, b *upstream) int { return cmp.Compare(a.server.Name, b.server.Name) })
	return r
}

// may returns why a server may not be started, as a state and an error, or nil.
func may(s Server, approvals *Approvals) (State, error) {
	if s.Err != nil {
		return Invalid, s.Err
	}
	if err := approvals.Check(s); err != nil {
		return Unapproved, err
	}
	return "", nil
}

// Close disconnects all servers. Their processes are gone when it returns.
func (r *Registry) Close() error {
	r.stop()
	r.wg.Wait()
	return nil
}

// Settled waits until each server has been tried once, or ctx ends.
func (r *Registry) Settled(ctx context.Context) error {
	for _, u := range r.upstreams {
		if err := u.settled(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Servers returns the status of each server, by name.
func (r *Registry) Servers() []Status {
	all := make([]Status, len(r.upstreams))
	for i, u := range r.upstreams {
		all[i], _ = u.look()
	}
	return all
}

// Tools returns the tools of the servers that are connected, those that the
// filter lets through, by server and in its order.
func (r *Registry) Tools() []Tool {
	all := []Tool{}
	for _, u := range r.upstreams {
		_, tools := u.look()
		all = append(all, tools...)
	}
	return all
}

// Tool returns the tool of a full name, "server:tool", or of an alias,
// "server__tool".
func (r *Registry) Tool(name string) (Tool, bool) {
	for _, t := range r.Tools() {
		if t.FullName() == name || t.Alias == name {
			return t, true
		}
	}
	return Tool{}, false
}

// Call calls a tool by its full name or its alias. While the server is tried for
// the first time the call waits; afterwards it fails at once, with an
// [*UnavailableError], when the server is not connected. A tool that the filter does
// not let through is none. The other errors are those of [Session.Call].
func (r *Registry) Call(ctx context.Context, c Call) (*Result, error) {
	t, ok := r.Tool(c.Tool)
	if !ok {
		if err := r.tried(ctx, serverOf(c.Tool)); err != nil {
			return nil, err
		}
		if t, ok = r.Tool(c.Tool); !ok {
			return nil, r.missing(c.Tool)
		}
	}
	session, err := r.session(t.Server)
	if err != nil {
		return nil, err
	}
	c.Tool = t.Name
	return session.Call(ctx, c)
}

// serverOf is the server in a full name, or in an alias that has it as it is.
func serverOf(name string) string {
	server, _, ok := strings.Cut(name, ":")
	if !ok {
		server, _, _ = strings.Cut(name, "__")
	}
	return server
}

// tried waits until a server has been tried once.
func (r *Registry) tried(ctx context.Context, server string) error {
	for _, u := range r.upstreams {
		if u.server.Name == server {
			return u.settled(ctx)
		}
	}
	return nil
}

// missing returns the error for a tool that does not exist.
func (r *Registry) missing(name string) error {
	if _, err := r.session(serverOf(name)); err != nil {
		return err
	}
	names := []string{}
	for _, t := range r.Tools() {
		names = append(names, t.FullName())
	}
	if near := suggest.Nearest(name, names); near != "" {
		return message.Errorf("unknown tool %s; did you mean %s?", name, near)
	}
	return message.Errorf("unknown tool %s", name)
}

// session returns the session with a server.
func (r *Registry) session(server string) (*Session, error) {
	i := slices.IndexFunc(r.upstreams, func(u *upstream) bool { return u.server.Name == server })
	if i >= 0 {
		return r.upstreams[i].live()
	}
	names := []string{}
	for _, u := range r.upstreams {
		names = append(names, u.server.Name)
	}
	if near := suggest.Nearest(server, names); near != "" {
		return nil, message.Errorf("unknown server %s; did you mean %s?", server, near)
	}
	return nil, message.Errorf("unknown server %s", server)
}

// Resources asks the servers that are connected for their resources; "" for all
// servers. If one fails, the error is returned with the resources of the others.
func (r *Registry) Resources(ctx context.Context, server string) ([]Resource, error) {
	if server != "" {
		session, err := r.session(server)
		if err != nil {
			return nil, err
		}
		return session.Resources(ctx)
	}
	lists := make([][]Resource, len(r.upstreams))
	faults := make([]error, len(r.upstreams))
	var wg sync.WaitGroup
	for i, u := range r.upstreams {
		if session, err := u.live(); err == nil {
			wg.Go(func() { lists[i], faults[i] = session.Resources(ctx) })
		}
	}
	wg.Wait()
	return slices.Concat(lists...), errors.Join(faults...)
}

// Read reads a resource of a server.
func (r *Registry) Read(ctx context.Context, server, uri string) ([]Contents, error) {
	session, err := r.session(server)
	if err != nil {
		return nil, err
	}
	return session.Read(ctx, uri)
}

// Renamed returns the tool as the server describes it, with its alias as the name.
func (t Tool) Renamed() (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(t.Raw, &members); err != nil {
		return nil, message.Errorf("tool %s: %w", t.FullName(), err)
	}
	name, err := jsonrpc.Encode(t.Alias)
	if err != nil {
		return nil, err
	}
	members["name"], members["inputSchema"] = name, t.InputSchema
	return jsonrpc.Encode(members)
}
