package mcp

import (
	"context"
	"slices"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

const (
	workers   = 4    // jobs that run at once; a tool uses all cores by itself
	maxQueued = 1000 // jobs that wait for a worker
	codeBusy  = -32000
)

// job is one tool call from its arrival to its response.
type job struct {
	id        jsonrpc.ID // as received
	cancel    context.CancelFunc
	run       func() // does the work and sends the response
	remote    bool   // it runs on another server and needs no worker
	cancelled bool   // by the client, who then wants no response
}

// queue runs jobs in order of arrival, a few at once.
type queue struct {
	mu      sync.Mutex
	open    map[jsonrpc.ID]*job // from arrival to response
	waiting []*job
	running int // workers
	wg      sync.WaitGroup
}

func newQueue() *queue { return &queue{open: map[jsonrpc.ID]*job{}} }

// add queues a job. It returns why not, as a JSON-RPC error, or no text: the id is
// that of an open job, or too many are waiting.
func (q *queue) add(j *job) (code int, refusal message.Text) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open[j.id] != nil {
		return jsonrpc.CodeInvalidRequest, message.New("id is that of a request still running")
	}
	if len(q.waiting) >= maxQueued || len(q.open) >= 2*maxQueued {
		return codeBusy, message.New("too many calls are waiting; try again when some are answered")
	}
	q.open[j.id] = j
	if j.remote {
		q.wg.Go(j.run)
		return 0, message.Text{}
	}
	q.waiting = append(q.waiting, j)
	if q.running < workers {
		q.running++
		q.wg.Go(q.work)
	}
	return 0, message.Text{}
}

// work runs jobs until none waits.
func (q *queue) work() {
	for j := q.next(); j != nil; j = q.next() {
		j.run()
	}
}

// next takes the first job that waits. When there is none it returns nil, and the worker
// that asked no longer counts as running.
func (q *queue) next() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.running--
		return nil
	}
	j := q.waiting[0]
	q.waiting = q.waiting[1:]
	return j
}

// cancel cancels a job that waits or runs. An unknown id is ignored, as
// the protocol asks: the response may have crossed the cancellation.
func (q *queue) cancel(id jsonrpc.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.open[id]
	if j == nil {
		return
	}
	j.cancelled = true
	j.cancel()
	if i := slices.Index(q.waiting, j); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		delete(q.open, id)
	}
}

// finish removes a job that ran, before its response is sent: the
// client may use the id again as soon as it has that. It reports whether the
// client wants the response.
func (q *queue) finish(j *job) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.open, j.id)
	return !j.cancelled
}

// done returns a channel that is closed when no job waits or runs any more. No
// job may be added afterwards.
func (q *queue) done() <-chan struct{} {
	done := make(chan struct{})
	go func() {
		q.wg.Wait()
		close(done)
	}()
	return done
}
