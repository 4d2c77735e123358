package llm

import (
	"net/http"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Kind is a kind of failure.
type Kind string

// Kinds of failures.
const (
	KindMissing     Kind = "missing"     // no key, command or address
	KindStatus      Kind = "status"      // the service returned an error status
	KindUnreachable Kind = "unreachable" // no answer; the connection failed
	KindTimeout     Kind = "timeout"     // the answer was not complete in time
	KindCut         Kind = "cut"         // the answer ended early
	KindUnreadable  Kind = "unreadable"  // the answer has the wrong form
	KindRefused     Kind = "refused"     // the model refused to answer
	KindTooLong     Kind = "too long"    // JSON needed more than the request's MaxTokens
)

// Error says why there is no answer: "the Claude API answered 429: rate limit: ...". In
// Chinese it begins with the contract's words, "Claude API 返回 429: 速率限制".
type Error struct {
	API        string        // the service, as the user knows it: "Claude API"
	Kind       Kind          // what went wrong
	Status     int           // HTTP status, also if reported within a stream; 0 for none
	Message    string        // the service's message, on one line; may be empty
	RetryAfter time.Duration // how long the service asked us to wait; 0 if unknown
	Attempts   int           // number of attempts
	Usage      Usage         // of all attempts, as far as known
	Err        error         // the underlying error; nil for none
	note       message.Text  // our text, instead of Message; for KindMissing the whole text
	hint       message.Text
	final      bool // retrying cannot help
}

func (e *Error) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *Error) In(lang message.Lang) string { return e.text().In(lang) }

func (e *Error) text() message.Text {
	text := e.Words()
	switch {
	case e.Kind == KindMissing:
	case !e.note.Empty():
		text = message.New("%s: %s", text, e.note)
	case e.Message != "":
		text = message.New("%s: %s", text, e.Message)
	}
	if e.Attempts > 1 {
		return message.New("%s (%d attempts)", text, e.Attempts)
	}
	return text
}

// Words returns the error without details; in Chinese, the contract's words.
func (e *Error) Words() message.Text {
	switch e.Kind {
	case KindMissing:
		return e.note
	case KindStatus:
		return message.New("the %s answered %d: %s", e.API, e.Status, meaning(e.Status))
	case KindTimeout:
		return message.New("the %s gave no complete answer in time", e.API)
	case KindCut:
		return message.New("the answer of the %s broke off", e.API)
	case KindUnreadable:
		return message.New("the answer of the %s cannot be read", e.API)
	case KindRefused:
		return message.New("the %s refused to answer", e.API)
	case KindTooLong:
		return message.New("the answer of the %s is longer than it may be", e.API)
	case KindUnreachable:
	}
	return message.New("the %s cannot be reached", e.API)
}

// Fixed are the words in Chinese where the contract has them, for the answers of a service and a
// key that is not set; "" for any other error.
func (e *Error) Fixed() string {
	words := e.Words().In(message.Chinese)
	if e.Kind == KindStatus || e.Kind == KindMissing && strings.HasSuffix(words, "_API_KEY") {
		return words
	}
	return ""
}

func (e *Error) Unwrap() error { return e.Err }

// Hint says what the user can do; empty if nothing.
func (e *Error) Hint() message.Text {
	if !e.hint.Empty() {
		return e.hint
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return message.New("reverse-spec auth shows which key is used, and auth --verify tries it")
	case http.StatusNotFound:
		return message.New("is there such a model at this address? REVERSE_SPEC_MODEL and reverse-spec auth tell")
	case http.StatusRequestEntityTooLarge:
		return message.New("name a smaller part of the project")
	}
	if e.RetryAfter > 0 {
		return message.New("the service asks to be left alone for %v", e.RetryAfter.Round(time.Second))
	}
	return message.Text{}
}

// passing reports whether a retry may succeed.
func (e *Error) passing() bool {
	switch e.Kind {
	case KindStatus:
		return !e.final && (e.Status >= 500 || e.Status == http.StatusRequestTimeout ||
			e.Status == http.StatusConflict || e.Status == http.StatusTooManyRequests)
	case KindUnreachable, KindTimeout, KindCut, KindUnreadable:
		return !e.final
	case KindMissing, KindRefused, KindTooLong:
	}
	return false
}

// statusOverloaded is Anthropic's status for an overloaded service.
const statusOverloaded = 529

// meanings describes the statuses that services use.
var meanings = map[int]message.Text{
	http.StatusBadRequest:            message.New("bad request"),
	http.StatusUnauthorized:          message.New("the key is not accepted"),
	http.StatusPaymentRequired:       message.New("nothing left to pay with"),
	http.StatusForbidden:             message.New("not allowed"),
	http.StatusNotFound:              message.New("no such model or address"),
	http.StatusRequestTimeout:        message.New("the service waited too long for the request"),
	http.StatusConflict:              message.New("conflict"),
	http.StatusRequestEntityTooLarge: message.New("the request is too large"),
	http.StatusTooManyRequests:       message.New("rate limit"),
	http.StatusInternalServerError:   message.New("internal error of the service"),
	http.StatusBadGateway:            message.New("bad gateway"),
	http.StatusServiceUnavailable:    message.New("the service is not available"),
	http.StatusGatewayTimeout:        message.New("gateway timeout"),
	statusOverloaded:                 message.New("overloaded"),
}

// meaning describes a status.
func meaning(status int) message.Text {
	if m, ok := meanings[status]; ok {
		return m
	}
	switch {
	case status >= 500:
		return message.New("the service failed")
	case status >= 400:
		return message.New("the request was refused")
	default:
		return message.New("an unexpected answer")
	}
}

// longest limits a service's message, in bytes.
const longest = 300

// oneLine formats a service's message for an error: on one line, shortened, without the key.
func oneLine(text, key string) string {
	if key != "" {
		text = strings.ReplaceAll(text, key, mask(key))
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + " …"
	}
	return text
}
