// Package jsonrpc is JSON-RPC 2.0 as the Model Context Protocol uses it, for both
// ends of a connection: the server (package mcp) and the client (package mcpclient).
//
// A [Message] is what arrives: [Parse] checks it strictly, for a server that answers
// what it refuses. [Request] and [Response] are what is sent; [Encode] writes them on
// one line. [Reader] and [Writer] frame messages on a stream, one a line. A [Peer]
// keeps the requests in flight and hands each its response. [Cancelled] and [Progress]
// are the two notifications that MCP adds to requests.
//
// Ids and progress tokens are kept as the JSON text that was received: a client finds its
// own bytes in the response, whatever a float64 would have made of them.
package jsonrpc

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Version is the version of JSON-RPC, the jsonrpc member of every message. It has one
// value, "2.0".
type Version struct{}

// MarshalJSON implements [json.Marshaler].
func (Version) MarshalJSON() ([]byte, error) { return []byte(version), nil }

const version = `"2.0"`

// ID is the id of a request, or a progress token: the JSON text of a string or a number,
// as received. "" is no id; it is encoded as null.
type ID string

// NumberID returns the id of a number.
func NumberID(n int64) ID { return ID(strconv.FormatInt(n, 10)) }

// StringID returns the id of a string that needs no escapes.
func StringID(s string) ID { return ID(strconv.Quote(s)) }

// IDOf returns the id in a JSON value, which is "" for null and for no value. It reports
// whether the value may be an id: a string, a number, or none.
func IDOf(raw json.RawMessage) (id ID, ok bool) {
	if raw = present(raw); raw == nil {
		return "", true
	}
	return ID(raw), raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
}

// MarshalJSON implements [json.Marshaler].
func (id ID) MarshalJSON() ([]byte, error) {
	if id == "" {
		return []byte("null"), nil
	}
	return []byte(id), nil
}

// UnmarshalJSON implements [json.Unmarshaler]. Null is no id.
func (id *ID) UnmarshalJSON(text []byte) error {
	*id = ID(present(text))
	return nil
}

// Message is a message that arrived: a request with an id and a method, a notification
// with a method alone, or a response with an id and a result or an error. To decode one
// with package json is to take whatever can be routed, see [Parse] for more.
type Message struct {
	ID     ID              `json:"id"`     // "" for none
	Method string          `json:"method"` // "" for a response
	Params json.RawMessage `json:"params"` // nil for none
	Result json.RawMessage `json:"result"` // of a response
	Error  *Error          `json:"error"`  // of a response; nil for a result
}

// Request is a request to send, or, without an id, a notification.
type Request struct {
	Version Version `json:"jsonrpc"`
	ID      ID      `json:"id,omitempty"`
	Method  string  `json:"method"`
	Params  any     `json:"params,omitempty"` // an object; nil for none
}

// Response is a response to send: a result or an error.
type Response struct {
	Version Version `json:"jsonrpc"`
	ID      ID      `json:"id"` // "" for a message whose id could not be read
	Result  any     `json:"result,omitempty"`
	Error   *Error  `json:"error,omitempty"`
}

// Encode returns a value as JSON on one line, without a line end. The characters <, > and
// &, of which code is full, are not escaped.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// present returns nil for null.
func present(raw []byte) []byte {
	if string(raw) == "null" {
		return nil
	}
	return raw
}
