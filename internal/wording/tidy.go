package wording

import (
	"strings"
	"unicode"
)

// Tidy removes the spaces between Chinese characters and punctuation that composing a text of phrases leaves, if lang is "zh". Code,
// quoted texts and fenced blocks stay as they are.
func Tidy(lang, text string) string {
	if lang != "zh" || !strings.Contains(text, " ") {
		return text
	}
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
		}
		if fenced {
			b.WriteString(line)
		} else {
			tidyLine(&b, line)
		}
	}
	return b.String()
}

func tidyLine(b *strings.Builder, line string) {
	runes := []rune(line)
	code, quote := false, false
	for i, c := range runes {
		switch c {
		case '`':
			code = !code
		case '“', '”':
			quote = c == '“' && !code
		case ' ':
			if !code && !quote && i > 0 && i+1 < len(runes) && wide(runes[i-1]) && wide(runes[i+1]) {
				continue
			}
		}
		b.WriteRune(c)
	}
}

// wide reports whether a character needs no space beside another such.
func wide(c rune) bool {
	return unicode.Is(unicode.Han, c) || strings.ContainsRune("，。；：、（）？！", c)
}
