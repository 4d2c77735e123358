package llmtest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"

	"github.com/reverse-spec/reverse-spec/internal/llm"
)

type object = map[string]any

// anthropic answers a request of the Messages API.
func (s *Server) anthropic(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	var body struct {
		Model     string          `json:"model"`
		MaxTokens int             `json:"max_tokens"`
		System    json.RawMessage `json:"system"`
		Messages  []struct {
			Role    llm.Role        `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Schema json.RawMessage `json:"input_schema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(text, &body); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	q := Request{API: "anthropic", Key: r.Header.Get("X-Api-Key"), Model: body.Model, MaxTokens: body.MaxTokens, Body: string(text)}
	q.System, q.Cached = blocks(body.System)
	for _, m := range body.Messages {
		content, _ := blocks(m.Content)
		q.Messages = append(q.Messages, llm.Message{Role: m.Role, Text: content})
	}
	if len(body.Tools) == 1 {
		q.Schema = compact(body.Tools[0].Schema)
	}
	s.reply(w, r, q, speech{
		failure: anthropicFailure,
		stream:  anthropicEvents,
		breakIn: event("error", object{"type": "error", "error": object{"type": "overloaded_error", "message": "Overloaded"}}),
	})
}

// blocks returns the text of a content, which is a string or a list of blocks, and whether its
// end is marked for caching.
func blocks(content json.RawMessage) (text string, cached bool) {
	if json.Unmarshal(content, &text) == nil {
		return text, false
	}
	var list []struct {
		Text  string `json:"text"`
		Cache any    `json:"cache_control"`
	}
	if json.Unmarshal(content, &list) != nil {
		return "", false
	}
	for _, b := range list {
		text += b.Text
		cached = b.Cache != nil
	}
	return text, cached
}

// errorTypes maps statuses to Anthropic's error types.
var errorTypes = map[int]string{
	400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error",
	413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error",
}

func anthropicFailure(a Reply) string {
	kind := cmp.Or(errorTypes[a.Status], "api_error")
	text, _ := json.Marshal(object{"type": "error", "error": object{"type": kind, "message": a.Message}, "request_id": "req_test"})
	return string(text)
}

func anthropicEvents(a Reply) (begin, middle, end []string) {
	u := a.Usage
	begin = []string{
		event("message_start", object{"type": "message_start", "message": object{
			"id": "msg_test", "type": "message", "role": "assistant", "model": "test-model", "content": []any{},
			"usage": object{"input_tokens": u.Input, "output_tokens": 1, "cache_read_input_tokens": u.CacheRead, "cache_creation_input_tokens": u.CacheWrite},
		}}),
		event("ping", object{"type": "ping"}),
	}
	stop, details := cmp.Or(a.Stop, "end_turn"), object(nil)
	block, text, delta := object{"type": "text", "text": ""}, a.Text, func(s string) object { return object{"type": "text_delta", "text": s} }
	switch {
	case a.JSON != "":
		stop = cmp.Or(a.Stop, "tool_use")
		block, text = object{"type": "tool_use", "id": "toolu_test", "name": "answer", "input": object{}}, a.JSON
		delta = func(s string) object { return object{"type": "input_json_delta", "partial_json": s} }
	case a.Refusal != "":
		stop, details = "refusal", object{"type": "refusal", "explanation": a.Refusal}
	}
	begin = append(begin, event("content_block_start", object{"type": "content_block_start", "index": 0, "content_block": block}))
	for _, piece := range pieces(text) {
		middle = append(middle, event("content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta(piece)}))
	}
	return begin, middle, []string{
		event("content_block_stop", object{"type": "content_block_stop", "index": 0}),
		event("message_delta", object{
			"type": "message_delta", "delta": object{"stop_reason": stop, "stop_details": details},
			"usage": object{"output_tokens": u.Output},
		}),
		event("message_stop", object{"type": "message_stop"}),
	}
}

func compact(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return string(text)
	}
	return b.String()
}
