package jsonrpc

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// InvalidError is a text that is not a valid message, as the error response to it.
type InvalidError struct {
	ID   ID // "" where it could not be read
	Code int
	text message.Text
}

func (e *InvalidError) Error() string { return e.text.String() }

// In is the error in a language.
func (e *InvalidError) In(lang message.Lang) string { return e.text.In(lang) }

// Parse reads a message and checks everything about it but its method and the content of
// its params. The error is an [*InvalidError]. Member names are compared exactly and the last of
// several with one name counts, unlike in package json, so that no other reader of the
// same text can see another message.
func Parse(text []byte) (Message, error) {
	members, err := object(text)
	if err != nil {
		return Message{}, err
	}
	id, ok := IDOf(members["id"])
	if !ok {
		return Message{}, invalid("", message.New("id must be a string or a number"))
	}
	if !utf8.Valid(text) {
		if !utf8.ValidString(string(id)) {
			id = ""
		}
		return Message{}, &InvalidError{id, CodeParse, message.New("parse error: the message is not valid UTF-8")}
	}
	if string(members["jsonrpc"]) != version {
		return Message{}, invalid(id, message.New(`jsonrpc must be "2.0"`))
	}
	if _, ok := members["method"]; !ok {
		return response(id, members)
	}
	return request(id, members)
}

// request reads a request or a notification. An id that is null belongs to neither: MCP
// does not allow it.
func request(id ID, members map[string]json.RawMessage) (Message, error) {
	method, ok := Text(members["method"])
	if !ok || method == "" {
		return Message{}, invalid(id, message.New("method must be a string that is not empty"))
	}
	if raw, ok := members["id"]; ok && present(raw) == nil {
		return Message{}, invalid("", message.New("id must be a string or a number"))
	}
	params := json.RawMessage(present(members["params"]))
	if params != nil && params[0] != '{' && id != "" { // a notification is never answered
		return Message{}, &InvalidError{id, CodeInvalidParams, message.New("params must be an object")}
	}
	return Message{ID: id, Method: method, Params: params}, nil
}

// response reads a response. An error that is not an error object is kept as the detail of one.
func response(id ID, members map[string]json.RawMessage) (Message, error) {
	m := Message{ID: id, Result: members["result"]}
	raw := members["error"]
	if m.Result == nil && raw == nil {
		return Message{}, invalid(id, message.New("a message needs a method"))
	}
	if present(raw) != nil && json.Unmarshal(raw, &m.Error) != nil {
		m.Error = &Error{Code: CodeInternal, Data: raw}
	}
	return m, nil
}

// object splits a JSON object into its members.
func object(text []byte) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(text, &members)
	switch {
	case err == nil && members != nil:
		return members, nil
	case !json.Valid(text):
		return nil, &InvalidError{"", CodeParse, message.New("parse error: %v", err)}
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("[")):
		return nil, invalid("", message.New("batches are not supported: send one message a line"))
	default:
		return nil, invalid("", message.New("a message is an object"))
	}
}

func invalid(id ID, text message.Text) error { return &InvalidError{id, CodeInvalidRequest, text} }

// Text returns the value of a JSON string, and reports whether raw is one.
func Text(raw json.RawMessage) (string, bool) {
	var s string
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, true
}

// Object splits a JSON object into its members, without those that are null. What is not an
// object has none.
func Object(raw json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &members) != nil {
		return nil
	}
	for name, value := range members {
		if present(value) == nil {
			delete(members, name)
		}
	}
	return members
}
