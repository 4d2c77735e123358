package mcpclient

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// codeNoMethod is JSON-RPC's code for a method that is not there.
const codeNoMethod = -32601

// envelope is one JSON-RPC message in either direction: a request with id and
// method, a notification with a method, an answer with an id.
type envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *RPCError       `json:"error,omitempty"`
}

// received is a message from a server.
type received struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *RPCError       `json:"error"`
}

// RPCError is a request that a server refused, in its own words.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"` // detail; nil for none
}

func (e *RPCError) text() message.Text {
	text := message.New("%s (code %d)", strings.TrimSpace(e.Message), e.Code)
	if len(e.Data) > 0 && string(e.Data) != "null" {
		return message.New("%s: %s", text, clip(string(e.Data)))
	}
	return text
}

func (e *RPCError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *RPCError) In(lang message.Lang) string { return e.text().In(lang) }

// ErrClosed is returned for calls on a session that was closed by its owner.
var ErrClosed = message.Errorf("the session is closed")

// LostError says that the connection to a server is gone, and why.
type LostError struct {
	Server string
	Err    error
}

func (e *LostError) text() message.Text {
	return message.New("server %s: connection lost: %v", e.Server, e.Err)
}

func (e *LostError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *LostError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *LostError) Unwrap() error { return e.Err }

// maxDetail is how much of what a server said an error shows, in bytes.
const maxDetail = 2000

// clip cuts a text to at most maxDetail bytes, at the border of a character.
func clip(text string) string {
	if len(text) <= maxDetail {
		return text
	}
	return strings.ToValidUTF8(text[:maxDetail], "") + "…"
}

// encode is JSON on one line, without the escapes that HTML would need.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
