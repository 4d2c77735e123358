package mcp

import (
	"context"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// wipeDatabaseTool is wipe_database of the code graph's contract.
func wipeDatabaseTool(g *graphs.Graphs) Tool {
	return Tool{
		Name: "wipe_database",
		Description: fixed("WARNING: Completely wipe the entire database, removing ALL indexed projects. This cannot be undone. " +
			"Use delete_project for removing individual projects."),
		Params: []Param{
			{Name: "confirm", Type: Boolean, Description: fixed("Must be true to confirm the wipe operation"), Required: true, Strict: true},
		},
		Effects:     Effects{Destructive: true, Idempotent: true},
		ErrorPrefix: errorPrefix,
		Run: func(ctx context.Context, _ *project.Project, a Arguments) (any, error) {
			if !a.Bool("confirm") {
				return "Database wipe cancelled. Set confirm=true to proceed.", nil
			}
			if err := g.Wipe(ctx); err != nil {
				return nil, fmt.Errorf("Error wiping database: %w", err)
			}
			return "Database completely wiped. All projects have been removed.", nil
		},
	}
}
