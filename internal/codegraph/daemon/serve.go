package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
)

// Answerer brings the graph of the project in a folder up to date. An error refuses the question.
type Answerer func(ctx context.Context, root string) (*Answer, error)

// Listener answers the questions of other processes.
type Listener struct {
	place  Place
	folder *folder
	lock   *lockfile.Lock
	net    *net.UnixListener
	socket os.FileInfo
	state  Process
	log    *slog.Logger

	asked  atomic.Int64 // questions about graphs
	mu     sync.Mutex
	active int       // connections
	last   time.Time // when the last one ended
	work   sync.WaitGroup
}

// Listen makes this process the one that listens at a place. The error is a [*lockfile.HeldError] if another one does. What a
// killed process has left behind is removed. The folder of the sockets must be there. The caller calls Serve.
func Listen(p Place, log *slog.Logger) (*Listener, error) {
	folder, err := p.folder()
	if err != nil {
		return nil, err
	}
	l := &Listener{place: p, folder: folder, log: log, state: Process{PID: os.Getpid(), Since: time.Now().UTC().Truncate(time.Second)}}
	if err := l.begin(); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// begin makes the socket.
func (l *Listener) begin() (err error) {
	if l.lock, err = lockfile.TryLock(l.folder.Root, l.place.base()+lockSuffix, time.Now()); err != nil {
		return err
	}
	name := l.place.base() + socketSuffix
	if err := l.folder.Remove(name); err != nil && !isMissing(err) { // nobody listens: the lock is ours
		return err
	}
	if l.net, err = net.ListenUnix("unix", &net.UnixAddr{Name: within(l.folder.handle, name), Net: "unix"}); err != nil {
		return err
	}
	l.net.SetUnlinkOnClose(false) // its name may be another one's by then
	if err := l.folder.Chmod(name, 0o600); err != nil {
		return err
	}
	l.socket, err = l.folder.Lstat(name)
	return err
}

// close releases everything. Where the socket is still this process's, it is removed.
func (l *Listener) close() error {
	var errs []error
	if l.net != nil {
		if l.isThere() {
			errs = append(errs, l.folder.Remove(l.place.base()+socketSuffix))
		}
		errs = append(errs, l.net.Close())
	}
	if l.lock != nil && l.isFolderThere() {
		errs = append(errs, l.lock.Release())
	}
	return errors.Join(append(errs, l.folder.Close())...)
}

// isThere reports whether the name of the socket still leads to it.
func (l *Listener) isThere() bool {
	if l.socket == nil || !l.isFolderThere() {
		return false
	}
	now, err := l.folder.Lstat(l.place.base() + socketSuffix)
	return err == nil && os.SameFile(now, l.socket)
}

// isFolderThere reports whether the name of the folder still leads to it.
func (l *Listener) isFolderThere() bool {
	was, err := l.folder.handle.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(l.place.dir)
	return err == nil && os.SameFile(now, was)
}

// maxPause is the longest time between two looks whether the process is still wanted.
const maxPause = 15 * time.Second

// Serve answers until the context ends, there was no question for a while (idle; 0 for never), or the socket is removed. It
// waits for the answers under way.
func (l *Listener) Serve(ctx context.Context, idle time.Duration, answer Answerer) error {
	l.state.Idle, l.last = idle, time.Now()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	accepted := make(chan error, 1)
	go func() { accepted <- l.accept(ctx, answer) }()
	pause := maxPause
	if idle > 0 {
		pause = min(maxPause, max(idle/4, 10*time.Millisecond))
	}
	tick := time.NewTicker(pause)
	defer tick.Stop()
	var err error
	for done := false; !done; {
		select {
		case <-ctx.Done():
			done = true
		case err = <-accepted:
			done = true
		case <-tick.C:
			done = !l.isThere() || idle > 0 && l.isIdle(idle)
		}
	}
	if ctx.Err() != nil {
		err = nil
	}
	err = errors.Join(err, l.close()) // nobody connects any more
	if idle == 0 || ctx.Err() != nil {
		cancel() // the commands look themselves
	}
	l.work.Wait()
	return err
}

// isIdle reports whether nobody has asked for a while.
func (l *Listener) isIdle(idle time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.active == 0 && time.Since(l.last) >= idle
}

// accept takes connections until the listener is closed.
func (l *Listener) accept(ctx context.Context, answer Answerer) error {
	for {
		conn, err := l.net.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		l.count(1)
		l.work.Go(func() {
			defer l.count(-1)
			defer func() { _ = conn.Close() }()
			l.handle(ctx, conn, answer)
		})
	}
}

func (l *Listener) count(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active += n
	l.last = time.Now()
}

// handle answers one question.
func (l *Listener) handle(ctx context.Context, conn *net.UnixConn, answer Answerer) {
	q, err := l.read(conn)
	if err != nil {
		_ = send(conn, line{Answer: &Answer{Refused: err.Error()}})
		return
	}
	if q.Kind == State {
		s := l.state
		s.Questions = l.asked.Load()
		_ = send(conn, line{Answer: &Answer{Process: &s}})
		return
	}
	l.asked.Add(1)
	ctx, cancel := context.WithCancel(message.With(ctx, message.Choice{Lang: q.Lang}))
	defer cancel()
	go func() { // the command sends nothing more: its end ends the work
		_, _ = conn.Read(make([]byte, 1))
		cancel()
	}()
	w := &writer{conn: conn}
	ended := w.live()
	a, err := l.answered(progress.With(ctx, w.report), q.Root, answer)
	ended()
	if err != nil {
		a = &Answer{Refused: or(err.Error(), "no reason")}
		l.log.Info("a question was refused", "project", q.Root, "why", err)
	}
	w.send(line{Answer: a})
}

// answered calls answer, and turns a panic into an error.
func (l *Listener) answered(ctx context.Context, root string, answer Answerer) (a *Answer, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			l.log.Error("panic", "fault", fault, "stack", string(debug.Stack()))
			a, err = nil, fmt.Errorf("panic: %v", fault)
		}
	}()
	return answer(ctx, root)
}

// Reasons to refuse a question.
var (
	errForeign = errors.New("the question is of another program or environment")
	errFolder  = errors.New("the folder of the project is another one here")
	errUnknown = errors.New("the question is of an unknown kind")
)

// read reads and checks a question.
func (l *Listener) read(conn *net.UnixConn) (q Question, err error) {
	if err := checkUser(conn); err != nil {
		return q, err
	}
	if err := conn.SetReadDeadline(time.Now().Add(maxSilence)); err != nil {
		return q, err
	}
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, maxLine)
	if !lines.Scan() {
		return q, errors.Join(errors.New("no question"), lines.Err())
	}
	if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
		return q, err
	}
	if q.Key != l.place.digest() {
		return q, errForeign
	}
	if err := conn.SetReadDeadline(time.Time{}); err != nil {
		return q, err
	}
	switch q.Kind {
	case State:
		return q, nil
	case Graph:
		here, err := identity(q.Root)
		if err == nil && (here != q.Folder || q.Folder == "") {
			err = errFolder
		}
		return q, err
	}
	return q, errUnknown
}

// writer writes the lines of one answer.
type writer struct {
	mu    sync.Mutex
	conn  net.Conn
	last  time.Time
	stage string
}

// stepEvery is the least time between two reports of the progress of one stage.
const stepEvery = 50 * time.Millisecond

func (w *writer) send(l line) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = send(w.conn, l) // a command that does not read it has ended
}

// report sends progress.
func (w *writer) report(e progress.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.Stage == w.stage && time.Since(w.last) < stepEvery {
		return
	}
	w.stage, w.last = e.Stage, time.Now()
	_ = send(w.conn, line{Progress: &step{e.Stage, e.Item, e.Done, e.Total}})
}

// live sends signs of life until ended is called.
func (w *writer) live() (ended func()) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(sign)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				w.send(line{})
			}
		}
	}()
	return func() { close(stop); <-done }
}
