package contracttest

import (
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// How much of what a test writes is kept, and how much it may write, in bytes.
const (
	keptHead  = 16 << 10
	keptTail  = 48 << 10
	mostBytes = 64 << 20
)

// errFlood ends a test that writes without end.
var errFlood = message.Errorf("wrote more than %d MiB", mostBytes>>20)

// capture keeps the beginning and the end of what is written to it.
type capture struct {
	head, tail []byte
	total      int64
}

// Write returns [errFlood] when it is too much.
func (c *capture) Write(p []byte) (int, error) {
	size := len(p)
	c.total += int64(size)
	if room := keptHead - len(c.head); room > 0 {
		n := min(room, len(p))
		c.head = append(c.head, p[:n]...)
		p = p[n:]
	}
	c.tail = append(c.tail, p...)
	if len(c.tail) > 2*keptTail { // cut rarely: it moves all of it
		c.tail = append(c.tail[:0], c.tail[len(c.tail)-keptTail:]...)
	}
	if c.total > mostBytes {
		return size, errFlood
	}
	return size, nil
}

// text returns what was kept, as text that can be shown anywhere. How much was left out
// is said in a language.
func (c *capture) text(lang message.Lang) string {
	tail := c.tail[max(0, len(c.tail)-keptTail):]
	left := c.total - int64(len(c.head)+len(tail))
	if left == 0 {
		return printable(string(c.head) + string(tail))
	}
	return printable(string(c.head)) + "\n" + message.New("[... %d bytes left out ...]", left).In(lang) + "\n" + printable(string(tail))
}

// printable replaces what is no UTF-8 and takes out control characters, which
// could do things to a terminal.
func printable(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.TrimRight(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text), "\n")
}
