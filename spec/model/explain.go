package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/grounding"
	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
)

// Writer writes prose about code: a language model. It must be safe for concurrent use.
type Writer interface {
	// Name returns the provider and the model, as in "anthropic/claude-sonnet-5-5".
	Name() string
	// Write answers a task. Its error tells a person what went wrong and what to do.
	Write(ctx context.Context, task Task) (Written, error)
}

// Task is a request to a [Writer].
type Task struct {
	System string          // instructions; the same for every module
	Text   string          // the module and the requirements of its spec
	Schema json.RawMessage // JSON Schema of the answer
}

// Written is the answer of a [Writer].
type Written struct {
	Answer json.RawMessage
	Usage  Usage
}

// Usage is the number of tokens that a [Writer] used.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	Cached int `json:"cached"` // part of Input that the provider had cached
}

// Total returns the tokens read and written.
func (u Usage) Total() int { return u.Input + u.Output }

func (u Usage) plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.Cached + v.Cached}
}

// writing is the system prompt of a [Writer], before the rules on fenced data.
const writing = `You explain code to the engineers who maintain it. A specification of a module was generated from its code: every
signature, name, path and line in it is exact and none of your concern. You add what takes understanding: what the module is for,
how it works, what its requirements mean, where it can fail, what is owed.

Answer by the JSON Schema alone. Each statement is one paragraph that says one thing, plainly and for itself, and cites the lines
("path:line") that show it. Name code in backticks and exactly as it stands there. Do not repeat documentation, do not praise, do not
guess: what follows from the code without being said by a line is marked as inferred, and what does not follow is left out. An empty
list is a good answer where there is nothing to add. What you cite and name is checked against the code, and taken out when it is
not there.

`

// Requirement is a requirement of the spec that the writer may explain.
type Requirement struct{ ID, Title string }

// ExplainOptions are the options of [Module.Explain].
type ExplainOptions struct {
	Lang         string // of the prose: "en" or "zh"
	Requirements []Requirement
}

// Prose is what a writer added to one spec. Each text is a statement in Markdown that was
// checked against the code, with its citations.
type Prose struct {
	Intent, Logic, Constraints, EdgeCases, Debt []string
	Requirements                                map[string][]string // by id
}

// Explanation is the result of [Module.Explain].
type Explanation struct {
	Prose     []Prose // of each chunk of the module
	Failed    error   // why the writer did not answer; nil if it did
	Truncated bool    // the writer did not see all of the code
	Inferred  int     // statements without a line that shows them
	Usage     Usage
	Notes     []string // warnings for the user
}

// Explain asks a writer for prose about the module and returns what the code confirms. A
// writer that fails is reported in the result; the error is ctx's, or that of reading the
// code.
func (m *Module) Explain(ctx context.Context, w Writer, o ExplainOptions) (*Explanation, error) {
	out := &Explanation{}
	src, err := m.source(o.Requirements)
	if err != nil {
		return out, err
	}
	chunks := []Chunk{{}}
	if m.Tree.Scope == source.File {
		chunks = Chunks(m.Tree.Files[0])
	}
	for _, lines := range chunks {
		if err := m.explainChunk(ctx, w, src, lines, o, out); err != nil || out.Failed != nil {
			return out, err
		}
	}
	return out, nil
}

// explainChunk asks about one chunk of the module.
func (m *Module) explainChunk(ctx context.Context, w Writer, src *grounding.Source, lines Chunk, o ExplainOptions, out *Explanation) error {
	about, err := m.Context(ctx, ContextOptions{Model: w.Name(), Snippets: true, Lines: lines})
	if err != nil {
		return err
	}
	out.Truncated = out.Truncated || about.Truncated
	progress.Report(ctx, progress.Event{Stage: "write", Item: m.Name + " (" + w.Name() + ")"})
	written, err := w.Write(ctx, m.task(about, o))
	out.Usage = out.Usage.plus(written.Usage)
	var answer *grounding.Answer
	if err == nil {
		answer, err = grounding.Parse(written.Answer)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		out.Failed = err
		out.Notes = append(out.Notes, message.Sprintf(ctx, "%s; the spec holds what the code proves", message.Render(message.From(ctx), err)))
		return nil
	}
	src.Learn(about.Prompt)
	for _, r := range src.Check(answer) {
		out.Notes = append(out.Notes, message.Sprintf(ctx, "removed from what the model wrote: %s", r))
	}
	out.Inferred += answer.Inferred()
	out.Prose = append(out.Prose, proseIn(o.Lang, answer))
	return nil
}

// source returns the module's code in the form that statements are checked against.
func (m *Module) source(reqs []Requirement) (*grounding.Source, error) {
	texts := map[string]string{}
	for _, f := range m.Tree.Files {
		text, err := m.Project.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		texts[f.Path] = string(text)
	}
	var ids []string
	for _, r := range reqs {
		ids = append(ids, r.ID)
	}
	return grounding.NewSource(texts, &m.Merged, ids), nil
}

// maxListed is how many requirements are listed for a writer.
const maxListed = 200

// task returns the request for prose about a context.
func (m *Module) task(about Context, o ExplainOptions) Task {
	var system, b strings.Builder
	system.WriteString(writing)
	for _, part := range about.Parts {
		if part.Kind == Instructions {
			system.WriteString(part.Text)
		} else {
			b.WriteString(part.Text)
		}
	}
	fmt.Fprintf(&b, "\n\nThe module is `%s`. Write in %s.\n", m.Name, languageName(o.Lang))
	if len(o.Requirements) > 0 {
		b.WriteString("The requirements of its specification, to be explained where there is more to say:\n")
		var titles []string // mostly text of the project
		for _, r := range o.Requirements[:min(len(o.Requirements), maxListed)] {
			titles = append(titles, "- "+r.ID+": "+r.Title)
		}
		b.WriteString(prompt.Data("requirements", strings.Join(titles, "\n")) + "\n")
	}
	return Task{System: system.String(), Text: b.String(), Schema: grounding.Schema()}
}

func languageName(lang string) string {
	if lang == "zh" {
		return "简体中文"
	}
	return "English"
}

// proseIn renders the statements of an answer in a language.
func proseIn(lang string, a *grounding.Answer) Prose {
	texts := func(list []grounding.Statement) []string {
		var out []string
		for _, s := range list {
			out = append(out, s.Markdown(lang))
		}
		return out
	}
	p := Prose{
		Intent: texts(a.Intent), Logic: texts(a.Logic), Constraints: texts(a.Constraints), EdgeCases: texts(a.EdgeCases), Debt: texts(a.Debt),
		Requirements: map[string][]string{},
	}
	for _, about := range a.Requirements {
		p.Requirements[about.ID] = append(p.Requirements[about.ID], about.Markdown(lang))
	}
	return p
}
