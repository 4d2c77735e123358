// Package testwriter has a language model write the calls of tests. [Ask] gives it the code of a module and the exits that no test
// asserts on, and returns what it wrote for each; nothing of that is run here.
package testwriter

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// instructions are the system prompt, before what a context begins with.
const instructions = `You write tests. A program found error exits in a module that no test of the project asserts on, and lists them with numbers:
the function, the condition under which the exit is taken, and the error. For each you write the statements that set up what is
needed and make the call that ends with that very error, for no other reason than the condition. The program puts them into a test that asserts on the
error, runs it, and runs it again without the exit: what does not pass, and what passes both times, is thrown away.

Answer by the JSON Schema alone: for each exit its number, the statements, and the imports that they need. Leave out the exits that
no short test can reach. Use files only in a temporary folder, no network, no clock, no sleep, no other program. Write no assertion and no
comment.

`

// statements says what the statements are, by the language; %s is the module.
var statements = map[string]string{
	"go": "The statements are the body of a func() error in a test of package %s, which sees what is not exported. They return the error of the call; a call " +
		"that panics is made without returning anything. An import is a path, perhaps after a name; testing, errors and strings are imported.",
	"python": "The statements are Python, not indented, in a block `with raises(…)`. The module is imported as `target` (it is %s): write target.name. " +
		"What is asynchronous is run by asyncio.run. An import is a line of Python.",
	"ecma": "The statements are the body of an asynchronous function of the project's dialect of TypeScript or JavaScript. The module is imported as `target` (it is %s): write " +
		"target.name. The function throws or rejects with the error. An import is a line as the tests of the project write it.",
}

// schema is the JSON Schema of the answer.
var schema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["tests"],"properties":{"tests":{"type":"array","items":{` +
	`"type":"object","additionalProperties":false,"required":["number","statements","imports"],"properties":{` +
	`"number":{"type":"integer"},"statements":{"type":"string"},"imports":{"type":"array","items":{"type":"string"}}}}}}}`)

// Question is what a model is asked.
type Question struct {
	Module   *model.Module
	Language string   // of the tests: "go", "python", or another for ECMAScript
	Name     string   // of the package, or by which the tests import the module
	Tool     string   // that runs the tests
	Path     string   // of their file
	Exits    []string // a line for each: the place, the condition, the error
}

// Answer is what a model wrote for an exit.
type Answer struct {
	Number     int      `json:"number"` // of the exit, from 1
	Statements string   `json:"statements"`
	Imports    []string `json:"imports"`
}

// Ask asks a model, and returns the answers for exits that were asked about, one each, and the number of tokens. Errors are those of
// reading the code, and the model's.
func Ask(ctx context.Context, writer model.Writer, q Question) (answers []Answer, tokens int, err error) {
	task, err := q.task(ctx, writer)
	if err != nil {
		return nil, 0, err
	}
	progress.Report(ctx, progress.Event{Stage: "write", Item: q.Path + " (" + writer.Name() + ")"})
	written, err := writer.Write(ctx, task)
	tokens = written.Usage.Total()
	if err != nil {
		return nil, tokens, err
	}
	var all struct {
		Tests []Answer `json:"tests"`
	}
	if err := json.Unmarshal(written.Answer, &all); err != nil {
		return nil, tokens, err
	}
	seen := map[int]bool{}
	for _, a := range all.Tests {
		a.Statements = strings.Trim(a.Statements, "\n")
		if a.Number < 1 || a.Number > len(q.Exits) || seen[a.Number] || strings.TrimSpace(a.Statements) == "" {
			continue
		}
		seen[a.Number] = true
		answers = append(answers, a)
	}
	return answers, tokens, nil
}

// task returns the request: the exits, below what a model needs to know of the module.
func (q *Question) task(ctx context.Context, writer model.Writer) (model.Task, error) {
	about, err := q.Module.Context(ctx, model.ContextOptions{Model: writer.Name(), Snippets: true})
	if err != nil {
		return model.Task{}, err
	}
	var system, text strings.Builder
	system.WriteString(instructions)
	for _, part := range about.Parts {
		if part.Kind == model.Instructions {
			system.WriteString(part.Text)
		} else {
			text.WriteString(part.Text)
		}
	}
	language := q.Language
	if statements[language] == "" {
		language = "ecma"
	}
	fmt.Fprintf(&text, "\n\n"+statements[language]+"\n", q.Name)
	fmt.Fprintf(&text, "The tests are run by %s, as %s.\n\n", q.Tool, q.Path)
	var exits []string
	for i, e := range q.Exits {
		exits = append(exits, fmt.Sprintf("%d. %s", i+1, e))
	}
	text.WriteString(prompt.Data("exits", strings.Join(exits, "\n")) + "\n")
	return model.Task{System: system.String(), Text: text.String(), Schema: schema}, nil
}
