package briefing

import (
	"context"
	"os"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/orient"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// Task is a task in words, and how much of the answer is wanted; see [orient.Options].
type Task struct {
	Text           string
	Tokens, Offset int
}

// TaskTokens is the default of Task.Tokens.
const TaskTokens = orient.DefaultTokens

// Orient tells where to begin with a task, as Markdown.
func Orient(ctx context.Context, p *project.Project, g *graphs.Graph, t Task) (string, error) {
	opts := orient.Options{Tokens: t.Tokens, Offset: t.Offset}
	if err := opts.Search.FromEnv(os.Getenv); err != nil {
		return "", err
	}
	o, err := orient.For(ctx, p, g, t.Text, opts)
	if err != nil {
		return "", err
	}
	return o.Text(), nil
}
