package main

import (
	"context"
	"errors"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/config"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// writer adapts a model to [spec.Writer].
type writer struct{ model llm.Model }

// Name implements [spec.Writer].
func (w writer) Name() string { return w.model.Name() }

// Write implements [spec.Writer].
func (w writer) Write(ctx context.Context, task spec.Task) (spec.Written, error) {
	answer, err := w.model.Complete(ctx, llm.Request{
		System:   task.System,
		Messages: []llm.Message{{Role: llm.User, Text: task.Text}},
		Schema:   &llm.Schema{Name: "answer", JSON: task.Schema},
		Progress: func(p llm.Progress) { reportAnswer(ctx, w.model.Name(), p) },
	})
	if answer == nil {
		answer = &llm.Answer{}
		if failed, ok := errors.AsType[*llm.Error](err); ok {
			answer.Usage = failed.Usage
		}
	}
	u := answer.Usage
	return spec.Written{
		Answer: answer.JSON,
		Usage:  spec.Usage{Input: u.Input + u.CacheRead + u.CacheWrite, Output: u.Output, Cached: u.CacheRead},
	}, err
}

// reportAnswer reports the progress of an answer.
func reportAnswer(ctx context.Context, name string, p llm.Progress) {
	switch {
	case p.Err != nil:
		progress.Report(ctx, progress.Event{Stage: "model", Item: message.Sprintf(ctx, "%s: %v; next attempt in %v", name, p.Err, p.Pause)})
	default:
		progress.Report(ctx, progress.Event{Stage: "model", Item: name, Done: p.Bytes})
	}
}

// writers returns the function that opens the models of projects.
func writers(f modelFlags) mcp.Writers {
	return func(ctx context.Context, p *project.Project) (spec.Writer, []string, error) {
		return writerFor(ctx, p.Root(), f)
	}
}

// writerFor opens the writer of a project, whose root may be ""; nil if there is none, with
// the reason in the notes.
func writerFor(ctx context.Context, root string, f modelFlags) (spec.Writer, []string, error) {
	choice, settings, err := chooseModel(ctx, root, f)
	if err != nil {
		return nil, nil, err
	}
	w, notes := f.open(message.From(ctx), choice, settings)
	return w, notes, nil
}

// open opens the chosen model; nil for none. The notes are for results.
func (f modelFlags) open(lang message.Lang, choice *llm.Choice, settings *config.Config) (w spec.Writer, notes []string) {
	notes = slices.Concat(settings.Notes(lang), choice.Warnings)
	if choice.Provider == llm.None {
		return nil, notes
	}
	f.options.Rate = settings.LLM.Rate
	return writer{choice.Open(f.options)}, notes
}
