package view

import (
	"strconv"
	"strings"
)

// cutPlace splits "file:line" or "file:line-line" and returns the first line.
func cutPlace(text string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i <= 0 {
		return "", 0, false
	}
	first, _, _ := strings.Cut(text[i+1:], "-")
	line, err := strconv.Atoi(first)
	if err != nil || line < 1 {
		return "", 0, false
	}
	return text[:i], line, true
}
