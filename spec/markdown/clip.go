package markdown

import (
	"strings"
	"unicode/utf8"
)

// TitleBytes is the length limit of a title in bytes.
const TitleBytes = 120

// Sentence returns the first sentence of text on one line, cut to limit bytes, and the text
// after it.
func Sentence(text string, limit int) (first, rest string) {
	text = strings.TrimSpace(text)
	end := len(text)
	if i := strings.Index(text, "\n\n"); i >= 0 {
		end = i
	}
	for i := 0; i < end; i++ {
		ended := text[i] == '.' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') && !abbreviation(text[:i])
		if ended || strings.HasPrefix(text[i:], "。") {
			end = i + 1
			if !ended {
				end = i + len("。")
			}
			break
		}
	}
	first = strings.Join(strings.Fields(text[:end]), " ")
	rest = strings.TrimSpace(text[end:])
	if len(first) > limit {
		return Clip(first, limit), text
	}
	return first, rest
}

// abbreviation reports whether text ends in an abbreviation, so that the dot after it ends no
// sentence.
func abbreviation(text string) bool {
	for _, a := range []string{"e.g", "i.e", "etc", "vs", "cf", "approx", "resp", "No"} {
		if strings.HasSuffix(text, a) {
			return true
		}
	}
	return false
}

// Clip cuts text to at most limit bytes at a word boundary and appends "…".
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := text[:limit]
	for !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	if i := strings.LastIndexByte(cut, ' '); i > limit/2 {
		cut = cut[:i]
	}
	return cut + "…"
}
