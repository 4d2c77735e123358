package llm

import (
	"net/http"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Kind is what went wrong.
type Kind string

// The kinds of errors.
const (
	KindMissing     Kind = "missing"     // there is no key, no command, no address to ask
	KindStatus      Kind = "status"      // the service answered with an error
	KindUnreachable Kind = "unreachable" // no answer came, the connection failed
	KindTimeout     Kind = "timeout"     // the answer was not complete in its time
	KindCut         Kind = "cut"         // the answer ended before its end
	KindUnreadable  Kind = "unreadable"  // the answer is not what was asked for
	KindRefused     Kind = "refused"     // the model would not answer
	KindTooLong     Kind = "too long"    // JSON needed more than the request's MaxTokens
)

// Error says why there is no answer: "the Claude API answered 429: rate limit: ...". In
// Chinese it begins with the contract's words, "Claude API 返回 429: 速率限制".
type Error struct {
	API        string        // who was asked, as the user knows it: "Claude API"
	Kind       Kind          // what went wrong
	Status     int           // the HTTP status, also when it was told inside an answer; 0 for none
	Message    string        // what the service said of it, on one line; may be empty
	RetryAfter time.Duration // how long the service wants to be left alone; 0 when it does not say
	Attempts   int           // that were made
	Usage      Usage         // of the attempts, as far as it was told
	Err        error         // beneath; nil for none
	note       message.Text  // what we say of it, in place of Message; of KindMissing it is all
	hint       message.Text
	final      bool // trying again cannot help
}

func (e *Error) Error() string { return e.text().String() }

// In is the error in a language.
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

// Words returns the error without details: in Chinese, the contract's words.
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

func (e *Error) Unwrap() error { return e.Err }

// Hint says what a person can do about it; empty when there is nothing.
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

// passing reports whether another attempt may go well.
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

// statusOverloaded is Anthropic's: all its machines are busy.
const statusOverloaded = 529

// meanings are the statuses that services use.
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

// meaning words a status.
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

// longest is how much of what a service says is passed on, in bytes.
const longest = 300

// oneLine makes what a service says fit for an error: on one line, not too long,
// without the key.
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
