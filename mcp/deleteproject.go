package mcp

import (
	"context"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// deleteProjectTool is delete_project of the code graph's contract, section 3.6.
func deleteProjectTool(g *graphs.Graphs) Tool {
	return Tool{
		Name: "delete_project",
		Description: fixed("Delete a specific project from the knowledge graph database. This removes all nodes associated with the project " +
			"while preserving other projects. Use list_projects first to see available projects."),
		Params: []Param{
			{Name: "project_name", Type: String, Description: fixed("Name of the project to delete (e.g., 'my-project')"), Required: true},
		},
		Effects:     Effects{Destructive: true, Idempotent: true},
		ErrorPrefix: errorPrefix,
		Indent:      indent,
		Run: func(ctx context.Context, _ *project.Project, a Arguments) (any, error) {
			type deleted struct {
				Success bool   `json:"success"`
				Project string `json:"project,omitempty"`
				Message string `json:"message,omitempty"`
				Error   string `json:"error,omitempty"`
			}
			name := a.String("project_name")
			if err := g.Delete(ctx, name); err != nil {
				return deleted{Error: message.Render(message.From(ctx), err)}, nil // as the contract wants it
			}
			return deleted{Success: true, Project: name, Message: fmt.Sprintf("Successfully deleted project '%s'.", name)}, nil
		},
	}
}
