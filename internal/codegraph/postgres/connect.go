package postgres

import (
	"context"
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Limits of connections.
const (
	maxConns       = 4                // of a process, besides those that hold locks
	idleTimeout    = time.Minute      // of a connection that is not used
	connectTimeout = 10 * time.Second // unless the address says another
	cancelTimeout  = 2 * time.Second  // for the server to give up a cancelled query; then the connection is closed
	finishTimeout  = time.Minute      // of what must not be interrupted: COMMIT
)

// parse reads an address, and returns the texts in it that must not be shown.
func parse(address string) (*pgxpool.Config, []string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" && u.Path == "" && u.RawQuery == "" {
		// The error of url.Parse may contain a part of the password.
		return nil, nil, &AddressError{message.New("it is not an address such as postgres://user:password@host:5432/database; signs such as @ / : # in a password are written as %%40 %%2F %%3A %%23")}
	}
	var secret []string
	if given, ok := u.User.Password(); ok {
		secret = append(secret, given, url.QueryEscape(given), url.PathEscape(given))
	}
	for _, name := range []string{"password", "sslpassword"} {
		secret = append(secret, u.Query()[name]...)
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, nil, &AddressError{message.New("%s", redacted(parseReason(err), secret))}
	}
	secret = append(secret, config.ConnConfig.Password)
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "reverse-spec"
	}
	// A cancelled query is cancelled at the server, and the connection with its lock stays.
	config.ConnConfig.BuildContextWatcherHandler = func(c *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: c, DeadlineDelay: cancelTimeout}
	}
	// One that the server ended meanwhile is replaced, so that a question after its restart is answered.
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return true }
	config.MaxConnIdleTime = idleTimeout
	if !u.Query().Has("pool_max_conns") {
		config.MaxConns = maxConns
	}
	return config, secret, nil
}

// parseReason returns what is wrong with an address, without the address.
func parseReason(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "`: "); i >= 0 {
		text = text[i+len("`: "):]
	}
	return text
}

// redacted replaces secrets in a text.
func redacted(text string, secrets []string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "***")
		}
	}
	return text
}

// placeOf names the servers and the database.
func placeOf(c *pgx.ConnConfig) string {
	hosts := []string{hostOf(c.Host, c.Port)}
	for _, f := range c.Fallbacks { // other servers, and the same ones without TLS
		if host := hostOf(f.Host, f.Port); !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return strings.Join(hosts, ",") + "/" + c.Database
}

func hostOf(host string, port uint16) string {
	if strings.HasPrefix(host, "/") {
		return host
	}
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

// use runs f with a connection. The errors are those for callers.
func (s *server) use(ctx context.Context, f func(c *pgxpool.Conn) error) error {
	c, err := s.acquire(ctx)
	if err != nil {
		return err
	}
	defer c.Release()
	return s.fault(ctx, f(c))
}

// acquire returns a connection to a database with the current schema. The errors are those for callers.
func (s *server) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	c, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, s.fault(ctx, err)
	}
	if err := s.check(ctx, c); err != nil {
		c.Release()
		return nil, s.fault(ctx, err)
	}
	return c, nil
}

// check checks the schema once, and migrates it.
func (s *server) check(ctx context.Context, c *pgxpool.Conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.checked {
		return nil
	}
	if err := s.migrate(ctx, c.Conn()); err != nil {
		return err
	}
	s.checked = true
	return nil
}

// keep takes a connection out of the pool, for locks.
func (s *server) keep(ctx context.Context, c *pgxpool.Conn) (*pgx.Conn, error) {
	conn := c.Hijack()
	// If this machine is gone without a word, so is the lock after a minute, not after hours.
	const alive = "SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3"
	if _, err := conn.Exec(ctx, alive); err != nil {
		closeConn(ctx, conn)
		return nil, s.fault(ctx, err)
	}
	return conn, nil
}

// brief returns a context for what is done at last, however ctx ended.
func brief(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), cancelTimeout)
}

// closeConn closes a connection. What the server says to that does not matter.
func closeConn(ctx context.Context, c *pgx.Conn) {
	ctx, cancel := brief(ctx)
	defer cancel()
	_ = c.Close(ctx)
}

// transact runs f in a transaction, which is rolled back on error. The context does not interrupt the commit: whether it was
// made would be unknown.
func transact(ctx context.Context, c *pgx.Conn, opts pgx.TxOptions, f func(tx pgx.Tx) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	longer, cancel := grace(ctx) // the driver closes a connection on which BEGIN was interrupted
	defer cancel()
	tx, err := c.BeginTx(longer, opts)
	if err != nil {
		return err
	}
	if err = f(tx); err == nil {
		err = ctx.Err()
	}
	return finish(ctx, tx, err)
}

// grace returns a context that ends some time after ctx, for work that ends by itself when ctx does, or at once.
func grace(ctx context.Context) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-longer.Done():
		case <-time.After(cancelTimeout):
			cancel()
		}
	})
	return longer, func() { stop(); cancel() }
}

// finish commits a transaction, or rolls it back if there is an error.
func finish(ctx context.Context, tx pgx.Tx, err error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	if err == nil {
		return tx.Commit(ctx)
	}
	if undo := tx.Rollback(ctx); undo != nil && !errors.Is(undo, pgx.ErrTxClosed) && !tx.Conn().IsClosed() {
		err = errors.Join(err, undo)
	}
	return err
}
