// Package llmtest is a language model for tests: a server on 127.0.0.1 that speaks the
// Anthropic API and OpenAI's, and answers by a script.
//
//	s := llmtest.Start(llmtest.Reply{Status: 429, Header: llmtest.Header{"Retry-After": "1"}}, llmtest.Reply{Text: "hello"})
//	defer s.Close()
//	c, err := llm.Choose(ctx, llm.Settings{AnthropicURL: s.URL, Getenv: llmtest.Key})
//
// The base URL of OpenAI's API is s.URL + "/v1".
package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/llm"
)

// Header is the header of an answer.
type Header map[string]string

// Break is how an answer goes wrong after it began well.
type Break string

// The breaks. Before it half of the answer has come.
const (
	Cut        Break = "cut"        // the connection ends, without a word
	Short      Break = "short"      // the answer ends, orderly, without its last events
	Hang       Break = "hang"       // nothing more comes
	Overloaded Break = "overloaded" // an error comes in place of the rest
	Garbled    Break = "garbled"    // what comes is not JSON
)

// Reply is one answer. It is an error with a Status, else Text or JSON.
type Reply struct {
	Status  int    // of HTTP; 0 for 200
	Header  Header // in addition
	Message string // of an error, in the API's form
	Body    string // in place of everything: sent as it is
	Silent  bool   // nothing comes at all, until the client goes

	Text    string // the answer
	JSON    string // or the value that a schema asked for
	Stop    string // why it ended, in the API's words; "" for its usual end
	Refusal string // what the model says when it refuses
	Usage   llm.Usage
	Break   Break
}

// Request is what was asked, whatever the API.
type Request struct {
	API       string // "anthropic" or "openai"
	Key       string
	Model     string
	System    string
	Cached    bool // the end of System is marked to be kept
	Messages  []llm.Message
	Schema    string // compact; "" for none
	MaxTokens int
	Body      string // all of it
}

// Server answers one request after the other.
type Server struct {
	URL    string
	server *httptest.Server
	answer func(Request) Reply
	closed chan struct{}

	mu       sync.Mutex
	requests []Request
	models   []string
	turn     int
}

// Start starts a server that gives the replies in turn, and the last of them again
// and again. The caller closes it.
func Start(replies ...Reply) *Server {
	var s *Server
	s = StartFunc(func(Request) Reply {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.turn++
		return replies[min(s.turn, len(replies))-1]
	})
	return s
}

// Restart begins the script of [Start] again.
func (s *Server) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = 0
}

// StartFunc starts a server whose replies depend on what is asked. The function is
// called by several goroutines at once. The caller closes the server.
func StartFunc(answer func(Request) Reply) *Server {
	s := &Server{answer: answer, closed: make(chan struct{}), models: []string{"test-model"}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", s.anthropic)
	mux.HandleFunc("POST /v1/chat/completions", s.openAI)
	mux.HandleFunc("GET /v1/models", s.list)
	s.server = httptest.NewServer(mux)
	s.URL = s.server.URL
	return s
}

// Close ends the server. Those who hang are let go.
func (s *Server) Close() {
	close(s.closed)
	s.server.CloseClientConnections()
	s.server.Close()
}

// Requests returns what was asked so far, in the order in which it came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Serve says which models the server has; "test-model" before.
func (s *Server) Serve(models ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// Key returns an environment with a key for each API and nothing else.
func Key(name string) string {
	return map[string]string{"ANTHROPIC_API_KEY": "sk-ant-test-0123456789abcd", "OPENAI_API_KEY": "sk-test-0123456789abcdef"}[name]
}

func (s *Server) list(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rows []map[string]string
	for _, m := range s.models {
		rows = append(rows, map[string]string{"id": m, "object": "model"})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": rows})
}

// speech is how an API words its answers.
type speech struct {
	failure func(Reply) string
	stream  func(Reply) (begin, pieces, end []string) // events, whole
	breakIn string                                    // an event that says "overloaded"
}

func (s *Server) reply(w http.ResponseWriter, r *http.Request, q Request, say speech) {
	s.mu.Lock()
	s.requests = append(s.requests, q)
	s.mu.Unlock()
	a := s.answer(q)
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	switch {
	case a.Silent:
		s.hang(r)
	case a.Body != "":
		status(w, a.Status)
		_, _ = io.WriteString(w, a.Body)
	case a.Status >= http.StatusBadRequest:
		w.Header().Set("Content-Type", "application/json")
		status(w, a.Status)
		_, _ = io.WriteString(w, say.failure(a))
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		s.stream(w, r, a, say)
	}
}

func status(w http.ResponseWriter, code int) {
	if code != 0 {
		w.WriteHeader(code)
	}
}

// stream sends an answer event by event, until it breaks.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, a Reply, say speech) {
	begin, pieces, end := say.stream(a)
	send := func(events []string) {
		for _, e := range events {
			_, _ = io.WriteString(w, e)
			_ = http.NewResponseController(w).Flush()
		}
	}
	send(begin)
	if a.Break == "" {
		send(pieces)
		send(end)
		return
	}
	send(pieces[:len(pieces)/2])
	switch a.Break {
	case Cut:
		panic(http.ErrAbortHandler)
	case Hang:
		s.hang(r)
	case Overloaded:
		send([]string{say.breakIn})
	case Garbled:
		send([]string{"event: content_block_delta\ndata: {\"type\": \n\n"})
	case Short:
	}
}

func (s *Server) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.closed:
	}
}

// event is one server-sent event; without a name it is data alone.
func event(name string, value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // values are made here
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	return fmt.Sprintf("%sdata: %s\n\n", name, data)
}

// pieces cuts a text as a model sends it: some bytes at once, and not between the
// bytes of a character.
func pieces(text string) []string {
	var out []string
	var b strings.Builder
	for _, r := range text {
		const some = 5
		if b.WriteRune(r); b.Len() >= some {
			out = append(out, b.String())
			b.Reset()
		}
	}
	return append(out, b.String())
}
