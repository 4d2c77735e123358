package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/reverse-spec/reverse-spec/progress"
)

// bar shows progress on standard error: one line redrawn on a terminal, a line
// every few seconds elsewhere, and nothing for work that is over at once.
type bar struct {
	mu    sync.Mutex
	w     io.Writer
	tty   bool
	width int
	every time.Duration
	next  time.Time
	drawn bool
}

// How often progress is shown, and after what time first.
const (
	barFirst = 300 * time.Millisecond
	barTTY   = 100 * time.Millisecond
	barPlain = 5 * time.Second
)

// progress returns a context whose work shows on standard error until done.
func (a *app) progress(ctx context.Context) (context.Context, *bar) {
	b := &bar{w: a.err, every: barPlain, next: time.Now().Add(barPlain), width: 80}
	if isTerminal(a.err) {
		b.tty, b.every, b.next = true, barTTY, time.Now().Add(barFirst)
		if f, ok := a.err.(*os.File); ok {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
				b.width = w
			}
		}
	}
	return progress.With(ctx, b.show), b
}

func (b *bar) show(e progress.Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if now.Before(b.next) {
		return
	}
	b.next = now.Add(b.every)
	text := fmt.Sprintf("%s %d/%d %s", e.Stage, e.Done, e.Total, e.Item)
	if e.Total == 0 {
		text = e.Stage + " " + e.Item
	}
	if !b.tty {
		fmt.Fprintln(b.w, text)
		return
	}
	if len(text) >= b.width {
		text = text[:b.width-1]
	}
	fmt.Fprintf(b.w, "\r\x1b[K%s", text)
	b.drawn = true
}

// done clears the line.
func (b *bar) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
	b.drawn = false
}

// warn prints warnings on standard error.
func (a *app) warn(list []string) {
	for _, w := range list {
		fmt.Fprintf(a.err, "warning: %s\n", w)
	}
}
