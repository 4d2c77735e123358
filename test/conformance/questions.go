//go:build conformance

package main

import (
	"context"
	"encoding/json"
	"fmt"

	messages "github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// form is a tool that has the client ask its user.
type form struct {
	tool   string
	says   string          // before what the user answered
	asks   string          // "" for what the caller gives as message
	schema json.RawMessage // of the user's answer
}

func forms() []form {
	return []form{
		{"test_elicitation", "User response", "", json.RawMessage(`{
			"type": "object",
			"properties": {
				"username": {"type": "string", "description": "User's response"},
				"email": {"type": "string", "description": "User's email address"}
			},
			"required": ["username", "email"]
		}`)},
		{"test_elicitation_sep1034_defaults", "Elicitation completed", "Is this right?", json.RawMessage(`{
			"type": "object",
			"properties": {
				"name": {"type": "string", "default": "John Doe"},
				"age": {"type": "integer", "default": 30},
				"score": {"type": "number", "default": 95.5},
				"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
				"verified": {"type": "boolean", "default": true}
			}
		}`)},
		{"test_elicitation_sep1330_enums", "Elicitation completed", "Which of these?", json.RawMessage(`{
			"type": "object",
			"properties": {
				"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
				"titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]},
				"legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["First", "Second"]},
				"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
				"titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]}}
			}
		}`)},
	}
}

// askingTools are the tools that ask the client something.
func askingTools() []mcp.Tool {
	sampling := tool("test_sampling", nil)
	sampling.Params = []mcp.Param{{Name: "prompt", Required: true, Type: mcp.String, Description: messages.New("%s", "What the model is asked.")}}
	sampling.Run = sample
	tools := []mcp.Tool{sampling}
	for _, f := range forms() {
		t := tool(f.tool, nil)
		if f.asks == "" {
			t.Params = []mcp.Param{{Name: "message", Required: true, Type: mcp.String, Description: messages.New("%s", "What the user is asked.")}}
		}
		t.Run = f.run
		tools = append(tools, t)
	}
	return tools
}

// sample has the client ask its model.
func sample(ctx context.Context, _ *project.Project, a mcp.Arguments) (any, error) {
	prompt := map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": a.String("prompt")}}
	result, err := mcp.Ask(ctx, "sampling/createMessage", map[string]any{"messages": []any{prompt}, "maxTokens": 100})
	if err != nil {
		return nil, err
	}
	var answer struct{ Content struct{ Text string } }
	if err := json.Unmarshal(result, &answer); err != nil {
		return nil, err
	}
	return "LLM response: " + answer.Content.Text, nil
}

// run has the client ask its user.
func (f form) run(ctx context.Context, _ *project.Project, a mcp.Arguments) (any, error) {
	question := f.asks
	if question == "" {
		question = a.String("message")
	}
	result, err := mcp.Ask(ctx, "elicitation/create", map[string]any{"message": question, "requestedSchema": f.schema})
	if err != nil {
		return nil, err
	}
	var answer struct {
		Action  string
		Content json.RawMessage
	}
	if err := json.Unmarshal(result, &answer); err != nil {
		return nil, err
	}
	return fmt.Sprintf("%s: action=%s, content=%s", f.says, answer.Action, answer.Content), nil
}
