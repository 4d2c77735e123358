package sqlite

import (
	"context"
	"errors"
	"os"

	"zombiezen.com/go/sqlite"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// checkDamage checks whether err is due to a damaged database. If so, it moves the database that info describes aside and
// returns a [*store.DamagedError].
func (s *Store) checkDamage(ctx context.Context, file string, info os.FileInfo, err error) error {
	if foreign := s.checkOwn(file); foreign != nil { // a file that is not recognized is never moved
		if errors.As(err, new(*ForeignError)) {
			return err
		}
		return foreign
	}
	if !isDamage(err) {
		if sqlite.ErrCode(err) == sqlite.ResultError || isUnrelated(err) {
			return err
		}
		if found := s.withReader(ctx, file, quickCheck); found == nil || isUnrelated(found) {
			return err
		}
	}
	damaged := &store.DamagedError{Path: s.path(file), Reason: err}
	locked := (*store.LockedError)(nil)
	switch moved := s.moveAside(ctx, file, info, damaged); {
	case errors.As(moved, &locked):
		return damaged
	case moved != nil:
		return errors.Join(damaged, moved)
	}
	return damaged
}

// moveAside renames a damaged database and its log. One that was replaced in the meantime is left alone.
func (s *Store) moveAside(ctx context.Context, file string, info os.FileInfo, d *store.DamagedError) error {
	return s.withLock(file, file, func() error {
		return s.withGateClosed(ctx, file, func() error {
			if same, err := s.same(file, info); err != nil || !same {
				return err
			}
			as := file + ".damaged-" + s.now().UTC().Format("20060102T150405.000000000")
			if err := s.rename(file, as); err != nil {
				return err
			}
			d.KeptAs = s.path(as)
			return errors.Join(s.rename(file+"-wal", as+"-wal"), s.remove(file+"-shm"))
		})
	})
}
