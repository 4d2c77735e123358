package batch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

// work processes the modules level by level; modules of a level depend on lower levels only.
// The error is ctx's or that of the checkpoint.
func (b *run) work(ctx context.Context) error {
	total := len(b.plan.modules)
	for from := 0; from < total; {
		to := from
		for to < total && b.plan.modules[to].Level == b.plan.modules[from].Level {
			to++
		}
		if err := b.level(ctx, from, to); err != nil {
			return err
		}
		from = to
	}
	progress.Report(ctx, progress.Event{Stage: "generate", Done: total, Total: total})
	return ctx.Err()
}

// level processes the modules in a range of positions in parallel.
func (b *run) level(ctx context.Context, from, to int) error {
	var mu sync.Mutex // guards next and errs
	var wg sync.WaitGroup
	var errs []error
	next := from
	take := func() (position int, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == to || len(errs) > 0 || ctx.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range min(b.opts.Workers, to-from) {
		wg.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				if err := b.module(ctx, b.plan.modules[i], i); err != nil {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return ctx.Err()
}

// module processes one module. The error is that of the checkpoint; the module's own error is
// recorded as its failure. A module interrupted by the end of ctx stays pending.
func (b *run) module(ctx context.Context, m *module, position int) error {
	defer func() { m.files = nil }() // the bodies have been read for its spec alone
	if m.outcome == skipped {        // unchanged since the base
		m.look(b)
		return nil
	}
	r, err := b.attempts(ctx, m, position)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil:
		m.outcome = failed
		m.failure = Failed{Path: m.Path, Error: message.Render(b.lang, err), FailedAt: stamp(b.opts.Now()), RetryCount: b.state.attempts(m.Path), DegradedToASTOnly: m.degraded}
		return b.state.failed(m)
	case r == nil: // unchanged
		return b.outline(ctx, m)
	}
	if !m.aside() {
		b.keepOutline(r.Outline)
	}
	m.outcome, m.hasSpec = written, true
	m.SpecPath, m.Confidence, m.tokens, m.warnings = r.SpecPath, r.Confidence, r.TokenUsage, r.Warnings
	m.degraded = m.degraded || r.Degraded
	return b.state.completed(m, b.opts.Now())
}

// attempts writes the module's spec and, if that fails with a writer, tries again without. The
// result is nil if the spec is up to date.
func (b *run) attempts(ctx context.Context, m *module, position int) (*spec.GenerateResult, error) {
	r, err := b.attempt(ctx, m, position, b.opts.Writer)
	if err == nil || ctx.Err() != nil || b.opts.Writer == nil {
		return r, err
	}
	m.degraded = true
	r, again := b.attempt(ctx, m, position, nil)
	if r != nil {
		r.Warnings = append([]string{message.Render(b.lang, err)}, r.Warnings...)
	}
	return r, again
}

// attempt writes the module's spec once. A panic fails only this module.
func (b *run) attempt(ctx context.Context, m *module, position int, writer spec.Writer) (r *spec.GenerateResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, message.Errorf("internal error: %v", p)
		}
	}()
	m.look(b)
	why, lang := b.compare(m)
	if why == "" {
		return nil, nil // there is nothing to do
	}
	progress.Report(ctx, progress.Event{Stage: "generate", Item: m.Path, Done: position, Total: len(b.plan.modules)})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.state.started(m)
	tree, err := b.tree(ctx, m)
	if err != nil {
		return nil, err
	}
	return b.opts.Generate(b.within(ctx, m, position), b.project, tree, b.options(lang, writer))
}

// tree returns the files of a module with what they are related to. The error is that of the context.
func (b *run) tree(ctx context.Context, m *module) (*source.Tree, error) {
	tree := &source.Tree{Target: m.Path, Scope: source.Folder, Files: m.files}
	if err := b.service.Find(ctx, tree); err != nil { // which tests send requests to it
		return nil, err
	}
	tree.Tests, tree.Visitors = b.tests.Of(tree)
	b.linker.Link(tree)
	return tree, b.service.Related(ctx, tree)
}

// options returns the options for a module's spec.
func (b *run) options(lang string, writer spec.Writer) spec.GenerateOptions {
	return spec.GenerateOptions{
		OutputDir: b.opts.OutputDir, Lang: lang, Scope: source.Folder, Now: b.opts.Now, Check: b.opts.Check,
		Deep: b.opts.Deep, All: b.opts.All, Writer: writer, Commits: b.commits, Outline: b.opts.Form.Format != format.Own,
	}
}

// within returns a context in which progress of the writer is reported for the module, as a
// count of modules.
func (b *run) within(ctx context.Context, m *module, position int) context.Context {
	return progress.With(ctx, func(e progress.Event) {
		if e.Stage != "write" { // it repeats what is reported already
			progress.Report(ctx, progress.Event{
				Stage: "generate", Item: m.Path + " (" + e.Item + ")", Done: position, Total: len(b.plan.modules),
			})
		}
	})
}

// Reason is the reason to write a module's spec.
type Reason string

// Reasons.
const (
	New      Reason = "new"      // it has no spec
	Changed  Reason = "changed"  // its files changed
	Outdated Reason = "outdated" // another version of the program wrote the spec
	Another  Reason = "another"  // the spec has another language or scope
	Unlocked Reason = "unlocked" // its lock is missing or damaged, or was written with another version of it
	Awaiting Reason = "awaiting" // the writer failed last time, and there is one now
	Forced   Reason = "forced"
)

// compare compares a module with its spec and returns the reason to write it and the language.
// The reason is "" if it is up to date: the module then counts as written if the resumed run
// wrote it, and otherwise as skipped.
func (b *run) compare(m *module) (why Reason, lang string) {
	old, err := b.head(m.SpecPath)
	if err != nil {
		return New, b.opts.Lang
	}
	lang = cmp.Or(b.opts.Lang, old.Lang)
	m.hasSpec, m.Confidence = true, old.Front.Confidence
	switch {
	case old.Front.SkeletonHash != m.hash:
		return Changed, lang
	case old.Front.GeneratedBy != spec.Generator:
		return Outdated, lang
	case old.Front.Scope != string(source.Folder) && b.plan.hasBelow(m), old.Lang != lang:
		return Another, lang
	case !spec.LockAgrees(b.project, m.SpecPath, old.Front):
		return Unlocked, lang
	case b.state.done(m):
		m.outcome = written
	case b.opts.Force:
		return Forced, lang
	case b.opts.Writer != nil && old.AwaitsWriter():
		return Awaiting, lang
	default:
		m.outcome = skipped
	}
	return "", lang
}

// headSize is how much of a spec is read after its front matter, enough for the first
// headings, which determine its language.
const headSize = 4 << 10

// head reads the beginning of a spec.
func (b *run) head(file string) (*spec.Spec, error) {
	text, err := b.project.ReadUpTo(file, spec.MaxSize)
	if err != nil {
		return nil, err
	}
	end := max(bytes.Index(text, []byte("\n---\n")), 0) + headSize
	if end < len(text) {
		text = text[:bytes.LastIndexByte(text[:end], '\n')+1]
	}
	return spec.Parse(text)
}

// collect fills in the result from the outcomes of the modules.
func (b *run) collect() {
	for _, m := range b.plan.modules {
		switch m.outcome {
		case written:
			b.result.Successful = append(b.result.Successful, m.Path)
			if m.degraded {
				b.result.Degraded = append(b.result.Degraded, m.Path)
			}
		case skipped:
			b.result.Skipped = append(b.result.Skipped, m.Path)
		case failed:
			b.result.Failed = append(b.result.Failed, m.failure)
		case pending:
		}
		b.warn(m.warnings...)
	}
}
