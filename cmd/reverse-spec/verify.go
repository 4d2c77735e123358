package main

import (
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// verifyFlags are the flags of verify that are not options of package contracttest.
type verifyFlags struct {
	all, list, json bool
	junit           string
}

func (a *app) verifyCommand() *cobra.Command {
	var opts contracttest.Options
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify [spec...]",
		Short: "Run the contract tests of specs",
		Long: `Verify runs the contract tests of specs: each script with bash -eo pipefail in the
project's root, in a process group of its own and within --timeout. The results are
written to the front matter of the specs, to health (active or failing) and
last_verified, where they have these fields; nothing else in a file changes.

A test is skipped when a program that it names under Needs is not installed, or when
it failed because a toolchain (go, node, jq, ...) is missing. A spec is a program: it
can do whatever its author can. --list shows the tests and runs none.

EXIT STATUS
  3 when a test failed or took too long`,
		Example: `  reverse-spec verify specs/src/auth.spec.md
  reverse-spec verify --all --jobs 4 --junit report.xml
  reverse-spec verify --all --list`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return usageError{err}
			}
			opts.Outside, opts.Program = true, contracttest.Self()
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
	cmd.Flags().BoolVar(&f.all, "all", false, "all specs of the project: every *.spec.md")
	cmd.Flags().BoolVar(&f.list, "list", false, "show the tests and what they cover; run none")
	cmd.Flags().StringSliceVar(&opts.Only, "only", nil, "the `ids` of the tests to run, such as CT-AUTH-001; may be given again")
	cmd.Flags().IntVar(&opts.Jobs, "jobs", 1, "how many tests to run at once; more than 1 only where they do not disturb each other")
	cmd.Flags().DurationVar(&opts.Timeout, "timeout", contracttest.DefaultTimeout, "how long each test may take")
	cmd.Flags().BoolVar(&opts.NoUpdate, "no-update", false, "do not write to the front matter of the specs")
	cmd.Flags().BoolVar(&f.json, "json", false, "the report as JSON")
	cmd.Flags().StringVar(&f.junit, "junit", "", "write the report as JUnit XML to a `file`; - for standard output")
	return cmd
}

// check reports combinations of flags that make no sense.
func (f *verifyFlags) check(args []string) error {
	switch {
	case f.all && len(args) > 0:
		return message.Errorf("--all takes every spec: name none with it")
	case !f.all && len(args) == 0:
		return message.Errorf("name a spec, or take all with --all")
	case f.json && f.junit == "-":
		return message.Errorf("--json and --junit - both write to standard output")
	}
	return nil
}

// verify runs the tests, or lists them.
func (a *app) verify(ctx context.Context, p *project.Project, args []string, f verifyFlags, opts contracttest.Options) (*contracttest.Report, error) {
	paths := args
	if f.all {
		all, err := contracttest.All(ctx, p)
		if err != nil {
			return nil, err
		}
		opts.Outside = false // paths of the project
		if paths = all; len(paths) == 0 {
			a.warn([]string{a.localize(message.New("the project has no *.spec.md"))})
		}
	} else if a.project != "" {
		paths = within(p, args)
	}
	if f.list {
		return contracttest.List(p, paths, opts)
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	return contracttest.Verify(ctx, p, paths, opts)
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
