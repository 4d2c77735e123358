// Package batch writes the specs of a whole project.
//
// A module is a folder that holds source files; it gets one spec of the files
// directly in it. Modules are done in the order of their dependencies, side by
// side where the order allows. One that has not changed since its spec was
// written is skipped, one that fails does not stop the others, and a run that
// was killed goes on where it stopped: see [Run].
package batch

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
)

// Options are the options of [Run]. The zero value writes what has changed, in
// English, into "specs".
type Options struct {
	Force     bool   // write the specs of unchanged modules too
	Summary   bool   // write what the run did into a file beside the specs
	OutputDir string // within the project
	Lang      string // "en" or "zh"; "" as in [spec.GenerateOptions]
	Workers   int    // modules done side by side; 0 for 2
	// Base is a revision of git: modules whose files are as they were there are
	// skipped. "" for none.
	Base   string
	Deep   bool        // the writer sees functions in full
	Writer spec.Writer // adds prose to specs; nil for nobody
	Notes  []string    // why there is no writer: for the warnings
	Now    func() time.Time
	Check  spec.Check // runs the contract tests before they are written; nil for not

	// Generate writes the spec of one module; nil for [spec.GenerateTree]. It is
	// called from several goroutines.
	Generate func(ctx context.Context, p *project.Project, tree *source.Tree, opts spec.GenerateOptions) (*spec.GenerateResult, error)
}

// defaultWorkers is how many modules are done side by side.
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
// A module is skipped when its spec was made by this version of the program, in
// the language asked for, from the same files, by the writer if there is one, and where a Base is given, when its
// files are as they were then. One that cannot be written is tried again without the
// writer. What is done is noted in a
// checkpoint beside the specs; it is removed after a run without failures, and a
// run that finds one does not do again what is noted there, even with Force. A
// lock keeps two runs from one project: the error is a [*RunningError]. Other
// errors are those of [source.Read] and of writing.
//
// When the context ends, the error is its, and the result tells what was done
// until then. Progress is reported as the stages "parse" and "generate".
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
		result: &Result{Successful: []string{}, Failed: []Failed{}, Skipped: []string{}, Degraded: []string{}},
	}
	lock, err := b.lock()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, lock.release()) }()
	defer func() { r.Duration = opts.Now().Sub(b.begin).Milliseconds() }()
	return b.result, b.all(ctx)
}

// run is one batch under way.
type run struct {
	project *project.Project
	root    *os.Root
	opts    Options
	begin   time.Time
	plan    *plan
	state   *state
	tests   *source.Tests // of the whole project
	result  *Result
	lang    message.Lang // of what is told of the run
}

// prepare finds out what there is to do.
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

// all does everything between the lock and its release.
func (b *run) all(ctx context.Context) error {
	if err := b.prepare(ctx); err != nil {
		return err
	}
	if err := b.state.open(); err != nil {
		return err
	}
	workErr := b.work(ctx)
	b.collect()
	if err := b.state.close(len(b.result.Failed) == 0 && workErr == nil); err != nil || workErr != nil {
		return cmp.Or(workErr, err)
	}
	indexErr := b.writeIndex()
	b.result.IndexGenerated = indexErr == nil
	if b.opts.Summary {
		indexErr = errors.Join(indexErr, b.writeSummary())
	}
	return indexErr
}
