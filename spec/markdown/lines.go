package markdown

import "regexp"

// lineEnd is a line end of any system, and what is left of one after a tool has added its own.
var lineEnd = regexp.MustCompile(`\r+\n?`)

// UnixLines returns the text with "\n" for every line end, as CommonMark counts them: "\r\n", and "\r" alone.
func UnixLines(text string) string { return lineEnd.ReplaceAllString(text, "\n") }
