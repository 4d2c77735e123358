package main

import (
	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) diffCommand() *cobra.Command {
	var opts drift.Options
	var format, failOn string
	var asJSON, report bool
	cmd := &cobra.Command{
		Use:   "diff [spec] [source]",
		Short: "Find what changed in the code since its spec was written",
		Long: `Diff compares the code with the spec written from it, or with --base with the code
of a git revision: what was removed, changed and added, how severe it is, and
whether it breaks users of the code. Formatting, comments, import order and
the like are noise: counted, not reported. With --report the
report is written to drift-logs/, too.

EXIT STATUS
  3 when a change at or above the level of --fail-on was found`,
		Example: `  reverse-spec diff specs/src/auth.spec.md
  reverse-spec diff --base main src/auth --fail-on breaking`,
		Args: rangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.NoReport = !report
			if asJSON {
				format = "json"
			}
			if format != "text" && format != "json" && format != "md" {
				return usageError{message.Errorf("no such format: %s (text, json or md)", format)}
			}
			open := func() (*project.Project, error) { return a.openFor(args[0]) }
			return with(open, func(p *project.Project) error {
				if err := a.diffPaths(p, &opts, args); err != nil {
					return err
				}
				ctx, bar := a.progress(cmd.Context())
				r, err := drift.Detect(ctx, p, opts)
				bar.done()
				if err != nil {
					return err
				}
				return a.printReport(r, format, failOn)
			})
		},
	}
	cmd.Flags().StringVar(&opts.Base, "base", "", "git `revision` to compare with instead of a spec")
	cmd.Flags().StringVar(&format, "format", "text", "`form` of the report: text, json or md")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	cmd.Flags().StringVar(&failOn, "fail-on", "medium", "lowest `level` for exit status 3: low, medium, high or breaking")
	cmd.Flags().BoolVar(&report, "report", false, "write the report to drift-logs/, too")
	cmd.Flags().Bool("no-report", true, "")
	_ = cmd.Flags().MarkHidden("no-report") // for older scripts; it is the default now
	return cmd
}

// diffPaths parses <spec> [source], or with --base [spec] <source>.
func (a *app) diffPaths(p *project.Project, opts *drift.Options, args []string) error {
	to := []*string{&opts.Spec, &opts.Source}
	if opts.Base != "" && len(args) == 1 {
		to = to[1:]
	}
	for i, arg := range args {
		path, err := a.path(p, arg)
		if err != nil {
			return err
		}
		*to[i] = path
	}
	return nil
}

func (a *app) printReport(r *drift.Report, format, failOn string) error {
	fails, err := r.Fails(failOn)
	if err != nil {
		return usageError{err}
	}
	switch format {
	case "json":
		err = a.printJSON(r)
	case "md":
		_, err = a.out.Write(r.Markdown())
	default:
		a.warn(r.Warnings)
		err = r.Text(a.out, isTerminal(a.out))
	}
	if err == nil && fails {
		err = errCheckFailed
	}
	return err
}
