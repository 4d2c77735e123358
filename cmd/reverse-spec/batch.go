package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/spec"
)

func (a *app) batchCommand() *cobra.Command {
	var opts batch.Options
	var model modelFlags
	var asJSON, check, dry bool
	var price string
	cmd := &cobra.Command{
		Use:   "batch [project]",
		Short: "Write the specs of a whole project",
		Long: `Batch writes one spec for each folder with source files, dependencies first, and an
index of all specs. Modules that have not changed since their spec was written are
skipped; a run that was killed continues where it stopped. While it runs, a line on
standard error names each module that is written. Folders of examples, benchmarks,
test support and documentation get no spec, unless they have one or --everywhere asks
for it.

With --dry-run it says what it would write and why, and what a model would read for
it and cost. Nothing is written, and no model is asked.

EXIT STATUS
  1 when a module failed; the others are written`,
		Args: rangeArgs(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				a.sayOwnProject(args[0])
				a.project = args[0]
			}
			if price != "" && !dry {
				return usageError{message.Errorf("--price is for --dry-run")}
			}
			if check {
				opts.Check = checker()
			}
			return with(a.open, func(p *project.Project) error {
				if dry {
					f, err := a.estimate(cmd.Context(), p, opts, model, price)
					if err != nil {
						return err
					}
					return a.printForecast(f, asJSON)
				}
				r, err := a.batch(cmd.Context(), p, opts, model)
				if err != nil {
					return err
				}
				return a.printBatch(r, asJSON)
			})
		},
	}
	addBatchFlags(cmd, &opts)
	cmd.Flags().BoolVar(&check, "check", false, checkUsage)
	cmd.Flags().BoolVar(&dry, "dry-run", false, "say what would be written, and what a model would read and cost")
	cmd.Flags().StringVar(&price, "price", "", "what the model costs, for --dry-run: `IN,OUT` in dollars for a million tokens")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	addForm(cmd, &opts.Form)
	model.add(cmd)
	return interruptible(cmd, message.Key("the specs that were written stay: the same command goes on with the others"))
}

// sayOwnProject says what a folder of a work tree means as an argument, unless it is a project of its own.
func (a *app) sayOwnProject(dir string) {
	is := func(name string) bool { _, err := os.Lstat(name); return err == nil }
	if filepath.Clean(dir) == "." || !filepath.IsLocal(dir) || !is(".git") || is(filepath.Join(dir, ".git")) || is(filepath.Join(dir, spec.DefaultOutputDir)) {
		return
	}
	dir = filepath.ToSlash(filepath.Clean(dir))
	a.note(message.New("%s is taken for a project of its own: its specs go to %s, and their paths begin there. For the whole project: reverse-spec batch; for this folder of it: reverse-spec generate %s",
		dir, dir+"/"+spec.DefaultOutputDir, dir))
}

// addBatchFlags adds the flags that are options of a batch.
func addBatchFlags(cmd *cobra.Command, opts *batch.Options) {
	cmd.Flags().BoolVar(&opts.Force, "force", false, "write every spec anew, changed or not")
	cmd.Flags().BoolVar(&opts.Everywhere, "everywhere", false, "first specs of examples, benchmarks, test support and documentation, too")
	cmd.Flags().BoolVar(&opts.Summary, "summary", false, "write a summary of the run to batch-summary-<time>.md beside the specs")
	cmd.Flags().StringVar(&opts.OutputDir, "output-dir", spec.DefaultOutputDir, "`folder` for specs, within the project")
	cmd.Flags().BoolVar(&opts.All, "all", false, allUsage)
	cmd.Flags().StringVar(&opts.Base, "base", "", "only modules that changed since a git `revision`")
	cmd.Flags().IntVar(&opts.Workers, "jobs", 0, "modules to work on at once (default 2)")
	cmd.Flags().BoolVar(&opts.Deep, "deep", false, "the model sees functions in full")
}

// formsFolder is the data folder of what batch knows of the forms that it writes besides pages.
const formsFolder = "forms"

// batch runs a batch with the project's model.
func (a *app) batch(ctx context.Context, p *project.Project, opts batch.Options, model modelFlags) (*batch.Result, error) {
	heap.bound(batchGrowth, true)
	var err error
	if opts.Writer, opts.Notes, err = writerFor(ctx, p.Root(), model); err != nil {
		return nil, err
	}
	opts.Cache = dataFolder(formsFolder)
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return batch.Run(ctx, p, opts)
}

// printBatch prints the result of a batch; the error counts failed modules.
func (a *app) printBatch(r *batch.Result, asJSON bool) error {
	print := a.printJSON
	if !asJSON {
		print = func(any) error { return a.summary(r) }
	}
	if err := print(r); err != nil {
		return err
	}
	if n := len(r.Failed); n > 0 {
		return message.Errorf("%d of %d modules failed", n, r.TotalModules)
	}
	return nil
}

func (a *app) summary(r *batch.Result) error {
	for _, f := range r.Failed {
		fmt.Fprintln(a.err, a.localize(message.New("failed: %s: %s", f.Path, f.Error)))
	}
	done := message.New("%s: %d written, %d unchanged, %d failed in %v", message.Count(r.TotalModules, "%d module", "%d modules"),
		len(r.Successful), len(r.Skipped), len(r.Failed), (time.Duration(r.Duration) * time.Millisecond).Round(10*time.Millisecond))
	_, err := fmt.Fprintln(a.out, a.localize(done))
	if n := r.LeftOut.Beside; err == nil && n > 0 {
		left := message.New("without a spec: %s of examples, benchmarks, test support or documentation (--everywhere writes them)", message.Count(n, "%d folder", "%d folders"))
		_, err = fmt.Fprintln(a.out, a.localize(left))
	}
	if err == nil && r.SummaryLogPath != "" {
		_, err = fmt.Fprintln(a.out, a.localize(message.New("summary: %s", r.SummaryLogPath)))
	}
	if f := r.Formatted; err == nil && f != nil {
		a.warn(f.Warnings)
		line := message.New("%s: unchanged", f.Format)
		if len(f.Files)+len(f.Removed) > 0 {
			line = message.New("%s: %s in %s", f.Format, message.Count(f.Requirements, "%d requirement", "%d requirements"), message.Count(len(f.Files), "%d file", "%d files"))
		}
		_, err = fmt.Fprintln(a.out, a.localize(line))
	}
	return err
}
