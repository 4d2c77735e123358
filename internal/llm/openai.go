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

// openAIHome is the service whose API the others speak.
const openAIHome = "https://api.openai.com/v1"

// chat asks a server with OpenAI's chat completions: Ollama, vLLM, LM Studio, llama.cpp,
// OpenAI itself. The client is our own: the SDK would add 12 MB to the program for one
// request, and it loses the reason and even the status of errors that are not in
// OpenAI's own form, and takes an answer that broke off for a whole one.
type chat struct {
	http       *http.Client
	base       string // without a slash at its end
	key        string // "" for none
	otherLimit bool   // the bound of an answer is called max_completion_tokens
	habits     habits

	mu    sync.Mutex
	model string // "" until the server was asked for the one that it has
}

func openOpenAI(c *Choice, o Options) asker {
	return &chat{
		http: transport{now: o.Clock.Now, silence: o.Silence}.client(), // a model that thinks may be silent for long
		base: c.base, key: c.key, model: c.Model, otherLimit: c.base == openAIHome,
	}
}

// chatHabits are what servers and models differ in.
var chatHabits = []habit{
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
	return c.habits.ask(chatHabits, func(without features) (*Answer, error) {
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

// body words a request. The schema is not asked for strictly: that takes a part of
// JSON Schema only, and the answer is checked anyway.
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

// chatEvent is a piece of an answer, or the whole of one.
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

// chatStream puts an answer together.
type chatStream struct {
	got           func(string)
	text, refusal strings.Builder
	model, finish string
	done          bool // the end was told
	usage         Usage
}

// longestEvent bounds a line of an answer, in bytes.
const longestEvent = 16 << 20

// read takes server-sent events. All that counts is in lines of data.
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

// whole takes an answer that comes in one piece.
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

// findModel takes the model that a server has, where none was named and there is no
// choice.
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

// served asks a server which models it has.
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

// openAIModel is what api.openai.com is asked for by default.
const openAIModel = "gpt-6.1-terra"

// openAIUsable wants an address: a key alone may be there for something else.
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
