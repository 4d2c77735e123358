package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/claimcheck"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) verifyClaimCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify-claim <statement>...",
		Short: "Check a statement about the code: confirmed, refuted or unverifiable",
		Long: `Verify-claim checks a statement about the code, in plain English, against the code, and
shows the lines that decide it. What the code does not decide is unverifiable: nothing
is guessed. It makes the code graph if there is none.

EXIT STATUS
  3 when the statement is refuted or unverifiable`,
		Example: `  reverse-spec verify-claim nobody calls Cache.flush
  reverse-spec verify-claim "parse throws ValueError on empty input"
  reverse-spec verify-claim "MaxSize is 10" --json`,
		Args: atLeastArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(a.open, func(p *project.Project) error {
				return withGraphs(func(all *graphs.Graphs) error {
					ctx, bar := a.progress(cmd.Context())
					answer, err := claimcheck.Of(ctx, p, all, strings.Join(args, " "))
					bar.done()
					if err != nil {
						return err
					}
					return a.printClaim(answer, asJSON)
				})
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the answer as JSON")
	return cmd
}

func (a *app) printClaim(answer *claimcheck.Answer, asJSON bool) error {
	if asJSON {
		if err := a.printJSON(answer); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(a.out, a.localize(message.New("%s: %s", answer.Verdict.Text(), answer.Because)))
		for _, e := range answer.Evidence {
			fmt.Fprintln(a.out, strings.TrimRight("  "+e.Place+"  "+e.Text, " "))
		}
		if answer.More > 0 {
			fmt.Fprintln(a.out, a.localize(message.New("  … and %d more", answer.More)))
		}
	}
	if answer.Verdict != claimcheck.Confirmed {
		return errCheckFailed
	}
	return nil
}
