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

// Wipe removes all projects, also those missing from the catalog.
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
	var foreign error // foreign files stay, and are reported
	for file := range names {
		if err := s.checkOwn(file); err != nil {
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

// databases returns the names of all databases, also of partly removed ones, each with its project.
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

// belongs reports whether file is the database or one of its companion files.
func belongs(file, database string) bool {
	rest, ok := strings.CutPrefix(file, database)
	return ok && companionSuffix.MatchString(rest)
}

// companionSuffix matches the endings of a database's companion files.
var companionSuffix = regexp.MustCompile(
	`^(|-wal|-shm|-journal|\.lock|\.gate|\.snap(\.[a-z]+)?(\.new-[0-9]+)?|\.new(-wal|-shm|-journal)?|\.damaged-\d{8}T\d{6}\.\d{9}(-wal)?)$`)

// removeAll removes a database, whose lock is held, with its companion files. The database goes first: the other
// files are useless without it.
func (s *Store) removeAll(ctx context.Context, file string) error {
	return s.withGateClosed(ctx, file, func() error {
		if err := s.checkOwn(file); err != nil {
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
		_ = s.dir.Remove(file + ".gate") // stays on systems that cannot remove open files
		return err
	})
}
