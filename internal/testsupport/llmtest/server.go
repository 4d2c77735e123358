// Package llmtest is a fake language model for tests: a server on 127.0.0.1 that implements
// the Anthropic API and OpenAI's with scripted answers.
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

// Header has HTTP headers of a reply.
type Header map[string]string

// Break is a way in which an answer fails after half of it was sent.
type Break string

// Ways to fail.
const (
	Cut        Break = "cut"        // the connection is closed
	Short      Break = "short"      // the stream ends properly, without its last events
	Hang       Break = "hang"       // nothing more is sent
	Overloaded Break = "overloaded" // an error event replaces the rest
	Garbled    Break = "garbled"    // the rest is not JSON
)

// Reply is one reply: an error if Status is set, otherwise Text or JSON.
type Reply struct {
	Status  int    // HTTP status; 0 for 200
	Header  Header // in addition
	Message string // of an error
	Body    string // sent verbatim instead of everything else
	Silent  bool   // nothing is sent until the client disconnects

	Text    string // the answer
	JSON    string // or the value for a schema
	Stop    string // stop reason as the API calls it; "" for the usual one
	Refusal string // text of a refusal
	Usage   llm.Usage
	Break   Break
}

// Request is a received request, in the same form for both APIs.
type Request struct {
	API       string // "anthropic" or "openai"
	Key       string
	Model     string
	System    string
	Cached    bool // the end of System is marked for caching
	Messages  []llm.Message
	Schema    string // compact; "" for none
	MaxTokens int
	Body      string // the whole body
}

// Server replies to one request at a time.
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

// Start starts a server that sends the replies in order and repeats the last one. The caller
// must close it.
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

// Restart restarts the script of [Start].
func (s *Server) Restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn = 0
}

// StartFunc starts a server whose replies depend on the request. The function must be safe for
// concurrent use. The caller must close the server.
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

// Close stops the server and releases hanging requests.
func (s *Server) Close() {
	close(s.closed)
	s.server.CloseClientConnections()
	s.server.Close()
}

// Requests returns the requests so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Serve sets the server's models; the default is "test-model".
func (s *Server) Serve(models ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// Key is a Getenv function with a key for each API.
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

// speech encodes replies for an API.
type speech struct {
	failure func(Reply) string
	stream  func(Reply) (begin, pieces, end []string) // complete events
	breakIn string                                    // an "overloaded" event
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

// stream sends a reply event by event, until its Break.
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

// event formats a server-sent event; without a name it has only data.
func event(name string, value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // the values are ours
	}
	if name != "" {
		name = "event: " + name + "\n"
	}
	return fmt.Sprintf("%sdata: %s\n\n", name, data)
}

// pieces splits text into chunks as a model sends it, at character boundaries.
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
