package mcp

import (
	"context"
	"errors"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// codeSnippetTool is get_code_snippet of the code graph's contract, section 3.2.
func codeSnippetTool(graphs Stores, runs *index.Runs) Tool {
	return Tool{
		Name: "get_code_snippet",
		Description: fixed("Retrieve source code for a function, class, or method by its qualified name. " +
			"Returns the source code, file path, line numbers, and docstring."),
		Params: []Param{
			{Name: "qualified_name", Type: String, Description: fixed("Fully qualified name (e.g., 'app.services.UserService.create_user')"), Required: true},
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true},
		Meta:        whole(),
		ErrorPrefix: errorPrefix,
		Indent:      indent,
		Run: func(ctx context.Context, p *project.Project, a Arguments) (result any, err error) {
			s, err := graphs()
			if err != nil {
				return nil, err
			}
			g, err := explore.Open(ctx, p, s, asked(runs))
			if err != nil {
				return nil, err
			}
			defer func() { err = errors.Join(err, g.Close()) }()
			snippet, err := g.Snippet(ctx, a.String("qualified_name"))
			if err != nil {
				return nil, err
			}
			return cutSnippet(snippet), nil
		},
	}
}

// snippetPage is a snippet with as much of its source as fits into an answer.
type snippetPage struct {
	*explore.Snippet
	Next *Next `json:"next,omitempty"`
}

// cutSnippet leaves the first lines of a source that is too long; read_file gives the
// others.
func cutSnippet(s *explore.Snippet) snippetPage {
	// In JSON, an end of a line and a quote take two bytes.
	page := cutText(s.SourceCode, pageBytes-strings.Count(s.SourceCode[:min(len(s.SourceCode), pageBytes)], "\n"))
	if len(page.text) == len(s.SourceCode) {
		return snippetPage{Snippet: s}
	}
	s.SourceCode = page.text
	from := s.LineStart - 1 + page.lines
	return snippetPage{s, readOn(s.FilePath, from, page.column, s.LineEnd-from)}
}
