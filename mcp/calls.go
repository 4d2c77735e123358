package mcp

import (
	"context"
	"slices"
	"sync"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

const (
	workers    = 4    // calls that run at once; a tool uses all cores by itself
	maxWaiting = 1000 // calls that wait for a worker
	tooBusy    = -32000
)

// call is one tool call from its arrival to its answer.
type call struct {
	id        string // as sent
	cancel    context.CancelFunc
	run       func() // does the work and sends the answer
	apart     bool   // it waits for others and needs no worker
	cancelled bool   // by the client, who then wants no answer
}

// calls runs tool calls in order of arrival, a few at once.
type calls struct {
	mu      sync.Mutex
	open    map[string]*call // by id, from arrival to answer
	waiting []*call
	running int // workers
	wg      sync.WaitGroup
}

func newCalls() *calls { return &calls{open: map[string]*call{}} }

// add queues a call. It returns why not, as a JSON-RPC error, or no text: the id is
// that of a call still open, or too many are waiting.
func (c *calls) add(k *call) (code int, refusal message.Text) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open[k.id] != nil {
		return mcpgo.INVALID_REQUEST, message.New("id is that of a request still running")
	}
	if len(c.waiting) >= maxWaiting || len(c.open) >= 2*maxWaiting {
		return tooBusy, message.New("too many calls are waiting; try again when some are answered")
	}
	c.open[k.id] = k
	if k.apart {
		c.wg.Go(k.run)
		return 0, message.Text{}
	}
	c.waiting = append(c.waiting, k)
	if c.running < workers {
		c.running++
		c.wg.Go(c.work)
	}
	return 0, message.Text{}
}

// work runs calls until none waits.
func (c *calls) work() {
	for k := c.next(); k != nil; k = c.next() {
		k.run()
	}
}

// next takes the first call that waits. With none it returns nil, and the worker
// that asked is counted out.
func (c *calls) next() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		c.running--
		return nil
	}
	k := c.waiting[0]
	c.waiting = c.waiting[1:]
	return k
}

// cancel cancels a call that waits or runs; an id that is neither is ignored, as
// the protocol asks: the answer may have crossed the cancellation.
func (c *calls) cancel(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.open[id]
	if k == nil {
		return
	}
	k.cancelled = true
	k.cancel()
	if i := slices.Index(c.waiting, k); i >= 0 {
		c.waiting = slices.Delete(c.waiting, i, i+1)
		delete(c.open, id)
	}
}

// finish takes a call that ran off the books, before its answer is sent: the
// client may use the id again as soon as it sees that. It returns whether the
// client wants the answer.
func (c *calls) finish(k *call) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, k.id)
	return !k.cancelled
}

// done returns a channel that is closed when no call waits or runs any more. No
// call may be added afterwards.
func (c *calls) done() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		c.wg.Wait()
		close(done)
	}()
	return done
}
