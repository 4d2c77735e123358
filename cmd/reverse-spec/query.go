package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/explore"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/question"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

func (a *app) queryCommand() *cobra.Command {
	var flags graphFlags
	var model modelFlags
	var explain bool
	opts := question.Options{}
	cmd := &cobra.Command{
		Use:   "query <question or Cypher>...",
		Short: "Ask the code graph, in plain words or in Cypher",
		Long: a.localize(message.New(`Query answers a question about the code, in English or Chinese, or an openCypher
query, which can only read. Rules translate a question into Cypher; one that no rule
knows goes to a model, where one is configured, with the names of symbols near it. The
Cypher that ran is printed on standard error. "-" reads the question from standard input.

QUESTIONS THAT WORK
`)) + questionsThatWork(a.lang),
		Example: `  reverse-spec query who calls UserService.create_user
  reverse-spec query "` + question.Kind{English: "which classes inherit from Base?", Chinese: "哪些类继承了 Base？"}.In(a.lang) + `"
  reverse-spec query "MATCH (c:Class)-[:DEFINES_METHOD]->(m) RETURN c.name, count(m) ORDER BY count(m) DESC LIMIT 10"
  reverse-spec query --explain "MATCH (f:Function {name: 'main'})-[:CALLS*1..3]->(x) RETURN DISTINCT x.path"`,
		Args: atLeastArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			question, err := a.text(args)
			if err != nil {
				return err
			}
			if flags.in == graphs.Everywhere && !explain {
				return a.askEverywhere(cmd.Context(), question, opts, flags.json)
			}
			return a.withGraph(cmd.Context(), flags, func(g *graphs.Graph) error {
				opts.Model = func(ctx context.Context) (llm.Model, error) {
					m, notes, err := modelFor(ctx, a.root(), model)
					a.warn(notes)
					return m, err
				}
				if explain {
					return a.explain(cmd.Context(), g.Graph, question, opts)
				}
				return a.ask(cmd.Context(), g.Graph, question, opts, flags.json)
			})
		},
	}
	cmd.SetFlagErrorFunc(questionFlagError)
	flags.add(cmd)
	flags.addIn(cmd)
	model.add(cmd)
	cmd.Flags().BoolVar(&explain, "explain", false, "print how the query would run, and do not run it")
	cmd.Flags().IntVar(&opts.Limit, "limit", 0, fmt.Sprintf("most `rows`, up to %d (default: %d for a question, %d for Cypher)", question.MaxLimit, question.DefaultLimit, cypher.MaxRows))
	cmd.Flags().IntVar(&opts.Offset, "offset", 0, "`rows` to skip")
	cmd.Flags().DurationVar(&opts.Timeout, "timeout", cypher.Timeout, "most `time` that the query may take")
	return cmd
}

// questionsThatWork returns an example of each kind of question for the help text.
func questionsThatWork(lang message.Lang) string {
	var b strings.Builder
	for _, k := range question.Kinds() {
		b.WriteString("  " + k.In(lang) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// text returns the arguments as one text, or standard input for "-".
func (a *app) text(args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	b, err := io.ReadAll(io.LimitReader(a.in, maxQuestion+1))
	if err == nil && len(b) > maxQuestion {
		err = message.Errorf("more than %d bytes", maxQuestion)
	}
	if err != nil {
		return "", message.Errorf("read the question: %w", err)
	}
	return string(b), nil
}

// maxQuestion is the maximum size of a question in bytes.
const maxQuestion = 1 << 20

func (a *app) explain(ctx context.Context, g *explore.Graph, asked string, opts question.Options) error {
	query, plan, err := question.Explain(ctx, g, asked, opts)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.err, query)
	_, err = fmt.Fprintln(a.out, strings.TrimSuffix(plan, "\n"))
	return err
}

// askEverywhere asks all projects of the shared store.
func (a *app) askEverywhere(ctx context.Context, asked string, opts question.Options, asJSON bool) error {
	return withGraphs(func(g *graphs.Graphs) error {
		answer, err := g.Ask(ctx, nil, graphs.Question{Text: asked, Project: graphs.Everywhere, Limit: opts.Limit, Offset: opts.Offset})
		if err != nil {
			return err
		}
		return a.showAnswer(answer.Answer, asJSON)
	})
}

func (a *app) ask(ctx context.Context, g *explore.Graph, asked string, opts question.Options, asJSON bool) error {
	answer, err := question.Ask(ctx, g, asked, opts)
	if err != nil {
		return err
	}
	return a.showAnswer(answer, asJSON)
}

func (a *app) showAnswer(answer *question.Answer, asJSON bool) (err error) {
	switch {
	case asJSON:
		err = a.printJSON(answer)
	case answer.Error == "":
		err = a.showRows(answer)
	}
	if err == nil && answer.Error != "" {
		err = errors.New(answer.Error) // in the language of the run
	}
	return err
}

// showRows prints the rows as a table, and notes to standard error.
func (a *app) showRows(answer *question.Answer) error {
	if a.verbose {
		fmt.Fprintln(a.err, answer.Query)
	}
	if answer.Tokens != nil {
		a.note(message.New("The query is by %s (%d tokens).", answer.Translator, answer.Tokens.Input+answer.Tokens.Output))
	}
	w := a.table()
	w.bold, w.even = true, true
	if len(answer.Results) > 0 {
		fmt.Fprintln(w, strings.Join(columns(answer.Results[0]), "\t"))
	}
	for _, row := range answer.Results {
		cells := make([]string, len(row))
		for i, f := range row {
			cells[i] = cell(f.Value)
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	if err := w.Flush(); err != nil {
		return message.Errorf("print the answer: %w", err)
	}
	a.aside(answer.Summary)
	a.warn(answer.Notes)
	return nil
}

func columns(row question.Object) []string {
	names := make([]string, len(row))
	for i, f := range row {
		names[i] = f.Name
	}
	return names
}

// cell formats a value for a table: strings on one line, lists of strings separated by commas,
// anything else as JSON.
func cell(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case string:
		return oneLine.Replace(v)
	case []any:
		texts := make([]string, len(v))
		for i, e := range v {
			texts[i] = cell(e)
		}
		return strings.Join(texts, ", ")
	}
	b, err := json.Marshal(v)
	if err != nil { // cannot happen for values of an answer
		return fmt.Sprint(v)
	}
	return string(b)
}

// oneLine replaces characters that would break a table cell.
var oneLine = strings.NewReplacer("\n", "↵", "\r", "", "\t", " ")
