// Package markdown embeds text of other authors, code and prose, in the Markdown of a spec,
// escaped so that it cannot be mistaken for the spec's own headings, fields or fences. It also
// reads such parts back, and the front matter.
package markdown

import (
	"strings"
	"unicode"
)

// OneLine joins the lines of a text. Spaces within a line stay: they count in the texts of code.
func OneLine(text string) string {
	var out []string
	for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c != '\t' && c != ' ' && unicode.IsSpace(c) && c != '\u00a0' }) {
		if line = strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")); line != "" {
			out = append(out, line)
		}
	}
	return strings.Join(out, " ")
}

// Cell formats text for a table cell: one line, bars escaped.
func Cell(text string) string {
	text = OneLine(text)
	return strings.ReplaceAll(strings.ReplaceAll(text, `\|`, "|"), "|", `\|`)
}

// Uncell is the inverse of [Cell]. The result has no escaped bars.
func Uncell(text string) string {
	text = OneLine(text)
	for strings.Contains(text, `\|`) {
		text = strings.ReplaceAll(text, `\|`, "|")
	}
	return text
}

// Code formats a short text as a code span; "" stays "".
func Code(text string) string {
	if text == "" {
		return ""
	}
	text = OneLine(text)
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// Uncode is the inverse of [Code].
func Uncode(text string) string {
	text = OneLine(text)
	if inner, ok := strings.CutPrefix(text, "`` "); ok {
		return strings.TrimSuffix(inner, " ``")
	}
	return strings.Trim(text, "`")
}

// Codes formats a list as code spans separated by commas.
func Codes(list []string) string {
	var out []string
	for _, text := range list {
		out = append(out, Code(text))
	}
	return strings.Join(out, ", ")
}

// Uncodes is the inverse of [Codes]; it returns nil for an empty list. It also accepts names
// without code spans, separated by commas.
func Uncodes(text string) []string {
	var out []string
	for text = strings.TrimLeft(text, " ,、，"); text != ""; text = strings.TrimLeft(text, " ,、，") {
		end := strings.IndexByte(text, ',')
		for _, mark := range []string{"`` ", "`"} {
			if inner, ok := strings.CutPrefix(text, mark); ok {
				if i := strings.Index(inner, strings.TrimSpace(mark)); i >= 0 {
					end = i + len(mark) + len(strings.TrimSpace(mark))
					break
				}
			}
		}
		if end < 0 {
			end = len(text)
		}
		if name := Uncode(text[:end]); name != "" {
			out = append(out, name)
		}
		text = text[end:]
	}
	return out
}
