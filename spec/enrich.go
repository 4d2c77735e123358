package spec

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/grounding"
	"github.com/reverse-spec/reverse-spec/internal/llm/fence"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Writer writes prose about code: a model. It may be asked by several goroutines at
// once.
type Writer interface {
	// Name says who writes, as in "anthropic/claude-sonnet-5-5".
	Name() string
	// Write does a task. Its error says, for people, what went wrong and what to do.
	Write(ctx context.Context, task Task) (Written, error)
}

// Task is what a [Writer] is asked.
type Task struct {
	System string          // what to do; the same for every module
	Text   string          // the module, and what its spec says already
	Schema json.RawMessage // of the answer
}

// Written is what a [Writer] answers.
type Written struct {
	Answer json.RawMessage
	Usage  Usage
}

// Usage counts the tokens of a [Writer].
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	Cached int `json:"cached"` // of the input, known to the provider from before
}

// Total is all tokens, read and written.
func (u Usage) Total() int { return u.Input + u.Output }

func (u Usage) plus(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.Cached + v.Cached}
}

// writing is what a [Writer] is told to do, before the instructions on data.
const writing = `You explain code to the engineers who maintain it. A specification of a module was generated from its code: every
signature, name, path and line in it is exact and none of your concern. You add what takes understanding: what the module is for,
how it works, what its requirements mean, where it can fail, what is owed.

Answer by the JSON Schema alone. Each statement is one paragraph that says one thing, plainly and for itself, and cites the lines
("path:line") that show it. Name code in backticks and exactly as it stands there. Do not repeat documentation, do not praise, do not
guess: what follows from the code without being said by a line is marked as inferred, and what does not follow is left out. An empty
list is a good answer where there is nothing to add. What you cite and name is checked against the code, and taken out when it is
not there.

`

// outcome is what came of asking a [Writer].
type outcome struct {
	asked     bool
	failed    error // why the writer has nothing to say; nil for an answer
	truncated bool
	inferred  int // statements that no line bears
	usage     Usage
	notes     []string // for the warnings of the result
}

// enrich asks a writer for prose and puts into the spec what the code bears out. That
// the writer fails is noted and no error; the error is the context's, or that of
// reading the code.
func (m *material) enrich(ctx context.Context, s *Spec, o GenerateOptions) (outcome, error) {
	out := outcome{asked: true}
	src, err := m.source(s)
	if err != nil {
		return out, err
	}
	chunks := []Chunk{{}}
	if m.tree.Scope == source.File {
		chunks = Chunks(m.tree.Files[0])
	}
	for _, lines := range chunks {
		if err := m.enrichChunk(ctx, s, src, lines, o, &out); err != nil || out.failed != nil {
			return out, err
		}
	}
	return out, nil
}

// awaiting stands first in a spec in place of what a writer failed to write, in the contract's
// words.
const awaiting = "[LLM UNAVAILABLE — pending enrichment]"

// AwaitsWriter tells whether a writer was asked and failed when the spec was written.
func (s *Spec) AwaitsWriter() bool { return strings.HasPrefix(s.Intent, awaiting) }

// enrichChunk asks about one chunk of the module.
func (m *material) enrichChunk(ctx context.Context, s *Spec, src *grounding.Source, lines Chunk, o GenerateOptions, out *outcome) error {
	about, err := Assemble(ctx, m.project, m.tree, ContextOptions{
		Model: o.Writer.Name(), Snippets: o.Deep, OutputDir: o.OutputDir, Lines: lines,
	})
	if err != nil {
		return err
	}
	out.truncated = out.truncated || about.Truncated
	progress.Report(ctx, progress.Event{Stage: "write", Item: m.name + " (" + o.Writer.Name() + ")"})
	written, err := o.Writer.Write(ctx, m.task(about, s))
	out.usage = out.usage.plus(written.Usage)
	var answer *grounding.Answer
	if err == nil {
		answer, err = grounding.Parse(written.Answer)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		out.failed = err
		out.notes = append(out.notes, message.Sprintf(ctx, "%s; the spec holds what the code proves", message.Render(message.From(ctx), err)))
		s.Intent = above(awaiting, s.Intent)
		return nil
	}
	src.Learn(about.Prompt)
	for _, r := range src.Check(answer) {
		out.notes = append(out.notes, message.Sprintf(ctx, "removed from what the model wrote: %s", r))
	}
	out.inferred += answer.Inferred()
	m.put(s, answer, o.Writer.Name())
	return nil
}

// source is the module's code as statements are held against it.
func (m *material) source(s *Spec) (*grounding.Source, error) {
	texts := map[string]string{}
	for _, f := range m.tree.Files {
		text, err := m.project.ReadFile(f.Path)
		if err != nil {
			return nil, err
		}
		texts[f.Path] = string(text)
	}
	var ids []string
	for _, r := range s.Requirements {
		ids = append(ids, r.ID)
	}
	return grounding.NewSource(texts, &m.merged, ids), nil
}

// maxListed bounds how many requirements a writer is told of.
const maxListed = 200

// task asks for prose on what a context shows.
func (m *material) task(about Context, s *Spec) Task {
	var system, b strings.Builder
	system.WriteString(writing)
	for _, part := range about.Parts {
		if part.Kind == Instructions {
			system.WriteString(part.Text)
		} else {
			b.WriteString(part.Text)
		}
	}
	fmt.Fprintf(&b, "\n\nThe module is `%s`. Write in %s.\n", m.name, wording.In(m.lang, "English", "Chinese (简体中文)"))
	if len(s.Requirements) > 0 {
		b.WriteString("The requirements of its specification, to be explained where there is more to say:\n")
		var titles []string // the project's words, most of them
		for _, r := range s.Requirements[:min(len(s.Requirements), maxListed)] {
			titles = append(titles, "- "+r.ID+": "+r.Title)
		}
		b.WriteString(fence.Data("requirements", strings.Join(titles, "\n")) + "\n")
	}
	return Task{System: system.String(), Text: b.String(), Schema: grounding.Schema()}
}

// put adds what was written to the sections of a spec, each under a line that says
// who wrote it.
func (m *material) put(s *Spec, a *grounding.Answer, by string) {
	for _, section := range []struct {
		to   *string
		list []grounding.Statement
	}{{&s.Intent, a.Intent}, {&s.Logic, a.Logic}, {&s.Constraints, a.Constraints}, {&s.EdgeCases, a.EdgeCases}, {&s.Debt, a.Debt}} {
		if len(section.list) == 0 {
			continue
		}
		var rows []string
		for _, st := range section.list {
			rows = append(rows, "- "+markdown.Quoted(st.Markdown(m.lang)))
		}
		*section.to = above(*section.to, m.byline(by)+"\n\n"+strings.Join(rows, "\n"))
	}
	said := map[string][]string{}
	for _, about := range a.Requirements {
		said[about.ID] = append(said[about.ID], markdown.Quoted(about.Markdown(m.lang)))
	}
	for _, id := range slices.Sorted(maps.Keys(said)) {
		i := slices.IndexFunc(s.Requirements, func(r Requirement) bool { return r.ID == id })
		r := &s.Requirements[i]
		r.Text = above(r.Text, m.byline(by)+" "+strings.Join(said[id], " "))
	}
}

// byline says who wrote what follows, and that it was checked.
func (m *material) byline(by string) string {
	return fmt.Sprintf(wording.In(m.lang, "_Explained by %s; its names and citations were checked against the code:_",
		"_由 %s 撰写；其中的名称与引用已对照代码核实：_"), by)
}
