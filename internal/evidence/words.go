package evidence

import "strings"

// maxQuote limits text quoted from the source in a sentence, in bytes.
const maxQuote = 120

// quote formats source text as Markdown code on one line.
func quote(text string) string {
	text = clip(strings.Join(strings.Fields(text), " "))
	if text == "" {
		return "` `"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

func quoteAll(list []string) string {
	var out []string
	for _, text := range list {
		out = append(out, quote(text))
	}
	return strings.Join(out, ", ")
}

func clip(text string) string {
	if len(text) <= maxQuote {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuote], "") + "…"
}
