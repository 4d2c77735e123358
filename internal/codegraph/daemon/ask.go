package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// How long a process may take to take a connection, and to be silent.
const (
	maxConnect = 250 * time.Millisecond
	maxSilence = 2 * time.Second
)

// Ask asks the process at a place. Progress is reported to the context. The error is [ErrNone], a [*RefusedError], that of the
// context, or one of the connection: whatever it is, the caller looks for changes itself.
func (p Place) Ask(ctx context.Context, q Question) (*Answer, error) {
	conn, err := p.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }() // everything was read
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	a, err := ask(ctx, conn, p.complete(ctx, q))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return a, err
}

// complete fills in what every question has.
func (p Place) complete(ctx context.Context, q Question) Question {
	q.Key, q.Lang = p.digest(), message.From(ctx)
	if q.Root != "" {
		q.Folder, _ = identity(q.Root) // "" is refused
	}
	return q
}

// dial connects to the socket.
func (p Place) dial(ctx context.Context) (*net.UnixConn, error) {
	folder, err := p.folder()
	if isMissing(err) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	dialer := net.Dialer{Timeout: maxConnect}
	c, err := dialer.DialContext(ctx, "unix", within(folder.handle, p.base()+socketSuffix))
	if isMissing(err) || isRefused(err) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	conn, ok := c.(*net.UnixConn)
	if !ok {
		return nil, errors.Join(errors.ErrUnsupported, c.Close())
	}
	if err := checkUser(conn); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// ask sends a question and reads the lines of the answer.
func ask(ctx context.Context, conn net.Conn, q Question) (*Answer, error) {
	if err := send(conn, q); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, maxLine)
	for {
		if err := conn.SetReadDeadline(time.Now().Add(maxSilence)); err != nil {
			return nil, err
		}
		if !lines.Scan() {
			return nil, errors.Join(&RefusedError{"it hung up"}, lines.Err())
		}
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, &RefusedError{"it does not speak the protocol"}
		}
		if s := l.Progress; s != nil {
			progress.Report(ctx, progress.Event{Stage: s.Stage, Item: s.Item, Done: s.Done, Total: s.Total})
		}
		switch {
		case l.Answer == nil:
		case l.Answer.Refused != "":
			return nil, &RefusedError{l.Answer.Refused}
		default:
			return l.Answer, nil
		}
	}
}

// send writes a value as a line.
func send(conn net.Conn, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := conn.SetWriteDeadline(time.Now().Add(maxSilence)); err != nil {
		return err
	}
	_, err = conn.Write(append(text, '\n'))
	return err
}
