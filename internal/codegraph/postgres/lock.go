package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// lock is the lock of a project, held by a connection, which does all writes.
type lock struct {
	server *server
	key    string
	since  time.Time
	origin *store.Origin // of what is written; nil if none is given

	mu       sync.Mutex // held during a write
	conn     *pgx.Conn  // nil when released
	building *Builder   // has a transaction open
}

// advisory returns the number of a key's advisory lock.
func advisory(key string) int64 {
	sum := sha256.Sum256([]byte("reverse-spec " + key))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}

// Lock makes the caller the only writer of a project.
func (s *Store) Lock(ctx context.Context, root string) (release func() error, err error) {
	key, base, err := s.key(root)
	if err != nil {
		return nil, err
	}
	l, err := s.lock(ctx, key, base)
	if err != nil {
		return nil, err
	}
	l.origin = s.origin
	if s.accept != nil {
		old, err := s.stored(ctx, key)
		if err == nil {
			err = s.accept(old)
		}
		if err != nil {
			return nil, errors.Join(err, l.release(ctx))
		}
	}
	return func() error { return l.release(ctx) }, nil
}

// lock takes the lock of a key.
func (s *server) lock(ctx context.Context, key, base string) (*lock, error) {
	s.mu.Lock()
	held := s.locks[key]
	s.mu.Unlock()
	if held != nil {
		return nil, &store.LockedError{Project: base, PID: os.Getpid(), Since: held.since}
	}
	c, err := s.acquire(ctx)
	if err != nil {
		return nil, message.Errorf("lock project %s: %w", base, err)
	}
	l := &lock{server: s, key: key, since: s.now(), conn: c.Conn()}
	if err := l.take(ctx, base); err != nil {
		if other := (*store.LockedError)(nil); errors.As(err, &other) {
			c.Release()
		} else {
			closeConn(ctx, c.Hijack()) // it may have the lock
		}
		return nil, err
	}
	if l.conn, err = s.keep(ctx, c); err != nil {
		return nil, message.Errorf("lock project %s: %w", base, err)
	}
	if err := l.sign(ctx, base); err != nil {
		closeConn(ctx, l.conn)
		return nil, err
	}
	s.mu.Lock()
	s.locks[key] = l
	s.mu.Unlock()
	return l, nil
}

// take takes the advisory lock. If another has it, the error says who.
func (l *lock) take(ctx context.Context, base string) error {
	got := false
	if err := l.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", advisory(l.key)).Scan(&got); err != nil {
		return message.Errorf("lock project %s: %w", base, l.server.fault(ctx, err))
	}
	if !got {
		return l.holder(ctx, base)
	}
	return nil
}

// sign writes down who holds the lock.
func (l *lock) sign(ctx context.Context, base string) error {
	_, err := l.conn.Exec(ctx, `INSERT INTO reverse_spec.writer VALUES($1, $2, $3, $4)
		ON CONFLICT(key) DO UPDATE SET host = excluded.host, pid = excluded.pid, since = excluded.since`, textIn(l.key), textIn(thisHost()), os.Getpid(), timeIn(l.since))
	if err != nil {
		return message.Errorf("lock project %s: %w", base, l.server.fault(ctx, err))
	}
	return nil
}

// thisHost returns the name of this machine.
func thisHost() string {
	name, _ := os.Hostname() // "" is a name like others
	return name
}

// holder returns the error that says who holds the lock.
func (l *lock) holder(ctx context.Context, base string) error {
	e := &store.LockedError{Project: base}
	var host string
	var pid int
	var since *int64
	err := l.conn.QueryRow(ctx, "SELECT host, pid, since FROM reverse_spec.writer WHERE key = $1", textIn(l.key)).Scan(&host, &pid, &since)
	if err == nil {
		e.PID, e.Since = pid, timeOut(since)
		if host = textOut(host); host != thisHost() {
			e.Host = host
		}
	}
	return e
}

// release releases the lock and rolls back what is not finished.
func (l *lock) release(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil {
		return nil
	}
	if l.building != nil {
		l.building.abandon(ctx)
	}
	l.server.mu.Lock()
	delete(l.server.locks, l.key)
	l.server.mu.Unlock()
	ctx, cancel := brief(ctx)
	defer cancel()
	_, _ = l.conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", advisory(l.key)) // or else the end of the connection does
	closeConn(ctx, l.conn)
	l.conn = nil
	return nil
}

// holds returns the lock of a key. The error is [store.ErrNotLocked] if this process does not hold it, or no longer.
func (s *server) holds(key string) (*lock, error) {
	s.mu.Lock()
	l := s.locks[key]
	s.mu.Unlock()
	if l == nil {
		return nil, store.ErrNotLocked
	}
	return l, nil
}

// write runs f in a transaction on the connection that holds the lock of a key.
func (s *server) write(ctx context.Context, key string, f func(tx pgx.Tx) error) error {
	l, err := s.holds(key)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.conn == nil:
		return store.ErrNotLocked
	case l.building != nil:
		return errBuilding
	}
	return s.fault(ctx, transact(ctx, l.conn, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := l.verify(ctx, tx); err != nil {
			return err
		}
		if err := f(tx); err != nil {
			return err
		}
		return l.record(ctx, tx)
	}))
}

// verify returns [store.ErrNotLocked] unless the session of a transaction holds the lock: a pooler in between may have given
// it another one.
func (l *lock) verify(ctx context.Context, tx pgx.Tx) error {
	const query = `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND classid = $1 AND objid = $2 AND objsubid = 1)`
	number, held := uint64(advisory(l.key)), false
	if err := tx.QueryRow(ctx, query, uint32(number>>32), uint32(number)).Scan(&held); err != nil {
		return err
	}
	if !held {
		return store.ErrNotLocked
	}
	return nil
}

// record writes down the origin of what the caller writes.
func (l *lock) record(ctx context.Context, tx pgx.Tx) error {
	if l.origin == nil {
		return nil
	}
	o := l.origin
	_, err := tx.Exec(ctx, "UPDATE reverse_spec.project SET branch = $2, git_commit = $3, committed = $4, pushed = $5 WHERE key = $1",
		textIn(l.key), textIn(o.Branch), textIn(o.Commit), timeIn(o.Committed), timeIn(l.server.now()))
	return err
}

// errBuilding is returned by a write while the same process builds a new graph of the project.
var errBuilding = message.Errorf("a new graph of the project is being built")

// stored returns the origin of what is stored under a key; the zero value for nothing.
func (s *server) stored(ctx context.Context, key string) (store.Origin, error) {
	found, err := s.origins(ctx, "WHERE p.key = $1", textIn(key))
	if err != nil || len(found) == 0 {
		return store.Origin{}, err
	}
	return found[0].Origin, nil
}
