package sqlite

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"runtime"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/snapshot"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Builder fills a new database next to the project's current one.
type Builder struct {
	store *Store
	file  string // the project's database
	state store.State
	c     *sqlite.Conn // nil after Commit or Discard
	w     *writer
	snap  *snapshot.Maker // nil if the snapshot is left to who first needs it
}

var _ store.Builder = (*Builder)(nil)

// errDone is returned by a builder after Commit or Discard.
var errDone = message.Errorf("the graph has been built or discarded")

// Build starts a new graph for the project in a folder.
func (s *Store) Build(ctx context.Context, root string) (store.Builder, error) {
	root, err := clean(root)
	if err != nil {
		return nil, err
	}
	b, err := s.build(ctx, root)
	if err != nil {
		return nil, message.Errorf("build a graph of %s: %w", root, err)
	}
	return b, nil
}

func (s *Store) build(ctx context.Context, root string) (*Builder, error) {
	file := s.fileOf(root)
	if !s.holds(file) {
		return nil, store.ErrNotLocked
	}
	if err := s.mayReplace(ctx, file, root); err != nil {
		return nil, err
	}
	name := baseName(root)
	if s.catalog != nil {
		var err error
		if name, err = s.catalog.reserve(ctx, root); err != nil {
			return nil, err
		}
	}
	b := &Builder{store: s, file: file, state: store.State{Project: name, Root: root, Serial: 1, Identity: rand.Text()}}
	if err := b.removeNew(); err != nil { // left by a killed process
		return nil, err
	}
	c, err := openConn(s.path(b.new()), sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return nil, err
	}
	b.c = c
	if err := within(ctx, c, b.begin); err != nil {
		return nil, errors.Join(err, b.Discard())
	}
	b.snap = snapshot.NewMaker()
	return b, nil
}

// mayReplace returns an error if a database must not be replaced. A damaged one may be.
func (s *Store) mayReplace(ctx context.Context, file, root string) error {
	state, err := s.peek(ctx, file)
	newer, other := (*store.VersionError)(nil), (*ForeignError)(nil)
	switch {
	case errors.As(err, &newer) || errors.As(err, &other) || ctx.Err() != nil:
		return err
	case err == nil && state.Root != "" && state.Root != root:
		// Not store.ErrNone as in Open: a graph exists, and prevents the build.
		return message.Errorf("%v", &otherError{path: s.path(file), project: state.Project, root: state.Root})
	}
	return nil
}

// new returns the name of the database being built.
func (b *Builder) new() string { return b.file + ".new" }

// begin creates the tables. An incomplete file needs no log and no syncing. The application id is written first, so
// that a leftover is recognized.
func (b *Builder) begin() error {
	err := run(b.c, b.store.schema.mark(), "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA cache_size = -131072", "BEGIN")
	if err != nil {
		return err
	}
	if err := sqlitex.ExecuteScript(b.c, b.store.schema.create, nil); err != nil {
		return err
	}
	b.w, err = newWriter(b.c, true)
	return err
}

// Add inserts files, nodes and edges.
func (b *Builder) Add(ctx context.Context, u store.Update) error {
	if b.c == nil {
		return errDone
	}
	if err := within(ctx, b.c, func() error { return b.w.add(&u) }); err != nil {
		return message.Errorf("build project %s: %w", b.state.Project, err)
	}
	if b.snap != nil && b.snap.Add(&u) != nil {
		return b.withoutSnapshot()
	}
	return nil
}

// withoutSnapshot leaves the snapshot to who first needs it, unless it is written.
func (b *Builder) withoutSnapshot() error {
	if b.snap == nil {
		return nil
	}
	snap := b.snap
	b.snap = nil
	return snap.Close()
}

// Commit replaces the project's graph with the new one, and writes its snapshot if it can.
func (b *Builder) Commit(ctx context.Context, s store.State) error {
	if b.c == nil {
		return errDone
	}
	if !b.store.holds(b.file) {
		return message.Errorf("build project %s: %w", b.state.Project, store.ErrNotLocked)
	}
	s.Project, s.Root, s.Serial, s.Identity = b.state.Project, b.state.Root, b.state.Serial, b.state.Identity
	if err := b.commit(ctx, s); err != nil {
		return message.Errorf("build project %s: %w", b.state.Project, errors.Join(err, b.Discard()))
	}
	b.w = nil
	if b.snap != nil {
		_ = b.snap.Write(ctx, b.store.path(b.file+derivedSuffix), s) // else who needs it writes it, and says why that fails
	}
	return b.withoutSnapshot()
}

func (b *Builder) commit(ctx context.Context, s store.State) error {
	if err := within(ctx, b.c, func() error { return errors.Join(b.copyVirtual(ctx), b.finish(s)) }); err != nil {
		return err
	}
	c := b.c
	b.c = nil
	if err := closeConn(c); err != nil {
		return err
	}
	if err := b.sync(); err != nil {
		return err
	}
	if err := b.store.flushLog(ctx, b.file); err != nil {
		return message.Errorf("write the log of the old graph back: %w", err)
	}
	return b.store.withGateClosed(ctx, b.file, b.replace)
}

// finish creates the indexes and switches the database to write-ahead logging.
func (b *Builder) finish(s store.State) error {
	if err := errors.Join(b.w.finish(), writeState(b.c, s)); err != nil {
		return err
	}
	if err := sqlitex.ExecuteScript(b.c, b.store.schema.index, nil); err != nil {
		return err
	}
	if err := b.store.schema.stamp(b.c); err != nil {
		return err
	}
	return run(b.c, "COMMIT", "PRAGMA journal_mode = WAL")
}

// sync flushes the new database to disk. SQLite has closed it.
func (b *Builder) sync() error {
	f, err := b.store.dir.OpenFile(b.new(), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// flushLog checkpoints a database, so that it is complete without its log. It waits for readers that began before the
// last update. A database that cannot be read is moved aside.
func (s *Store) flushLog(ctx context.Context, file string) error {
	info, err := s.dir.Stat(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	if err = cmp.Or(err, s.checkOwn(file)); err != nil {
		return err
	}
	err = s.checkpoint(ctx, file)
	if damaged := (*store.DamagedError)(nil); err != nil && errors.As(s.checkDamage(ctx, file, info, err), &damaged) && damaged.KeptAs != "" {
		return nil
	}
	return err
}

func (s *Store) checkpoint(ctx context.Context, file string) error {
	c, err := connect(ctx, s.path(file), true)
	if err != nil {
		return err
	}
	for whole := false; err == nil && !whole; {
		err = within(ctx, c, func() error {
			return each(c, "PRAGMA wal_checkpoint(FULL)", nil, func(row *sqlite.Stmt) error {
				whole = row.ColumnInt64(0) == 0 && row.ColumnInt64(1) == row.ColumnInt64(2)
				return nil
			})
		})
	}
	return errors.Join(err, closeConn(c))
}

// replace renames the new database over the old one, while the gate keeps others from opening it. The old log is
// removed first, because the new database's log has the same name. After a crash at any step either the old or the
// new graph is complete. Windows cannot replace an open file: there it fails while a reader has the old graph open.
func (b *Builder) replace() error {
	s := b.store
	if err := s.checkOwn(b.file); err != nil {
		return err
	}
	if err := errors.Join(s.remove(b.file+"-wal"), s.remove(b.file+"-shm")); err != nil {
		return err
	}
	if err := s.dir.Rename(b.new(), b.file); err != nil {
		return err
	}
	s.syncDir()
	return nil
}

// syncDir flushes the folder, so that renames are durable. It is best effort: some file systems do not support it.
func (s *Store) syncDir() {
	if runtime.GOOS == "windows" {
		return
	}
	if f, err := s.dir.Open("."); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// Discard removes the new graph. It does nothing after Commit.
func (b *Builder) Discard() error {
	err := b.withoutSnapshot()
	if b.c == nil {
		if b.w == nil {
			return err
		}
		b.w = nil
		return errors.Join(err, b.removeNew())
	}
	c := b.c
	b.c, b.w = nil, nil
	return errors.Join(err, closeConn(c), b.removeNew())
}

// removeNew removes an unfinished database.
func (b *Builder) removeNew() error {
	s := b.store
	if err := s.identify(b.new(), &s.schema); err != nil {
		return err
	}
	return errors.Join(s.remove(b.new()), s.remove(b.new()+"-wal"), s.remove(b.new()+"-shm"), s.remove(b.new()+"-journal"))
}
