package batch

import (
	"context"
	"errors"
	"io"

	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Estimated is a prediction of a run.
type Estimated struct {
	TotalModules int               `json:"totalModules"`
	Modules      []EstimatedModule `json:"modules"`   // modules to write, in order; never nil
	Unchanged    int               `json:"unchanged"` // number of modules to skip
	Writer       string            `json:"writer,omitempty"`
	Requests     int               `json:"requests"` // requests to the writer, without retries
	Tokens       int               `json:"tokens"`   // input tokens of the writer, by [prompt.Tokens]
	Warnings     []string          `json:"warnings,omitempty"`
}

// EstimatedModule is a module to be written.
type EstimatedModule struct {
	Path     string `json:"path"`
	SpecPath string `json:"specPath"`
	Reason   Reason `json:"reason"`
	Requests int    `json:"requests"`
	Tokens   int    `json:"tokens"`
}

// Estimate predicts what [Run] would do with the same options, and how much a writer would
// have to read. It writes nothing and sends no requests. Dependencies are counted with their
// current specs; Run may rewrite those, so the figure is an estimate. Errors are those of
// [source.Read].
func Estimate(ctx context.Context, p *project.Project, opts Options) (*Estimated, error) {
	if err := opts.defaults(ctx, p); err != nil {
		return nil, err
	}
	b := &run{project: p, opts: opts, begin: opts.Now(), result: &Result{}, lang: message.From(ctx), commits: source.NewCommits(p)}
	defer b.commits.Close() //nolint:errcheck // nothing is written to it
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	out := &Estimated{TotalModules: len(b.plan.modules), Modules: []EstimatedModule{}}
	if opts.Writer != nil {
		out.Writer = opts.Writer.Name()
	}
	for _, m := range b.plan.modules {
		row, err := b.estimate(ctx, m)
		if err != nil {
			return nil, err
		}
		if row == nil {
			out.Unchanged++
			continue
		}
		out.Modules = append(out.Modules, *row)
		out.Requests += row.Requests
		out.Tokens += row.Tokens
	}
	out.Warnings = b.result.Warnings
	return out, nil
}

// estimate predicts the work for a module; nil if it would be skipped.
func (b *run) estimate(ctx context.Context, m *module) (*EstimatedModule, error) {
	if m.outcome == skipped {
		return nil, nil // there is nothing to do
	}
	m.look(b)
	why, lang := b.compare(m)
	if why == "" {
		return nil, nil // there is nothing to do
	}
	row := &EstimatedModule{Path: m.Path, SpecPath: m.SpecPath, Reason: why}
	if b.opts.Writer == nil {
		return row, nil
	}
	count := &counter{name: b.opts.Writer.Name()}
	tree, err := b.tree(ctx, m)
	if err != nil {
		return nil, err
	}
	o := b.options(lang, count)
	o.To, o.Check = io.Discard, nil
	if _, err := b.opts.Generate(ctx, b.project, tree, o); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		b.warn(m.Path + ": " + message.Render(b.lang, err)) // the same warning as in Run
	}
	row.Requests, row.Tokens = count.requests, count.tokens
	return row, nil
}

// counter is a writer that counts its tasks and never answers.
type counter struct {
	name             string
	requests, tokens int
}

// Name returns the name of the real writer, which determines the context budget.
func (c *counter) Name() string { return c.name }

// Write counts the task.
func (c *counter) Write(_ context.Context, task spec.Task) (spec.Written, error) {
	c.requests++
	c.tokens += prompt.Tokens(task.System) + prompt.Tokens(task.Text) + prompt.Tokens(string(task.Schema))
	return spec.Written{}, errNobody
}

var errNobody = errors.New("nobody is asked")
