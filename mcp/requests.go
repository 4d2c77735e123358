package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
)

// requests is what we ask the client, from the question to its answer.
type requests struct {
	session *session

	mu   sync.Mutex
	last int
	open map[string]chan frame // by id, as it will come back
	gone bool                  // no answer can come any more
}

// errGone is the answer of a client that can give none any more.
var errGone = errors.New("the client has closed its end")

func newRequests(s *session) *requests {
	return &requests{session: s, open: map[string]chan frame{}}
}

// ask sends a request and waits for the answer: its result. The error is the one that
// the client answered with, errGone, or the context's.
func (r *requests) ask(ctx context.Context, method string, params any) (json.RawMessage, error) {
	id, answer, err := r.add()
	if err != nil {
		return nil, err
	}
	defer r.drop(id)
	message, err := encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  any             `json:"params,omitempty"`
	}{mcpgo.JSONRPC_VERSION, json.RawMessage(id), method, params})
	if err != nil {
		return nil, fmt.Errorf("ask the client for %s: %w", method, err)
	}
	r.session.send(message)
	select {
	case f, ok := <-answer:
		switch {
		case !ok:
			return nil, fmt.Errorf("ask the client for %s: %w", method, errGone)
		case f.refusal != nil:
			return nil, fmt.Errorf("the client refuses %s: %s", method, f.refusal)
		}
		return f.result, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// add makes an id and the channel that its answer comes by, closed when none will.
func (r *requests) add() (id string, answer <-chan frame, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gone {
		return "", nil, errGone
	}
	r.last++
	id = strconv.Quote(serverName + "-" + strconv.Itoa(r.last))
	r.open[id] = make(chan frame, 1)
	return id, r.open[id], nil
}

func (r *requests) drop(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, id)
}

// answered hands an answer of the client to who asked. What nobody asked for, or not any
// more, is passed over.
func (r *requests) answered(f frame) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if answer := r.open[string(f.id)]; answer != nil {
		delete(r.open, string(f.id))
		answer <- f
	}
}

// end tells who waits that no answer comes any more.
func (r *requests) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = true
	for id, answer := range r.open {
		delete(r.open, id)
		close(answer)
	}
}
