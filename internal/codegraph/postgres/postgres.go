// Package postgres implements [store.Store] with a PostgreSQL database, which many machines share.
//
// All tables are in the schema reverse_spec, which the first connection with the right to do so creates; schema/*.sql
// says what is in it. A project is identified by a key: the address of its repository, see [store.Origin], or the path
// of a folder. Only the holder of a project's advisory lock writes, on the connection that holds the lock: when the
// connection is lost, so is the lock, and nothing of an unfinished transaction stays. A graph that was replaced is
// deleted when no reader holds its own advisory lock.
//
// Errors name the server and the database, but never the user or the password.
package postgres

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Options configure a store.
type Options struct {
	// Cache is the folder of files derived from graphs, which is created. It is bounded by CacheSize, in bytes; 0 for
	// [DefaultCacheSize].
	Cache     string
	CacheSize int64
	// Silence is how long the server may send nothing while it is waited for; 0 for ten minutes.
	Silence time.Duration
	// Now returns the current time; nil means time.Now.
	Now func() time.Time
}

// Store keeps graphs in a database. It is safe for concurrent use.
type Store struct {
	*server
	origin *store.Origin // of every folder; nil if a folder is a project of its own
	accept func(old store.Origin) error
}

// server is the database, which several stores may use.
type server struct {
	place  string // host, port and database, for messages
	secret []string
	pool   *pgxpool.Pool
	cache  *cache
	now    func() time.Time

	mu      sync.Mutex
	checked bool             // the schema is the current one
	locks   map[string]*lock // held by this process, by key

	readers readers
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Shared = (*Store)(nil)
)

// Open returns the store in the database with an address, postgres://user:password@host:port/database?parameters,
// with the parameters and environment variables of libpq. It connects when it is first used.
func Open(address string, opts Options) (*Store, error) {
	config, secret, err := parse(address)
	if err != nil {
		return nil, err
	}
	config.ConnConfig.AfterNetConnect = func(_ context.Context, _ *pgconn.Config, c net.Conn) (net.Conn, error) {
		return &attentive{Conn: c, patience: cmp.Or(opts.Silence, silence)}, nil
	}
	s := &server{place: placeOf(config.ConnConfig), secret: secret, now: opts.Now, locks: map[string]*lock{}}
	if s.now == nil {
		s.now = time.Now
	}
	if s.cache, err = openCache(opts.Cache, cmp.Or(opts.CacheSize, DefaultCacheSize), s.place); err != nil {
		return nil, message.Errorf("the cache of shared graphs: %w", err)
	}
	if s.pool, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
		return nil, s.explain(err)
	}
	s.readers = readers{server: s, held: map[int32]int{}}
	return &Store{server: s}, nil
}

// For returns the same store, in which every folder is the project of an origin. Lock calls accept with what is stored
// of the project, the zero value for nothing, and fails with its error. It is closed with s.
func (s *Store) For(o store.Origin, accept func(old store.Origin) error) store.Store {
	return &Store{server: s.server, origin: &o, accept: accept}
}

// Close releases the locks that are still held. Close all graphs before.
func (s *Store) Close() error {
	s.mu.Lock()
	var held []*lock
	for _, l := range s.locks {
		held = append(held, l)
	}
	s.mu.Unlock()
	var err error
	for _, l := range held {
		err = errors.Join(err, l.release(context.Background()))
	}
	s.readers.close(context.Background())
	s.pool.Close()
	s.cache.trim()
	return err
}

// key returns the key of the project in a folder, and the name that it would like to have. An address of a
// repository is a key already.
func (s *Store) key(root string) (key, base string, err error) {
	switch {
	case s.origin != nil:
		return s.origin.Key, s.origin.Name, nil
	case strings.Contains(root, "://"):
		return root, filepath.Base(root), nil
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", "", message.Errorf("folder %s: %w", root, err)
	}
	return abs, cmp.Or(strings.Trim(filepath.Base(abs), `/\.`), "project"), nil
}

// hash returns the SHA-256 of a text, in hex.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Name returns the name of the project in a folder.
func (s *Store) Name(ctx context.Context, root string) (name string, err error) {
	key, base, err := s.key(root)
	if err != nil {
		return "", err
	}
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		name, _, err = nameOf(ctx, c, key, base)
		return err
	})
	return name, err
}

// querier runs queries: a connection or a transaction.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// nameOf returns the name of a key, or the one that it would get.
func nameOf(ctx context.Context, q querier, key, base string) (name string, had bool, err error) {
	sum := hash(key)
	candidates := []string{base, base + "__" + sum[:8], base + "__" + sum[:16], base + "__" + sum}
	rows, err := q.Query(ctx, "SELECT key, name FROM reverse_spec.project WHERE key = $1 OR name = ANY($2)", textIn(key), textsIn(candidates))
	if err != nil {
		return "", false, err
	}
	taken := map[string]bool{}
	var owner, of string
	_, err = pgx.ForEachRow(rows, []any{&owner, &of}, func() error {
		if textOut(owner) == key {
			name = textOut(of)
		}
		taken[textOut(of)] = true
		return nil
	})
	if err != nil || name != "" {
		return name, true, err
	}
	for _, c := range candidates {
		if !taken[c] {
			return c, false, nil
		}
	}
	return base + "__" + sum, false, nil
}

// Projects returns the stored projects, sorted by name.
func (s *Store) Projects(ctx context.Context) ([]store.Project, error) {
	shared, err := s.Origins(ctx)
	projects := make([]store.Project, 0, len(shared))
	for _, p := range shared {
		projects = append(projects, p.Project)
	}
	return projects, err
}

// Origins returns the stored projects with their origins, sorted by name.
func (s *Store) Origins(ctx context.Context) ([]store.SharedProject, error) {
	return s.origins(ctx, "ORDER BY p.name")
}

// Find returns the stored project with a key or name.
func (s *Store) Find(ctx context.Context, name string) (store.SharedProject, error) {
	found, err := s.origins(ctx, "WHERE p.key = $1 OR p.name = $1", textIn(name))
	if err == nil && len(found) == 0 {
		err = store.ErrNone
	}
	if err != nil {
		return store.SharedProject{}, message.Errorf("project %s: %w", name, err)
	}
	if len(found) > 1 && found[1].Origin.Key == name {
		return found[1], nil
	}
	return found[0], nil
}

// origins returns the stored projects of a part of a query.
func (s *server) origins(ctx context.Context, part string, args ...any) (projects []store.SharedProject, err error) {
	const query = `SELECT p.name, p.key, g.built_at, p.branch, p.git_commit, p.committed, p.pushed, g.identity, g.serial
		FROM reverse_spec.project p JOIN reverse_spec.graph g ON g.id = p.graph `
	err = s.use(ctx, func(c *pgxpool.Conn) error {
		projects = nil
		rows, err := c.Query(ctx, query+part, args...)
		if err != nil {
			return err
		}
		var name, key, branch, commit, identity string
		var built, committed, pushed *int64
		var serial int64
		_, err = pgx.ForEachRow(rows, []any{&name, &key, &built, &branch, &commit, &committed, &pushed, &identity, &serial}, func() error {
			name, key := textOut(name), textOut(key)
			projects = append(projects, store.SharedProject{
				Project: store.Project{Name: name, Root: key, BuiltAt: timeOut(built)},
				Origin:  store.Origin{Key: key, Name: name, Branch: textOut(branch), Commit: commit, Committed: timeOut(committed)},
				Pushed:  timeOut(pushed), Identity: identity, Serial: uint64(serial),
			})
			return nil
		})
		return err
	})
	return projects, err
}

// Record writes down the origin of a project's graph.
func (s *Store) Record(ctx context.Context, o store.Origin) error {
	if err := s.write(ctx, o.Key, func(pgx.Tx) error { return nil }); err != nil {
		return message.Errorf("record the commit of project %s: %w", o.Name, err)
	}
	return nil
}
