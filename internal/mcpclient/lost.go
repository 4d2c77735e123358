package mcpclient

import "github.com/reverse-spec/reverse-spec/internal/message"

// ErrClosed is returned for calls on a session that was closed by its owner.
var ErrClosed = message.Errorf("the session is closed")

// LostError is a lost connection to a server, and why it was lost.
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
