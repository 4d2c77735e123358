// Package markdown writes texts that others wrote, code and prose, as parts of a spec in
// Markdown, so that none can be taken for a part of another kind, and reads those parts back.
package markdown

import "strings"

// Cell makes a text fit a table cell: one line, bars escaped.
func Cell(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.ReplaceAll(strings.ReplaceAll(text, `\|`, "|"), "|", `\|`)
}

// Uncell is the inverse of [Cell]: no text of a cell has an escaped bar, or white
// space but single spaces.
func Uncell(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for strings.Contains(text, `\|`) {
		text = strings.ReplaceAll(text, `\|`, "|")
	}
	return text
}

// Code puts a short text into a code span; "" stays "".
func Code(text string) string {
	if text == "" {
		return ""
	}
	text = strings.Join(strings.Fields(text), " ")
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// Uncode is the inverse of [Code].
func Uncode(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if inner, ok := strings.CutPrefix(text, "`` "); ok {
		return strings.TrimSuffix(inner, " ``")
	}
	return strings.Trim(text, "`")
}

// Codes writes a list of code spans.
func Codes(list []string) string {
	var out []string
	for _, text := range list {
		out = append(out, Code(text))
	}
	return strings.Join(out, ", ")
}

// Uncodes is the inverse of [Codes]; nil when there is nothing. Names without code
// spans are read too, one between two commas.
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
