package contracttest

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Limits on the output of a test that is kept, and on all output, in bytes.
const (
	keptHead  = 16 << 10
	keptTail  = 48 << 10
	mostBytes = 64 << 20
)

// errFlood ends a test that writes too much.
var errFlood = message.Errorf("wrote more than %d MiB", mostBytes>>20)

// capture keeps the beginning and the end of its input.
type capture struct {
	head, tail []byte
	total      int64
	whole      *bytes.Buffer // has all of it; nil if that is not wanted
}

// Write returns [errFlood] above the limit.
func (c *capture) Write(p []byte) (int, error) {
	size := len(p)
	c.total += int64(size)
	if c.whole != nil && c.total <= mostBytes {
		c.whole.Write(p)
	}
	if room := keptHead - len(c.head); room > 0 {
		n := min(room, len(p))
		c.head = append(c.head, p[:n]...)
		p = p[n:]
	}
	c.tail = append(c.tail, p...)
	if len(c.tail) > 2*keptTail { // rarely, because it copies the tail
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-keptTail:]...)
	}
	if c.total > mostBytes {
		return size, errFlood
	}
	return size, nil
}

// text returns the kept output as printable text; a note in lang says how much was dropped.
func (c *capture) text(lang message.Lang) string {
	tail := c.tail[max(0, len(c.tail)-keptTail):]
	left := c.total - int64(len(c.head)+len(tail))
	if left == 0 {
		return printable(string(c.head) + string(tail))
	}
	return printable(string(c.head)) + "\n" + message.New("[... %d bytes left out ...]", left).In(lang) + "\n" + printable(string(tail))
}

// escapes are sequences that set colours or move the cursor of a terminal.
var escapes = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)

// printable replaces invalid UTF-8 and removes escape sequences and control characters, which could affect a
// terminal.
func printable(text string) string {
	text = escapes.ReplaceAllString(text, "")
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text), "\n")
}
