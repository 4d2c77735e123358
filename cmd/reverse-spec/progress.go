package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
)

// bar shows progress on standard error: a line that is redrawn on a terminal; otherwise a line
// for each written module, or one every few seconds for other work. Short work shows nothing.
type bar struct {
	mu    sync.Mutex
	w     io.Writer
	tty   bool
	width int
	every time.Duration
	next  time.Time
	drawn bool
	said  map[int]bool // modules that were printed
	// waited is set once the message about waiting was printed.
	waited bool
	lang   message.Lang
	// verbose prints how long each stage took.
	verbose bool
	stage   string
	since   time.Time
}

// Delay before progress is shown, and its interval.
const (
	barFirst = 300 * time.Millisecond
	barTTY   = 100 * time.Millisecond
	barPlain = 5 * time.Second
)

// moduleStage is the stage in which a batch processes modules.
const moduleStage = "generate"

// waitStage is the stage of waiting for another process; it is shown at once.
const waitStage = "wait"

// progress returns a context whose progress is shown on standard error until done is called.
func (a *app) progress(ctx context.Context) (context.Context, *bar) {
	b := &bar{w: a.err, every: barPlain, next: time.Now().Add(barPlain), width: 80, said: map[int]bool{}, lang: a.lang, verbose: a.verbose}
	if a.quiet {
		return progress.With(ctx, func(progress.Event) {}), b
	}
	if isTerminal(a.err) && !a.verbose {
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
	if !b.tty && !b.verbose && e.Stage == moduleStage && e.Total > 0 {
		b.module(e)
		return
	}
	now := time.Now()
	if b.verbose && e.Stage != b.stage {
		b.ended(now)
		b.stage, b.since = e.Stage, now
	}
	if e.Stage == waitStage && !b.waited {
		b.waited, b.next = true, now
	}
	if now.Before(b.next) {
		return
	}
	b.next = now.Add(b.every)
	if !b.tty {
		fmt.Fprintln(b.w, strings.TrimSpace(b.count(e)+" "+e.Item))
		return
	}
	fmt.Fprintf(b.w, "\r\x1b[K%s", b.drawing(e))
	b.drawn = true
}

// ended prints how long the last stage took.
func (b *bar) ended(now time.Time) {
	if b.stage != "" {
		fmt.Fprintf(b.w, "%s: %.2fs\n", b.count(progress.Event{Stage: b.stage}), now.Sub(b.since).Seconds())
	}
	b.stage = ""
}

// module prints the line of a module once.
func (b *bar) module(e progress.Event) {
	if e.Item != "" && !b.said[e.Done] {
		b.said[e.Done] = true
		fmt.Fprintf(b.w, "[%d/%d] %s\n", e.Done+1, e.Total, e.Item)
	}
}

// stages returns the messages for the stages of long work.
func stages() []string {
	return []string{
		message.Key("embed"), message.Key("federate"), message.Key("generate"), message.Key("link"), message.Key("model"), message.Key("prepare"),
		message.Key("parse"), message.Key("scip"), message.Key("wait"), message.Key("write"),
	}
}

// count describes the progress of a stage.
func (b *bar) count(e progress.Event) string {
	stage := e.Stage
	if slices.Contains(stages(), stage) {
		stage = message.Translate(b.lang, stage)
	}
	if e.Total == 0 {
		return stage
	}
	return fmt.Sprintf("%s %d/%d", stage, e.Done, e.Total)
}

// drawing returns the terminal line, with a bar if the total is known.
func (b *bar) drawing(e progress.Event) string {
	width := b.width - 1
	text := strings.TrimSpace(b.count(e) + " " + e.Item)
	if e.Total > 0 {
		const cells = 20
		full := min(cells*e.Done/e.Total, cells)
		text = "[" + strings.Repeat("=", full) + strings.Repeat(" ", cells-full) + "] " + text
	}
	if utf8.RuneCountInString(text) > width {
		text = string([]rune(text)[:width])
	}
	return text
}

// done clears the line.
func (b *bar) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.verbose {
		b.ended(time.Now())
	}
	if b.drawn {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
	b.drawn = false
}

// warn prints warnings to standard error.
func (a *app) warn(list []string) {
	for _, w := range list {
		a.note(message.New("warning: %s", w))
	}
}

// note prints what is not the result to standard error, unless the run is quiet.
func (a *app) note(t message.Text) { a.aside(a.localize(t)) }

// aside prints a line to standard error, unless the run is quiet.
func (a *app) aside(line string) {
	if !a.quiet {
		fmt.Fprintln(a.err, line)
	}
}

// hidden warns that something was left out, if anything was.
func (a *app) hidden(t message.Text, n int) {
	if n > 0 {
		a.warn([]string{a.localize(t)})
	}
}
