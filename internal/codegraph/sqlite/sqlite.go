// Package sqlite implements [store.Store] with SQLite databases: one file for each project, and a small catalog of
// the projects.
//
// A project's file is found by its folder alone; the catalog only maps names, and is rebuilt from the files if it
// is lost. The files next to a database have its name and an ending: "-wal" and "-shm" are SQLite's; ".lock" is
// held by the writer; ".gate" is locked shared to open the database and exclusively to replace it; ".new" is a
// graph being built; ".snap" is a form derived from the graph; ".damaged-" and a time is a database that could not
// be read.
//
// Only SQLite opens a database file: closing any other descriptor of it would release all locks of the process on
// it (POSIX).
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

// Options say where graphs are stored.
type Options struct {
	// Home is the folder of all databases; "" for [DefaultHome].
	Home string
	// File is the database of a store with a single project, whichever that is: there is no catalog, and Home is
	// ignored. "" for a file per project.
	File string
	// Setting is the setting that File comes from, for errors: "GRAPH_DB_PATH".
	Setting string
	// Now returns the current time; nil means time.Now.
	Now func() time.Time
}

// Store keeps graphs in files. It is safe for concurrent use.
type Store struct {
	dir     *os.Root // of the databases
	catalog *catalog // nil for a store of one file
	file    string   // store of one file: its name in dir
	setting string   // store of one file: the setting that names it
	now     func() time.Time
	schema  schema
	// readOnly is set if the folder cannot be written.
	readOnly bool

	mu    sync.Mutex
	locks map[string]*lockfile.Lock // held by this store, by database
}

var _ store.Store = (*Store)(nil)

// Open opens a store and creates missing folders. If the folder cannot be written, existing graphs can be read, and
// all other operations return a [*store.ReadOnlyError]. The error wraps a [*ForeignError] if Options.File is not a
// database of this program.
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

// manyFiles opens a store with a database per project.
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

// Close releases the locks that are still held. Close all graphs before.
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

// longestBase bounds the part of a database's name that comes from the folder's.
const longestBase = 40

// fileOf returns the name of the database of a project's folder: the readable part of the folder's name, and a hash
// of its path.
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

// path returns the path of a file in the database folder.
func (s *Store) path(file string) string { return filepath.Join(s.dir.Name(), file) }

// hash returns the SHA-256 of a text, in hex.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// clean returns the canonical path of a project's folder.
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

// baseName returns the default name of the project in a folder.
func baseName(root string) string {
	return cmp.Or(strings.Trim(filepath.Base(root), `/\.`), "project")
}

// Projects returns the stored projects, sorted by name.
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

// entry is a project in the catalog.
type entry struct{ root, name string }

// entries returns the projects with a database, sorted by name.
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
