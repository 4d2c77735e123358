package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Delete removes a project by its name.
func (s *Store) Delete(ctx context.Context, name string) error {
	entries, err := s.entries(ctx)
	if err != nil {
		return message.Errorf("delete project %s: %w", name, err)
	}
	i := slices.IndexFunc(entries, func(e entry) bool { return e.name == name })
	if i < 0 {
		return message.Errorf("delete project %s: %w", name, store.ErrNone)
	}
	file := s.fileOf(entries[i].root)
	release, err := s.lock(file, name)
	if err != nil {
		return message.Errorf("delete project %s: %w", name, err)
	}
	err = s.removeAll(ctx, file)
	if err == nil && s.catalog != nil {
		err = s.catalog.forget(ctx, entries[i].root)
	}
	if err = errors.Join(err, release()); err != nil {
		return message.Errorf("delete project %s: %w", name, err)
	}
	return nil
}

// Wipe removes all projects, also those that are on no list.
func (s *Store) Wipe(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			err = message.Errorf("wipe the store: %w", err)
		}
	}()
	names, err := s.databases(ctx) // file -> project
	if err != nil {
		return err
	}
	var foreign error // what is not ours stays, and is told
	for file := range names {
		if err := s.mine(file); err != nil {
			foreign = errors.Join(foreign, err)
			delete(names, file)
		}
	}
	defer func() { err = errors.Join(err, foreign) }()
	for file, project := range names {
		release, err2 := s.lock(file, project)
		if err2 != nil {
			return err2
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	for file := range names {
		err = errors.Join(err, s.removeAll(ctx, file))
	}
	if err == nil && s.catalog != nil {
		err = s.catalog.clear(ctx)
	}
	return err
}

// databases returns the names of all databases, also of those of which only
// something is left, each with its project.
func (s *Store) databases(ctx context.Context) (map[string]string, error) {
	names := map[string]string{}
	if s.catalog == nil {
		names[s.file] = s.file
		return names, nil
	}
	files, err := fs.ReadDir(s.dir.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if name := databaseName.FindString(f.Name()); name != "" && belongs(f.Name(), name) {
			names[name] = name
		}
	}
	entries, err := s.catalog.entries(ctx)
	for _, e := range entries {
		if file := s.fileOf(e.root); names[file] != "" {
			names[file] = e.name
		}
	}
	return names, err
}

// belongs reports whether a file is a database or one of those that stand with it.
func belongs(file, database string) bool {
	rest, ok := strings.CutPrefix(file, database)
	return ok && besides.MatchString(rest)
}

// besides is what follows the name of a database in those that stand with it.
var besides = regexp.MustCompile(
	`^(|-wal|-shm|-journal|\.lock|\.gate|\.snap(\.[a-z]+)?(\.new-[0-9]+)?|\.new(-wal|-shm|-journal)?|\.damaged-\d{8}T\d{6}\.\d{9}(-wal)?)$`)

// removeAll removes a database, whose lock is held, with all that stands with it.
// The database goes first: the rest is nothing without it.
func (s *Store) removeAll(ctx context.Context, file string) error {
	return s.shut(ctx, file, func() error {
		if err := s.mine(file); err != nil {
			return err
		}
		if err := s.remove(file); err != nil {
			return err
		}
		files, err := fs.ReadDir(s.dir.FS(), ".")
		for _, f := range files {
			if name := f.Name(); belongs(name, file) && name != file+".lock" && name != file+".gate" {
				err = errors.Join(err, s.remove(name))
			}
		}
		_ = s.dir.Remove(file + ".gate") // where open files cannot be removed it stays
		return err
	})
}
