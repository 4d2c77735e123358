package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// shop is the graph of a project in a store of its own.
type shop struct {
	*sqlite.Store
	home, root string
}

// newShop builds a graph of some nodes.
func newShop(t *testing.T, nodes int) *shop {
	t.Helper()
	home, root := t.TempDir(), filepath.Join(t.TempDir(), "shop")
	s := &shop{openStore(t, home), home, root}
	t.Cleanup(func() { check(t, s.Close()) })
	s.build(t, nodes)
	return s
}

func (s *shop) build(t *testing.T, nodes int) {
	t.Helper()
	release, err := s.Lock(t.Context(), s.root)
	check(t, err)
	b, err := s.Build(t.Context(), s.root)
	check(t, err)
	u := store.Update{Files: []store.File{{ID: 1, Path: "a.go"}}}
	for i := range codegraph.ID(nodes) {
		u.Nodes = append(u.Nodes, store.Node{File: 1, Ordinal: int(i), Node: codegraph.Node{ID: i + 1, Label: codegraph.LabelClass, Doc: strings.Repeat("x", 100)}})
	}
	check(t, b.Add(t.Context(), u))
	check(t, b.Commit(t.Context(), store.State{}))
	check(t, release())
}

// database returns the path of the database.
func (s *shop) database(t *testing.T) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.home, "projects", "shop-*.db"))
	check(t, err)
	if len(paths) != 1 {
		t.Fatalf("databases %q", paths)
	}
	return paths[0]
}

// readAll opens the graph and reads its nodes.
func (s *shop) readAll(ctx context.Context) (nodes int, err error) {
	g, err := s.Open(ctx, s.root)
	if err != nil {
		return 0, err
	}
	err = g.All(ctx, nil, func(store.Node) error { nodes++; return nil }, func(store.Edge) error { return nil })
	return nodes, errors.Join(err, g.Close())
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A damaged file is kept under another name, and the next run builds a new graph.
func TestDamageIsNamedAndKeptAside(t *testing.T) {
	const page = 4096
	for what, harm := range map[string]func(text []byte) []byte{
		"half of it":     func(text []byte) []byte { return text[:len(text)/2/page*page] },
		"half a page":    func(text []byte) []byte { return text[:page/2] },
		"all but a page": func(text []byte) []byte { return text[:len(text)-page] },
		"pages of zeros": func(text []byte) []byte { clear(text[20*page : 30*page]); return text },
		"pages of ones": func(text []byte) []byte {
			copy(text[20*page:], bytes.Repeat([]byte{0xff}, 10*page))
			return text
		},
		"without a table": func(text []byte) []byte {
			return bytes.ReplaceAll(text, []byte("TABLE tally"), []byte("TABLE tAlly"))
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := newShop(t, 5000)
			path := s.database(t)
			text, err := os.ReadFile(path)
			check(t, err)
			if what == "without a table" {
				text = bytes.ReplaceAll(text, []byte("tabletallytally"), []byte("tabletAllytAlly"))
			}
			harmed := harm(text)
			check(t, os.WriteFile(path, harmed, 0o600))

			_, err = s.readAll(t.Context())
			damaged := (*store.DamagedError)(nil)
			if !errors.As(err, &damaged) {
				t.Fatalf("error %v", err)
			}
			if damaged.Path != path || !strings.HasPrefix(damaged.KeptAs, path+".damaged-") || damaged.Reason == nil {
				t.Errorf("error %+v", damaged)
			}
			kept, err := os.ReadFile(damaged.KeptAs)
			check(t, err)
			if !bytes.Equal(kept, harmed) {
				t.Error("what was kept is something else")
			}
			if _, err := s.readAll(t.Context()); !errors.Is(err, store.ErrNone) {
				t.Errorf("the second time: %v", err)
			}
			s.build(t, 3)
			if n, err := s.readAll(t.Context()); n != 3 || err != nil {
				t.Errorf("built anew: %d, %v", n, err)
			}
			check(t, s.Delete(t.Context(), "shop"))
			if left := files(t, s.home); !cmp.Equal(left, []string{"catalog.db", "catalog.db.gate"}) {
				t.Errorf("left: %q", left)
			}
		})
	}
}

// Another process holds the lock.
func TestDamagedDatabaseOfAWriterIsNotMoved(t *testing.T) {
	s := newShop(t, 1)
	path := s.database(t)
	other := openStore(t, s.home)
	defer other.Close()
	release, err := other.Lock(t.Context(), s.root)
	check(t, err)
	text, err := os.ReadFile(path)
	check(t, err)
	check(t, os.WriteFile(path, text[:2000], 0o600))
	damaged := (*store.DamagedError)(nil)
	if _, err := s.readAll(t.Context()); !errors.As(err, &damaged) || damaged.KeptAs != "" {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	check(t, release())
	if _, err := s.readAll(t.Context()); !errors.As(err, &damaged) || damaged.KeptAs == "" {
		t.Errorf("error %v", err)
	}
}

// The catalog is lost or damaged.
func TestCatalogIsRebuilt(t *testing.T) {
	for what, harm := range map[string]func(path string) error{
		"lost":    os.Remove,
		"damaged": func(path string) error { return os.Truncate(path, 2000) },
		"empty":   func(path string) error { return os.Truncate(path, 0) },
	} {
		t.Run(what, func(t *testing.T) {
			s := newShop(t, 1)
			check(t, harm(filepath.Join(s.home, "projects", "catalog.db")))
			projects, err := s.Projects(t.Context())
			check(t, err)
			if want := []store.Project{{Name: "shop", Root: s.root}}; !cmp.Equal(want, projects) {
				t.Errorf("projects %+v", projects)
			}
		})
	}
}

func TestProjectWithoutDatabaseIsNotListed(t *testing.T) {
	s := newShop(t, 1)
	check(t, os.Remove(s.database(t)))
	projects, err := s.Projects(t.Context())
	check(t, err)
	if len(projects) != 0 {
		t.Errorf("projects %+v", projects)
	}
	if err := s.Delete(t.Context(), "shop"); !errors.Is(err, store.ErrNone) {
		t.Errorf("error %v", err)
	}
}

func TestANewerVersionIsLeftAlone(t *testing.T) {
	s := newShop(t, 1)
	path := s.database(t)
	text, err := os.ReadFile(path)
	check(t, err)
	text[63] = 77 // user_version is at 60, big-endian
	check(t, os.WriteFile(path, text, 0o600))
	_, err = s.Open(t.Context(), s.root)
	newer := (*store.VersionError)(nil)
	if !errors.As(err, &newer) || !cmp.Equal(*newer, store.VersionError{Path: path, Got: 77, Known: 6}) {
		t.Errorf("error %v", err)
	}
	release, err := s.Lock(t.Context(), s.root)
	check(t, err)
	if _, err := s.Build(t.Context(), s.root); !errors.As(err, &newer) {
		t.Errorf("error %v", err)
	}
	check(t, release())
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, text) {
		t.Errorf("the file has changed: %v", err)
	}
}

// TestOneFile tests the store of a single file, as for GRAPH_DB_PATH.
func TestOneFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "graph.db")
	one := func() *sqlite.Store {
		s, err := sqlite.Open(sqlite.Options{File: file, Now: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		check(t, err)
		t.Cleanup(func() { check(t, s.Close()) })
		return s
	}
	s := &shop{one(), "", filepath.Join(t.TempDir(), "shop")}
	if list, err := s.Projects(t.Context()); len(list) != 0 || err != nil {
		t.Errorf("projects %v, %v", list, err)
	}
	s.build(t, 4)
	if n, err := s.readAll(t.Context()); n != 4 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
	other := &shop{one(), "", filepath.Join(t.TempDir(), "bank")}
	if _, err := other.readAll(t.Context()); !errors.Is(err, store.ErrNone) || !strings.Contains(err.Error(), s.root) {
		t.Errorf("error %v", err)
	}
	release, err := other.Lock(t.Context(), other.root)
	check(t, err)
	if _, err := other.Build(t.Context(), other.root); err == nil || !strings.Contains(err.Error(), s.root) {
		t.Errorf("error %v", err)
	}
	check(t, release())
	check(t, os.WriteFile(file+".backup", nil, 0o600)) // is not ours
	check(t, s.Delete(t.Context(), "shop"))
	left, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
	check(t, err)
	if !cmp.Equal(left, []string{file + ".backup"}) {
		t.Errorf("left: %q", left)
	}
	other.build(t, 2)
	if n, err := other.readAll(t.Context()); n != 2 || err != nil {
		t.Errorf("%d nodes, %v", n, err)
	}
	check(t, other.Wipe(t.Context()))
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
