package markdown

import "strings"

// Mark is an invisible separator. It is taken out of all foreign prose, so that a writer
// can set it where no other text can have it.
const Mark = "\u2063"

// Quoted returns foreign prose, most often a doc comment, as Markdown that
// cannot be taken for the spec's own: it adds no heading, field, fence without
// end, or comment.
func Quoted(text string) string {
	var out []string
	fence := ""
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), Mark, "")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, " \t")
		trimmed := strings.TrimLeft(line, " \t")
		after := FenceAfter(fence, line)
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

// Title makes a sentence a heading's text: one line that opens nothing; "-" for none.
func Title(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "<!--", "&lt;!--"), Mark, "")
	text = strings.TrimRight(strings.TrimLeft(text, "#-* "), "# ")
	if text == "" {
		return "-"
	}
	return text
}
