package llmtest

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/llm"
)

// openAI answers a request of the Chat Completions API.
func (s *Server) openAI(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	var body struct {
		Model     string `json:"model"`
		MaxTokens int    `json:"max_tokens"`
		MaxNew    int    `json:"max_completion_tokens"`
		Messages  []struct {
			Role    llm.Role `json:"role"`
			Content string   `json:"content"`
		} `json:"messages"`
		Format struct {
			Schema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(text, &body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q := Request{
		API: "openai", Key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), Model: body.Model,
		MaxTokens: max(body.MaxTokens, body.MaxNew), Body: string(text),
	}
	for _, m := range body.Messages {
		if m.Role == "system" {
			q.System += m.Content
		} else {
			q.Messages = append(q.Messages, llm.Message{Role: m.Role, Text: m.Content})
		}
	}
	if schema := body.Format.Schema.Schema; len(schema) > 0 {
		q.Schema = compact(schema)
	}
	s.reply(w, r, q, speech{
		failure: func(a Reply) string {
			text, _ := json.Marshal(object{"error": object{"message": a.Message, "type": "test_error", "code": nil}})
			return string(text)
		},
		stream:  openAIEvents,
		breakIn: event("", object{"error": object{"message": "Overloaded", "type": "server_error"}}),
	})
}

func openAIEvents(a Reply) (begin, middle, end []string) {
	chunk := func(delta object, finish any) string {
		return event("", object{
			"id": "chatcmpl-test", "object": "chat.completion.chunk", "model": "test-model",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}},
		})
	}
	begin = []string{chunk(object{"role": "assistant", "content": ""}, nil)}
	if a.Refusal != "" {
		begin = append(begin, chunk(object{"refusal": a.Refusal}, nil))
	}
	for _, piece := range pieces(cmp.Or(a.JSON, a.Text)) {
		middle = append(middle, chunk(object{"content": piece}, nil))
	}
	u := a.Usage
	return begin, middle, []string{
		chunk(object{}, cmp.Or(a.Stop, "stop")),
		event("", object{"object": "chat.completion.chunk", "model": "test-model", "choices": []any{}, "usage": object{
			"prompt_tokens": u.Input + u.CacheRead, "completion_tokens": u.Output, "prompt_tokens_details": object{"cached_tokens": u.CacheRead},
		}}),
		"data: [DONE]\n\n",
	}
}
