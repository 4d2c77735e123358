// Package prose puts conditions, errors and assertions of source code into words, in English and Chinese: "`x` is empty"
// for len(x) == 0, "it throws `RangeError`" for toThrow(RangeError). [Writer] has the language of the words and that of
// the code. What has no idiom in words is quoted as code.
package prose

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/wording"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Writer puts source text into words.
type Writer struct {
	Lang string // of the words: "en" or "zh"
	Code string // of the source: "go", "python"; "" if unknown
}

// say fills a format of the writer's language with source texts, which it marks as code.
func (w Writer) say(en, zh string, texts ...string) string {
	args := make([]any, len(texts))
	for i, text := range texts {
		args[i] = span(text)
	}
	return fmt.Sprintf(wording.In(w.Lang, en, zh), args...)
}

// and joins statements that all hold. After alternatives a comma says where they end.
func (w Writer) and(list []string) string {
	last := " and "
	if len(list) > 1 && slices.ContainsFunc(list[:len(list)-1], func(text string) bool { return strings.HasPrefix(text, "either ") }) {
		last = ", and "
	}
	return join(list, wording.In(w.Lang, ", ", "，"), wording.In(w.Lang, last, "，且 "))
}

// or joins alternatives.
func (w Writer) or(list []string) string {
	return join(list, wording.In(w.Lang, ", ", "，"), wording.In(w.Lang, " or ", "，或 "))
}

// join separates a list with commas and its last element with another word.
func join(list []string, comma, last string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	n := len(list) - 1
	return strings.Join(list[:n], comma) + last + list[n]
}

// maxSpan limits source text within a sentence, in bytes.
const maxSpan = 160

// span marks source text as code, on one line, cut in the middle where it is long.
func span(text string) string {
	return markdown.Code(Shorten(markdown.OneLine(text), maxSpan))
}

// Shorten cuts a text of more than limit bytes in the middle, and says how many characters it had.
func Shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head := strings.ToValidUTF8(text[:limit*2/3], "")
	tail := strings.ToValidUTF8(text[len(text)-limit/5:], "")
	return fmt.Sprintf("%s … %s (%d)", strings.TrimSpace(head), strings.TrimSpace(tail), utf8.RuneCountInString(text))
}

// ecma lists the languages of the ECMAScript family.
var ecma = map[string]bool{"javascript": true, "typescript": true, "jsx": true, "tsx": true, "vue": true, "svelte": true}

// dynamic lists the languages in which any value is a condition.
var dynamic = map[string]bool{
	"javascript": true, "typescript": true, "python": true, "ruby": true, "php": true, "c": true, "cpp": true,
	"jsx": true, "tsx": true, "vue": true, "svelte": true,
}
