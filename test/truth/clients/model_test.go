package clients_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// turn is what the model says at one point of a conversation: the calls of tools, or
// for none a text with which it ends.
type turn struct {
	text  string
	calls []call
}

type call struct {
	Tool  string
	Input map[string]any
}

func say(text string) turn                          { return turn{text: text} }
func use(tool string, input map[string]any) turn    { return turn{calls: []call{{tool, input}}} }
func block(kind string, more map[string]any) object { more["type"] = kind; return more }

type object = map[string]any

// model is Anthropic's Messages API with a script. The turn that it takes is told by the
// turns that the request holds, so that a repeated request is answered alike.
type model struct {
	*httptest.Server
	t      *testing.T
	script []turn

	mu   sync.Mutex
	last request // of the conversation: the longest
}

type request struct {
	Model    string    `json:"model"`
	Stream   bool      `json:"stream"`
	Messages []message `json:"messages"`
	Tools    []struct {
		Name string `json:"name"`
	} `json:"tools"`
}

type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
}

// content is a list of blocks; a text is one.
type content []part

type part struct {
	Type      string  `json:"type"`
	Text      string  `json:"text"`
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	ToolUseID string  `json:"tool_use_id"`
	IsError   bool    `json:"is_error"`
	Content   content `json:"content"`
}

func (c *content) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		*c = content{{Type: "text", Text: s}}
		return nil
	}
	return json.Unmarshal(text, (*[]part)(c))
}

func (c content) text() string {
	var b strings.Builder
	for _, p := range c {
		b.WriteString(p.Text + "\n")
	}
	return strings.TrimSpace(b.String())
}

func newModel(t *testing.T, script ...turn) *model {
	t.Helper()
	m := &model{t: t, script: script}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	var q request
	body, err := io.ReadAll(r.Body)
	if err == nil && r.Method == http.MethodPost {
		err = json.Unmarshal(body, &q)
	}
	switch {
	case err != nil:
		http.Error(w, err.Error(), http.StatusBadRequest)
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		_ = json.NewEncoder(w).Encode(object{"input_tokens": len(body) / 4})
	case r.Method == http.MethodPost:
		m.answer(w, q)
	}
}

// answer takes the model's turn. Requests without tools are the client's own, for titles
// and the like.
func (m *model) answer(w http.ResponseWriter, q request) {
	t, taken := say("ok"), 0
	if len(q.Tools) > 0 {
		for _, msg := range q.Messages {
			if msg.Role == "assistant" {
				taken++
			}
		}
		t = say("the script is over")
		if taken < len(m.script) {
			t = m.script[taken]
		}
		m.mu.Lock()
		if len(q.Messages) > len(m.last.Messages) {
			m.last = q
		}
		m.mu.Unlock()
	}
	var blocks []object
	if t.text != "" {
		blocks = append(blocks, block("text", object{"text": t.text}))
	}
	for i, c := range t.calls {
		blocks = append(blocks, block("tool_use", object{"id": fmt.Sprintf("toolu_%d_%d", taken, i), "name": c.Tool, "input": c.Input}))
	}
	stop := "end_turn"
	if len(t.calls) > 0 {
		stop = "tool_use"
	}
	send(w, q, taken, blocks, stop)
}

// send writes an answer, as events where they are asked for. Turns are told apart by
// their ids.
func send(w http.ResponseWriter, q request, taken int, blocks []object, stop string) {
	usage := object{"input_tokens": 1, "output_tokens": 1}
	answer := block("message", object{
		"id": fmt.Sprintf("msg_%d", taken), "role": "assistant", "model": q.Model, "content": blocks,
		"stop_reason": stop, "stop_sequence": nil, "usage": usage,
	})
	if !q.Stream {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	event := func(kind string, more object) {
		text, _ := json.Marshal(block(kind, more))
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", kind, text)
	}
	answer["content"], answer["stop_reason"] = []object{}, nil
	event("message_start", object{"message": answer})
	for i, b := range blocks {
		delta := block("text_delta", object{"text": b["text"]})
		start := block("text", object{"text": ""})
		if b["type"] == "tool_use" {
			input, _ := json.Marshal(b["input"])
			delta = block("input_json_delta", object{"partial_json": string(input)})
			start = block("tool_use", object{"id": b["id"], "name": b["name"], "input": object{}})
		}
		event("content_block_start", object{"index": i, "content_block": start})
		event("content_block_delta", object{"index": i, "delta": delta})
		event("content_block_stop", object{"index": i})
	}
	event("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": usage})
	event("message_stop", object{})
}

// result is what came of a call.
type result struct {
	Tool  string
	Error bool
	Text  string // without what the client adds of its own
}

var reminders = regexp.MustCompile(`(?s)<system-reminder>.*?</system-reminder>`)

// results are those of all calls, in order.
func (m *model) results() []result {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := map[string]string{}
	var all []result
	for _, msg := range m.last.Messages {
		for _, p := range msg.Content {
			switch p.Type {
			case "tool_use":
				names[p.ID] = p.Name
			case "tool_result":
				text := strings.TrimSpace(reminders.ReplaceAllString(p.Content.text(), ""))
				all = append(all, result{names[p.ToolUseID], p.IsError, text})
			}
		}
	}
	return all
}

// got fails where the calls did not come to what is wanted: each to an error or none, with
// a text in which the wanted one stands.
func (m *model) got(wants ...result) {
	m.t.Helper()
	got := m.results()
	if len(got) != len(wants) {
		m.t.Fatalf("%d results of %d: %+v", len(got), len(wants), got)
	}
	for i, want := range wants {
		if r := got[i]; r.Tool != want.Tool || r.Error != want.Error || !strings.Contains(r.Text, want.Text) {
			m.t.Errorf("no %q of %s: error %v: %.2000s", want.Text, r.Tool, r.Error, r.Text)
		}
	}
}

// told is what the model was told before its first turn.
func (m *model) told() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, msg := range m.last.Messages {
		if msg.Role == "assistant" {
			break
		}
		b.WriteString(msg.Content.text() + "\n")
	}
	return b.String()
}

// everything is all that was said, results too.
func (m *model) everything() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var b strings.Builder
	for _, msg := range m.last.Messages {
		for _, p := range msg.Content {
			b.WriteString(p.Text + "\n" + p.Content.text() + "\n")
		}
	}
	return b.String()
}
