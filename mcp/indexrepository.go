package mcp

import (
	"context"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// indexRepositoryTool is index_repository of the code graph's contract. The graph is
// stored outside the project, so that a read-only server has the tool, too. A call while
// another call indexes the project gets the result of that one.
func indexRepositoryTool(g *graphs.Graphs) Tool {
	run := func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
		sum, err := g.Index(ctx, p, a.Bool("force"))
		if err != nil {
			return nil, fmt.Errorf("Error indexing repository: %w", err)
		}
		text := fmt.Sprintf("Successfully indexed repository at %s. Project '%s' has been updated.\n%s", p.Root(), sum.Project, message.Render(message.From(ctx), sum))
		if live := g.Live(p); live != nil {
			text += message.Render(message.From(ctx), live) + "\n"
		}
		return text, nil
	}
	return Tool{
		Name:        "index_repository",
		Description: message.New("Parse and ingest the repository into the knowledge graph. Questions do so by themselves: use it to have it done before."),
		Params: []Param{
			{Name: "force", Type: Boolean, Default: false},
		},
		Effects:     Effects{Idempotent: true},
		ErrorPrefix: errorPrefix,
		Run:         run,
		RunReadOnly: run,
	}
}
