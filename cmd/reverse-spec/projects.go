package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) projectsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "projects",
		Short: "List the projects that have a code graph",
		Long:  "Projects lists what has a code graph: its name, when the graph was built, and the folder.",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStore(func(s store.Store) error {
				list, err := s.Projects(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(map[string]any{"projects": list, "count": len(list)})
				}
				w := a.table()
				for _, p := range list {
					fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, p.BuiltAt.Local().Format(time.DateTime), p.Root)
				}
				if len(list) == 0 {
					a.note(message.New("none yet: run reverse-spec index in a project"))
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}
