package postgres

import (
	"encoding/hex"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// escaped begins a text that PostgreSQL cannot store, which follows in hex. It is not a character.
const escaped = "\uffff"

// textIn returns a text as it is stored: one with a NUL byte or of invalid UTF-8 is escaped.
func textIn(s string) string {
	if utf8.ValidString(s) && !strings.Contains(s, "\x00") && !strings.HasPrefix(s, escaped) {
		return s
	}
	return escaped + hex.EncodeToString([]byte(s))
}

// textOut returns a text that was stored by textIn.
func textOut(s string) string {
	if digits, ok := strings.CutPrefix(s, escaped); ok {
		if text, err := hex.DecodeString(digits); err == nil {
			return string(text)
		}
	}
	return s
}

func textsIn(list []string) []string {
	stored := make([]string, len(list))
	for i, s := range list {
		stored[i] = textIn(s)
	}
	return stored
}

// timeIn returns a time as it is stored: nanoseconds since 1970, or NULL for the zero time.
func timeIn(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	n := t.UnixNano()
	return &n
}

// timeOut returns a time that was stored by timeIn.
func timeOut(n *int64) time.Time {
	if n == nil {
		return time.Time{}
	}
	return time.Unix(0, *n).UTC()
}

// Errors of rows that cannot be stored.
var (
	errNoID    = message.Errorf("0 is no id")
	errTooLate = message.Errorf("a time that is not within 292 years of 1970")
	errTooMuch = message.Errorf("a number is too large for the shared graph: index with --force, which numbers anew")
)

// numbers converts numbers to the type of the columns, and keeps the first error.
type numbers struct{ err error }

func (n *numbers) of(v int64) int32 {
	if v > math.MaxInt32 || v < math.MinInt32 {
		n.err = errTooMuch
	}
	return int32(v)
}
