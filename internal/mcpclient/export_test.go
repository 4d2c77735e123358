package mcpclient

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
)

// Dialer is how a registry connects.
type Dialer = func(context.Context, Server, Options) (*Session, error)

// StartWith is Start with a way to connect of the test's own.
func StartWith(ctx context.Context, servers []Server, o Options, dial Dialer) *Registry {
	return start(ctx, servers, nil, o, dial)
}

// Fake is a server in this process: it answers a method with a JSON result, or
// with "" not at all.
type Fake struct {
	Answer func(method string) string
	peer   *peer
}

// Dial connects to the server.
func (f *Fake) Dial(ctx context.Context, s Server, o Options) (*Session, error) {
	o = o.filled()
	f.peer = newPeer(s.Name, o.Log)
	session := &Session{server: s, options: o, peer: f.peer, conn: f, tools: make(chan struct{}, 1), resources: make(chan struct{}, 1)}
	f.peer.notified = session.changed
	return session, session.initialize(ctx)
}

// Lose cuts the connection.
func (f *Fake) Lose(err error) { _ = f.peer.lose(err) }

// Say sends a message as the server.
func (f *Fake) Say(text string) { f.peer.receive([]byte(text)) }

func (f *Fake) request(_ context.Context, id jsonrpc.ID, text []byte) {
	var m jsonrpc.Message
	if err := json.Unmarshal(text, &m); err != nil {
		panic(err)
	}
	if result := f.Answer(m.Method); result != "" {
		f.Say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, id, result))
	}
}

func (f *Fake) notify(context.Context, []byte) error { return nil }
func (f *Fake) negotiated(string)                    {}
func (f *Fake) listen()                              {}
func (f *Fake) close()                               { _ = f.peer.lose(ErrClosed) }

// Hello is the answer of a Fake to initialize, and Nothing that to tools/list.
const (
	Hello   = `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`
	Nothing = `"result":{"tools":[]}`
)

// Pauses returns the first pauses of coming back.
func Pauses(n int) []time.Duration {
	b := backoff{least: leastPause, most: mostPause}
	pauses := make([]time.Duration, n)
	for i := range pauses {
		pauses[i] = b.next()
	}
	return pauses
}

// Events returns the events of a stream, as "name data".
func Events(text string) (all []string, err error) {
	err = readEvents(strings.NewReader(text), func(e event) { all = append(all, e.name+" "+string(e.data)) }, func(error) {})
	if err == io.EOF { //nolint:errorlint // readEvents returns it as it is
		err = nil
	}
	return all, err
}

// Matches and Alias are the functions behind filters and names.
var (
	Matches = matches
	Alias   = alias
)
