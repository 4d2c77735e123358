package mcp

import (
	"context"
	"errors"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/index"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
)

// queryTool is query_code_graph of the code graph's contract, section 3.1.
func queryTool(graphs Stores, runs *index.Runs, models Models) Tool {
	least := 1
	return Tool{
		Name: "query_code_graph",
		Description: fixed("Query the codebase knowledge graph using natural language. Ask questions like " +
			"'What functions call UserService.create_user?' or 'Show me all classes that implement the Repository interface'."),
		Params: []Param{
			{Name: "natural_language_query", Type: String, Description: fixed("Your question in plain English about the codebase"), Required: true},
			{Name: "project_name", Type: String, Description: message.New("Another indexed project to ask (see list_projects; default: this one)")},
			{Name: "limit", Type: Integer, Minimum: &least, Description: message.New("Maximum number of results to return (default: 50 for a question, 500 for Cypher)")},
			offsetParam(message.New("rows")),
		},
		Effects:     Effects{ReadOnly: true, Idempotent: true, OpenWorld: models != nil},
		Meta:        whole(),
		ErrorPrefix: errorPrefix,
		Indent:      indent,
		Run: func(ctx context.Context, p *project.Project, a Arguments) (any, error) {
			s, err := graphs()
			if err != nil {
				return nil, err
			}
			if n := len(a.String("natural_language_query")); n > maxQuestion {
				return nil, message.Errorf("the question has %d bytes; the limit is %d", n, maxQuestion)
			}
			answer, err := askProject(ctx, p, s, runs, models, a)
			if err != nil {
				return nil, err
			}
			return answer, nil
		},
	}
}

// maxQuestion is how many bytes a question, or Cypher, may have: an answer repeats it.
const maxQuestion = 16 << 10

// answerPage is an answer with as many of its rows as fit.
type answerPage struct {
	*question.Answer
	Next *Next `json:"next,omitempty"`
}

// askProject asks the project that is stored under the name given; p for "". The model is
// that of p.
func askProject(ctx context.Context, p *project.Project, s store.Store, runs *index.Runs, models Models, a Arguments) (page *answerPage, err error) {
	var notes []string
	here := p
	model := func(ctx context.Context) (m llm.Model, err error) {
		m, notes, err = models.open(ctx, here)
		return m, err
	}
	if name := a.String("project_name"); name != "" {
		root, err := explore.RootOf(ctx, s, name)
		if err != nil {
			return nil, err
		}
		if p, err = project.Open(root); err != nil {
			return nil, err
		}
		defer func() { _ = p.Close() }() // nothing was written
	}
	g, err := explore.Open(ctx, p, s, asked(runs))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	shortened := 0
	opts := question.Options{Limit: a.Int("limit"), Offset: a.Int("offset"), Model: model, Fit: func(rows []question.Object) []question.Object {
		rows, shortened = fitRows(rows, pageBytes)
		return rows
	}}
	answer, err := question.Ask(ctx, g, a.String("natural_language_query"), opts)
	if err != nil {
		return nil, err
	}
	answer.Notes = append(answer.Notes, notes...)
	if shortened > 0 {
		answer.Notes = append(answer.Notes, message.Sprintf(ctx, "the row is too long for one answer, and %d elements or bytes of it were left out: "+
			"UNWIND what it collects, to get it as rows", shortened))
	}
	page = &answerPage{Answer: answer}
	if answer.Omitted > 0 {
		page.Next = further("query_code_graph", a, answer.Omitted, "rows", opts.Offset+len(answer.Results))
		if answer.Tokens != nil { // a model may write another query next time
			page.Next.Arguments["natural_language_query"] = answer.Query
		}
	}
	return page, nil
}
