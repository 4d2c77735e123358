package sqlite

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Lock makes the caller the only writer of a project.
func (s *Store) Lock(ctx context.Context, root string) (release func() error, err error) {
	root, err = clean(root)
	if err != nil {
		return nil, err
	}
	name, err := s.Name(ctx, root)
	if err != nil {
		return nil, err
	}
	return s.lock(s.fileOf(root), name)
}

// lock takes the lock of a database, which must be one of this program or missing.
func (s *Store) lock(file, project string) (release func() error, err error) {
	if err := s.checkOwn(file); err != nil {
		return nil, message.Errorf("lock project %s: %w", project, err)
	}
	if s.readOnly {
		return nil, s.readOnlyError()
	}
	l, err := lockfile.TryLock(s.dir, file+".lock", s.now())
	if held := (*lockfile.HeldError)(nil); errors.As(err, &held) {
		return nil, &store.LockedError{Project: project, PID: held.PID, Since: held.Since}
	}
	if err != nil {
		return nil, message.Errorf("lock project %s: %w", project, err)
	}
	s.mu.Lock()
	s.locks[file] = l
	s.mu.Unlock()
	return func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.locks[file] != l {
			return nil // already released
		}
		delete(s.locks, file)
		return l.Release()
	}, nil
}

// holds reports whether this store holds the lock of a database.
func (s *Store) holds(file string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.locks[file] != nil
}

// withLock runs f under the lock of a database, which it takes unless this store holds it.
func (s *Store) withLock(file, project string, f func() error) error {
	if s.holds(file) {
		return f()
	}
	release, err := s.lock(file, project)
	if err != nil {
		return err
	}
	return errors.Join(f(), release())
}

// withGate runs f while the database file cannot be replaced.
func (s *Store) withGate(ctx context.Context, file string, f func() error) error {
	if s.readOnly {
		return f()
	}
	leave, err := lockfile.LockShared(ctx, s.dir, file+".gate")
	if openfile.ReadOnly(err) { // reading works without write permission
		return f()
	}
	if err != nil {
		return err
	}
	return errors.Join(f(), leave())
}

// withGateClosed runs f while nobody can open the database. Readers that have it open continue.
func (s *Store) withGateClosed(ctx context.Context, file string, f func() error) error {
	if s.readOnly {
		return s.readOnlyError()
	}
	open, err := lockfile.LockExclusive(ctx, s.dir, file+".gate")
	if err != nil {
		return err
	}
	return errors.Join(f(), open())
}
