package csharp

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// doc returns the text of the documentation comment before n (ECMA-334, annex D): the
// summary, then a line for each parameter, result and exception, then remarks and examples.
func doc(n syntax.Node) string {
	var rows []string
	for p := n.Previous(); p.Ok(); p = p.Previous() {
		text := p.Text()
		switch {
		case !syntax.IsComment(p.Kind()):
			return xml(rows)
		case strings.HasPrefix(text, "///") && !strings.HasPrefix(text, "////"):
			text = strings.TrimRight(strings.TrimPrefix(text, "///"), "\r\n")
			rows = append(rows, strings.TrimPrefix(text, " "))
		case len(rows) > 0:
			return xml(rows)
		case strings.HasPrefix(text, "/**") && text != "/**/":
			return xml([]string{srctext.BlockComment(text)})
		}
	}
	return xml(rows)
}

// xml returns the text of a documentation comment; rows are its lines in reverse order.
func xml(rows []string) string {
	slices.Reverse(rows)
	text := strings.TrimSpace(strings.Join(rows, "\n"))
	if !strings.Contains(text, "<") {
		return text
	}
	d := xmlDoc{}
	d.read(text)
	return d.String()
}

// xmlDoc splits a documentation comment into sections.
type xmlDoc struct {
	sections []xmlSection
	out      strings.Builder
}

// xmlSection is a top-level element: its position in the output, its heading and its text.
type xmlSection struct {
	rank       int
	head, text string
}

// read scans the text once. A section ends where the next one begins, so that text in invalid
// XML is not lost.
func (d *xmlDoc) read(text string) {
	current := xmlSection{}
	for text != "" {
		before, rest, found := strings.Cut(text, "<")
		d.out.WriteString(xmlText(before))
		end := strings.IndexByte(rest[:min(len(rest), maxTag)], '>')
		if !found {
			break
		}
		if end < 0 || !xmlTag(rest) {
			d.out.WriteByte('<')
			text = rest
			continue
		}
		tag := rest[:end]
		text = rest[end+1:]
		if strings.HasPrefix(rest, "![CDATA[") {
			inside, after, _ := strings.Cut(rest[len("![CDATA["):], "]]>")
			d.out.WriteString(inside)
			text = after
			continue
		}
		name := strings.Trim(tag, "/")
		name, _, _ = strings.Cut(strings.Join(strings.Fields(name), " "), " ")
		if rank := slices.Index(xmlSections, name); rank >= 0 {
			d.close(current)
			current = xmlSection{rank: rank}
			if !strings.HasPrefix(tag, "/") {
				current.head = xmlHead(name, tag)
			}
			continue
		}
		d.inline(name, tag)
	}
	d.close(current)
}

// xmlSections are the top-level elements in output order.
var xmlSections = []string{
	"summary", "inheritdoc", "typeparam", "param", "returns", "value", "exception", "remarks", "example", "seealso", "permission",
}

// maxTag is the maximum length of a tag.
const maxTag = 1024

// xmlTag reports whether a tag begins after "<".
func xmlTag(rest string) bool {
	c := rest[0]
	return c == '/' || c == '!' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// xmlHead returns the heading of a section.
func xmlHead(name, tag string) string {
	what := xmlAttribute(tag)
	switch name {
	case "summary", "remarks":
		return ""
	case "inheritdoc", "seealso", "permission":
		return strings.TrimSpace(name + " " + what)
	}
	return strings.TrimSpace(name+" "+what) + ": "
}

// inline writes the text of an element inside a section.
func (d *xmlDoc) inline(name, tag string) {
	opens := !strings.HasPrefix(tag, "/")
	switch name {
	case "see", "paramref", "typeparamref":
		if strings.HasSuffix(tag, "/") {
			d.out.WriteString(xmlAttribute(tag))
		}
	case "c":
		d.out.WriteByte('`')
	case "code":
		d.out.WriteString("\n")
	case "para", "br", "p":
		d.out.WriteString("\n\n")
	case "item":
		if opens {
			d.out.WriteString("\n- ")
		}
	case "description":
		if opens && !strings.HasSuffix(strings.TrimSpace(d.out.String()[max(0, d.out.Len()-8):]), "-") {
			d.out.WriteString(": ")
		}
	}
}

// close ends a section.
func (d *xmlDoc) close(s xmlSection) {
	s.text = tidyText(d.out.String())
	d.out.Reset()
	if s.text != "" || s.head != "" && !strings.HasSuffix(s.head, ": ") {
		d.sections = append(d.sections, s)
	}
}

// String returns the sections, one line each, paragraphs separated.
func (d *xmlDoc) String() string {
	slices.SortStableFunc(d.sections, func(a, b xmlSection) int { return a.rank - b.rank })
	var b strings.Builder
	for i, s := range d.sections {
		switch {
		case i == 0:
		case s.head != "" && d.sections[i-1].head != "":
			b.WriteString("\n")
		default:
			b.WriteString("\n\n")
		}
		b.WriteString(s.head + s.text)
	}
	return b.String()
}

// tidyText trims lines and leaves one empty line between paragraphs.
func tidyText(text string) string {
	var rows []string
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		if row == "" && (len(rows) == 0 || rows[len(rows)-1] == "") {
			continue
		}
		rows = append(rows, row)
	}
	return strings.TrimSpace(strings.Join(rows, "\n"))
}

// xmlAttribute returns the value of a tag's first attribute; for cref without its prefix, with
// type arguments as in code.
func xmlAttribute(tag string) string {
	_, value, ok := strings.Cut(tag, "=")
	value = strings.TrimSpace(value)
	if !ok || value == "" {
		return ""
	}
	value, _, _ = strings.Cut(value[1:], value[:1])
	if len(value) > 2 && value[1] == ':' {
		value = value[2:]
	}
	return strings.NewReplacer("{", "<", "}", ">").Replace(xmlText(value))
}

// xmlText replaces XML entities.
func xmlText(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&amp;", "&").Replace(text)
}
