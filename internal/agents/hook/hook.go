// Package hook says in a line what a coding agent should know of the specs: which
// there are and how they stand, when a session starts; and to which spec a file
// belongs, and whether its interface changed, after an edit.
//
// Both stand in somebody's way, so both have a budget of time: what cannot be said
// within it is left out, and nothing that was not looked at is called fine. Where
// there are no specs, they say nothing.
package hook

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Event is what a client tells a hook, as far as it is used here.
type Event struct {
	Dir  string // the working folder of the session; "" when it is not told
	File string // that was written, as the client names it; "" for none
}

// maxEvent bounds what is read of an event, in bytes: it holds what was written.
const maxEvent = 64 << 20

// Read reads an event in the form of Claude Code, which other clients have taken over.
func Read(r io.Reader) (Event, error) {
	var e struct {
		Dir   string `json:"cwd"`
		Input struct {
			File     string `json:"file_path"`
			Notebook string `json:"notebook_path"`
		} `json:"tool_input"`
	}
	if err := json.NewDecoder(io.LimitReader(r, maxEvent)).Decode(&e); err != nil {
		return Event{}, message.Errorf("read the event: %w", err)
	}
	if e.Input.File == "" {
		e.Input.File = e.Input.Notebook
	}
	return Event{Dir: e.Dir, File: e.Input.File}, nil
}

// Reply returns the answer of a hook that follows a tool: text for the model, beside the
// tool's own result.
func Reply(text string) ([]byte, error) {
	type output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	reply, err := json.Marshal(map[string]output{"hookSpecificOutput": {"PostToolUse", text}})
	return append(reply, '\n'), err
}

// detect is [drift.Detect], which looks at its context now and then, for somebody who
// has to leave when the time is over: what is under way then is left alone.
func detect(ctx context.Context, p *project.Project, o drift.Options) (*drift.Report, error) {
	type outcome struct {
		report *drift.Report
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		r, err := drift.Detect(ctx, p, o)
		done <- outcome{r, err}
	}()
	select {
	case out := <-done:
		return out.report, out.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// age says how long something is ago.
func age(d time.Duration) message.Text {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return message.New("less than a minute")
	case d < time.Hour:
		return message.Count(int(d/time.Minute), "%d minute", "%d minutes")
	case d < 2*day:
		return message.Count(int(d/time.Hour), "%d hour", "%d hours")
	}
	return message.Count(int(d/day), "%d day", "%d days")
}
