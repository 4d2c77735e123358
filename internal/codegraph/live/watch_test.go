package live_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/live"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

func TestWatchReindexesChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	put(t, dir, "a.go", "package p\n\nfunc A() {}\n")
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	runs := 0
	err = live.Watch(ctx, p, s, index.Options{}, func(sum *index.Summary) error {
		runs++
		switch runs {
		case 1:
			if sum.Mode != index.Full || sum.Nodes["Function"] != 1 {
				t.Errorf("first: %s, %v", sum.Mode, sum.Nodes)
			}
			put(t, dir, "b.go", "package p\n\nfunc B() { A() }\n")
		case 2:
			if sum.Mode != index.Incremental || sum.Parsed != 1 || sum.Edges["CALLS"] != 1 {
				t.Errorf("second: %s, %d parsed, %v", sum.Mode, sum.Parsed, sum.Edges)
			}
			cancel()
		}
		return nil
	}, func(why error) { t.Logf("no events: %v", why) })
	if !errors.Is(err, context.Canceled) || runs != 2 {
		t.Errorf("%d runs, then %v", runs, err)
	}
	if err := errors.Join(s.Close(), p.Close()); err != nil {
		t.Error(err)
	}
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
}
