package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/format"
)

func (a *app) generateCommand() *cobra.Command {
	var opts spec.GenerateOptions
	var form format.Options
	var model modelFlags
	var asJSON, recursive, check, stdout, writeTests bool
	cmd := &cobra.Command{
		Use:   "generate <file or folder>",
		Short: "Write the spec of a file or folder",
		Long: `Generate writes the spec of a file or folder to specs/<target>.spec.md. A spec
that exists gets the next version; ids stay with their subjects, and text between
<!-- keep --> and <!-- /keep --> is kept.

The spec of a folder is about the files in it, as in batch, which writes the same
spec; without source files of its own, or with --recursive, about everything below.

With --check the contract tests are run before they are written, as verify would run
them: in the project's root, with the project's own tools. One that fails is left out,
and the section on risks says so.

With --write-tests it first writes tests of the error exits that no test asserts on, as far
as their condition is over literals and the parameters of a function that can be called
with simple values: in Go, pytest, unittest, vitest or jest, in a new file beside the tests
of the module. Each test is run in a copy of the project; it is kept if it passes, and fails
when a mistake is put into the exit. Why others were not kept is printed. A model, where
there is one, writes the tests of other exits, which are kept under the same conditions.

A model, where there is one (see auth), adds prose. It is checked against the code:
names, signatures and lines that do not exist are removed, and what no line shows is
marked [inferred]. Without a model the spec has what the code proves. When the model
fails, that spec is written, and the exit status is 1.`,
		Example: `  reverse-spec generate src/auth
  reverse-spec generate src/auth/login.ts --lang zh`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if recursive {
				opts.Scope = source.Everything
			}
			if check {
				opts.Check = checker()
			}
			if stdout {
				opts.To = a.out
			}
			return a.runGenerate(cmd.Context(), args[0], opts, model, generateFlags{form, asJSON, stdout, writeTests})
		},
	}
	cmd.Flags().BoolVar(&opts.Deep, "deep", false, "the model sees functions in full")
	cmd.Flags().StringVar(&opts.OutputDir, "output-dir", spec.DefaultOutputDir, "`folder` for specs, within the project")
	cmd.Flags().BoolVar(&recursive, "recursive", false, "all files below the folder")
	cmd.Flags().BoolVar(&check, "check", false, checkUsage)
	cmd.Flags().BoolVar(&opts.All, "all", false, allUsage)
	cmd.Flags().BoolVar(&stdout, "stdout", false, "print the spec and write no file")
	cmd.Flags().BoolVar(&writeTests, "write-tests", false, "first write tests of error exits that no test asserts on")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	cmd.MarkFlagsMutuallyExclusive("stdout", "json")
	cmd.MarkFlagsMutuallyExclusive("stdout", "write-tests")
	addForm(cmd, &form)
	model.add(cmd)
	return interruptible(cmd, message.Key("the spec was not written"))
}

// generateFlags are the flags of generate that are not options of package spec.
type generateFlags struct {
	form                       format.Options
	asJSON, stdout, writeTests bool
}

// runGenerate writes tests if it is asked to, then the spec, and prints both results.
func (a *app) runGenerate(ctx context.Context, arg string, opts spec.GenerateOptions, model modelFlags, f generateFlags) error {
	open := func() (*project.Project, error) { return a.openFor(arg) }
	return with(open, func(p *project.Project) error {
		var err error
		if opts.Writer, opts.Notes, err = writerFor(ctx, p.Root(), model); err != nil {
			return err
		}
		var tests *contracttest.WrittenTests
		if f.writeTests {
			if tests, err = a.writeTests(ctx, p, arg, opts); err != nil {
				return err
			}
		}
		r, err := a.generate(ctx, p, arg, opts, f.form)
		if err != nil {
			return err
		}
		if err := a.printGenerated(r, tests, f.asJSON, f.stdout); err != nil {
			return err
		}
		return modelFailed(r.GenerateResult, f.stdout)
	})
}

// printGenerated prints the result of generate.
func (a *app) printGenerated(r *format.Generated, tests *contracttest.WrittenTests, asJSON, stdout bool) error {
	if asJSON {
		return a.printJSON(struct {
			*format.Generated
			Tests *contracttest.WrittenTests `json:"tests,omitempty"`
		}{r, tests})
	}
	if tests != nil {
		if err := tests.Text(a.out, a.lang); err != nil {
			return err
		}
	}
	a.warn(slices.DeleteFunc(slices.Clone(r.Warnings), func(w string) bool {
		return r.Failure != nil && strings.HasPrefix(w, message.Render(a.lang, r.Failure)) // it is returned as the command's error
	}))
	if stdout {
		return nil
	}
	line := message.New("%s  (confidence %s)", r.SpecPath, r.Confidence)
	if r.TokenUsage > 0 {
		line = message.New("%s  (confidence %s, %d tokens)", r.SpecPath, r.Confidence, r.TokenUsage)
	}
	if _, err := fmt.Fprintln(a.out, a.localize(line)); err != nil {
		return err
	}
	return a.printFormatted(r.Formatted)
}

// printFormatted prints the files of another format.
func (a *app) printFormatted(r *format.Result) error {
	if r == nil {
		return nil
	}
	for _, file := range r.Files {
		if _, err := fmt.Fprintln(a.out, file); err != nil {
			return err
		}
	}
	return nil
}

// addForm adds the flags that choose a format.
func addForm(cmd *cobra.Command, form *format.Options) {
	cmd.Flags().StringVar(&form.Format, "format", "", "also write requirements in a `form`: openspec, speckit or ears; reverse-spec for the pages alone (default what the project uses)")
	cmd.Flags().StringVar(&form.Capabilities, "capabilities", "", "`file` that groups modules into capabilities, for --format")
}

// writeTests writes tests of error exits that no test asserts on.
func (a *app) writeTests(ctx context.Context, p *project.Project, arg string, opts spec.GenerateOptions) (*contracttest.WrittenTests, error) {
	target, err := a.path(p, arg)
	if err != nil {
		return nil, err
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return contracttest.WriteTests(ctx, p, target, string(cmp.Or(opts.Scope, source.Module)), opts.Writer, contracttest.Options{Program: contracttest.Self()})
}

// modelFailed returns an error if a model was used and failed.
func modelFailed(r *spec.GenerateResult, stdout bool) error {
	switch {
	case r.Failure == nil:
		return nil
	case stdout:
		return message.Errorf("%w; the spec with what the code proves is printed", r.Failure)
	}
	return r.Err()
}

// allUsage is the usage of --all.
const allUsage = "pages of any length, with everything that is known"

// checkUsage is the usage of --check.
const checkUsage = "run the contract tests, and write those that do not fail"

// checker returns the function that runs contract tests for --check.
func checker() spec.Check {
	return contracttest.Checker(contracttest.Options{Program: contracttest.Self()})
}

func (a *app) generate(ctx context.Context, p *project.Project, arg string, opts spec.GenerateOptions, form format.Options) (*format.Generated, error) {
	target, err := a.path(p, arg)
	if err != nil {
		return nil, err
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return format.Generate(ctx, p, target, opts, form)
}
