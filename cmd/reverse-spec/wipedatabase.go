package main

import (
	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) wipeDatabaseCommand() *cobra.Command {
	var confirm bool
	cmd := &cobra.Command{
		Use:   "wipe-database",
		Short: "Remove the code graphs of all projects",
		Long:  "Wipe-database removes every code graph. The projects' files stay as they are.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !confirm {
				return usageError{message.Errorf("this removes the graphs of all projects: give --confirm")}
			}
			return withGraphs(func(g *graphs.Graphs) error {
				if err := g.Wipe(cmd.Context()); err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]bool{"wiped": true})
				}
				say(cmd.Context(), a.err, message.New("Database completely wiped. All projects have been removed."))
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&confirm, "confirm", false, "do it")
	return cmd
}
