package contracttest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/spec"
	"github.com/reverse-spec/reverse-spec/spec/model"
)

// mostAsked limits the exits of a file that a model is asked about.
const mostAsked = 20

// writingTests is the system prompt of a model that writes tests, before what a context begins with.
const writingTests = `You write tests. A program found error exits in a module that no test of the project asserts on, and lists them with numbers:
the function, the condition under which the exit is taken, and the error. For each you write the statements that set up what is
needed and make the call that ends with that very error, for no other reason than the condition. The program puts them into a test that asserts on the
error, runs it, and runs it again without the exit: what does not pass, and what passes both times, is thrown away.

Answer by the JSON Schema alone: for each exit its number, the statements, and the imports that they need. Leave out the exits that
no short test can reach. Use files only in a temporary folder, no network, no clock, no sleep, no other program. Write no assertion and no
comment.

`

// howToWrite says what the statements are, by the language.
var howToWrite = map[string]string{
	"go": "The statements are the body of a func() error in a test of package %s, which sees what is not exported. They return the error of the call; a call " +
		"that panics is made without returning anything. An import is a path, perhaps after a name; testing, errors and strings are imported.",
	"python": "The statements are Python, not indented, in a block `with raises(…)`. The module is imported as `target` (it is %s): write target.name. " +
		"What is asynchronous is run by asyncio.run. An import is a line of Python.",
	"ecma": "The statements are the body of an asynchronous function of the project's dialect of TypeScript or JavaScript. The module is imported as `target` (it is %s): write " +
		"target.name. The function throws or rejects with the error. An import is a line as the tests of the project write it.",
}

// answerSchema is the JSON Schema of what a model answers.
var answerSchema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["tests"],"properties":{"tests":{"type":"array","items":{` +
	`"type":"object","additionalProperties":false,"required":["number","statements","imports"],"properties":{` +
	`"number":{"type":"integer"},"statements":{"type":"string"},"imports":{"type":"array","items":{"type":"string"}}}}}}}`)

// ask has a model write the tests of exits for which no simple values were found or which these did not reach. A model that
// fails is noted.
func (w *writing) ask(ctx context.Context, writer model.Writer) ([]*proposed, error) {
	todo := w.left[:min(len(w.left), mostAsked)]
	if writer == nil || len(todo) == 0 {
		return nil, nil
	}
	task, err := w.task(ctx, writer, todo)
	if err != nil {
		return nil, err
	}
	progress.Report(ctx, progress.Event{Stage: "write", Item: w.at.Path + " (" + writer.Name() + ")"})
	written, err := writer.Write(ctx, task)
	var answer struct {
		Tests []struct {
			Number     int      `json:"number"`
			Statements string   `json:"statements"`
			Imports    []string `json:"imports"`
		} `json:"tests"`
	}
	if err == nil {
		err = json.Unmarshal(written.Answer, &answer)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	w.out.Tokens += written.Usage.Total()
	if err != nil {
		w.out.Notes = append(w.out.Notes, message.New("%s wrote no tests: %v", writer.Name(), err).In(w.lang))
		return nil, nil
	}
	var out []*proposed
	asked := map[*exit]bool{}
	for _, t := range answer.Tests {
		if t.Number < 1 || t.Number > len(todo) || asked[todo[t.Number-1]] || strings.TrimSpace(t.Statements) == "" {
			continue
		}
		r := todo[t.Number-1]
		asked[r] = true
		made := w.caseOf(r)
		made.Callee, made.Body, made.Imports = r.claim.Subject, strings.Trim(t.Statements, "\n"), t.Imports
		made.Number = len(w.cases) + len(out) + 1
		out = append(out, made)
	}
	w.left = slices.DeleteFunc(w.left, func(r *exit) bool { return asked[r] }) // they are refused again, or kept
	return out, nil
}

// task returns what a model is asked: the exits, below what it needs to know of the module.
func (w *writing) task(ctx context.Context, writer model.Writer, todo []*exit) (model.Task, error) {
	about, err := w.now.Module.Context(ctx, model.ContextOptions{Model: writer.Name(), Snippets: true})
	if err != nil {
		return model.Task{}, err
	}
	var system, text strings.Builder
	system.WriteString(writingTests)
	for _, part := range about.Parts {
		if part.Kind == model.Instructions {
			system.WriteString(part.Text)
		} else {
			text.WriteString(part.Text)
		}
	}
	language, module := w.at.Source.Language, w.at.Module
	switch {
	case language == "go":
		module = w.at.Source.Package
	case language != "python":
		language = "ecma"
	}
	fmt.Fprintf(&text, "\n\n"+howToWrite[language]+"\n", module)
	fmt.Fprintf(&text, "The tests are run by %s, as %s.\n\n", w.at.Tool, w.at.Path)
	var exits []string
	for i, r := range todo {
		exits = append(exits, fmt.Sprintf("%d. %s:%d, when `%s`: %s", i+1, r.at.File, r.at.Line, r.when, spec.Say(&r.claim.Claim, "en")))
	}
	text.WriteString(prompt.Data("exits", strings.Join(exits, "\n")) + "\n")
	return model.Task{System: system.String(), Text: text.String(), Schema: answerSchema}, nil
}
