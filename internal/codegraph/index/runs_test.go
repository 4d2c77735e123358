package index_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// crowd is a project of many files, and a store.
func crowd(t *testing.T) (*project.Project, store.Store) {
	t.Helper()
	dir := t.TempDir()
	for i := range 200 {
		text := fmt.Sprintf("package p\n\nfunc F%d() {}\n", i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(p.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return p, s
}

// outcome is what a run gave.
type outcome struct {
	sum *index.Summary
	err error
}

// two starts a run, and a second one while the first parses; the first continues when the second has reported
// progress.
func two(first context.Context, t *testing.T, p *project.Project, s store.Store, second index.Options, joined func()) (one, other outcome) {
	t.Helper()
	runs := &index.Runs{}
	second.Runs = runs
	heard, done := make(chan struct{}), make(chan outcome)
	started := false
	slow := progress.With(first, func(e progress.Event) { //nolint:contextcheck // two runs, each with its own
		if e.Stage != "parse" {
			return
		}
		if !started {
			started = true
			go func() {
				told := false
				sum, err := index.Run(progress.With(t.Context(), func(e progress.Event) {
					if e.Stage == "parse" && !told {
						told = true
						joined()
						close(heard)
					}
				}), p, s, second)
				done <- outcome{sum, err}
			}()
		}
		select {
		case <-heard:
		case <-time.After(50 * time.Millisecond): // it may have come for the next event
		}
	})
	one.sum, one.err = index.Run(slow, p, s, index.Options{Runs: runs})
	return one, <-done
}

func TestASecondRunJoinsTheFirst(t *testing.T) {
	p, s := crowd(t)
	one, other := two(t.Context(), t, p, s, index.Options{}, func() {})
	if one.err != nil || other.err != nil || one.sum != other.sum || one.sum.Files != 200 {
		t.Errorf("%+v, %+v", one, other)
	}
}

func TestLeavingDoesNotCancelASharedRun(t *testing.T) {
	p, s := crowd(t)
	ctx, cancel := context.WithCancel(t.Context())
	one, other := two(ctx, t, p, s, index.Options{}, cancel)
	if !errors.Is(one.err, context.Canceled) {
		t.Errorf("the one that was cancelled: %+v", one)
	}
	if other.err != nil || other.sum.Files != 200 || other.sum.Mode != index.Full {
		t.Errorf("the other: %+v", other)
	}
}

func TestRunIsCancelledWithoutCallers(t *testing.T) {
	p, s := crowd(t)
	ctx, cancel := context.WithCancel(t.Context())
	runs := &index.Runs{}
	_, err := index.Run(progress.With(ctx, func(progress.Event) { cancel() }), p, s, index.Options{Runs: runs})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	release, err := s.Lock(t.Context(), p.Root()) // it has ended: the lock is free
	if err != nil {
		t.Fatal(err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	if sum, err := index.Run(t.Context(), p, s, index.Options{Runs: runs}); err != nil || sum.Files != 200 {
		t.Errorf("the next run: %+v, %v", sum, err)
	}
}

// A question sees a file written before it, even if a run that has already listed the files is active.
func TestAQuestionIsNotAnsweredByAnOlderRun(t *testing.T) {
	p, s := crowd(t)
	write := func() {
		if err := os.WriteFile(filepath.Join(p.Root(), "late.go"), []byte("package p\n\nfunc Late() {}\n"), 0o644); err != nil {
			t.Error(err)
		}
	}
	runs := &index.Runs{}
	done := make(chan outcome)
	started := false
	_, err := index.Run(progress.With(t.Context(), func(progress.Event) {
		if !started {
			started = true
			write()
			go func() {
				sum, err := index.Run(t.Context(), p, s, index.Options{Runs: runs, Fresh: true})
				done <- outcome{sum, err}
			}()
		}
		time.Sleep(time.Millisecond)
	}), p, s, index.Options{Runs: runs})
	if err != nil {
		t.Error(err)
	}
	if late := <-done; late.err != nil || late.sum.Files != 201 {
		t.Errorf("%+v", late)
	}
}

func TestAForcedRunIsNotReplacedByAnother(t *testing.T) {
	p, s := crowd(t)
	if _, err := index.Run(t.Context(), p, s, index.Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := os.WriteFile(filepath.Join(p.Root(), fmt.Sprintf("g%d.go", i)), []byte("package p\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	one, other := two(t.Context(), t, p, s, index.Options{Force: true}, func() {})
	if one.err != nil || other.err != nil || one.sum.Mode != index.Incremental || other.sum.Mode != index.Full {
		t.Errorf("%+v, %+v", one, other)
	}
}

func TestTheWaitForAnotherProcessHasALimit(t *testing.T) {
	p, s := crowd(t)
	release, err := s.Lock(t.Context(), p.Root())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = release() }()
	waited := false
	ctx := progress.With(t.Context(), func(e progress.Event) { waited = waited || e.Stage == "wait" && e.Item != "" })
	_, err = index.Run(ctx, p, s, index.Options{Wait: 300 * time.Millisecond})
	locked, ok := errors.AsType[*store.LockedError](err)
	if !ok || !waited || !strings.Contains(locked.Error(), "after 300ms it is still at work") {
		t.Errorf("%v, waited: %v", err, waited)
	}
	if strings.Contains(locked.Error(), "stop") || strings.Contains(locked.Hint().String(), "stop") {
		t.Errorf("who is told to stop us: %v", locked)
	}
}
