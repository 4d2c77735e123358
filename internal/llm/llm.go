// Package llm talks to language models.
//
// A [Model] answers a [Request]. Which one there is, and why it, says [Choose]: the
// Anthropic API, a server with OpenAI's API, the user's own claude command, or none.
// What goes wrong on the way is the same for all and stands in one place
// ([Choice.Open]): attempts with pauses between them, time limits by the size of the
// request, answers that break off. A provider makes one attempt and says what came of
// it; it is a file and a row of the table in provider.go.
//
// Nothing is kept or logged here, and a key is never part of an error. What must not
// leave the machine is taken out of requests by those who write them.
package llm

import (
	"context"
	"encoding/json"
	"time"
)

// Model answers requests. It may be used by several goroutines at once.
type Model interface {
	// Name says who answers, as in "anthropic/claude-sonnet-5-5".
	Name() string
	// Complete asks the model and returns its whole answer. An error is an [*Error],
	// or the context's when that ended.
	Complete(ctx context.Context, r Request) (*Answer, error)
}

// DefaultMaxTokens is how long an answer may be when a request does not say: what the
// contract's origin allows.
const DefaultMaxTokens = 8192

// Request is a question to a model.
type Request struct {
	// System is what the model is to do. It should be the same in many requests, since
	// a provider that can keeps what it has read up to its end.
	System string
	// Messages is the conversation. The first and the last are the user's.
	Messages []Message
	// Schema asks for JSON in place of text; nil for text.
	Schema *Schema
	// MaxTokens bounds the answer, with what the model thinks before it; 0 for
	// [DefaultMaxTokens].
	MaxTokens int
	// Temperature is nil for the model's own. Newer models take no other.
	Temperature *float64
	// Progress is told how the answer comes along; nil for nobody. It is called by the
	// goroutine that called Complete, and should return quickly.
	Progress func(Progress)
}

// Role says whose a message is.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Message is one turn of a conversation.
type Message struct {
	Role Role
	Text string
}

// Schema says what JSON is asked for.
type Schema struct {
	Name        string          // letters, digits, _ and -: "module_spec"
	Description string          // what the value is; may be empty
	JSON        json.RawMessage // a JSON Schema (draft 2020-12) of an object
}

// Answer is what a model answered.
type Answer struct {
	Text string `json:"text,omitempty"` // "" when a schema was given
	// JSON is the value that was asked for by a schema, and valid by it.
	JSON     json.RawMessage `json:"json,omitempty"`
	Stop     Stop            `json:"stop"`
	Model    string          `json:"model,omitempty"` // the one that answered, in the provider's words
	Usage    Usage           `json:"usage"`           // of all attempts, as far as it was told
	Attempts int             `json:"attempts"`
}

// Stop is why an answer ends.
type Stop string

// The ends of answers. A refusal is an error.
const (
	StopEnd       Stop = "end"        // it is complete
	StopMaxTokens Stop = "max_tokens" // it was cut at [Request.MaxTokens]; of text alone
)

// Usage counts tokens.
type Usage struct {
	Input      int `json:"input"` // read anew
	Output     int `json:"output"`
	CacheRead  int `json:"cacheRead,omitempty"`  // of the input, known from before
	CacheWrite int `json:"cacheWrite,omitempty"` // of the input, kept for later
}

// Total returns how many tokens were read and written.
func (u Usage) Total() int { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// Add returns the sum of two counts.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite}
}

// Progress says how an answer comes along.
type Progress struct {
	Attempt int           // from 1
	Piece   string        // of the answer, what came just now
	Bytes   int           // of the answer, so far in this attempt
	Pause   time.Duration // before the next attempt; 0 while an answer comes
	Err     error         // why there is a pause
}
