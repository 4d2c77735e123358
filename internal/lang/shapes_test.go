package lang_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/shapes"
)

// TestOperationsAreLinear reads each shape in each language at two sizes: a text four
// times as long may take at most five times the operations. Texts that the parser gives up
// have none.
func TestOperationsAreLinear(t *testing.T) {
	const size = 400
	for _, s := range shapes.Of() {
		t.Run(s.File+" "+s.Name, func(t *testing.T) {
			t.Parallel()
			for _, parts := range []lang.Parts{lang.Facts, lang.Bodies, lang.Hashes} {
				small, err := lang.Operations(s.File, []byte(s.Make(size)), parts)
				if errors.Is(err, syntax.ErrGaveUp) {
					continue
				}
				large, err := lang.Operations(s.File, []byte(s.Make(4*size)), parts)
				// Text that is truncated costs more up to that length; up to a third of the
				// limit is ignored.
				if little := int64(50 * len(s.Make(4*size))); large > 5*small && large > little {
					t.Errorf("parts %b: %d operations for %d, %d for %d (%v)", parts, small, size, large, 4*size, err)
				}
			}
		})
	}
}

// TestFileOverLimitIsTooComplex reads a file with the limit of a smaller one.
func TestFileOverLimitIsTooComplex(t *testing.T) {
	m := syntax.NewMeter(t.Context(), 10)
	err := func() (err error) {
		defer syntax.Recover(&err)
		for {
			m.Add(1)
		}
	}()
	if !errors.Is(err, lang.ErrTooComplex) || !strings.HasPrefix(err.Error(), "too complex: ") {
		t.Errorf("got %v", err)
	}
}

// endsAfterFirstCheck is a context that ends after its first check.
type endsAfterFirstCheck struct {
	context.Context
	once sync.Once
	done chan struct{}
}

func (c *endsAfterFirstCheck) Done() <-chan struct{} { return c.done }

func (c *endsAfterFirstCheck) Err() (err error) {
	err = context.Canceled
	c.once.Do(func() {
		close(c.done)
		err = nil
	})
	return err
}

// TestEndedContextStopsWalk checks that the meter checks its context after at most
// checkEvery operations.
func TestEndedContextStopsWalk(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := syntax.NewMeter(ctx, 1<<20)
	m.Add(1000)
	cancel()
	err := func() (err error) {
		defer syntax.Recover(&err)
		for range 1 << 17 {
			m.Add(1)
		}
		return nil
	}()
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after %d operations: %v", m.Used(), err)
	}
}

// TestParseIsCancelled ends the context during a parse: the parser stops, and the error is
// that of the context.
func TestParseIsCancelled(t *testing.T) {
	for _, s := range shapes.Of() {
		if s.Name != "calls with arguments" {
			continue
		}
		t.Run(s.File, func(t *testing.T) {
			t.Parallel()
			ctx := &endsAfterFirstCheck{Context: context.Background(), done: make(chan struct{})}
			_, err := lang.Parse(ctx, s.File, []byte(s.Make(20000)), lang.All)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestOrdinaryCodeIsBelowLimit reads statements, declarations and members, of which
// large ordinary files consist.
func TestOrdinaryCodeIsBelowLimit(t *testing.T) {
	for _, s := range shapes.Of() {
		switch s.Name {
		case "statements", "members of a class", "declarations", "imports", "comments":
		default:
			continue
		}
		src := []byte(s.Make(4000))
		used, err := lang.Operations(s.File, src, lang.All)
		if limit := syntax.Limit(len(src)) - syntax.Limit(0); used > limit/5 {
			t.Errorf("%s %s: %d operations of %d (%v)", s.File, s.Name, used, limit, err)
		}
	}
}
