package markdown

import "strings"

// Mark is an invisible separator. It is removed from all quoted prose, so that a renderer can
// use it without collisions.
const Mark = "\u2063"

// Quoted returns prose of another author, usually a doc comment, as Markdown that adds no
// headings, fields, unclosed fences or comments to the spec.
func Quoted(text string) string {
	var out []string
	fence := ""
	text = strings.ReplaceAll(UnixLines(text), Mark, "")
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

// QuotedRow is like [Quoted], on one line, which can be that of a list or table.
func QuotedRow(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for strings.Contains(text, "```") || strings.Contains(text, "~~~") { // a fence on one line is none
		text = strings.ReplaceAll(strings.ReplaceAll(text, "```", "``"), "~~~", "~~")
	}
	return Quoted(text)
}

// harmless escapes whatever Markdown or the spec parser would interpret in a line of prose.
func harmless(line, trimmed string) string {
	line = strings.ReplaceAll(line, "<!--", "&lt;!--")
	if trimmed == "" {
		return line
	}
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	rest := line[len(indent):]
	isRule := len(trimmed) > 0 && (strings.Trim(trimmed, "-= ") == "")
	switch {
	case trimmed[0] == '#' && (len(indent) >= 4 || strings.Contains(indent, "\t")): // indented code, not a heading
	case trimmed[0] == '#':
		return indent + inBold(rest)
	case isRule, isField(trimmed), trimmed[0] == '|', trimmed[0] == '<':
		return indent + `\` + rest
	}
	return line
}

// isField reports whether a line begins as a field of the spec does: with bold text and a colon in it or after it. Bold text that is not
// closed counts, too.
func isField(line string) bool {
	rest, bold := strings.CutPrefix(line, "**")
	name, after, closed := strings.Cut(rest, "**")
	return bold && (!closed || strings.TrimSpace(name) == "" || strings.HasSuffix(name, ":") || strings.HasSuffix(name, "：") ||
		strings.HasPrefix(after, ":") || strings.HasPrefix(after, "：") || strings.HasPrefix(after, " ·"))
}

// inBold turns a heading in quoted prose into bold text. It uses underscores, because
// asterisks mark fields. Other lines that begin with "#" are escaped.
func inBold(line string) string {
	title := strings.TrimLeft(line, "#")
	if len(line)-len(title) > 6 || title == "" || title[0] != ' ' || strings.TrimSpace(title) == "" {
		return `\` + line
	}
	return "__" + strings.TrimSpace(strings.TrimRight(title, "# ")) + "__"
}

// collapse replaces runs of empty lines with one.
func collapse(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}

// Title formats a sentence as a heading's text, on one line and without markup; "-" for an
// empty sentence.
func Title(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "<!--", "&lt;!--"), Mark, "")
	text = strings.TrimRight(strings.TrimLeft(text, "#-* "), "# ")
	if text == "" {
		return "-"
	}
	return text
}
