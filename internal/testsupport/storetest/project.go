package storetest

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

func names(t *testing.T, s store.Store) []string {
	t.Helper()
	projects, err := s.Projects(t.Context())
	check(t, err)
	list := []string{}
	for _, p := range projects {
		list = append(list, p.Name)
	}
	return list
}

// projects builds empty graphs in folders with the given base names.
func projects(t *testing.T, s store.Store, bases ...string) (roots []string) {
	t.Helper()
	for _, base := range bases {
		root := filepath.Join(t.TempDir(), base)
		release := lock(t, s, root)
		build(t, s, root, store.Update{})
		release()
		roots = append(roots, root)
	}
	return roots
}

func namesAreUnique(t *testing.T, s store.Store) {
	roots := projects(t, s, "shop", "shop", "商店", "a.b c", "shop")
	list := names(t, s)
	hashed := regexp.MustCompile(`^shop__[0-9a-f]{8}$`)
	if len(list) != 5 || list[0] != "a.b c" || list[1] != "shop" || !hashed.MatchString(list[2]) || !hashed.MatchString(list[3]) || list[2] >= list[3] || list[4] != "商店" {
		t.Errorf("names %q", list)
	}
	for i, root := range roots {
		name, err := s.Name(t.Context(), root)
		check(t, err)
		state, err := open(t, s, root+"/./").State(t.Context())
		check(t, err)
		if state.Project != name || state.Root != root || i == 0 && name != "shop" {
			t.Errorf("%s: name %q, state %q %s", root, name, state.Project, state.Root)
		}
	}
	check(t, s.Delete(t.Context(), "shop"))
	if name, err := s.Name(t.Context(), roots[1]); err != nil || !hashed.MatchString(name) {
		t.Errorf("the second is now called %q: %v", name, err)
	}
}

func oneWriter(t *testing.T, s store.Store) {
	root, before := t.TempDir(), time.Now().Add(-time.Second)
	release, err := s.Lock(t.Context(), root)
	check(t, err)
	_, err = s.Lock(t.Context(), root)
	locked := (*store.LockedError)(nil)
	if !errors.As(err, &locked) || locked.PID != os.Getpid() || locked.Since.Before(before) || locked.Project != filepath.Base(root) {
		t.Errorf("error %v, %+v", err, locked)
	}
	lock(t, s, t.TempDir())() // of another project
	check(t, release())
	check(t, release())
	lock(t, s, root)()
}

func writersHoldTheLock(t *testing.T, s store.Store) {
	root := t.TempDir()
	_, err := s.Build(t.Context(), root)
	wantError(t, err, store.ErrNotLocked)
	release := lock(t, s, root)
	build(t, s, root, store.Update{})
	b, err := s.Build(t.Context(), root)
	check(t, err)
	release()
	wantError(t, b.Commit(t.Context(), store.State{}), store.ErrNotLocked)
	check(t, b.Discard())
	g := open(t, s, root)
	wantError(t, g.Update(t.Context(), store.Update{}), store.ErrNotLocked)
	wantError(t, g.SetVirtual(t.Context(), nil), store.ErrNotLocked)
}

func aReplacedGraph(t *testing.T, s store.Store) {
	a := newAuthor(11)
	g, root := built(t, s, a, 3, 5)
	u := a.change()
	a.m.apply(u)
	check(t, g.Update(t.Context(), u))
	current := func(g store.Graph, want bool) {
		t.Helper()
		got, err := g.Current(t.Context())
		check(t, err)
		if got != want {
			t.Errorf("current: %v", got)
		}
	}
	current(g, true)

	b := newAuthor(12)
	name, err := s.Name(t.Context(), root)
	check(t, err)
	build(t, s, root, b.graph(name, root, 4, 4))
	h := open(t, s, root)
	current(g, false)
	current(h, true)
	wantError(t, g.Update(t.Context(), store.Update{}), store.ErrReplaced)
	u = b.change()
	b.m.apply(u)
	check(t, h.Update(t.Context(), u))
	wantModel(t, g, a)
	check(t, g.Close()) // without removing files of the new graph
	check(t, g.Close())
	wantModel(t, h, b)
	wantModel(t, open(t, s, root), b)
}

func deletedIsGone(t *testing.T, s store.Store) {
	roots := projects(t, s, "shop", "bank")
	g := open(t, s, roots[0])
	for _, end := range []string{"", ".more"} {
		check(t, os.WriteFile(g.Derived()+end, []byte("derived"), 0o600))
	}
	release := lock(t, s, roots[0])
	locked := (*store.LockedError)(nil)
	if err := s.Delete(t.Context(), "shop"); !errors.As(err, &locked) || locked.Project != "shop" {
		t.Errorf("error %v", err)
	}
	release()
	check(t, s.Delete(t.Context(), "shop"))
	wantError(t, s.Delete(t.Context(), "shop"), store.ErrNone)
	_, err := s.Open(t.Context(), roots[0])
	wantError(t, err, store.ErrNone)
	if diff := cmp.Diff([]string{"bank"}, names(t, s)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	for _, end := range []string{"", ".more"} {
		if _, err := os.Stat(g.Derived() + end); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the derived form%s: %v", end, err)
		}
	}
	if current, err := g.Current(t.Context()); current || err != nil {
		t.Errorf("current: %v, %v", current, err)
	}
	_, err = g.State(t.Context()) // readers that have it open continue
	check(t, err)
	release = lock(t, s, roots[0])
	build(t, s, roots[0], store.Update{})
	release()
	if diff := cmp.Diff([]string{"bank", "shop"}, names(t, s)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func wipedIsAllGone(t *testing.T, s store.Store) {
	roots := projects(t, s, "shop", "bank", "shop")
	release := lock(t, s, roots[1])
	locked := (*store.LockedError)(nil)
	if err := s.Wipe(t.Context()); !errors.As(err, &locked) {
		t.Errorf("error %v", err)
	}
	if list := names(t, s); len(list) != 3 {
		t.Errorf("names %q", list)
	}
	release()
	check(t, s.Wipe(t.Context()))
	if list := names(t, s); len(list) != 0 {
		t.Errorf("names %q", list)
	}
	if name, err := s.Name(t.Context(), roots[2]); name != "shop" || err != nil {
		t.Errorf("name %q, %v", name, err)
	}
}
