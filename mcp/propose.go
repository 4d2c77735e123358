package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/batch"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp/forms"
)

// proposeTool is propose of the command line.
func proposeTool() Tool {
	return Tool{
		Name: "propose",
		Description: message.New("Write what a branch did as a change of OpenSpec, openspec/changes/<id>: the requirements that the code adds, modifies, renames or removes since a git revision. " +
			"Use it in a project with openspec/ when the code is written; openspec archive then brings the specs up to date."),
		Params: []Param{
			{Name: "base", Type: String, Description: message.New("Git revision that the change begins at"), Required: true},
			{Name: "id", Type: String, Description: message.New("Id of the change; empty for the name of the branch")},
			capabilitiesParam(),
			{Name: "force", Type: Boolean, Description: message.New("Replace a change of that id"), Default: false},
		},
		Effects: Effects{Idempotent: true},
		Meta:    whole(),
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			return batch.Propose(ctx, p, batch.ProposeOptions{Base: a.String("base"), ID: a.String("id"), Capabilities: a.String("capabilities"), Force: a.Bool("force")})
		},
	}
}

// formatParam chooses a format besides the pages.
func formatParam() Param {
	return Param{
		Name: "format", Type: String, Enum: forms.Names(),
		Description: message.New("Also write requirements in the form of another tool; left out, in that which the project uses (openspec/, .specify/, .kiro/)"),
	}
}

// capabilitiesParam names the file that groups modules.
func capabilitiesParam() Param {
	return Param{Name: "capabilities", Type: String, Path: true, Description: message.New("File that groups modules into capabilities; empty for groups by path")}
}
