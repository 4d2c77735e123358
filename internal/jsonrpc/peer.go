package jsonrpc

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
)

// Peer keeps the requests that were sent over one connection until they are answered.
type Peer struct {
	id func(n int64) ID // of the n-th request

	mu       sync.Mutex
	last     int64
	inFlight map[ID]*inFlight
	why      error         // set once, before closed is closed
	closed   chan struct{} // closed when no response can come any more
}

// NewPeer returns a peer whose n-th request, from 1 on, has the id that id returns.
func NewPeer(id func(n int64) ID) *Peer {
	return &Peer{id: id, inFlight: map[ID]*inFlight{}, closed: make(chan struct{})}
}

// inFlight is a request without a response so far.
type inFlight struct {
	id       ID
	response chan outcome  // room for one
	wake     chan struct{} // room for one: there is progress
	done     atomic.Bool   // the response has come

	mu       sync.Mutex
	progress []Progress
}

// outcome is the outcome of a request.
type outcome struct {
	result json.RawMessage
	err    error
}

// maxProgress is how many progress notifications are kept for a caller that is slow to take
// them; older ones are dropped.
const maxProgress = 1000

// Call is a request to make.
type Call struct {
	Method string
	Params map[string]any // nil for none; needed with Report, which adds _meta to it
	// Report is called with the progress of the request, in order, by the goroutine that
	// calls; nil to ask for no progress.
	Report func(Progress)
	// Cancelled is called when ctx ends before the response, so that the other end can be
	// told; it must not block. Nil tells nobody.
	Cancelled func(ID)
}

// Call sends a request and waits for the response. Send must not block; where it cannot deliver
// the request it calls [Peer.Fail]. The error is the [*Error] of the response, the cause of
// ctx, or why the peer was closed.
func (p *Peer) Call(ctx context.Context, c Call, send func(id ID, text []byte)) (json.RawMessage, error) {
	r, err := p.add()
	if err != nil {
		return nil, err
	}
	defer p.remove(r.id)
	request := Request{ID: r.id, Method: c.Method}
	if c.Report != nil {
		c.Params["_meta"] = map[string]any{"progressToken": r.id}
	}
	if c.Params != nil {
		request.Params = c.Params
	}
	text, err := Encode(request)
	if err != nil {
		return nil, err
	}
	send(r.id, text)
	for {
		select {
		case <-r.wake:
			r.report(c.Report)
		case got := <-r.response:
			r.report(c.Report)
			return got.result, got.err
		case <-p.closed:
			return p.late(r, c.Report)
		case <-ctx.Done():
			if c.Cancelled != nil {
				c.Cancelled(r.id)
			}
			return nil, context.Cause(ctx)
		}
	}
}

// late returns the response that came just before the peer was closed, or why it was.
func (p *Peer) late(r *inFlight, report func(Progress)) (json.RawMessage, error) {
	r.report(report)
	select {
	case got := <-r.response:
		return got.result, got.err
	default:
		return nil, p.Err()
	}
}

// Respond hands a response to the caller of its request. It reports whether there is one.
func (p *Peer) Respond(m Message) bool {
	r := p.find(m.ID)
	switch {
	case r == nil:
		return false
	case m.Error != nil:
		r.settle(outcome{err: m.Error})
	default:
		r.settle(outcome{result: m.Result})
	}
	return true
}

// Fail ends a request that gets no response.
func (p *Peer) Fail(id ID, err error) {
	if r := p.find(id); r != nil {
		r.settle(outcome{err: err})
	}
}

// Awaits reports whether a request is still without a response.
func (p *Peer) Awaits(id ID) bool {
	r := p.find(id)
	return r != nil && !r.done.Load()
}

// Progress hands the params of notifications/progress to the caller of the request, if
// there is one.
func (p *Peer) Progress(params json.RawMessage) {
	var event ProgressParams
	if json.Unmarshal(params, &event) != nil {
		return
	}
	if r := p.find(event.Token); r != nil {
		r.add(event.Progress)
	}
}

// Close ends all requests, and those to come, with err, and returns it. Of several
// calls the first one's error counts.
func (p *Peer) Close(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why == nil {
		p.why = err
		close(p.closed)
	}
	return p.why
}

// Closed is closed when the peer is; Err returns why.
func (p *Peer) Closed() <-chan struct{} { return p.closed }

// Err returns why the peer was closed, nil while it is open.
func (p *Peer) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.why
}

func (p *Peer) add() (*inFlight, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.why != nil {
		return nil, p.why
	}
	p.last++
	r := &inFlight{id: p.id(p.last), response: make(chan outcome, 1), wake: make(chan struct{}, 1)}
	p.inFlight[r.id] = r
	return r, nil
}

func (p *Peer) remove(id ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.inFlight, id)
}

func (p *Peer) find(id ID) *inFlight {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.inFlight[id]
}

// settle keeps the first response.
func (r *inFlight) settle(o outcome) {
	r.done.Store(true)
	select {
	case r.response <- o:
	default:
	}
}

func (r *inFlight) add(e Progress) {
	r.mu.Lock()
	if len(r.progress) == maxProgress {
		r.progress = r.progress[1:]
	}
	r.progress = append(r.progress, e)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// report hands the progress so far to the caller.
func (r *inFlight) report(to func(Progress)) {
	r.mu.Lock()
	events := r.progress
	r.progress = nil
	r.mu.Unlock()
	for _, e := range events {
		if to != nil {
			to(e)
		}
	}
}
