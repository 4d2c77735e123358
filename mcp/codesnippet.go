package mcp

import (
	"context"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// codeSnippetTool is get_code_snippet of the code graph's contract, section 3.2.
func codeSnippetTool(g *graphs.Graphs) Tool {
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
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			snippet, err := g.Snippet(ctx, p, a.String(projectName), a.String("qualified_name"))
			if err != nil {
				return nil, err
			}
			cutSnippet(snippet)
			return snippet, nil
		},
	}
}

// cutSnippet cuts a source that is too long after its first lines; read_file returns the
// others.
func cutSnippet(s *graphs.Snippet) {
	// In JSON, an end of a line and a quote take two bytes.
	page := cutText(s.SourceCode, pageBytes-strings.Count(s.SourceCode[:min(len(s.SourceCode), pageBytes)], "\n"))
	if len(page.text) == len(s.SourceCode) {
		return
	}
	s.SourceCode = page.text
	from := s.LineStart - 1 + page.lines
	s.Next = readOn(s.FilePath, from, page.column, s.LineEnd-from)
}
