package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// queryTool is query_code_graph of the code graph's contract, section 3.1.
func queryTool(g *graphs.Graphs) Tool {
	least := 1
	return Tool{
		Name: "query_code_graph",
		Description: fixed("Query the codebase knowledge graph using natural language. Ask questions like " +
			"'What functions call UserService.create_user?' or 'Show me all classes that implement the Repository interface'."),
		Params: []Param{
			{Name: "natural_language_query", Type: String, Description: fixed("Your question in plain English about the codebase"), Required: true},
			otherProject(),
			{Name: "limit", Type: Integer, Minimum: &least, Description: message.New("Default 50, for Cypher 500")},
			offsetParam(),
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true, OpenWorld: g.AsksModels()},
		Meta:        whole(),
		ErrorPrefix: errorPrefix,
		Indent:      indent,
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			if n := len(a.String("natural_language_query")); n > maxQuestion {
				return nil, message.Errorf("the question has %d bytes; the limit is %d", n, maxQuestion)
			}
			return askProject(ctx, g, p, a)
		},
	}
}

// maxQuestion is the most bytes of a question, or of Cypher: the result repeats it.
const maxQuestion = 16 << 10

// askProject asks the project that is named in the arguments, by default p.
func askProject(ctx context.Context, g *graphs.Graphs, p *project.Project, a Arguments) (any, error) {
	answer, err := g.Ask(ctx, p, graphs.Question{
		Text: a.String("natural_language_query"), Project: a.String(projectName), Limit: a.Int("limit"), Offset: a.Int("offset"),
		Bytes: pageBytes, Size: func(v any) int { return jsonSize(v, indent) },
	})
	if err != nil {
		return nil, err
	}
	if answer.Omitted > 0 {
		next := further("query_code_graph", a, answer.Omitted, "rows", a.Int("offset")+len(answer.Results))
		if answer.Tokens != nil { // a model may write another query next time
			next.Arguments["natural_language_query"] = answer.Query
		}
		answer.Next = next
	}
	return answer, nil
}
