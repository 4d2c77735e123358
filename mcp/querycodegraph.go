package mcp

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/ask"
	"github.com/reverse-spec/reverse-spec/explore"
	"github.com/reverse-spec/reverse-spec/store"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// queryTool is query_code_graph of the code graph's contract, section 3.1.
func queryTool(graphs Stores) Tool {
	least := 1
	return Tool{
		Name: "query_code_graph",
		Description: "Query the codebase knowledge graph using natural language. Ask questions like " +
			"'What functions call UserService.create_user?' or 'Show me all classes that implement the Repository interface'.",
		Params: []Param{
			{Name: "natural_language_query", Type: String, Description: "Your question in plain English about the codebase", Required: true},
			{Name: "project_name", Type: String, Description: "Another indexed project to ask (see list_projects; default: this one)"},
			{Name: "limit", Type: Integer, Minimum: &least, Description: "Maximum number of results to return (default: 50 for a question, 500 for Cypher)"},
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true},
		Meta:        whole(),
		ErrorPrefix: errorPrefix,
		Indent:      indent,
		Run: func(ctx context.Context, p *workspace.Project, a Arguments) (any, error) {
			s, err := graphs()
			if err != nil {
				return nil, err
			}
			opts := ask.Options{Limit: a.Int("limit")}
			return askProject(ctx, p, s, a.String("project_name"), a.String("natural_language_query"), opts)
		},
	}
}

// askProject asks a project that is stored under a name; p for "".
func askProject(ctx context.Context, p *workspace.Project, s store.Store, name, question string, opts ask.Options) (answer *ask.Answer, err error) {
	if name != "" {
		root, err := explore.RootOf(ctx, s, name)
		if err != nil {
			return nil, err
		}
		if p, err = workspace.Open(root); err != nil {
			return nil, err
		}
		defer func() { _ = p.Close() }() // nothing was written
	}
	g, err := explore.Open(ctx, p, s, explore.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	return ask.Ask(ctx, g, question, opts)
}
