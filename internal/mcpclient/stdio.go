package mcpclient

import (
	"context"
	"errors"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// stdio is the transport to a child process: one message a line.
type stdio struct {
	peer  *peer
	child *child
	queue chan []byte
	ended chan struct{} // closed by close
	once  sync.Once
	wg    sync.WaitGroup
}

// maxQueue is how many messages may wait for a child that does not read.
const maxQueue = 1000

// errNotReading is returned for messages to a child that does not read its input.
var errNotReading = message.Errorf("the server does not read its input")

// openStdio starts a server's process.
func openStdio(s Server, o Options, p *peer) (*stdio, error) {
	c, err := startChild(s, o.Grace, p.log)
	if err != nil {
		return nil, err
	}
	w := &stdio{peer: p, child: c, queue: make(chan []byte, maxQueue), ended: make(chan struct{})}
	tail := &stderrTail{log: p.log}
	var output, stderr sync.WaitGroup
	output.Go(w.read)
	stderr.Go(func() { tail.read(c.err) })
	w.wg.Go(w.write)
	w.wg.Go(func() {
		output.Wait() // output from before the end is still read
		c.stop()
		stderr.Wait()
		_ = p.lose(c.reason(tail.String()))
	})
	return w, nil
}

// write writes to the child in a goroutine of its own: a pipe that nobody reads blocks.
func (w *stdio) write() {
	out := jsonrpc.NewWriter(w.child.in)
	for {
		select {
		case text := <-w.queue:
			if out.Write(text) != nil {
				return // the reader sees the end and reports why
			}
		case <-w.ended:
			return
		case <-w.child.exited:
			return
		}
	}
}

func (w *stdio) read() {
	r := jsonrpc.NewReader(w.child.out, maxMessage)
	for {
		line, err := r.Read()
		if errors.Is(err, jsonrpc.ErrTooLong) {
			w.peer.log.Warn("a message was too long and is skipped", "error", errTooLong)
			continue
		}
		if err != nil {
			return
		}
		if reply := w.peer.receive(line); reply != nil {
			_ = w.put(reply) // a server that does not read loses its answer
		}
	}
}

func (w *stdio) put(text []byte) error {
	select {
	case w.queue <- text:
		return nil
	default:
		return errNotReading
	}
}

func (w *stdio) request(_ context.Context, id jsonrpc.ID, text []byte) {
	if err := w.put(text); err != nil {
		w.peer.Fail(id, err)
	}
}

func (w *stdio) notify(_ context.Context, text []byte) error { return w.put(text) }
func (w *stdio) negotiated(string)                           {}
func (w *stdio) listen()                                     {}

func (w *stdio) close() {
	w.once.Do(func() { close(w.ended) })
	_ = w.peer.lose(ErrClosed)
	w.child.stop()
	w.wg.Wait()
	w.child.closePipes()
}
