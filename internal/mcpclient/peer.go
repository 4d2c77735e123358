package mcpclient

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// wire carries messages to a server. What comes back it hands to its peer's
// receive; a request that could not be delivered to fail, and the end of the
// connection to lose.
type wire interface {
	// request sends a request. It does not block. When ctx ends, nobody waits for
	// the answer any more.
	request(ctx context.Context, id int64, text []byte)
	// notify sends a message that has no answer, and returns when it is on its way.
	notify(ctx context.Context, text []byte) error
	// negotiated tells the version of the protocol, once, after initialize.
	negotiated(version string)
	// listen opens what the server needs to send messages by itself.
	listen()
	// close ends the connection and what it runs on, and returns when they are gone.
	close()
}

// peer matches what a server sends with what it was asked.
type peer struct {
	server   string
	log      *slog.Logger
	notified func(method string) // called for notifications of change; must not block

	mu      sync.Mutex
	last    int64
	waiting map[int64]*waiter
	why     error         // set once, before lost is closed
	lost    chan struct{} // closed when the connection is gone

	heard atomic.Int64 // messages that came
}

func newPeer(server string, logger *slog.Logger) *peer {
	return &peer{server: server, log: logger.With("server", server), waiting: map[int64]*waiter{}, lost: make(chan struct{})}
}

// waiter waits for the answer to one request.
type waiter struct {
	id     int64
	answer chan answer   // room for one
	wake   chan struct{} // room for one: there is progress
	over   atomic.Bool   // the answer was there

	mu       sync.Mutex
	progress []Progress
}

type answer struct {
	result json.RawMessage
	err    error
}

// maxProgress is how much progress is kept for a caller that is slow to take it;
// what is older is dropped.
const maxProgress = 1000

// Progress is how far a call is, in the server's units.
type Progress struct {
	Progress float64 `json:"progress"`
	Total    float64 `json:"total,omitempty"`   // 0 for not known
	Message  string  `json:"message,omitempty"` // "" for none
}

// expect makes a waiter for a new request.
func (p *peer) expect() *waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	w := &waiter{id: p.last, answer: make(chan answer, 1), wake: make(chan struct{}, 1)}
	p.waiting[w.id] = w
	return w
}

func (p *peer) forget(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waiting, id)
}

func (p *peer) find(id int64) *waiter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting[id]
}

// ask is what a request consists of.
type ask struct {
	method string
	params map[string]any
	report func(Progress) // nil for no progress; called by the goroutine that asks
}

// call asks a server and waits for the answer. When ctx ends first, the server
// is told and the cause of ctx is returned; when the connection is lost, why.
func (p *peer) call(ctx context.Context, w wire, a ask) (json.RawMessage, error) {
	k := p.expect()
	defer p.forget(k.id)
	if a.report != nil {
		a.params["_meta"] = map[string]any{"progressToken": k.id}
	}
	id := json.RawMessage(strconv.FormatInt(k.id, 10))
	text, err := encode(envelope{JSONRPC: "2.0", ID: id, Method: a.method, Params: a.params})
	if err != nil {
		return nil, err
	}
	w.request(ctx, k.id, text)
	for {
		select {
		case <-k.wake:
			k.tell(a.report)
		case got := <-k.answer:
			k.tell(a.report)
			return got.result, got.err
		case <-p.lost:
			return p.late(k, a.report)
		case <-ctx.Done():
			if a.method != "initialize" { // the protocol allows no cancelling of that
				p.cancel(ctx, w, k.id)
			}
			return nil, context.Cause(ctx)
		}
	}
}

// late returns the answer that came just before the connection was lost, or why
// it was.
func (p *peer) late(k *waiter, report func(Progress)) (json.RawMessage, error) {
	k.tell(report)
	select {
	case got := <-k.answer:
		return got.result, got.err
	default:
		return nil, p.reason()
	}
}

// cancel tells a server that nobody waits for an answer any more. It does not
// wait for that to arrive: a server that is stuck would hold its caller.
func (p *peer) cancel(ctx context.Context, w wire, id int64) {
	const patience = 5 * time.Second
	note := envelope{JSONRPC: "2.0", Method: "notifications/cancelled", Params: map[string]any{
		"requestId": id, "reason": context.Cause(ctx).Error(),
	}}
	text, err := encode(note)
	if err != nil {
		return
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), patience)
	go func() {
		defer done()
		if err := w.notify(ctx, text); err != nil {
			p.log.DebugContext(ctx, "the server could not be told of a cancelled request", "error", err)
		}
	}()
}

// tell hands progress to the one who asked for it.
func (k *waiter) tell(report func(Progress)) {
	k.mu.Lock()
	events := k.progress
	k.progress = nil
	k.mu.Unlock()
	for _, e := range events {
		if report != nil {
			report(e)
		}
	}
}

func (k *waiter) add(e Progress) {
	k.mu.Lock()
	if len(k.progress) == maxProgress {
		k.progress = k.progress[1:]
	}
	k.progress = append(k.progress, e)
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// receive takes one message from the server and returns what is to be sent in
// answer, nil for nothing. What is no message is logged and passed over.
func (p *peer) receive(text []byte) (reply []byte) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		return nil
	}
	var m received
	if err := json.Unmarshal(text, &m); err != nil {
		p.log.Debug("not a message", "text", clip(string(text)))
		return nil
	}
	p.heard.Add(1)
	asked := len(m.ID) > 0 && string(m.ID) != "null"
	switch {
	case m.Method != "" && asked:
		return p.serve(m)
	case m.Method != "":
		p.note(m)
	case asked:
		p.settle(m)
	default:
		p.log.Debug("a message without an id and a method", "text", clip(string(text)))
	}
	return nil
}

// settle gives an answer to the one who waits for it.
func (p *peer) settle(m received) {
	id, err := strconv.ParseInt(string(m.ID), 10, 64)
	k := p.find(id)
	switch {
	case err != nil || k == nil:
		p.log.Debug("an answer that nobody waits for", "id", clip(string(m.ID)))
	case m.Error != nil:
		k.settle(answer{err: m.Error})
	default:
		k.settle(answer{result: m.Result})
	}
}

// settle keeps the first answer.
func (k *waiter) settle(a answer) {
	k.over.Store(true)
	select {
	case k.answer <- a:
	default:
	}
}

// awaits tells whether an answer is still to come.
func (p *peer) awaits(id int64) bool {
	k := p.find(id)
	return k != nil && !k.over.Load()
}

// note takes a notification.
func (p *peer) note(m received) {
	switch m.Method {
	case "notifications/progress":
		var event struct {
			Token int64 `json:"progressToken"`
			Progress
		}
		if json.Unmarshal(m.Params, &event) == nil {
			if k := p.find(event.Token); k != nil {
				k.add(event.Progress)
			}
		}
	case "notifications/message":
		p.log.Debug("the server logs", "message", clip(string(m.Params)))
	default:
		if p.notified != nil {
			p.notified(m.Method)
		}
	}
}

// serve answers what a server asks of its client: pings. Nothing else was
// offered to it.
func (p *peer) serve(m received) []byte {
	reply := envelope{JSONRPC: "2.0", ID: m.ID}
	if m.Method == "ping" {
		reply.Result = json.RawMessage("{}")
	} else {
		reply.Error = &RPCError{Code: codeNoMethod, Message: "this client does not know " + clip(m.Method)}
	}
	text, err := encode(reply)
	if err != nil {
		return nil
	}
	return text
}

// fail ends the wait for an answer that will not come.
func (p *peer) fail(id int64, err error) {
	if k := p.find(id); k != nil {
		k.settle(answer{err: err})
	}
}

// lose says that the connection is gone, and returns why: the first reason counts.
func (p *peer) lose(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why == nil {
		p.why = &LostError{p.server, err}
		close(p.lost)
	}
	return p.why
}

// reason is why the connection is gone, nil while it is not.
func (p *peer) reason() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why
}

// errTooLong is a message above maxMessage.
var errTooLong = message.Errorf("a message of more than %d MiB", maxMessage>>20)
