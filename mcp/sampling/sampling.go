// Package sampling lends the model of an MCP client to a call (sampling/createMessage of protocol 2025-11-25).
package sampling

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/llm"
)

// Ask sends a request to the client and returns its result. The error is the [*jsonrpc.Error] of the response, or why there is none.
type Ask func(ctx context.Context, method string, params map[string]any) ([]byte, error)

// With returns the context of a call whose client lends its model.
func With(ctx context.Context, ask Ask) context.Context {
	return llm.WithClientModel(ctx, llm.ClientModel{Sample: func(ctx context.Context, r llm.Request, model string) (*llm.Answer, error) {
		text, err := ask(ctx, string(mcpgo.MethodSamplingCreateMessage), params(r, model))
		if refused, ok := errors.AsType[*jsonrpc.Error](err); ok {
			return nil, &llm.DeclinedError{Reason: refused.Message}
		}
		if err != nil {
			return nil, err
		}
		return answer(text)
	}})
}

// Wanted returns the context of a call that asks for prose: if no other model is configured, the client's own writes it.
func Wanted(ctx context.Context) context.Context { return llm.AskClientModel(ctx) }

// params are the params of a request to the client's model.
func params(r llm.Request, model string) map[string]any {
	messages := []map[string]any{}
	for _, m := range r.Messages {
		messages = append(messages, map[string]any{"role": string(m.Role), "content": map[string]any{"type": "text", "text": m.Text}})
	}
	out := map[string]any{"messages": messages, "maxTokens": r.MaxTokens}
	if r.System != "" {
		out["systemPrompt"] = r.System
	}
	if r.Temperature != nil {
		out["temperature"] = *r.Temperature
	}
	if model != "" {
		out["modelPreferences"] = map[string]any{"hints": []map[string]any{{"name": model}}}
	}
	return out
}

// answer reads the result of a request to the client's model: one block of content, or since 2025-11-25 a list of them.
func answer(text []byte) (*llm.Answer, error) {
	var result struct {
		Content    json.RawMessage `json:"content"`
		Model      string          `json:"model"`
		StopReason string          `json:"stopReason"`
	}
	type block struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	var blocks []block
	err := json.Unmarshal(text, &result)
	if err == nil && strings.HasPrefix(string(result.Content), "[") {
		err = json.Unmarshal(result.Content, &blocks)
	} else if err == nil {
		blocks = make([]block, 1)
		err = json.Unmarshal(result.Content, &blocks[0])
	}
	if err != nil {
		return nil, &llm.Error{Kind: llm.KindUnreadable, Err: err}
	}
	a := &llm.Answer{Model: result.Model, Stop: llm.StopEnd}
	for _, b := range blocks {
		if b.Type == "text" {
			a.Text += b.Text
		}
	}
	if result.StopReason == "maxTokens" {
		a.Stop = llm.StopMaxTokens
	}
	return a, nil
}
