// Package sqlite keeps code graphs in SQLite databases, one file for each project,
// and a small database that lists the projects.
//
// The file of a project is found by its folder alone; the list only gives names,
// and is made again from the files when it is lost. Beside a file stand, by its
// name and an ending: "-wal" and "-shm" are SQLite's; ".lock" is held by the one
// that writes; ".gate" is passed to open the file and shut to replace it; ".new" is
// a graph that is being built; ".snap" is for a form derived from the graph;
// ".damaged-" and a time is one that could not be read.
//
// Nothing here opens a database file but SQLite: closing such a file lets go of
// all locks that the process has on it, also SQLite's.
package sqlite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lockfile"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// Options say where graphs are kept.
type Options struct {
	// Home is the folder of all databases; "" for [DefaultHome].
	Home string
	// File is the one database of a store that keeps one project, whichever that
	// is: there is no list then, and Home does not count. "" for a file for each.
	File string
	// Setting is what names File, for errors: "GRAPH_DB_PATH".
	Setting string
	// Now tells the time; nil for time.Now.
	Now func() time.Time
}

// Store keeps graphs in files. It is for use by many goroutines.
type Store struct {
	dir     *os.Root // holds the databases
	catalog *catalog // nil for a store of one file
	file    string   // of a store of one file: its name in dir
	setting string   // what names that file; "" for a store of many
	now     func() time.Time
	schema  schema
	// readOnly is set where the folder cannot be written.
	readOnly bool

	mu    sync.Mutex
	locks map[string]*lockfile.Lock // held by this store, by the database's name
}

var _ store.Store = (*Store)(nil)

// Open opens a store, whose folders it makes where they are missing. In a folder that
// cannot be written what is there can be read, and for all else the error is a
// [*store.ReadOnlyError]. The error is
// a [*ForeignError] (wrapped) when the one file of a store is not ours.
func Open(opts Options) (*Store, error) {
	s := &Store{now: opts.Now, schema: graphSchema, locks: map[string]*lockfile.Lock{}}
	if s.now == nil {
		s.now = time.Now
	}
	open := s.oneFile
	name := opts.File
	if name != "" {
		s.setting = cmp.Or(opts.Setting, "the store's setting")
	} else {
		open, name = s.manyFiles, opts.Home
	}
	err := open(name)
	if err == nil {
		err = s.probe()
	}
	if err != nil {
		if s.dir != nil {
			err = errors.Join(err, s.dir.Close())
		}
		return nil, message.Errorf("open store: %w", err)
	}
	return s, nil
}

// manyFiles opens a store of a database for each project.
func (s *Store) manyFiles(home string) error {
	if home == "" {
		var err error
		if home, err = DefaultHome(); err != nil {
			return err
		}
	}
	home, err := filepath.Abs(home)
	if err != nil {
		return err
	}
	s.catalog = &catalog{s}
	dir := filepath.Join(home, "projects")
	if err := os.MkdirAll(dir, 0o755); openfile.ReadOnly(err) {
		return &store.ReadOnlyError{Path: dir}
	} else if err != nil {
		return err
	}
	s.dir, err = os.OpenRoot(dir)
	return err
}

// Close lets go of the locks that are still held. The graphs are to be closed
// before.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for file, l := range s.locks {
		err = errors.Join(err, l.Release())
		delete(s.locks, file)
	}
	return errors.Join(err, s.dir.Close())
}

// longestBase bounds the part of a database's name that is the folder's.
const longestBase = 40

// fileOf returns the name of the database of a project's folder: what can be read
// of the folder's name, and the folder's hash.
func (s *Store) fileOf(root string) string {
	if s.file != "" {
		return s.file
	}
	base := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, filepath.Base(root))
	return fmt.Sprintf("%.*s-%s.db", longestBase, base, hash(root)[:16])
}

// path returns the path of a file that stands with the databases.
func (s *Store) path(file string) string { return filepath.Join(s.dir.Name(), file) }

// hash returns the SHA-256 of a text, in hex.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// clean returns the form of a project's folder that it is known by.
func clean(root string) (string, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return "", message.Errorf("folder %s: %w", root, err)
	}
	return abs, nil
}

// Name returns the name of the project in a folder.
func (s *Store) Name(ctx context.Context, root string) (string, error) {
	root, err := clean(root)
	if err != nil {
		return "", err
	}
	if s.catalog == nil {
		return baseName(root), nil
	}
	return s.catalog.name(ctx, root)
}

// baseName returns the name that a folder gives its project, if no other has it.
func baseName(root string) string {
	return cmp.Or(strings.Trim(filepath.Base(root), `/\.`), "project")
}

// Projects returns what is stored, sorted by name.
func (s *Store) Projects(ctx context.Context) ([]store.Project, error) {
	entries, err := s.entries(ctx)
	if err != nil {
		return nil, err
	}
	projects := make([]store.Project, 0, len(entries))
	for _, e := range entries {
		p := store.Project{Name: e.name, Root: e.root}
		if state, err := s.peek(ctx, s.fileOf(e.root)); err == nil {
			p.BuiltAt = state.BuiltAt
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		projects = append(projects, p)
	}
	return projects, nil
}

// entry is a project as the list has it.
type entry struct{ root, name string }

// entries returns the projects that have a database, sorted by name.
func (s *Store) entries(ctx context.Context) ([]entry, error) {
	if s.catalog == nil {
		state, err := s.peek(ctx, s.file)
		if errors.Is(err, store.ErrNone) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		return []entry{{state.Root, state.Project}}, nil
	}
	all, err := s.catalog.entries(ctx)
	if err != nil {
		return nil, err
	}
	there := all[:0]
	for _, e := range all {
		if _, err := s.dir.Lstat(s.fileOf(e.root)); err == nil {
			there = append(there, e)
		}
	}
	return there, nil
}
