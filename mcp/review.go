package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp/briefing"
)

// reviewTool is review of the command line. It names the tests to run, and runs none.
func reviewTool(g *graphs.Graphs) Tool {
	return Tool{
		Name: "review",
		Description: message.New("What a change does: its risk, what breaks and who uses that, what specs state otherwise, tests to run. " +
			"Use it after edits and before a commit; for one spec use diff."),
		Params: []Param{
			{Name: "base", Type: String, Description: message.New("Git revision; empty for what is not committed, or the branch")},
			{Name: "staged", Type: Boolean, Description: message.New("What is staged"), Default: false},
			{Name: "path", Type: String, Path: true, Description: message.New("Only this file or folder")},
		},
		Effects: Effects{ReadOnly: true, Idempotent: true},
		Meta:    whole(),
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			change := briefing.Change{Base: a.String("base"), Staged: a.Bool("staged"), Path: a.String("path")}
			return briefing.Review(ctx, p, g, change, pageBytes)
		},
	}
}

// verifyClaimTool is verify-claim of the command line.
func verifyClaimTool(g *graphs.Graphs) Tool {
	return Tool{
		Name: "verify_claim",
		Description: message.New("Confirm or refute a statement, with the lines: \"nobody calls X\", \"X throws E on empty input\", \"MAX is 10\". " +
			"Use it before you rely on one; not for questions (orient)."),
		Params:  []Param{{Name: "statement", Type: String, Required: true}},
		Effects: Effects{ReadOnly: true, Idempotent: true},
		Meta:    whole(),
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			return briefing.Claim(ctx, p, g, a.String("statement"))
		},
	}
}
