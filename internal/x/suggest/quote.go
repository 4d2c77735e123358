package suggest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds of what messages say, in characters.
const (
	MostQuoted  = 200  // of an argument
	MostMessage = 2000 // of a whole message
)

// Quote returns what a message says of an argument: all of it, or the first
// [MostQuoted] characters and how many more there are: "abc… (+12)".
func Quote(argument string) string { return cut(argument, MostQuoted) }

// Message returns a message as it is given out: with each of the arguments that it
// is about quoted in part where that is long, and cut to [MostMessage] characters. An
// argument may stand in it as it is, or between quotes as in Go.
func Message(text string, arguments ...string) string {
	for _, a := range arguments {
		short := Quote(a)
		if short == a || len(text) <= MostQuoted {
			continue
		}
		text = strings.ReplaceAll(text, a, short)
		quoted := strconv.Quote(a)
		text = strings.ReplaceAll(text, quoted[1:len(quoted)-1], short)
	}
	return cut(text, MostMessage)
}

// cut returns the first characters of a text, and how many more there are: "abc… (+12)".
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
