package mcp

import (
	"context"
	"os"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp/briefing"
)

// orientTool is orient of the command line. Its answer is Markdown: as JSON it would take a third more tokens.
func orientTool(g *graphs.Graphs) Tool {
	d, least := rag.Defaults(), 0
	_ = d.FromEnv(os.Getenv) // an error is reported by the call
	return Tool{
		Name: "orient",
		Description: message.New("Begin every task here, before you search or read files: give it in words, and get the places in the code, callers, requirements of specs, " +
			"tests to run and the first code. Not for a name that you know (get_code_snippet)."),
		Params: []Param{
			{Name: "task", Type: String, Required: true},
			{Name: "tokens", Type: Integer, Description: message.New("Token budget of the answer"), Default: briefing.TaskTokens, Minimum: &least},
			offsetParam(),
		},
		Effects: Effects{ReadOnly: true, Idempotent: true, OpenWorld: d.Embedder != nil},
		Meta:    whole(),
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			return ask(ctx, g, p, func(graph *graphs.Graph) (any, error) {
				return briefing.Orient(ctx, p, graph, briefing.Task{Text: a.String("task"), Tokens: a.Int("tokens"), Offset: a.Int("offset")})
			})
		},
	}
}
