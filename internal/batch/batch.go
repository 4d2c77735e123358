// Package batch writes the specs of a whole project. [Run] does the work and returns a
// [Result]; [Estimate] predicts it.
//
// A module is a folder with source files. It gets one spec, about the files directly in it.
// Modules are processed in dependency order, in parallel where the order permits. A module
// that has not changed since its spec was written is skipped, a module that fails does not
// stop the others, and a run that was killed resumes where it stopped.
package batch

import (
	"cmp"
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/batch/formcache"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

// Options are the options of [Run]. The zero value writes the specs of changed modules into
// "specs".
type Options struct {
	Force bool // write the specs of unchanged modules, too
	// Everywhere writes first specs also of what stands beside the product: examples, benchmarks, support of tests, documentation.
	Everywhere bool
	Summary    bool   // write a summary of the run next to the specs
	OutputDir  string // within the project
	Lang       string // "en" or "zh"; "" as in [spec.GenerateOptions]
	Workers    int    // modules processed in parallel; 0 for 2
	// Base is a git revision. Modules whose files are the same there are skipped. "" for none.
	Base   string
	Deep   bool        // show the writer functions in full
	All    bool        // pages of any length
	Writer spec.Writer // adds prose to specs; nil for none
	Notes  []string    // for the warnings: why there is no writer
	Now    func() time.Time
	Check  spec.Check     // runs the contract tests before they are written; nil to skip that
	Form   format.Options // the format in which requirements are written besides the specs
	// Cache is a folder outside the project for what is known of the format; "" for none.
	Cache string

	// Generate writes the spec of one module; nil for [spec.GenerateTree]. It must be safe for
	// concurrent use.
	Generate func(ctx context.Context, p *project.Project, tree *source.Tree, opts spec.GenerateOptions) (*spec.GenerateResult, error)
}

// defaultWorkers is the default of Options.Workers.
const defaultWorkers = 2

func (o *Options) defaults(ctx context.Context, p *project.Project) error {
	o.Lang = cmp.Or(o.Lang, string(message.Explicit(ctx)))
	if o.Lang != "" && o.Lang != "en" && o.Lang != "zh" {
		return message.Errorf("no such language for specs: %s (en or zh)", o.Lang)
	}
	out, err := p.Rel(cmp.Or(o.OutputDir, spec.DefaultOutputDir))
	if err != nil {
		return err
	}
	o.OutputDir = out
	if o.Workers < 1 {
		o.Workers = defaultWorkers
	}
	if o.Form.Format, err = format.Choose(ctx, p, o.Form.Format); err != nil {
		return err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Generate == nil {
		o.Generate = spec.GenerateTree
	}
	return nil
}

// Run writes a spec for each module of the project and an index of them.
//
// A module is skipped if its spec was written by this version of the program, in the requested
// language, from the same files, with its lock, and with the writer if there is one, or if a Base is given and
// its files are the same there. A module whose spec cannot be written is tried again without
// the writer. Locks of specs that no longer exist are removed. Progress is recorded in a checkpoint next to the specs, which is removed after a
// run without failures. A run that finds a checkpoint does not repeat the recorded work, even
// with Force. A lock prevents two runs on one project; the error is then a [*RunningError].
// Other errors are those of [source.Read] and of writing.
//
// If ctx ends, the error is ctx's and the result has the work done so far. Progress is
// reported as the stages "parse" and "generate".
func Run(ctx context.Context, p *project.Project, opts Options) (r *Result, err error) {
	if p.Revision() != "" {
		return nil, message.Errorf("batch: %w", project.ErrReadOnly)
	}
	if err := opts.defaults(ctx, p); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(p.Root())
	if err != nil {
		return nil, message.Errorf("open the project: %w", err)
	}
	defer root.Close() //nolint:errcheck // nothing is written through it
	b := &run{
		project: p, root: root, opts: opts, begin: opts.Now(), lang: cmp.Or(message.Lang(opts.Lang), message.From(ctx)),
		result:  &Result{Successful: []string{}, Failed: []Failed{}, Skipped: []string{}, Degraded: []string{}},
		commits: source.NewCommits(p),
	}
	defer b.commits.Close() //nolint:errcheck // nothing is written to it
	lock, err := b.lock()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	defer func() { r.Duration = opts.Now().Sub(b.begin).Milliseconds() }()
	return b.result, b.all(ctx)
}

// run is a batch in progress.
type run struct {
	project *project.Project
	root    *os.Root
	opts    Options
	begin   time.Time
	plan    *plan
	state   *state
	tests   *source.Tests // of the whole project
	linker  *source.Linker
	service *source.Services
	result  *Result
	commits *source.Commits
	lang    message.Lang // of messages about the run

	forms    *formcache.Cache  // nil for none
	formed   map[string]string // by module: a hash of what the format has of it
	mu       sync.Mutex        // guards outlines
	outlines []*spec.Outline   // for the format
}

// prepare determines the work to do.
func (b *run) prepare(ctx context.Context) error {
	var err error
	if b.plan, err = b.makePlan(ctx); err != nil {
		return err
	}
	b.result.TotalModules, b.result.LeftOut = len(b.plan.modules), b.plan.leftOut
	b.warn(b.opts.Notes...)
	if err := b.leaveUntouched(ctx); err != nil {
		return err
	}
	b.state, err = b.readState()
	return err
}

// all does everything while the lock is held.
func (b *run) all(ctx context.Context) error {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	if err := b.state.open(); err != nil {
		return err
	}
	b.openForms(ctx)
	workErr := b.work(ctx)
	b.collect()
	if err := b.state.close(len(b.result.Failed) == 0 && workErr == nil); err != nil || workErr != nil {
		return cmp.Or(workErr, err)
	}
	if err := b.removeLocks(); err != nil {
		return err
	}
	if err := b.writeFormat(ctx); err != nil {
		return err
	}
	indexErr := b.writeIndex(ctx)
	b.result.IndexGenerated = indexErr == nil
	if b.opts.Summary {
		indexErr = errors.Join(indexErr, b.writeSummary())
	}
	return indexErr
}
