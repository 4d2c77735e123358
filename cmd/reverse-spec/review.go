package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/review"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

func (a *app) reviewCommand() *cobra.Command {
	var opts review.Options
	var format, failOn string
	var asJSON, run bool
	cmd := &cobra.Command{
		Use:   "review [path...]",
		Short: "Brief a reviewer on a change: risk, what it breaks, what to run",
		Long: `Review makes one briefing of a change: its risk in one line and why; what breaks users,
with the places in this repository and in those of its federation that use it and that
the change does not touch; behaviour that is not as it was, with the statements of specs
that say otherwise; what is new and stated nowhere; and the tests to run. It needs no
specs. Users and tests come from the code graph if there is one (reverse-spec index),
else from names.

Without --base the change is what is not committed, else what the branch adds to the main
branch, else the last commit.

EXIT STATUS
  3 when the change is at or above the level of --fail-on`,
		Example: `  reverse-spec review
  reverse-spec review --base main --format md
  reverse-spec review --staged --fail-on high`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON {
				format = "json"
			}
			if format == "markdown" {
				format = "md"
			}
			if format != "text" && format != "json" && format != "md" && format != "sarif" && format != "github" {
				return usageError{suggest.Choice(message.Errorf("no such format: %s (text, md, json, sarif or github)", format), format, "text", "md", "json", "sarif", "github")}
			}
			if run {
				opts.Run = contracttest.Checker(contracttest.Options{Program: contracttest.Self()})
			}
			return with(a.open, func(p *project.Project) error {
				return withGraphs(func(all *graphs.Graphs) error {
					r, err := a.review(cmd.Context(), p, all, opts, args)
					if err != nil {
						return err
					}
					return a.printReview(r, format, failOn)
				})
			})
		},
	}
	cmd.Flags().StringVar(&opts.Base, "base", "", "git `revision` that the change begins at")
	cmd.Flags().BoolVar(&opts.Staged, "staged", false, "review what is staged for the next commit")
	cmd.Flags().BoolVar(&run, "run", false, "run the tests, too; they are code of the project")
	cmd.Flags().StringVar(&format, "format", "text", "`form` of the review: text, md, json, sarif or github")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the same as --format json")
	cmd.Flags().StringVar(&failOn, "fail-on", "never", "lowest `level` for exit status 3: low, medium, high, breaking or never")
	return cmd
}

// review reviews the paths that the arguments name, or all.
func (a *app) review(ctx context.Context, p *project.Project, all *graphs.Graphs, opts review.Options, args []string) (*review.Review, error) {
	for _, arg := range args {
		name, err := a.path(p, arg)
		if err != nil {
			return nil, err
		}
		opts.Paths = append(opts.Paths, name)
	}
	ctx, bar := a.progress(ctx)
	defer bar.done()
	heap.bound(indexGrowth, false)
	return review.Of(ctx, p, all, opts)
}

func (a *app) printReview(r *review.Review, format, failOn string) error {
	fails, err := r.Fails(failOn)
	if err != nil {
		return usageError{suggest.Choice(err, failOn, "low", "medium", "high", "breaking", "never")}
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
		err = r.Text(a.out)
	}
	if err == nil && fails {
		err = errCheckFailed
	}
	return err
}
