package suggest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Length limits in messages, in characters.
const (
	MaxQuoted  = 200  // for one argument
	MaxMessage = 2000 // for a whole message
)

// Quote returns an argument as a message quotes it: all of it, or the first [MaxQuoted] characters and the number
// of those cut: "abc… (+12)".
func Quote(argument string) string { return cut(argument, MaxQuoted) }

// Message returns text with each of the given arguments shortened as by [Quote], and cut to [MaxMessage]
// characters. Arguments may appear in text literally or as Go strings.
func Message(text string, arguments ...string) string {
	for _, a := range arguments {
		short := Quote(a)
		if short == a || len(text) <= MaxQuoted {
			continue
		}
		text = strings.ReplaceAll(text, a, short)
		quoted := strconv.Quote(a)
		text = strings.ReplaceAll(text, quoted[1:len(quoted)-1], short)
	}
	return cut(text, MaxMessage)
}

// cut returns the first most characters of a text and the number of those cut: "abc… (+12)".
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	n := 0
	for at := range text {
		if n == most {
			return fmt.Sprintf("%s… (+%d)", text[:at], utf8.RuneCountInString(text[at:]))
		}
		n++
	}
	return text
}
