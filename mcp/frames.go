package mcp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// frame is one message from the client: a request with an id, a notification
// without, or an answer to a request, without a method.
type frame struct {
	id     json.RawMessage // as sent: a string or a number; nil for none
	method string
	params json.RawMessage // an object; nil for none or null

	result, refusal json.RawMessage // of an answer: the one or the other
}

// fault says why a line is no message, as a JSON-RPC error.
type fault struct {
	id   json.RawMessage
	code int
	text message.Text
}

// parse reads the envelope of a message. Names are compared to the letter and
// the last of equal ones counts, so what is routed here is what mcp-go sees.
func parse(line []byte) (frame, *fault) {
	members, f := object(line)
	if f != nil {
		return frame{}, f
	}
	id, ok := identity(members["id"])
	if !ok {
		return frame{}, &fault{nil, mcpgo.INVALID_REQUEST, message.New("id must be a string or a number")}
	}
	if !utf8.Valid(line) {
		if !utf8.Valid(id) {
			id = nil
		}
		return frame{}, &fault{id, mcpgo.PARSE_ERROR, message.New("parse error: the message is not valid UTF-8")}
	}
	if !bytes.Equal(members["jsonrpc"], []byte(`"2.0"`)) {
		return frame{}, &fault{id, mcpgo.INVALID_REQUEST, message.New(`jsonrpc must be "2.0"`)}
	}
	if _, ok := members["method"]; !ok {
		if members["result"] == nil && members["error"] == nil {
			return frame{}, &fault{id, mcpgo.INVALID_REQUEST, message.New("a message needs a method")}
		}
		return frame{id: id, result: members["result"], refusal: members["error"]}, nil
	}
	method, f := methodOf(members, id)
	if f != nil {
		return frame{}, f
	}
	params := present(members["params"])
	if params != nil && params[0] != '{' && id != nil { // a notification is never answered
		return frame{}, &fault{id, mcpgo.INVALID_PARAMS, message.New("params must be an object")}
	}
	return frame{id: id, method: method, params: params}, nil
}

// methodOf is the method of a request or a notification. An id that is null is that of
// neither: MCP does not allow it.
func methodOf(members map[string]json.RawMessage, id json.RawMessage) (string, *fault) {
	method, ok := text(members["method"])
	if !ok || method == "" {
		return "", &fault{id, mcpgo.INVALID_REQUEST, message.New("method must be a string that is not empty")}
	}
	if raw, ok := members["id"]; ok && present(raw) == nil {
		return "", &fault{nil, mcpgo.INVALID_REQUEST, message.New("id must be a string or a number")}
	}
	return method, nil
}

// object splits a JSON object into its members.
func object(line []byte) (map[string]json.RawMessage, *fault) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(line, &members)
	switch {
	case err == nil && members != nil:
		return members, nil
	case !json.Valid(line):
		return nil, &fault{nil, mcpgo.PARSE_ERROR, message.New("parse error: %v", err)}
	case line[0] == '[':
		return nil, &fault{nil, mcpgo.INVALID_REQUEST, message.New("batches are not supported: send one message a line")}
	default:
		return nil, &fault{nil, mcpgo.INVALID_REQUEST, message.New("a message is an object")}
	}
}

// identity returns an id that is one; nil for none or null.
func identity(raw json.RawMessage) (json.RawMessage, bool) {
	raw = present(raw)
	if raw == nil {
		return nil, true
	}
	return raw, raw[0] == '"' || raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
}

// present returns nil for a null.
func present(raw json.RawMessage) json.RawMessage {
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	return raw
}

// text returns a JSON string's value.
func text(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// member returns a member of the params, nil when there is none or it is null.
// The path leads through objects.
func (f frame) member(path ...string) json.RawMessage {
	raw := f.params
	for _, key := range path {
		var members map[string]json.RawMessage
		if raw == nil || json.Unmarshal(raw, &members) != nil {
			return nil
		}
		raw = present(members[key])
	}
	return raw
}

// message is the frame as mcp-go reads it. mcp-go keeps numbers in float64; a
// number that does not fit there goes in as a string. Answers get the id as it
// was sent in any case.
func (f frame) message() json.RawMessage {
	id := f.id
	const most = 1 << 53
	if n, err := strconv.ParseInt(string(id), 10, 64); id[0] != '"' && (err != nil || n > most || n < -most) {
		id = strconv.AppendQuote(nil, string(id))
	}
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	b = append(b, `,"method":`...)
	method, err := encode(f.method)
	if err != nil { // never, of a string
		method = []byte(`""`)
	}
	b = append(b, method...)
	if f.params != nil {
		b = append(b, `,"params":`...)
		b = append(b, f.params...)
	}
	return append(b, '}')
}
