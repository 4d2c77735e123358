package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// checker converts a model's output into the answer to a request. schema is the compiled
// schema of the request; nil for text.
type checker struct{ schema *jsonschema.Schema }

// checker compiles a schema. An error is a bug of this program.
func (s *Schema) checker() (checker, error) {
	if s == nil {
		return checker{}, nil
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.JSON))
	if err != nil {
		return checker{}, message.Errorf("schema %s: %w", s.Name, err)
	}
	const name = "answer.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, value); err != nil {
		return checker{}, message.Errorf("schema %s: %w", s.Name, err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		return checker{}, message.Errorf("schema %s: %w", s.Name, err)
	}
	return checker{compiled}, nil
}

// apply checks an answer. If a schema was given it must be valid JSON of that schema.
func (c checker) apply(a *Answer, maxTokens int) error {
	if c.schema == nil {
		if strings.TrimSpace(a.Text) == "" && a.Stop == StopEnd {
			return &Error{Kind: KindUnreadable, note: message.New("it is empty")}
		}
		return nil
	}
	if a.Stop == StopMaxTokens {
		return &Error{Kind: KindTooLong, note: message.New("%d tokens are not enough", maxTokens)}
	}
	text := []byte(a.JSON)
	if len(text) == 0 {
		text = extract(a.Text)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return &Error{Kind: KindUnreadable, note: message.New("it is not JSON"), Err: err}
	}
	if err := c.schema.Validate(value); err != nil {
		return &Error{Kind: KindUnreadable, note: message.New("it is not as the schema says: %s", fault(err)), Err: err}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return &Error{Kind: KindUnreadable, note: message.New("it is not JSON"), Err: err}
	}
	a.Text, a.JSON = "", compact.Bytes()
	return nil
}

// fault returns the first reason why a value does not match its schema.
func fault(err error) string {
	e, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err.Error()
	}
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	text := e.Error() // the last line has the reason
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// extract returns the JSON object in a text: the whole text, the contents of a fence, or the
// text between the outermost braces.
func extract(text string) []byte {
	text = strings.TrimSpace(text)
	if _, body, ok := strings.Cut(text, "```"); ok && !strings.HasPrefix(text, "{") {
		if _, body, ok = strings.Cut(body, "\n"); ok {
			if i := strings.LastIndex(body, "```"); i >= 0 {
				text = body[:i]
			}
		}
	}
	first, last := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if first < 0 || last < first {
		return []byte(text)
	}
	return []byte(text[first : last+1])
}

// inPrompt returns a prompt that asks for JSON, for models without structured output.
func (s *Schema) inPrompt() string {
	text := "Answer with one JSON object and nothing else: no words around it, no code fence. It must be valid by this JSON Schema"
	if s.Description != "" {
		text += " (" + s.Description + ")"
	}
	return text + ":\n" + string(s.JSON)
}

// withoutThoughts removes the reasoning that some models write before the answer.
func withoutThoughts(text string) string {
	const begin, end = "<think>", "</think>"
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), begin)
	if !ok {
		return text
	}
	if _, answer, ok := strings.Cut(rest, end); ok {
		return strings.TrimSpace(answer)
	}
	return text
}
