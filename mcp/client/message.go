package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// codeNoMethod is JSON-RPC's code for a method that is not there.
const codeNoMethod = -32601

// message is one JSON-RPC message in either direction: a request with id and
// method, a notification with a method, an answer with an id.
type message struct {
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

func (e *RPCError) Error() string {
	text := fmt.Sprintf("%s (code %d)", strings.TrimSpace(e.Message), e.Code)
	if len(e.Data) > 0 && string(e.Data) != "null" {
		text += ": " + clip(string(e.Data))
	}
	return text
}

// ErrClosed is returned for calls on a session that was closed by its owner.
var ErrClosed = errors.New("the session is closed")

// LostError says that the connection to a server is gone, and why.
type LostError struct {
	Server string
	Err    error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("server %s: connection lost: %s", e.Server, e.Err)
}
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
