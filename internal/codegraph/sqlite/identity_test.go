package sqlite_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	zombiezen "zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// foreignFiles are files that a path may name by mistake.
func foreignFiles(t *testing.T) map[string]func(path string) {
	t.Helper()
	database := func(journal string) func(path string) {
		return func(path string) {
			c, err := zombiezen.OpenConn(path, zombiezen.OpenReadWrite|zombiezen.OpenCreate)
			check(t, err)
			check(t, sqlitex.ExecuteTransient(c, "PRAGMA journal_mode = "+journal, nil))
			check(t, sqlitex.ExecuteScript(c, "CREATE TABLE state(id); INSERT INTO state VALUES(1);", nil))
			check(t, c.Close())
		}
	}
	return map[string]func(path string){
		"a text":       func(path string) { check(t, os.WriteFile(path, []byte("root:x:0:0:root\n"), 0o600)) },
		"zeros":        func(path string) { check(t, os.WriteFile(path, make([]byte, 8192), 0o600)) },
		"SQLite":       database("delete"),
		"SQLite, WAL":  database("wal"),
		"a folder":     func(path string) { check(t, os.Mkdir(path, 0o755)) },
		"a device":     func(path string) { check(t, os.Symlink(os.DevNull, path)) },
		"a dead link":  func(path string) { check(t, os.Symlink("nowhere", path)) },
		"a long magic": func(path string) { check(t, os.WriteFile(path, []byte("SQLite format 3\x00 is how it begins"), 0o600)) },
		"a link to a text": func(path string) {
			check(t, os.WriteFile(path+".target", []byte("text"), 0o600))
			check(t, os.Symlink(path+".target", path))
		},
	}
}

// tree lists what is below a folder, with the contents of files and the targets of links.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	check(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		check(t, err)
		text := info.Mode().String() + " " + info.ModTime().String()
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			check(t, err)
			text += string(data)
		}
		out[path] = text
		return nil
	}))
	return out
}

// A mistake in GRAPH_DB_PATH does no damage.
func TestAForeignFileIsRefused(t *testing.T) {
	for what, put := range foreignFiles(t) {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "graph.db")
			put(path)
			before := tree(t, dir)
			_, err := sqlite.Open(sqlite.Options{File: path, Setting: "GRAPH_DB_PATH"})
			foreign := (*sqlite.ForeignError)(nil)
			if !errors.As(err, &foreign) || !strings.Contains(err.Error(), "GRAPH_DB_PATH names ") {
				t.Fatalf("error %v", err)
			}
			t.Log(err)
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("-before +after\n%s", diff)
			}
		})
	}
}

// The file is replaced while the store is open, in the data folder and elsewhere.
func TestReplacedByForeignFileIsLeftAlone(t *testing.T) {
	for what, put := range foreignFiles(t) {
		t.Run(what, func(t *testing.T) {
			s := newShop(t, 1)
			path := s.database(t)
			g, err := s.Open(t.Context(), s.root)
			check(t, err)
			defer g.Close()
			left, err := filepath.Glob(path + "*")
			check(t, err)
			for _, file := range left {
				check(t, os.Remove(file))
			}
			put(path)
			before := tree(t, s.home)
			_, opened := s.Open(t.Context(), s.root)
			_, locked := s.Lock(t.Context(), s.root)
			for _, err := range []error{opened, locked, s.Delete(t.Context(), "shop"), s.Wipe(t.Context())} {
				if err == nil {
					t.Error("no error")
				}
				if !errors.As(err, new(*sqlite.ForeignError)) && !strings.Contains(err.Error(), "escapes") {
					t.Errorf("error %v", err)
				}
			}
			after := tree(t, s.home)
			for file, text := range before {
				if strings.HasPrefix(file, path) && after[file] != text {
					t.Errorf("%s was changed", file)
				}
			}
			for file := range after {
				if _, was := before[file]; !was && strings.HasPrefix(file, path) {
					t.Errorf("%s is new", file)
				}
			}
		})
	}
}

// The path of the new database is taken.
func TestForeignFileBlocksBuild(t *testing.T) {
	s := newShop(t, 1)
	path := s.database(t) + ".new"
	check(t, os.WriteFile(path, []byte("my notes"), 0o600))
	release, err := s.Lock(t.Context(), s.root)
	check(t, err)
	if _, err := s.Build(t.Context(), s.root); !errors.As(err, new(*sqlite.ForeignError)) {
		t.Errorf("error %v", err)
	}
	check(t, release())
	if text, err := os.ReadFile(path); err != nil || string(text) != "my notes" {
		t.Errorf("%q, %v", text, err)
	}
}

// An empty file, as made by mktemp, is used.
func TestEmptyFileIsUsed(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "graph #1?%20.db")
	check(t, os.WriteFile(path, nil, 0o600))
	check(t, os.Symlink(path, filepath.Join(dir, "link.db")))
	open := func(file string) *shop {
		s, err := sqlite.Open(sqlite.Options{File: file})
		check(t, err)
		t.Cleanup(func() { check(t, s.Close()) })
		return &shop{s, "", filepath.Join(dir, "shop")}
	}
	s := open(path)
	if _, err := s.readAll(t.Context()); !errors.Is(err, store.ErrNone) {
		t.Errorf("error %v", err)
	}
	s.build(t, 2)
	if n, err := open(filepath.Join(dir, "link.db")).readAll(t.Context()); n != 2 || err != nil {
		t.Errorf("through a link: %d nodes, %v", n, err)
	}
	s.build(t, 3)
	if n, err := s.readAll(t.Context()); n != 3 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
}
