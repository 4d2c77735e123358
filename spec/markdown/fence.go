package markdown

import "strings"

// FenceFor returns a code fence longer than any in the text.
func FenceFor(text string) string {
	longest, run := 0, 0
	for _, c := range text {
		if c == '`' {
			run++
			longest = max(longest, run)
			continue
		}
		run = 0
	}
	return strings.Repeat("`", max(3, longest+1))
}

// Fenced returns a text as a code block.
func Fenced(language, text string) string {
	fence := FenceFor(text)
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// FenceMark returns the run of ` or ~ that opens a code block, or "".
func FenceMark(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// FenceAfter returns the fence that is open after a line, given the one open before it. An
// indented code line neither opens nor closes a fence.
func FenceAfter(open, line string) string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if len(indent) > 3 || strings.Contains(indent, "\t") {
		return open
	}
	line = strings.TrimSpace(line)
	mark := FenceMark(line)
	switch {
	case open == "":
		return mark
	case strings.HasPrefix(mark, open) && strings.Trim(line, open[:1]) == "":
		return ""
	}
	return open
}

// CloseFences closes the code block that a text leaves open.
func CloseFences(text string) string {
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		fence = FenceAfter(fence, line)
	}
	if fence == "" {
		return text
	}
	return text + "\n" + fence
}
