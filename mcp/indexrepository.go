package mcp

import (
	"context"
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// indexRepositoryTool is index_repository of the code graph's contract. The graph is
// kept outside the project, so that a server that may not write has it too. A call while
// another of this server indexes the project gets the result of that one.
func indexRepositoryTool(graphs Stores, runs *index.Runs) Tool {
	run := func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
		s, err := graphs()
		if err != nil {
			return nil, fmt.Errorf("Error indexing repository: %w", err)
		}
		sum, err := index.Run(ctx, p, s, index.Options{Force: a.Bool("force"), Wait: index.DefaultWait, Runs: runs})
		if err != nil {
			return nil, fmt.Errorf("Error indexing repository: %w", err)
		}
		return fmt.Sprintf("Successfully indexed repository at %s. Project '%s' has been updated.\n%s", p.Root(), sum.Project, message.Render(message.From(ctx), sum)), nil
	}
	return Tool{
		Name:        "index_repository",
		Description: message.New("Parse and ingest the repository into the knowledge graph. Later runs take up what has changed since; every other tool of the graph does so by itself."),
		Params: []Param{
			{Name: "force", Type: Boolean, Description: message.New("Build the whole graph anew (optional)"), Default: false},
		},
		Effects:     Effects{Idempotent: true},
		ErrorPrefix: errorPrefix,
		Run:         run,
		RunReadOnly: run,
	}
}
