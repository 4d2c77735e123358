package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/project"
)

func (a *app) listCommand() *cobra.Command {
	var limit int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [folder]",
		Short: "Name what is in a folder of the project",
		Long: `List names what is in a folder, in order, one a line, as the tool list_directory
does: whatever is there, what git ignores and .git too. A name that would not fit
on a line stands in quotes.`,
		Args: rangeArgs(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(a.open, func(p *project.Project) error {
				f, err := a.list(cmd.Context(), p, append(args, ".")[0], limit)
				if err != nil {
					return err
				}
				if asJSON {
					return a.printJSON(f)
				}
				_, err = fmt.Fprint(a.out, f)
				return err
			})
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "most `names` to print; 0 for all")
	cmd.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	return cmd
}

func (a *app) list(ctx context.Context, p *project.Project, arg string, limit int) (*project.Folder, error) {
	folder, err := a.path(p, arg)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = math.MaxInt
	}
	return p.ReadFolder(ctx, folder, limit)
}
