package main

import (
	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) deleteProjectCommand() *cobra.Command {
	shared := false
	cmd := &cobra.Command{
		Use:   "delete-project <name>",
		Short: "Remove a project's code graph",
		Long: `Delete-project removes the code graph of a project. The project's files stay as they are.
With --shared, the graph is that in the store that REVERSE_SPEC_STORE names, for everybody.`,
		Example: `  reverse-spec delete-project my-project
  reverse-spec delete-project --shared https://github.com/org/my-project`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withGraphs(func(g *graphs.Graphs) error {
				remove := g.Delete
				if shared {
					remove = g.DeleteShared
				}
				if err := remove(cmd.Context(), args[0]); err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]string{"deleted": args[0]})
				}
				say(cmd.Context(), a.err, message.New("Successfully deleted project '%s'.", args[0]))
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&shared, "shared", false, "remove it from the shared store")
	return cmd
}
