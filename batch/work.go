package batch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/reverse-spec/reverse-spec/progress"
	"github.com/reverse-spec/reverse-spec/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// work does the modules, level by level: those of one level rest on lower ones
// only. The error is the context's, or that of the checkpoint.
func (b *run) work(ctx context.Context) error {
	done := 0
	for from := 0; from < len(b.plan.modules); {
		to := from
		for to < len(b.plan.modules) && b.plan.modules[to].level == b.plan.modules[from].level {
			to++
		}
		if err := b.level(ctx, b.plan.modules[from:to], &done); err != nil {
			return err
		}
		from = to
	}
	progress.Report(ctx, progress.Event{Stage: "generate", Done: done, Total: len(b.plan.modules)})
	return ctx.Err()
}

// level does modules side by side. Done counts the modules that are over.
func (b *run) level(ctx context.Context, modules []*module, done *int) error {
	var mu sync.Mutex // of next, done, errs
	var wg sync.WaitGroup
	var errs []error
	next := 0
	take := func() (m *module, finished int) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(modules) || len(errs) > 0 || ctx.Err() != nil {
			return nil, 0
		}
		next++
		return modules[next-1], *done
	}
	for range min(b.opts.Workers, len(modules)) {
		wg.Go(func() {
			for m, finished := take(); m != nil; m, finished = take() {
				err := b.module(ctx, m, finished)
				mu.Lock()
				*done++
				if err != nil {
					errs = append(errs, err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	return ctx.Err()
}

// module does one module. The error is that of the checkpoint; the module's own
// is in its failure. A module that the context's end interrupts stays pending.
func (b *run) module(ctx context.Context, m *module, finished int) error {
	defer func() { m.files = nil }()
	if m.outcome == skipped { // not touched since the base
		return nil
	}
	r, err := b.attempts(ctx, m, finished)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil
	case err != nil:
		m.outcome = failed
		m.failure = Failed{Path: m.path, Error: err.Error(), FailedAt: stamp(b.opts.Now()), RetryCount: b.state.attempts(m.path), DegradedToASTOnly: m.degraded}
		return b.state.failed(m)
	case r == nil: // unchanged
		return nil
	}
	m.outcome, m.hasSpec = written, true
	m.specPath, m.confidence, m.tokens, m.warnings = r.SpecPath, r.Confidence, r.TokenUsage, r.Warnings
	m.degraded = m.degraded || r.Degraded
	return b.state.completed(m, b.opts.Now())
}

// attempts writes the module's spec, and where that fails with a writer, without
// one. The result is nil when it need not be written.
func (b *run) attempts(ctx context.Context, m *module, finished int) (*spec.GenerateResult, error) {
	r, err := b.attempt(ctx, m, finished, b.opts.Writer)
	if err == nil || ctx.Err() != nil || b.opts.Writer == nil {
		return r, err
	}
	m.degraded = true
	r, again := b.attempt(ctx, m, finished, nil)
	if r != nil {
		r.Warnings = append([]string{err.Error()}, r.Warnings...)
	}
	return r, again
}

// attempt writes the module's spec once. A panic costs this module only.
func (b *run) attempt(ctx context.Context, m *module, finished int, writer spec.Writer) (r *spec.GenerateResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			r, err = nil, fmt.Errorf("内部错误: %v (internal error)", p)
		}
	}()
	m.look(b)
	lang, unchanged := b.compare(m)
	if unchanged {
		return nil, nil //nolint:nilnil // nothing to do is no fault
	}
	progress.Report(ctx, progress.Event{Stage: "generate", Item: m.path, Done: finished, Total: len(b.plan.modules)})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.state.started(m)
	tree := &source.Tree{Target: m.path, Scope: source.Folder, Files: m.files}
	tree.Tests = b.tests.Of(tree)
	return b.opts.Generate(ctx, b.project, tree, spec.GenerateOptions{
		OutputDir: b.opts.OutputDir, Lang: lang, Scope: source.Folder, Now: b.opts.Now, Check: b.opts.Check,
		Deep: b.opts.Deep, Writer: writer,
	})
}

// compare looks at the spec that the module has. When that is as it should be,
// the module is unchanged: written, when an earlier run that this one goes on
// with has done so, else skipped. Lang is the language to write in.
func (b *run) compare(m *module) (lang string, unchanged bool) {
	old, err := b.head(m.specPath)
	if err != nil {
		return b.opts.Lang, false
	}
	lang = cmp.Or(b.opts.Lang, old.Lang)
	m.hasSpec, m.confidence = true, old.Front.Confidence
	same := old.Front.SkeletonHash == m.hash && old.Front.GeneratedBy == spec.Generator &&
		old.Front.Scope == string(source.Folder) && old.Lang == lang
	switch {
	case same && b.state.done(m):
		m.outcome = written
	case same && !b.opts.Force:
		m.outcome = skipped
	default:
		return lang, false
	}
	return lang, true
}

// headSize is how much of a spec is read after its front matter: enough to see
// the first headings, by which its language is known. A spec ends in its
// baseline, which may be large and takes longer to read than the code it is of.
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

// collect fills the result from what became of the modules.
func (b *run) collect() {
	for _, m := range b.plan.modules {
		switch m.outcome {
		case written:
			b.result.Successful = append(b.result.Successful, m.path)
			if m.degraded {
				b.result.Degraded = append(b.result.Degraded, m.path)
			}
		case skipped:
			b.result.Skipped = append(b.result.Skipped, m.path)
		case failed:
			b.result.Failed = append(b.result.Failed, m.failure)
		case pending:
		}
		b.warn(m.warnings...)
	}
}
