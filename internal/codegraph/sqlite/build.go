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

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Builder fills a new database beside the one of the project.
type Builder struct {
	store *Store
	file  string // of the project
	state store.State
	c     *sqlite.Conn // nil when it is done with
	w     *writer
}

var _ store.Builder = (*Builder)(nil)

// errDone is the error for the use of a builder after Commit or Discard.
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
	if err := b.removeNew(); err != nil { // of one who was killed
		return nil, err
	}
	c, err := sqlite.OpenConn(s.path(b.new()), sqlite.OpenReadWrite|sqlite.OpenCreate)
	if err != nil {
		return nil, err
	}
	b.c = c
	if err := within(ctx, c, b.begin); err != nil {
		return nil, errors.Join(err, b.Discard())
	}
	return b, nil
}

// mayReplace tells what keeps a database from being replaced; that it cannot be
// read does not.
func (s *Store) mayReplace(ctx context.Context, file, root string) error {
	state, err := s.peek(ctx, file)
	newer, other := (*store.VersionError)(nil), (*ForeignError)(nil)
	switch {
	case errors.As(err, &newer) || errors.As(err, &other) || ctx.Err() != nil:
		return err
	case err == nil && state.Root != "" && state.Root != root:
		// Not store.ErrNone, as for who opens it: it is there, and in the way.
		return message.Errorf("%v", &otherError{path: s.path(file), project: state.Project, root: state.Root})
	}
	return nil
}

// new returns the name of the database that is being built.
func (b *Builder) new() string { return b.file + ".new" }

// begin makes the tables. Until it is whole the file needs no log and no syncing.
// Its mark comes first, so that what is left of it is known as ours.
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

// Add inserts.
func (b *Builder) Add(ctx context.Context, u store.Update) error {
	if b.c == nil {
		return errDone
	}
	if err := within(ctx, b.c, func() error { return b.w.add(&u) }); err != nil {
		return message.Errorf("build project %s: %w", b.state.Project, err)
	}
	return nil
}

// Commit puts the graph in its place.
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
	return nil
}

func (b *Builder) commit(ctx context.Context, s store.State) error {
	if err := within(ctx, b.c, func() error { return errors.Join(b.keepVirtual(ctx), b.finish(s)) }); err != nil {
		return err
	}
	c := b.c
	b.c = nil
	if err := c.Close(); err != nil {
		return err
	}
	if err := b.sync(); err != nil {
		return err
	}
	if err := b.store.settle(ctx, b.file); err != nil {
		return message.Errorf("write the log of the old graph back: %w", err)
	}
	return b.store.shut(ctx, b.file, b.replace)
}

// finish makes the indexes and leaves the database as readers want it.
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

// sync sees the new database to the disk. SQLite has closed it.
func (b *Builder) sync() error {
	f, err := b.store.dir.OpenFile(b.new(), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// settle writes what is in a database's log back into the database, so that it
// is whole without the log. It waits for readers who began before the last
// update. A database that cannot be read is moved aside.
func (s *Store) settle(ctx context.Context, file string) error {
	info, err := s.dir.Stat(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil
	}
	if err = cmp.Or(err, s.mine(file)); err != nil {
		return err
	}
	err = s.checkpoint(ctx, file)
	if damaged := (*store.DamagedError)(nil); err != nil && errors.As(s.judge(ctx, file, info, err), &damaged) && damaged.KeptAs != "" {
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
	return errors.Join(err, c.Close())
}

// replace puts the new database in the place of the old one, which nobody opens
// meanwhile. The old one's log must go first: it has the name of the new one's.
// Whatever step is the last before a crash, the old or the new graph is whole.
// Windows renames nothing over a file that is open: it fails there while somebody
// reads the old graph.
func (b *Builder) replace() error {
	s := b.store
	if err := s.mine(b.file); err != nil {
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

// syncDir makes new names last. Some file systems cannot do this; then it is done
// when they see fit.
func (s *Store) syncDir() {
	if runtime.GOOS == "windows" {
		return
	}
	if f, err := s.dir.Open("."); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// Discard leaves no trace of the new graph. It does nothing after Commit.
func (b *Builder) Discard() error {
	if b.c == nil {
		if b.w == nil {
			return nil
		}
		b.w = nil
		return b.removeNew()
	}
	c := b.c
	b.c, b.w = nil, nil
	return errors.Join(c.Close(), b.removeNew())
}

// removeNew removes a database that was not finished.
func (b *Builder) removeNew() error {
	s := b.store
	if err := s.identify(b.new(), &s.schema); err != nil {
		return err
	}
	return errors.Join(s.remove(b.new()), s.remove(b.new()+"-wal"), s.remove(b.new()+"-shm"), s.remove(b.new()+"-journal"))
}
