package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/doctor"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) cleanCommand() *cobra.Command {
	var all, dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Remove what is kept about the project outside it",
		Long: `Clean removes the project's code graph, the results of its contract tests, and notes of
what was written for other tools. All of it is made again when it is needed. Specs, their
locks and everything else in the project stay as they are.`,
		Example: `  reverse-spec clean --dry-run
  reverse-spec clean --all`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			clean := func(p *project.Project) error {
				return withStore(func(s store.Store) error {
					list, err := doctor.Keeps(cmd.Context(), p, s, dataFolder("."))
					if err != nil {
						return err
					}
					if !dryRun {
						if err := doctor.Clean(cmd.Context(), list); err != nil {
							return err
						}
					}
					if asJSON {
						return a.printJSON(list)
					}
					return a.showKept(list, dryRun)
				})
			}
			if all {
				return clean(nil)
			}
			return with(a.open, clean)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "of all projects")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "show what would be removed, and remove nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (a *app) showKept(list []doctor.Kept, dry bool) error {
	if len(list) == 0 {
		a.note(message.New("nothing is kept"))
	}
	said := tense{message.New("removed"), message.New("would remove")}.of(dry)
	w := a.table()
	for _, k := range list {
		size := ""
		if k.Bytes > 0 { // it is known
			size = fmt.Sprintf("%.1f MB", max(0.1, float64(k.Bytes)/1e6))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", a.localize(said), strings.TrimSpace(message.Translate(a.lang, k.What)+" "+k.Name), size)
	}
	return w.Flush()
}
