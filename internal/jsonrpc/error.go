package jsonrpc

import (
	"encoding/json"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// The error codes of JSON-RPC 2.0, section 5.1.
const (
	CodeParse          = -32700 // not JSON
	CodeInvalidRequest = -32600 // not a message
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
)

// Error is the error of a response, in the words of the other end. Its [error] text is in
// the language of the caller around those words.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"` // detail; nil for none
}

func (e *Error) text() message.Text {
	text := message.New("%s (code %d)", strings.TrimSpace(e.Message), e.Code)
	if present(e.Data) != nil && len(e.Data) > 0 {
		return message.New("%s: %s", text, Clip(string(e.Data)))
	}
	return text
}

func (e *Error) Error() string { return e.text().String() }

// In is the error in a language.
func (e *Error) In(lang message.Lang) string { return e.text().In(lang) }

// MaxDetail is how much of what the other end sent is quoted in an error or a log, in bytes.
const MaxDetail = 2000

// Clip cuts a text to at most [MaxDetail] bytes, at a character boundary.
func Clip(text string) string {
	if len(text) <= MaxDetail {
		return text
	}
	return strings.ToValidUTF8(text[:MaxDetail], "") + "…"
}
