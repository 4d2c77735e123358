package spec

import (
	"strings"
	"unicode/utf8"
)

// cell makes a text fit a table cell: one line, bars escaped.
func cell(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.ReplaceAll(strings.ReplaceAll(text, `\|`, "|"), "|", `\|`)
}

// uncell is the inverse of cell: no text of a cell has an escaped bar, or white
// space but single spaces.
func uncell(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for strings.Contains(text, `\|`) {
		text = strings.ReplaceAll(text, `\|`, "|")
	}
	return text
}

// code1 puts a short text into a code span; "" stays "".
func code1(text string) string {
	if text == "" {
		return ""
	}
	text = strings.Join(strings.Fields(text), " ")
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// uncode is the inverse of code1.
func uncode(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if inner, ok := strings.CutPrefix(text, "`` "); ok {
		return strings.TrimSuffix(inner, " ``")
	}
	return strings.Trim(text, "`")
}

// codes writes a list of code spans.
func codes(list []string) string {
	var out []string
	for _, text := range list {
		out = append(out, code1(text))
	}
	return strings.Join(out, ", ")
}

// uncodes is the inverse of codes; nil when there is nothing. Names without code
// spans are read too, one between two commas.
func uncodes(text string) []string {
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
		if name := uncode(text[:end]); name != "" {
			out = append(out, name)
		}
		text = text[end:]
	}
	return out
}

// fenceFor returns a code fence longer than any in the text.
func fenceFor(text string) string {
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

// fenced returns a text as a code block.
func fenced(language, text string) string {
	fence := fenceFor(text)
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

// quoted returns foreign prose, most often a doc comment, as Markdown that
// cannot be taken for the spec's own: it adds no heading, field, fence without
// end, or comment.
func quoted(text string) string {
	var out []string
	fence := ""
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), maskMark, "")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t")
		trimmed := strings.TrimLeft(line, " \t")
		after := fenceAfter(fence, line)
		if fence == "" && after == "" {
			line = harmless(line, trimmed)
		}
		fence = after
		out = append(out, line)
	}
	if fence != "" {
		out = append(out, fence)
	}
	return strings.TrimSpace(collapse(strings.Join(out, "\n")))
}

// fenceMark returns the run of ` or ~ that opens a code block, or "".
func fenceMark(line string) string {
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// fenceAfter returns the fence that is open after a line, given the one open before
// it. A line that is indented as code neither opens nor ends a block of code.
func fenceAfter(open, line string) string {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if len(indent) > 3 || strings.Contains(indent, "\t") {
		return open
	}
	line = strings.TrimSpace(line)
	mark := fenceMark(line)
	switch {
	case open == "":
		return mark
	case strings.HasPrefix(mark, open) && strings.Trim(line, open[:1]) == "":
		return ""
	}
	return open
}

// closedFences ends the code block that a text leaves open.
func closedFences(text string) string {
	fence := ""
	for line := range strings.SplitSeq(text, "\n") {
		fence = fenceAfter(fence, line)
	}
	if fence == "" {
		return text
	}
	return text + "\n" + fence
}

// harmless takes from a line of prose what Markdown or the spec would read into
// it.
func harmless(line, trimmed string) string {
	line = strings.ReplaceAll(line, "<!--", "&lt;!--")
	if trimmed == "" {
		return line
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	rest := line[len(indent):]
	isRule := len(trimmed) > 0 && (strings.Trim(trimmed, "-= ") == "")
	switch {
	case trimmed[0] == '#' && (len(indent) >= 4 || strings.Contains(indent, "\t")): // in code, where it is no heading
	case trimmed[0] == '#':
		return indent + inBold(rest)
	case isRule, strings.HasPrefix(trimmed, "**"), trimmed[0] == '|', trimmed[0] == '<':
		return indent + `\` + rest
	}
	return line
}

// inBold makes a heading of foreign prose a line in bold; underscores, because
// asterisks make fields. Other lines with a "#" in front are escaped.
func inBold(line string) string {
	title := strings.TrimLeft(line, "#")
	if len(line)-len(title) > 6 || title == "" || title[0] != ' ' || strings.TrimSpace(title) == "" {
		return `\` + line
	}
	return "__" + strings.TrimSpace(strings.TrimRight(title, "# ")) + "__"
}

// collapse leaves at most one empty line in a row.
func collapse(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}

// sentence returns the first sentence of a text, on one line, at most limit
// bytes, and what follows it.
func sentence(text string, limit int) (first, rest string) {
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
		return clip(first, limit), text
	}
	return first, rest
}

// abbreviation tells whether a text ends in one, so that its dot ends nothing.
func abbreviation(text string) bool {
	for _, a := range []string{"e.g", "i.e", "etc", "vs", "cf", "approx", "resp", "No"} {
		if strings.HasSuffix(text, a) {
			return true
		}
	}
	return false
}

// clip cuts a text to limit bytes at a word, with a mark.
func clip(text string, limit int) string {
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
