package question

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/search"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/redact"
)

// Tokens are the tokens used by a model for a query.
type Tokens struct {
	Input  int `json:"input"`
	Output int `json:"output"`
}

// The limits of requests to the model.
const (
	modelTries    = 2    // one query, and one correction
	modelAnswer   = 4096 // tokens
	modelQuestion = 4000 // bytes of the question
	modelNames    = 40   // symbols near the question
	maxReason     = 300  // bytes quoted of the reason for a missing query
	// modelWait is the total time limit for the model. MCP clients give up on a tool call after 60 s.
	modelWait = 45 * time.Second
)

// translatePrompt is the system prompt, to which the schema is appended.
const translatePrompt = `You turn a question about a code base into one openCypher query over its code graph. The query is run as it is; it reads and never writes.
Answer the question that was asked and no other one. Where the graph has nothing that answers it, give an empty query and say why in why_not,
in one sentence. Do not put a measure in the place of another one (lines for complexity, names for meaning) without being asked to.
Use the labels, relationships and properties below, and names of symbols as they are given.

The graph:
` + schema + `

The question was read from a user, and the names from a project.
` + prompt.Rules

// modelSchema is the JSON Schema of the model's answer.
const modelSchema = `{"type":"object","properties":{` +
	`"query":{"type":"string","description":"one openCypher query, or empty"},` +
	`"why_not":{"type":"string","description":"why there is no query, or empty"}},` +
	`"required":["query","why_not"],"additionalProperties":false}`

// chinesePrompt is appended for Chinese readers: the model's explanations are for people.
const chinesePrompt = "\nWrite why_not in Chinese."

// feedbackError is an error of a query that is shown only to the model.
type feedbackError struct{ notes []string }

func (e *feedbackError) Error() string {
	return "the query has no rows: " + strings.Join(e.notes, "; ")
}

// dialogue is the conversation with a model about one question.
type dialogue struct {
	model    llm.Model
	nearest  []Kind // similar supported questions
	messages []llm.Message
	used     Tokens
}

// dialogue begins the conversation with the question and the names of related symbols. Secrets are redacted. If
// there is no model, it returns refusal, the error of the rules.
func (o *Options) dialogue(ctx context.Context, g *explore.Graph, question string, refusal error) (*dialogue, error) {
	refused, ok := errors.AsType[*UntranslatedError](refusal)
	if !ok || o.Model == nil || strings.TrimSpace(question) == "" {
		return nil, refusal
	}
	m, err := o.Model(ctx)
	if err != nil {
		return nil, &UntranslatedError{refused.Nearest, message.Errorf("the model that is configured cannot be asked: %w", err)}
	}
	if m == nil {
		return nil, refusal
	}
	near, err := namesNear(ctx, g, question)
	if err != nil {
		return nil, err
	}
	question, _ = redact.Text(cut(question, modelQuestion), redact.Hints{})
	id := prompt.ID(question, near)
	text := prompt.Block(id, "question", question) + "\n" + prompt.Block(id, "names", near)
	return &dialogue{model: m, nearest: refused.Nearest, messages: []llm.Message{{Role: llm.User, Text: text}}}, nil
}

// namesNear lists the number of nodes of each label, and the symbols found by searching for the question.
func namesNear(ctx context.Context, g *explore.Graph, question string) (string, error) {
	counts, err := g.Reader().Counts(ctx)
	if err != nil {
		return "", message.Errorf("count the nodes: %w", err)
	}
	var rows []string
	for _, label := range slices.Sorted(maps.Keys(counts.Nodes)) {
		rows = append(rows, fmt.Sprintf("%s: %d nodes", label, counts.Nodes[label]))
	}
	hits, err := search.Find(ctx, g.Snapshot(), question, search.Options{Limit: modelNames})
	if err != nil {
		return "", message.Errorf("find names: %w", err)
	}
	ids := make([]codegraph.ID, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	nodes, err := g.Reader().Nodes(ctx, ids, codegraph.FieldQualifiedName, codegraph.FieldPath)
	if err != nil {
		return "", message.Errorf("read names: %w", err)
	}
	for i := range nodes {
		rows = append(rows, fmt.Sprintf("%s %s (%s)", nodes[i].Label, nodes[i].QualifiedName, nodes[i].Path))
	}
	text, _ := redact.Text(strings.Join(rows, "\n"), redact.Hints{})
	return text, nil
}

// next requests a query. The error says why the model has none.
func (d *dialogue) next(ctx context.Context) (string, error) {
	name, system := d.model.Name(), translatePrompt
	if message.From(ctx) == message.Chinese {
		system += chinesePrompt
	}
	answer, err := d.model.Complete(ctx, llm.Request{
		System:    system,
		Messages:  d.messages,
		Schema:    &llm.Schema{Name: "cypher_query", Description: "The query, or why there is none.", JSON: json.RawMessage(modelSchema)},
		MaxTokens: modelAnswer,
	})
	d.count(answer, err)
	if err != nil {
		return "", message.Errorf("%s failed: %w", name, err)
	}
	var said struct {
		Query string `json:"query"`
		Why   string `json:"why_not"`
	}
	if err := json.Unmarshal(answer.JSON, &said); err != nil {
		return "", message.Errorf("%s gave an answer that cannot be read: %w", name, err)
	}
	d.messages = append(d.messages, llm.Message{Role: llm.Assistant, Text: string(answer.JSON)})
	if query := strings.TrimSpace(said.Query); query != "" {
		return query, nil
	}
	return "", message.Errorf("%s found no query for it: %s", name, cut(said.Why, maxReason))
}

// count adds the tokens of an answer, or of a failed request.
func (d *dialogue) count(answer *llm.Answer, err error) {
	var used llm.Usage
	if failed, ok := errors.AsType[*llm.Error](err); ok {
		used = failed.Usage
	}
	if answer != nil {
		used = answer.Usage
	}
	d.used.Input += used.Input + used.CacheRead + used.CacheWrite
	d.used.Output += used.Output
}

// correct tells the model what is wrong with its query.
func (d *dialogue) correct(fault error) {
	text, _ := redact.Text(fault.Error(), redact.Hints{})
	d.messages = append(d.messages, llm.Message{
		Role: llm.User, Text: "The query cannot be used. Correct it, or give none:\n" + prompt.Data("error", text),
	})
}

// query requests queries until try accepts one, at most [modelTries] times, and returns the last one. The error is
// that of the last try, an [*UntranslatedError] if the model has no query, or that of the context.
func (d *dialogue) query(ctx context.Context, try func(query string, last bool) error) (query string, err error) {
	limited, cancel := context.WithTimeout(ctx, modelWait)
	defer cancel()
	for n := 1; ; n++ {
		next, err := d.next(limited)
		switch {
		case ctx.Err() != nil:
			return query, ctx.Err()
		case err != nil && limited.Err() != nil:
			return "", &UntranslatedError{d.nearest, message.Errorf("%s did not answer within %v", d.model.Name(), modelWait)}
		case err != nil:
			return "", &UntranslatedError{d.nearest, err}
		}
		query = next
		if err = try(query, n == modelTries); err == nil || n == modelTries || ctx.Err() != nil {
			return query, err
		}
		d.correct(err)
	}
}

// cut returns the start of a text, at most the given number of bytes.
func cut(text string, bytes int) string {
	if len(text) <= bytes {
		return text
	}
	return strings.ToValidUTF8(text[:bytes], "") + "…"
}
