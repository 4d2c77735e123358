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
		Description: message.New("Write what the code did since a git revision as a change of OpenSpec, openspec/changes/<id>. " +
			"Use it when the code is written; only in a project with openspec/."),
		Params: []Param{
			{Name: "base", Type: String, Description: message.New("Git revision"), Required: true},
			{Name: "id", Type: String, Description: message.New("By default the branch's name")},
			capabilitiesParam(),
			{Name: "force", Type: Boolean, Description: message.New("Replace one that exists"), Default: false},
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
		Description: message.New("Requirements for another tool, too"),
	}
}

// capabilitiesParam names the file that groups modules.
func capabilitiesParam() Param {
	return Param{Name: "capabilities", Type: String, Path: true, Description: message.New("File that groups modules")}
}
