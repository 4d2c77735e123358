package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

func (a *app) diffCommand() *cobra.Command {
	var opts drift.Options
	var format, failOn string
	var asJSON, report, update bool
	cmd := &cobra.Command{
		Use:   "diff [spec...] | diff spec source | diff --base revision [path...]",
		Short: "Find what changed in the code since its specs were written",
		Long: `Diff compares the code with the specs written from it: all of the project, those
named, or those in the folders named. With --base it compares the code with that of
a git revision: every module of which a file changed, or those at the paths; a module
that was removed or added is one change. It says what was removed, changed and added,
how severe it is, and whether it breaks users of the code. Formatting, comments, import
order and the like are noise: counted, not reported. With --report the report is written
to drift-logs/, too.

Of behaviour that changed it says what it was and what it is, in the code of both sides,
which requirements and scenarios of the spec say otherwise, and which tests show these.
With --update it rewrites these statements in the spec and in its lock, and no other byte.

EXIT STATUS
  3 when a change at or above the level of --fail-on was found`,
		Example: `  reverse-spec diff
  reverse-spec diff --base main
  reverse-spec diff specs/src/auth.spec.md
  reverse-spec diff --base v1.4.0 src/auth --fail-on medium`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.NoReport = !report
			if asJSON {
				format = "json"
			}
			format = strings.Replace(format, "markdown", "md", 1)
			if format != "text" && format != "json" && format != "md" && format != "sarif" && format != "github" {
				return usageError{suggest.Choice(message.Errorf("no such format: %s (text, md, json, sarif or github)", format), format, "text", "md", "json", "sarif", "github")}
			}
			open := a.open
			if len(args) > 0 {
				open = func() (*project.Project, error) { return a.openFor(args[0]) }
			}
			return with(open, func(p *project.Project) error {
				r, err := a.diff(cmd.Context(), p, opts, args)
				if err != nil {
					return err
				}
				if update {
					return a.update(cmd.Context(), p, r, format, failOn)
				}
				return a.printReport(r, format, failOn)
			})
		},
	}
	cmd.Flags().StringVar(&opts.Base, "base", "", "git `revision` to compare with instead of a spec")
	cmd.Flags().StringVar(&format, "format", "text", "`form` of the report: text, md, json, sarif or github")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	cmd.Flags().StringVar(&failOn, "fail-on", "breaking", "lowest `level` for exit status 3: low, medium, high or breaking")
	cmd.Flags().BoolVar(&report, "report", false, "write the report to drift-logs/, too")
	cmd.Flags().BoolVar(&update, "update", false, "rewrite the statements of specs that became untrue, and nothing else")
	cmd.Flags().Bool("no-report", true, "")
	_ = cmd.Flags().MarkHidden("no-report") // for older scripts; it is the default now
	return cmd
}

// update rewrites the statements that became untrue, and prints the report.
func (a *app) update(ctx context.Context, p *project.Project, r *drift.Report, format, failOn string) error {
	if err := drift.Update(ctx, p, r); err != nil {
		return err
	}
	err := a.printReport(r, format, failOn)
	if len(r.Updated) == 0 && len(r.Items) > 0 {
		a.note(message.New("nothing was updated: no statement became untrue; reverse-spec generate writes changed interfaces into a spec"))
	}
	return err
}

// diff compares what the arguments name.
func (a *app) diff(ctx context.Context, p *project.Project, opts drift.Options, args []string) (*drift.Report, error) {
	paths, err := a.paths(p, args)
	if err != nil {
		return nil, err
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	var r *drift.Report
	if drift.IsPair(paths) {
		opts.Spec, opts.Source = paths[0], paths[1]
		r, err = drift.Detect(ctx, p, opts)
	} else {
		r, err = drift.DetectAll(ctx, p, opts, paths)
	}
	return r, p.Nearer(ctx, err)
}

func (a *app) printReport(r *drift.Report, format, failOn string) error {
	fails, err := r.Fails(failOn)
	if err != nil {
		return usageError{suggest.Choice(err, failOn, "high", "medium", "low", "breaking")}
	}
	switch format {
	case "json":
		err = a.printJSON(r)
	case "md":
		_, err = a.out.Write(r.Markdown())
	case "sarif":
		_, err = a.out.Write(r.SARIF())
	case "github":
		err = r.Annotations(a.out)
	default:
		if !isTerminal(a.out) { // the report goes elsewhere, with its warnings
			a.warn(r.Warnings)
		}
		err = r.Text(a.out, a.colored())
	}
	if err == nil && fails {
		err = errCheckFailed
	}
	return err
}
