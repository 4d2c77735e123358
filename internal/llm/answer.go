package llm

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// checker turns what a model said into the answer to a request. It holds the
// request's schema; nil for text.
type checker struct{ schema *jsonschema.Schema }

// checker compiles a schema. That it cannot be is a fault of the program.
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

// apply checks an answer: JSON where it was asked for, by its schema.
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

// fault says where and why a value is not by its schema: the first reason that there
// is.
func fault(err error) string {
	e, ok := errors.AsType[*jsonschema.ValidationError](err)
	if !ok {
		return err.Error()
	}
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	text := e.Error() // of several lines; the last is the reason
	return text[strings.LastIndexByte(text, '\n')+1:]
}

// extract returns the JSON object in a text: all of it, what stands in a fence, or
// what lies between the outermost braces.
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

// inPrompt asks for JSON in words, of models that can be asked in no other way.
func (s *Schema) inPrompt() string {
	text := "Answer with one JSON object and nothing else: no words around it, no code fence. It must be valid by this JSON Schema"
	if s.Description != "" {
		text += " (" + s.Description + ")"
	}
	return text + ":\n" + string(s.JSON)
}

// withoutThoughts cuts what a reasoning model says to itself before it answers.
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
