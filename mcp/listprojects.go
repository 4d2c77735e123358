package mcp

import (
	"context"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// relationBytes is how much of an answer of list_projects says what projects use of each other.
const relationBytes = pageBytes / 2

// listProjectsTool is list_projects of the code graph's contract, section 3.3.
func listProjectsTool(g *graphs.Graphs) Tool {
	return Tool{
		Name:        "list_projects",
		Description: fixed("List all indexed projects in the knowledge graph database. Returns a list of project names that have been indexed."),
		Params:      []Param{offsetParam()},
		Effects:     Effects{ReadOnly: true, Idempotent: true},
		ErrorPrefix: errorPrefix,
		Indent:      indent,
		Run: func(ctx context.Context, _ *project.Project, a Arguments) (any, error) {
			type list struct {
				Projects []string `json:"projects"`
				Count    int      `json:"count"`
				Error    string   `json:"error,omitempty"`
				Next     *Next    `json:"next,omitempty"`
				// What projects of the page use of each other, in the shared store, and how much of it is left out.
				Relations []graphs.Relation `json:"relations,omitempty"`
				LeftOut   int               `json:"relations_left_out,omitempty"`
			}
			all, err := g.List(ctx)
			names := make([]string, 0, len(all))
			for _, p := range all {
				names = append(names, p.Name)
			}
			if err != nil {
				return list{Projects: names, Count: len(names), Error: message.Render(message.From(ctx), err)}, nil // as the contract wants it
			}
			offset := a.Int("offset")
			page, left := cutPage(names, offset, pageBytes, indent)
			result := list{Projects: page, Count: len(names)}
			if left > 0 {
				result.Next = further("list_projects", a, left, "projects", offset+len(page))
			}
			at := min(max(offset, 0), len(all))
			relations, err := g.Relations(ctx, all[at:at+len(page)], all)
			if err != nil {
				result.Error = message.Render(message.From(ctx), err)
			}
			result.Relations, result.LeftOut = cutPage(relations, 0, relationBytes, indent)
			return result, nil
		},
	}
}
