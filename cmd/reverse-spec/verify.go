package main

import (
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/contracttest/annotated"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// verifyFlags are the flags of verify that are not options of package contracttest.
type verifyFlags struct {
	all, list, json    bool
	annotations        bool
	noCache            bool
	mutate             bool
	mutants            int
	junit, sarif, base string
}

const verifyLong = `Verify runs the contract tests of specs: each script with bash -eo pipefail in the
project's root, in a process group of its own and within --timeout. The results are
written to the front matter of the specs, to health (active or failing) and
last_verified, where they have these fields; nothing else in a file changes.

Each contract test runs the project's own tests of the module; the report of their tool
says what became of each, and so of each requirement. A test that is gone is a failure.
A contract test is blocked when something outside the code prevents it: a program, a
module or a network that is missing, a signal. That and a timeout leave the health as it
was. A spec is a program: it can do whatever its author can. --list shows the tests and
runs none.

--mutate finds what the tests do not notice: it copies the project into a temporary
folder, puts one mistake after the other into the code of the spec there (a condition
negated, a boundary moved, another constant, nothing returned, a call removed), runs the
tests of behavior with each, then all tests of the same tools if those notice nothing, and
lists the mistakes with which all pass. The lock of the spec keeps the list, and generate
shows it among the risks. A run that was stopped goes on where it was, as long as the
project is the same. Tests that take longer than --timeout are not run.

EXIT STATUS
  3 when a test failed or took too long; with --mutate, when no test could be run. A
    mistake that no test notices is no failure`

func (a *app) verifyCommand() *cobra.Command {
	var opts contracttest.Options
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [spec...]",
		Short: "Run the contract tests of specs",
		Long:  verifyLong,
		Example: `  reverse-spec verify specs/src/auth.spec.md
  reverse-spec verify --all --jobs 4 --junit report.xml
  reverse-spec verify --all --list
  reverse-spec verify specs/src/auth.spec.md --mutate --mutants 100`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args, opts.Suite); err != nil {
				return usageError{err}
			}
			opts.Outside, opts.Program = true, contracttest.Self()
			if !f.noCache && !opts.Coverage {
				opts.Cache = verifyCache()
			}
			if f.mutate {
				return with(a.open, func(p *project.Project) error { return a.mutate(cmd.Context(), p, args, f, opts) })
			}
			return with(a.open, func(p *project.Project) error {
				r, err := a.verify(cmd.Context(), p, args, f, opts)
				if err != nil {
					return err
				}
				if err := a.printVerified(r, f); err != nil {
					return err
				}
				if !r.OK() {
					return errCheckFailed
				}
				return nil
			})
		},
	}
	f.add(cmd, &opts)
	return interruptible(cmd, message.Key("no spec was changed; of --mutate, what was tried is kept: the same command goes on"))
}

func (f *verifyFlags) add(cmd *cobra.Command, opts *contracttest.Options) {
	cmd.Flags().BoolVar(&f.all, "all", false, "all specs of the project: every *.spec.md")
	cmd.Flags().BoolVar(&f.list, "list", false, "show the tests and what they cover; run none")
	cmd.Flags().StringSliceVar(&opts.Only, "only", nil, "the `ids` of the tests to run, such as CT-AUTH-001; may be given again")
	cmd.Flags().IntVar(&opts.Jobs, "jobs", 0, "how many contract tests to run at once; 0 for one of each tool, more than 1 only where they do not disturb each other")
	cmd.Flags().DurationVar(&opts.Timeout, "timeout", contracttest.DefaultTimeout, "how long each test may take")
	cmd.Flags().BoolVar(&opts.Coverage, "coverage", false, "measure which lines run, and say for each error exit whether a test asserts on it, only reaches it, or none does")
	cmd.Flags().BoolVar(&opts.Suite, "suite", false, "then run all tests that the same tools have in their folders: those of other code may notice what those of a module do not")
	cmd.Flags().BoolVar(&opts.NoUpdate, "no-update", false, "do not write to the front matter of the specs")
	cmd.Flags().BoolVar(&f.json, "json", false, "the report as JSON")
	cmd.Flags().StringVar(&f.junit, "junit", "", "write the report as JUnit XML to a `file`; - for standard output")
	cmd.Flags().StringVar(&f.sarif, "sarif", "", "write what did not pass as SARIF to a `file`")
	cmd.Flags().BoolVar(&f.annotations, "annotations", false, "print what did not pass as annotations of GitHub, to standard error")
	cmd.Flags().StringVar(&f.base, "base", "", "with --all, only the specs that changes since a `revision` touch")
	cmd.Flags().BoolVar(&f.noCache, "no-cache", false, "run the tests again that passed with the same code, tests and tools")
	cmd.Flags().BoolVar(&f.mutate, "mutate", false, "put mistakes into a copy of the code, and list those that no test notices")
	cmd.Flags().IntVar(&f.mutants, "mutants", contracttest.DefaultMutants, "with --mutate, how many mistakes for each spec")
}

// verifyCache returns the folder for results of contract tests; "" if there is none.
func verifyCache() string { return dataFolder("verify") }

// dataFolder returns a folder among the user's data; "" if there is none.
func dataFolder(name string) string {
	home := os.Getenv("REVERSE_SPEC_HOME")
	if home == "" {
		var err error
		if home, err = sqlite.DefaultHome(); err != nil {
			return ""
		}
	}
	return filepath.Join(home, name)
}

// check reports combinations of flags that make no sense.
func (f *verifyFlags) check(args []string, suite bool) error {
	switch {
	case f.all && len(args) > 0:
		return message.Errorf("--all takes every spec: name none with it")
	case !f.all && len(args) == 0:
		return message.Errorf("name a spec, or take all with --all")
	case f.base != "" && !f.all:
		return message.Errorf("--base selects among the specs of --all")
	case suite && (f.mutate || f.list):
		return message.Errorf("--suite runs tests: leave it out with --list; --mutate runs them without it")
	case f.json && f.junit == "-":
		return message.Errorf("--json and --junit - both write to standard output")
	}
	return f.checkMutate()
}

// checkMutate reports flags that make no sense with --mutate.
func (f *verifyFlags) checkMutate() error {
	switch {
	case f.mutate && (f.list || f.junit != "" || f.sarif != "" || f.annotations):
		return message.Errorf("--mutate has a report of its own: leave out --list, --junit, --sarif and --annotations")
	case f.mutants < 1:
		return message.Errorf("--mutants takes a number above 0")
	}
	return nil
}

// mutate puts mistakes into the code of specs, and prints those that no test notices.
func (a *app) mutate(ctx context.Context, p *project.Project, args []string, f verifyFlags, opts contracttest.Options) error {
	paths, err := a.specs(ctx, p, args, f)
	if err != nil {
		return err
	}
	opts.Outside = !f.all
	r, err := func() (*contracttest.Mutation, error) {
		ctx, bar := a.progress(ctx)
		defer bar.done()
		return contracttest.Mutate(ctx, p, paths, f.mutants, opts)
	}()
	if err != nil {
		return err
	}
	if f.json {
		err = a.printJSON(r)
	} else {
		err = r.Text(a.out, a.lang)
	}
	if err == nil && !r.OK() {
		err = errCheckFailed
	}
	return err
}

// specs returns the paths of the specs that are asked for.
func (a *app) specs(ctx context.Context, p *project.Project, args []string, f verifyFlags) ([]string, error) {
	if !f.all {
		if a.project != "" {
			return within(p, args), nil
		}
		return args, nil
	}
	all, err := contracttest.Paths(ctx, p)
	if err != nil {
		return nil, err
	}
	if f.base != "" {
		changed, err := p.Changed(ctx, f.base)
		if err != nil {
			return nil, err
		}
		return contracttest.Touched(p, all, changed), nil
	}
	if len(all) == 0 {
		a.warn([]string{a.localize(message.New("the project has no *.spec.md"))})
	}
	return all, nil
}

// verify runs the tests, or lists them.
func (a *app) verify(ctx context.Context, p *project.Project, args []string, f verifyFlags, opts contracttest.Options) (*contracttest.Report, error) {
	paths, err := a.specs(ctx, p, args, f)
	if err != nil {
		return nil, err
	}
	opts.Outside = !f.all // else they are paths of the project
	if f.list {
		r, err := contracttest.List(ctx, p, paths, opts)
		return r, p.Nearer(ctx, err)
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	r, err := contracttest.Verify(ctx, p, paths, opts)
	return r, p.Nearer(ctx, err)
}

// within makes relative paths relative to a project, for --project.
func within(p *project.Project, paths []string) []string {
	var out []string
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(p.Root(), path)
		}
		out = append(out, path)
	}
	return out
}

func (a *app) printVerified(r *contracttest.Report, f verifyFlags) (err error) {
	if f.sarif != "" {
		if err := writeFile(f.sarif, annotated.SARIF(r, a.lang)); err != nil {
			return err
		}
	}
	if f.annotations {
		if err := annotated.GitHub(a.err, r); err != nil {
			return err
		}
	}
	switch {
	case f.junit == "-":
		_, err = a.out.Write(r.JUnit(a.lang))
		return err
	case f.junit != "":
		if err := writeFile(f.junit, r.JUnit(a.lang)); err != nil {
			return err
		}
	}
	if f.json {
		return a.printJSON(r)
	}
	return r.Text(a.out, a.lang)
}

// writeFile writes a file atomically.
func writeFile(name string, data []byte) error {
	return with(func() (*project.Project, error) { return project.Open(filepath.Dir(name)) }, func(p *project.Project) error {
		return p.WriteFile(filepath.Base(name), data)
	})
}
