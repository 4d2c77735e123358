package postgres

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
)

// graphClass is the first number of the advisory locks of graphs.
const graphClass = 0x52535047 // "RSPG"

// readers holds the advisory locks of the graphs that this process reads, shared with other readers, on one connection.
type readers struct {
	server *server

	mu   sync.Mutex
	conn *pgx.Conn     // nil before the first, and when it was lost
	held map[int32]int // graph -> number of readers
}

// hold keeps a graph from being deleted until drop.
func (r *readers) hold(ctx context.Context, graph int32) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held[graph] == 0 {
		if err := r.lockNew(ctx, graph); err != nil {
			return err
		}
	}
	r.held[graph]++
	return nil
}

// lockNew locks a graph that is not held. If the connection was lost meanwhile, the next one serves.
func (r *readers) lockNew(ctx context.Context, graph int32) error {
	if r.conn != nil && !r.conn.IsClosed() {
		if err := r.lock(ctx, graph); err == nil || ctx.Err() != nil {
			return err
		}
	}
	if err := r.connect(ctx); err != nil {
		return err
	}
	return r.lock(ctx, graph)
}

// connect connects, and locks again what was held by a connection that was lost.
func (r *readers) connect(ctx context.Context) error {
	c, err := r.server.acquire(ctx)
	if err != nil {
		return err
	}
	conn, err := r.server.keep(ctx, c)
	if err != nil {
		return err
	}
	r.conn = conn
	for graph := range r.held {
		if err := r.lock(ctx, graph); err != nil {
			return err
		}
	}
	return nil
}

func (r *readers) lock(ctx context.Context, graph int32) error {
	_, err := r.conn.Exec(ctx, "SELECT pg_advisory_lock_shared($1, $2)", int32(graphClass), graph)
	if err != nil {
		closeConn(ctx, r.conn)
		r.conn = nil
		return r.server.fault(ctx, err)
	}
	return nil
}

// drop ends a hold.
func (r *readers) drop(ctx context.Context, graph int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held[graph]--; r.held[graph] > 0 {
		return
	}
	delete(r.held, graph)
	if r.conn == nil {
		return
	}
	ctx, cancel := brief(ctx)
	defer cancel()
	if len(r.held) == 0 { // the server has only so many connections
		closeConn(ctx, r.conn)
		r.conn = nil
		return
	}
	if _, err := r.conn.Exec(ctx, "SELECT pg_advisory_unlock_shared($1, $2)", int32(graphClass), graph); err != nil {
		closeConn(ctx, r.conn) // with its locks; the next hold connects again
		r.conn = nil
	}
}

func (r *readers) close(ctx context.Context) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conn != nil {
		closeConn(ctx, r.conn)
		r.conn = nil
	}
}
