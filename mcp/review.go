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
		Description: message.New("Brief a reviewer on a change: risk in one line, breaking changes with the places that use them, behaviour that specs state otherwise, " +
			"what is new and stated nowhere, tests to run. Use it after edits and before a commit."),
		Params: []Param{
			{Name: "base", Type: String, Description: message.New("Git revision that the change begins at; empty for what is not committed, else what the branch adds to the main branch, else the last commit")},
			{Name: "staged", Type: Boolean, Description: message.New("Review what is staged for the next commit"), Default: false},
			{Name: "path", Type: String, Path: true, Description: message.New("Review this file or folder only; empty for all")},
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
		Description: message.New("Check a statement about the code before you rely on it: \"nobody calls X\", \"X calls Y\", \"X is exported\", \"X throws E on empty input\", " +
			"\"X returns null when s is empty\", \"MAX is 10\". It is confirmed, refuted or unverifiable, with the lines that show it; nothing is guessed."),
		Params:  []Param{{Name: "statement", Type: String, Description: message.New("The statement, in plain English"), Required: true}},
		Effects: Effects{ReadOnly: true, Idempotent: true},
		Meta:    whole(),
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			return briefing.Claim(ctx, p, g, a.String("statement"))
		},
	}
}
