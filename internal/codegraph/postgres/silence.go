package postgres

import (
	"net"
	"sync"
	"time"
)

// silence is how long the server may send nothing while it is waited for: longer than any statement takes.
const silence = 10 * time.Minute

// attentive is a connection on which waiting ends after some time, if nothing comes. The network may lose the other end without a word.
type attentive struct {
	net.Conn
	patience time.Duration

	mu   sync.Mutex
	told bool // when to end was set by the user of the connection
}

// Read reads what comes.
func (c *attentive) Read(b []byte) (int, error) {
	c.wait()
	return c.Conn.Read(b)
}

// Write sends.
func (c *attentive) Write(b []byte) (int, error) {
	c.wait()
	return c.Conn.Write(b)
}

// wait sets when waiting ends. If the connection is closed, the next call says so.
func (c *attentive) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.told {
		_ = c.Conn.SetDeadline(time.Now().Add(c.patience))
	}
}

// tell notes whether the user of the connection says when to end.
func (c *attentive) tell(end time.Time, set func(time.Time) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = !end.IsZero()
	return set(end)
}

// SetDeadline implements [net.Conn].
func (c *attentive) SetDeadline(end time.Time) error { return c.tell(end, c.Conn.SetDeadline) }

// SetReadDeadline implements [net.Conn].
func (c *attentive) SetReadDeadline(end time.Time) error { return c.tell(end, c.Conn.SetReadDeadline) }

// SetWriteDeadline implements [net.Conn].
func (c *attentive) SetWriteDeadline(end time.Time) error {
	return c.tell(end, c.Conn.SetWriteDeadline)
}
