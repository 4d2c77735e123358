// Package hook has the session hooks of coding agents. [SessionStart] returns a line about the
// project's specs and their state, [PostEdit] one about the spec of an edited file and changes
// of its interface.
//
// Hooks delay the user, so both have a time limit: what is not known in time is left out, and
// nothing unchecked is reported as fine. In a project without specs they return nothing.
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

// Event is the part of a client's hook input that is used here.
type Event struct {
	Dir  string // working directory of the session; "" if unknown
	File string // the written file, as the client names it; "" for none
}

// maxEvent limits the input, in bytes; it includes the written text.
const maxEvent = 64 << 20

// Read parses an event in Claude Code's format, which other clients have adopted.
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

// Reply returns the output of a hook after a tool call: text for the model in addition to the
// tool's result.
func Reply(text string) ([]byte, error) {
	type output struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	}
	reply, err := json.Marshal(map[string]output{"hookSpecificOutput": {"PostToolUse", text}})
	return append(reply, '\n'), err
}

// detect calls [drift.Detect] and returns when ctx ends, even if Detect is still running.
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

// age formats a duration as an age.
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
