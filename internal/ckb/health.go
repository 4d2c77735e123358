package ckb

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// attempt is a health check in progress. It continues when a question stops waiting for
// it: the first call in a large project loads the index, and a process that is killed
// meanwhile would never become healthy.
type attempt struct {
	done   chan struct{}
	cancel context.CancelFunc
	live   *live // set before done is closed, as is err
	err    error
}

const (
	// patience is the timeout of a health check.
	patience = time.Minute
	// fresh is how long a CKB counts as healthy after a check.
	fresh = 10 * time.Second
)

// known returns the CKB that was healthy a moment ago; nil if it must be checked.
func (c *Client) known() *live {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l := c.live; l != nil && time.Since(l.checked) < fresh && l.index == readIndex(c.options.Root) {
		return l
	}
	return nil
}

// reachServer checks the health of a server until ctx ends.
func (c *Client) reachServer(ctx context.Context, t target) (*Access, error) {
	at := c.check(ctx, t)
	select {
	case <-at.done:
		if at.err != nil {
			return nil, at.err
		}
		return &Access{status: Status{Available: true}, live: at.live}, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// check begins a health check, or joins the one in progress.
func (c *Client) check(ctx context.Context, t target) *attempt {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.attempt != nil {
		return c.attempt
	}
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	at := &attempt{done: make(chan struct{}), cancel: cancel}
	c.attempt = at
	before := c.live
	c.live = nil
	c.wg.Go(func() {
		defer cancel()
		at.live, at.err = c.examine(within, t, before)
		c.settle(at)
	})
	return at
}

// settle ends a health check.
func (c *Client) settle(at *attempt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(at.done)
	switch {
	case c.attempt != at: // closed meanwhile
		if at.live != nil {
			c.end(at.live.session)
		}
		return
	case at.err == nil:
		at.live.checked = time.Now()
		c.live = at.live
		c.failures.end()
	}
	c.attempt = nil
}

// examine checks the health of the current process, or of a new one.
func (c *Client) examine(ctx context.Context, t target, before *live) (*live, error) {
	if before != nil {
		if before.index == t.index && c.healthy(ctx, before) == nil {
			return before, nil
		}
		c.end(before.session)
	}
	session, err := t.connect(ctx)
	if err != nil {
		return nil, err
	}
	l := newLive(session, t.index)
	if err := c.healthy(ctx, l); err != nil {
		c.end(session)
		return nil, err
	}
	return l, nil
}

// health is the useful part of getStatus: the real CKB reports
// healthy without any index.
type health struct {
	Status   string `json:"status"`
	Healthy  bool   `json:"healthy"`
	Backends []struct {
		ID      string `json:"id"`
		Healthy bool   `json:"healthy"`
		Details string `json:"details"`
	} `json:"backends"`
	Index *struct {
		Exists bool   `json:"exists"`
		Fresh  bool   `json:"fresh"`
		Reason string `json:"reason"`
	} `json:"index"`
}

// healthy checks that a server serves this project and has an index of it.
func (c *Client) healthy(ctx context.Context, l *live) error {
	if err := c.ownProject(ctx, l); err != nil {
		return err
	}
	var h health
	if err := l.call(ctx, "getStatus", nil, &h); err != nil {
		return err
	}
	if h.Index != nil {
		l.stale = !h.Index.Fresh
		if !h.Index.Exists {
			return message.Errorf("CKB has no index: %s", h.Index.Reason)
		}
	}
	for _, b := range h.Backends {
		if b.ID == "scip" && !b.Healthy {
			return message.Errorf("CKB cannot use its index: %s", b.Details)
		}
	}
	if !h.Healthy && !slices.Contains([]string{"healthy", "ok"}, h.Status) {
		return message.Errorf("CKB is not healthy: status %q", h.Status)
	}
	return nil
}

// ownProject checks that a server serves this project: CKB silently falls back to another
// one. A server without the tool is trusted.
func (c *Client) ownProject(ctx context.Context, l *live) error {
	var repo struct{ Path string } // the state is about the user's list of projects, not about the index
	err := l.call(ctx, "getActiveRepo", nil, &repo)
	refused, miss := (*RefusedError)(nil), (*missError)(nil)
	switch {
	case errors.As(err, &refused), errors.As(err, &miss):
		return nil
	case err != nil:
		return err
	case repo.Path != "" && !sameFolder(repo.Path, c.options.Root):
		return message.Errorf("CKB serves another project: %s", repo.Path)
	}
	return nil
}

func sameFolder(a, b string) bool {
	return resolved(a) == resolved(b)
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Clean(path)
}
