package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) projectsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "projects",
		Short: "List the projects that have a code graph",
		Long: `Projects lists what has a code graph: its name, when the graph was built, and the folder,
or the repository and commit of one in the shared store (REVERSE_SPEC_STORE), with the
projects there that use it, in code or by its contracts.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withGraphs(func(g *graphs.Graphs) error {
				list, failed := g.List(cmd.Context()) // also where the shared store fails: what this machine has
				relations, unknown := g.Relations(cmd.Context(), list, list)
				failed = errors.Join(failed, unknown)
				if asJSON {
					return errors.Join(a.printJSON(map[string]any{"projects": list, "count": len(list), "relations": append([]graphs.Relation{}, relations...)}), failed)
				}
				w := a.table()
				for _, p := range list {
					fmt.Fprintf(w, "%s\t%s\t%s\n", p.Name, p.BuiltAt.Local().Format(time.DateTime), strings.TrimSpace(placeOf(p)+"  "+a.usersOf(p, relations)))
				}
				if len(list) == 0 && failed == nil {
					a.note(message.New("none yet: run reverse-spec index in a project"))
				}
				return errors.Join(w.Flush(), failed)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// mostUsers is how many users of a project its line names.
const mostUsers = 5

// usersOf says who uses a project of the shared store; "" for nobody.
func (a *app) usersOf(p graphs.Listed, relations []graphs.Relation) string {
	users, more := graphs.UsedBy(p.Name, relations, mostUsers)
	switch {
	case !p.Shared || users == "":
		return ""
	case more > 0:
		return a.localize(message.New("used by %s and %d more", users, more))
	}
	return a.localize(message.New("used by %s", users))
}

// placeOf returns the folder of a project, or its repository and commit.
func placeOf(p graphs.Listed) string {
	return strings.Join(strings.Fields(p.Root+" "+p.Branch+" "+shortCommit(p.Commit)), " ")
}
