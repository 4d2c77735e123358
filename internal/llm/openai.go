package llm

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// openAIHome is the address of OpenAI's own service.
const openAIHome = "https://api.openai.com/v1"

// chat is a client of OpenAI's chat completions API, which Ollama, vLLM, LM Studio, llama.cpp
// and OpenAI implement. It does not use the SDK, which would add 12 MB to the program for one
// request, drops the reason and even the status of errors in other formats than OpenAI's, and
// treats a truncated answer as complete.
type chat struct {
	http       *http.Client
	base       string // without a trailing slash
	key        string // "" for none
	otherLimit bool   // the limit is called max_completion_tokens
	quirks     quirks

	mu    sync.Mutex
	model string // "" until the server was asked for its model
}

func openOpenAI(c *Choice, o Options) asker {
	return &chat{
		http: transport{now: o.Clock.Now, silence: o.Silence}.client(), // a reasoning model may be silent for long
		base: c.base, key: c.key, model: c.Model, otherLimit: c.base == openAIHome,
	}
}

// chatQuirks lists differences between servers and models.
var chatQuirks = []quirk{
	{"temperature", noTemperature},
	{"response_format", noSchema},
	{"json_schema", noSchema},
	{"stream_options", noUsage},
	{"max_tokens", otherLimit},
	{"max_completion_tokens", otherLimit},
}

func (c *chat) ask(ctx context.Context, r Request, got func(string)) (*Answer, error) {
	if err := c.findModel(ctx); err != nil {
		return nil, err
	}
	return c.quirks.ask(chatQuirks, func(without features) (*Answer, error) {
		return c.once(ctx, r, without, got)
	})
}

// chatRequest is the body of a request.
type chatRequest struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	Temperature         *float64        `json:"temperature,omitempty"`
	ResponseFormat      *responseFormat `json:"response_format,omitempty"`
	Stream              bool            `json:"stream"`
	StreamOptions       *streamOptions  `json:"stream_options,omitempty"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type responseFormat struct {
	Type       string     `json:"type"`
	JSONSchema jsonSchema `json:"json_schema"`
}

type jsonSchema struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// body builds a request. The schema is not strict, because strict mode supports only a part of
// JSON Schema, and the answer is checked anyway.
func (c *chat) body(r Request, without features) chatRequest {
	b := chatRequest{Model: c.model, Stream: true}
	if r.System != "" {
		b.Messages = append(b.Messages, chatMessage{"system", r.System})
	}
	for _, m := range r.Messages {
		b.Messages = append(b.Messages, chatMessage{string(m.Role), m.Text})
	}
	if c.otherLimit != without[otherLimit] {
		b.MaxCompletionTokens = r.MaxTokens
	} else {
		b.MaxTokens = r.MaxTokens
	}
	if !without[noTemperature] {
		b.Temperature = r.Temperature
	}
	if !without[noUsage] {
		b.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	switch s := r.Schema; {
	case s == nil:
	case without[noSchema]:
		b.Messages = append(b.Messages, chatMessage{string(User), s.inPrompt()})
	default:
		b.ResponseFormat = &responseFormat{"json_schema", jsonSchema{s.Name, s.Description, s.JSON}}
	}
	return b
}

// once reads one answer to its end.
func (c *chat) once(ctx context.Context, r Request, without features, got func(string)) (*Answer, error) {
	text, err := json.Marshal(c.body(r, without))
	if err != nil {
		return nil, message.Errorf("write the request: %w", err)
	}
	resp, err := c.send(ctx, http.MethodPost, "/chat/completions", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	s := chatStream{got: got}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "application/json" {
		err = s.whole(resp.Body) // the server does not stream
	} else {
		err = s.read(resp.Body)
	}
	a := s.answer()
	switch {
	case err != nil:
		return a, err
	case s.refusal.Len() > 0:
		return a, &Error{Kind: KindRefused, Message: s.refusal.String()}
	case s.finish == "content_filter":
		return a, &Error{Kind: KindRefused, note: message.New("its filter stopped the answer")}
	case s.finish == "" && !s.done:
		return a, &Error{Kind: KindCut, note: message.New("there is no finish_reason")}
	}
	return a, nil
}

func (c *chat) send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, message.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	return c.http.Do(req)
}

// chatEvent is a part of an answer, or a whole one.
type chatEvent struct {
	Model   string `json:"model"`
	Choices []struct {
		Delta        chatPiece `json:"delta"`
		Message      chatPiece `json:"message"`
		FinishReason string    `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error json.RawMessage `json:"error"`
}

type chatPiece struct {
	Content string `json:"content"`
	Refusal string `json:"refusal"`
}

// chatStream assembles an answer from events.
type chatStream struct {
	got           func(string)
	text, refusal strings.Builder
	model, finish string
	done          bool // the end was received
	usage         Usage
}

// longestEvent limits a line of the stream, in bytes.
const longestEvent = 16 << 20

// read parses server-sent events; only data lines matter.
func (s *chatStream) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestEvent)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		data = bytes.TrimSpace(data)
		switch {
		case !ok || len(data) == 0:
		case string(data) == "[DONE]":
			s.done = true
			return nil
		default:
			if err := s.take(data); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

// whole parses an answer that is not streamed.
func (s *chatStream) whole(r io.Reader) error {
	text, err := io.ReadAll(io.LimitReader(r, longestEvent))
	if err != nil {
		return err
	}
	return s.take(text)
}

func (s *chatStream) take(data []byte) error {
	var e chatEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return &Error{Kind: KindUnreadable, note: message.New("an event is not JSON"), Err: err}
	}
	if len(e.Error) > 0 && string(e.Error) != "null" {
		return inStream(data)
	}
	s.model = cmp.Or(e.Model, s.model)
	if u := e.Usage; u != nil {
		s.usage = Usage{Input: u.Prompt - u.Details.Cached, Output: u.Completion, CacheRead: u.Details.Cached}
	}
	for _, c := range e.Choices {
		piece := c.Delta.Content + c.Message.Content
		s.text.WriteString(piece)
		s.refusal.WriteString(c.Delta.Refusal + c.Message.Refusal)
		s.finish = cmp.Or(c.FinishReason, s.finish)
		s.got(piece)
	}
	return nil
}

func (s *chatStream) answer() *Answer {
	a := &Answer{Text: withoutThoughts(s.text.String()), Stop: StopEnd, Model: s.model, Usage: s.usage}
	if s.finish == "length" {
		a.Stop = StopMaxTokens
	}
	return a
}

// findModel selects the server's model if none was named and it has only one.
func (c *chat) findModel(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.model != "" {
		return nil
	}
	names, err := c.served(ctx)
	if err != nil {
		return err
	}
	if len(names) != 1 {
		return &Error{
			Kind: KindMissing, note: message.New("no model is named, and the server has %d: %s", len(names), strings.Join(names, ", ")),
			hint: message.New("name one by REVERSE_SPEC_MODEL"),
		}
	}
	c.model = names[0]
	return nil
}

// served asks a server for its models.
func (c *chat) served(ctx context.Context) ([]string, error) {
	resp, err := c.send(ctx, http.MethodGet, "/models", nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, longestEvent)).Decode(&list); err != nil {
		return nil, &Error{Kind: KindUnreadable, note: message.New("the list of models is not JSON"), Err: err}
	}
	var names []string
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names, nil
}

// openAIModel is the default model for api.openai.com.
const openAIModel = "gpt-6.1-terra"

// openAIUsable requires an address; a key alone may be meant for another program.
func openAIUsable(ctx context.Context, s *Settings) (ok bool, why string) {
	switch {
	case s.OpenAIURL != "":
		return true, message.Sprintf(ctx, "a base URL is set")
	case s.Getenv("OPENAI_API_KEY") != "":
		return false, message.Sprintf(ctx, "there is a key, but no base URL: set OPENAI_BASE_URL, or name the provider")
	default:
		return false, message.Sprintf(ctx, "%s is not set", "OPENAI_BASE_URL")
	}
}

func openAIComplete(_ context.Context, s *Settings, c *Choice) error {
	if err := c.at(s.OpenAIURL, openAIHome, "/chat/completions"); err != nil || c.base != openAIHome {
		return err
	}
	c.Model = openAIModel
	if strings.TrimSpace(s.Getenv("OPENAI_API_KEY")) == "" {
		return &Error{
			Kind: KindMissing, note: message.New("%s is not set", "OPENAI_API_KEY"),
			hint: message.New("set OPENAI_API_KEY, or OPENAI_BASE_URL for another server, such as http://localhost:11434/v1"),
		}
	}
	return nil
}
