package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Open opens the graph of the project in a folder.
func (s *Store) Open(ctx context.Context, root string) (store.Graph, error) {
	root, err := clean(root)
	if err != nil {
		return nil, err
	}
	file := s.fileOf(root)
	if err := s.checkOwn(file); err != nil {
		return nil, message.Errorf("open graph of %s: %w", root, err)
	}
	info, err := s.dir.Stat(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil, message.Errorf("open graph of %s: %w", root, store.ErrNone)
	}
	if err != nil {
		return nil, message.Errorf("open graph of %s: %w", root, err)
	}
	g, err := s.open(ctx, file, root)
	if locked := (*store.LockedError)(nil); errors.As(err, &locked) {
		locked.Project = baseName(root)
	}
	if err != nil {
		return nil, message.Errorf("open graph of %s: %w", root, s.checkDamage(ctx, file, info, err))
	}
	return g, nil
}

// open opens a database as the graph of a folder, and migrates it to the current version.
func (s *Store) open(ctx context.Context, file, root string) (*Graph, error) {
	at, err := s.version(ctx, file)
	if err != nil {
		return nil, err
	}
	if at < s.schema.version() {
		if err := s.upgrade(ctx, file); err != nil {
			return nil, err
		}
	}
	g := newGraph(s, file)
	if err := s.withGate(ctx, file, func() error { return g.first(ctx) }); err != nil {
		return nil, err
	}
	if state := g.opened; state.Root != root {
		return nil, errors.Join(&otherError{path: s.path(file), project: state.Project, root: state.Root}, g.Close())
	}
	return g, nil
}

// otherError says that the given file belongs to another project.
type otherError struct{ path, project, root string }

func (e *otherError) Error() string { return e.In(message.English) }

// In implements [message.Localizer].
func (e *otherError) In(lang message.Lang) string {
	return message.New("%s has the graph of project %s in %s: delete that project, or name another file", e.path, e.project, e.root).In(lang)
}

func (*otherError) Is(target error) bool { return target == store.ErrNone }

// version returns the version of a database. It is an error if the database cannot be read or is newer than this
// program.
func (s *Store) version(ctx context.Context, file string) (version int, err error) {
	err = s.withReader(ctx, file, func(c *sqlite.Conn) error {
		version, err = s.verify(file, c)
		return err
	})
	return version, err
}

// withReader runs f on a read connection to a database with our application id.
func (s *Store) withReader(ctx context.Context, file string, f func(c *sqlite.Conn) error) error {
	if err := s.checkOwn(file); err != nil {
		return err
	}
	return s.withGate(ctx, file, func() error {
		if info, err := s.dir.Stat(file); errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
			return store.ErrNone
		} else if err != nil {
			return err
		}
		c, err := s.reader(ctx, file)
		if err != nil {
			return err
		}
		return errors.Join(transact(ctx, c, reading, func() error { return f(c) }), closeConn(c))
	})
}

// verify returns the version of a database, or an error if it cannot be read.
func (s *Store) verify(file string, c *sqlite.Conn) (int, error) {
	at, is, err := s.schema.inspect(c)
	switch {
	case err != nil:
		return 0, err
	case is == incomplete:
		return 0, errLacking
	case at > s.schema.version():
		return 0, &store.VersionError{Path: s.path(file), Got: at, Known: s.schema.version()}
	}
	return at, nil
}

// peek returns the state of the graph in a database.
func (s *Store) peek(ctx context.Context, file string) (state store.State, err error) {
	err = s.withReader(ctx, file, func(c *sqlite.Conn) error {
		at, err := s.verify(file, c)
		if err != nil {
			return err
		}
		if at < s.schema.version() {
			return nil // migrated when it is opened
		}
		state, err = readState(c)
		return err
	})
	return state, err
}

// upgrade migrates a database to the current version.
func (s *Store) upgrade(ctx context.Context, file string) error {
	if s.readOnly {
		return s.readOnlyError()
	}
	return s.withLock(file, file, func() error {
		c, err := connect(ctx, s.path(file), true)
		if err != nil {
			return err
		}
		err = transact(ctx, c, writing, func() error {
			at, err := s.verify(file, c) // another process may have been first
			if err != nil {
				return err
			}
			return s.schema.migrate(c, at)
		})
		return errors.Join(err, closeConn(c))
	})
}

// rename renames a file in the database folder, if it exists.
func (s *Store) rename(from, to string) error {
	err := s.dir.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// remove removes a file in the database folder, if it exists.
func (s *Store) remove(file string) error {
	err := s.dir.Remove(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// same reports whether a file name still refers to the file as.
func (s *Store) same(file string, as os.FileInfo) (bool, error) {
	now, err := s.dir.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(now, as), err
}
