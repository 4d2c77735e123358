package mcp

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/explore"
	"github.com/reverse-spec/reverse-spec/workspace"
)

// codeSnippetTool is get_code_snippet of the code graph's contract, section 3.2.
func codeSnippetTool(graphs Stores) Tool {
	return Tool{
		Name: "get_code_snippet",
		Description: "Retrieve source code for a function, class, or method by its qualified name. " +
			"Returns the source code, file path, line numbers, and docstring.",
		Params: []Param{
			{Name: "qualified_name", Type: String, Description: "Fully qualified name (e.g., 'app.services.UserService.create_user')", Required: true},
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true},
		Meta:        whole(),
		ErrorPrefix: errorPrefix,
		Indent:      indent,
		Run: func(ctx context.Context, p *workspace.Project, a Arguments) (result any, err error) {
			s, err := graphs()
			if err != nil {
				return nil, err
			}
			g, err := explore.Open(ctx, p, s, explore.Options{})
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, g.Close()) }()
			return g.Snippet(ctx, a.String("qualified_name"))
		},
	}
}
