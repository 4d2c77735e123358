// Package llm is a client of language models.
//
// A [Model] answers a [Request]. [Choose] selects the model: the Anthropic API, a server with
// OpenAI's API, the user's own claude command, or none. [Choice.Open] adds what all providers
// share: retries with back-off, time limits by the size of the request, detection of truncated
// answers. A provider makes a single attempt; it is a file and a row of the table in
// provider.go.
//
// Nothing is stored or logged here, and errors never contain a key. Callers must remove
// secrets from requests.
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// Model answers requests. It must be safe for concurrent use.
type Model interface {
	// Name returns provider and model, as in "anthropic/claude-sonnet-5-5".
	Name() string
	// Complete sends a request and returns the whole answer. An error is an [*Error], or ctx's
	// if it ended.
	Complete(ctx context.Context, r Request) (*Answer, error)
}

// DefaultMaxTokens is the default limit of an answer, as in the contract's origin.
const DefaultMaxTokens = 8192

// Request is a question to a model.
type Request struct {
	// System has the instructions. It should be constant across requests, because providers
	// cache a prompt up to its end.
	System string
	// Messages is the conversation. The first and the last message are the user's.
	Messages []Message
	// Schema requests JSON; nil for text.
	Schema *Schema
	// MaxTokens limits the answer, including reasoning; 0 for [DefaultMaxTokens].
	MaxTokens int
	// Temperature is nil for the model's default. Newer models accept no other.
	Temperature *float64
	// Progress is called as the answer arrives, by the goroutine that called Complete; it
	// should return quickly. nil for none.
	Progress func(Progress)
}

// Role is the author of a message.
type Role string

// Roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a conversation.
type Message struct {
	Role Role
	Text string
}

// Schema describes the JSON to return.
type Schema struct {
	Name        string          // letters, digits, _ and -: "module_spec"
	Description string          // of the value; may be empty
	JSON        json.RawMessage // a JSON Schema (draft 2020-12) of an object
}

// Answer is a model's answer.
type Answer struct {
	Text string `json:"text,omitempty"` // "" if a schema was given
	// JSON is the requested value, valid by the schema.
	JSON     json.RawMessage `json:"json,omitempty"`
	Stop     Stop            `json:"stop"`
	Model    string          `json:"model,omitempty"` // the model that answered, as the provider calls it
	Usage    Usage           `json:"usage"`           // of all attempts, as far as known
	Attempts int             `json:"attempts"`
}

// Stop is the reason why an answer ended.
type Stop string

// Reasons. A refusal is an error.
const (
	StopEnd       Stop = "end"        // complete
	StopMaxTokens Stop = "max_tokens" // cut at [Request.MaxTokens]; text only
)

// Usage counts tokens.
type Usage struct {
	Input      int `json:"input"` // not cached
	Output     int `json:"output"`
	CacheRead  int `json:"cacheRead,omitempty"`  // cached input
	CacheWrite int `json:"cacheWrite,omitempty"` // input written to the cache
}

// Total returns the number of tokens read and written.
func (u Usage) Total() int { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// Add returns the sum of two counts.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite}
}

// Progress is the progress of an answer.
type Progress struct {
	Attempt int           // from 1
	Piece   string        // text that just arrived
	Bytes   int           // received in this attempt
	Pause   time.Duration // before the next attempt; 0 while an answer arrives
	Err     error         // reason for the pause
}
