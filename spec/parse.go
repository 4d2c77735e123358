package spec

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// ErrNotSpec is returned by [Parse] for a text that is not a spec.
var ErrNotSpec = message.Errorf("not a spec: it has no front matter")

// Parse reads a generated or hand-written spec, in either language. It is the inverse of
// [Spec.Render], and does not read the lock. Errors: [ErrNotSpec], a [*ConflictError], invalid YAML in the front matter, a damaged baseline.
func Parse(src []byte) (*Spec, error) {
	whole := markdown.UnixLines(string(src))
	if err := conflictIn(whole); err != nil {
		return nil, err
	}
	front, body, ok := markdown.CutFrontMatter(whole)
	if !ok {
		return nil, ErrNotSpec
	}
	s := &Spec{Lang: "en"}
	if err := s.Front.parse(front); err != nil {
		return nil, err
	}
	body, line := cutBaseline(body)
	base, err := decodeBaseline(line)
	if err != nil {
		return nil, err
	}
	s.Baseline, s.Claims = base.Skeleton, base.Claims
	if strings.Contains(body, "（需求规格）") || strings.Contains(body, "## 意图") || strings.Contains(body, "# 架构索引") {
		s.Lang = "zh"
	}
	masked, kept := maskKept(body)
	s.sections(masked)
	s.unmask(kept)
	s.lengthen()
	return s, nil
}

// ParseFront reads the front matter of a spec; the rest of the text may be missing. The error
// is [ErrNotSpec] if there is no front matter or its end is missing.
func ParseFront(src []byte) (f Front, err error) {
	front, _, ok := markdown.CutFrontMatter(markdown.UnixLines(string(src)))
	if !ok {
		return f, ErrNotSpec
	}
	return f, f.parse(front)
}

func (f *Front) parse(text string) error {
	if err := markdown.ParseFrontMatter(text, f); err != nil {
		return message.Errorf("front matter: %w", err)
	}
	if len(f.RelatedFiles) == 0 {
		f.RelatedFiles = nil // empty and missing are the same
	}
	return nil
}

// cutBaseline cuts the baseline of earlier versions off the end of the body.
func cutBaseline(body string) (rest, line string) {
	i := strings.LastIndex(body, baselineOpen)
	if i < 0 || i > 0 && body[i-1] != '\n' {
		return body, ""
	}
	return body[:i], body[i:]
}

// block is a heading and the text under it, up to the next heading of its level or above.
type block struct {
	level int
	title string
	text  string
}

// blocks splits Markdown at the headings of a level; before is the text before the first.
func blocks(src string, level int) (before string, out []block) {
	doc := goldmark.New().Parser().Parse(text.NewReader([]byte(src)))
	type start struct {
		head, body int
		title      string
	}
	var starts []start
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Level != level || h.Lines().Len() == 0 {
			continue
		}
		at := h.Lines().At(0)
		head := strings.LastIndexByte(src[:at.Start], '\n') + 1
		if marks := strings.TrimLeft(src[head:at.Start], " "); strings.TrimRight(marks, " \t") != strings.Repeat("#", level) {
			continue // an underlined heading is never ours
		}
		end := len(src)
		if i := strings.IndexByte(src[at.Start:], '\n'); i >= 0 {
			end = at.Start + i + 1
		}
		if title := headingText(strings.TrimLeft(strings.TrimSpace(src[head:end]), "#")); title != "" {
			starts = append(starts, start{head, end, title})
		}
	}
	if len(starts) == 0 {
		return src, nil
	}
	for i, s := range starts {
		end := len(src)
		if i+1 < len(starts) {
			end = starts[i+1].head
		}
		out = append(out, block{level, s.title, trimText(src[s.body:end])})
	}
	return src[:starts[0].head], out
}

// headingText returns the text of a heading without white space and without the "#"s that close
// it: "# Shop ##" and "# Shop # #" are Shop, so that it is the same when it is written and read again.
// A heading of nothing but such marks has no text.
func headingText(text string) string {
	for {
		text = strings.TrimSpace(text)
		open := strings.TrimRight(text, "#")
		if open == text || open != "" && !strings.HasSuffix(open, " ") {
			return text
		}
		text = open
	}
}

func (s *Spec) sections(body string) {
	_, titles := blocks(body, 1)
	if len(titles) > 0 {
		s.Title = titles[0].title
		body = body[strings.Index(body, titles[0].title)+len(titles[0].title):]
	}
	before, list := blocks(body, 2)
	s.Attributes = attributes(before)
	s.keep("", before)
	for _, b := range list {
		section, ok := sectionOf(b.title)
		if ok {
			s.section(section, trimRule(b.text))
		}
	}
}

// trimRule cuts the thematic breaks that end a section in hand-written specs, and closes an
// open code block.
func trimRule(text string) string {
	text = trimText(text)
	for strings.HasSuffix(text, "\n---") {
		text = trimText(strings.TrimSuffix(text, "---"))
	}
	return markdown.CloseFences(text)
}

// trimText trims white space. A "#" after more than three spaces, or after white space that
// Markdown does not know as such, starts no heading: it is escaped, so that it stays one of
// the text.
func trimText(text string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "#") {
		return trimmed
	}
	before := text[:strings.Index(text, trimmed)]
	indent := before[strings.LastIndexByte(before, '\n')+1:]
	if len(indent) <= 3 && strings.Trim(indent, " ") == "" {
		return trimmed
	}
	return `\` + trimmed
}

func (s *Spec) section(section Section, body string) {
	switch section {
	case SecRequirements:
		for _, b := range s.items(section, body) {
			r := parseRequirement(b)
			if r.Symbol == "" && !s.byHand() {
				r.Symbol = titleSymbol(r.Title)
			}
			s.Requirements = append(s.Requirements, r)
		}
	case SecScenarios:
		for _, b := range s.items(section, body) {
			s.Scenarios = append(s.Scenarios, parseScenario(b))
		}
	case SecTests:
		for _, b := range s.items(section, body) {
			s.ContractTests = append(s.ContractTests, parseTest(b))
		}
	case SecTrace:
		s.parseTrace(body)
	case SecInventory:
		rows, rest := table(body)
		for _, row := range rows {
			if len(row) > 2 {
				loc, _ := strconv.Atoi(row[1]) // hand-written specs may say "about 10"
				s.Files = append(s.Files, InventoryFile{markdown.Uncode(row[0]), loc, row[2]})
			}
		}
		s.keep(section, rest)
	default:
		to := s.text(section) // two headings may belong to one section
		*to = above(*to, body)
	}
}

// items returns the level 3 blocks of a section, and keeps the kept blocks before the first.
func (s *Spec) items(section Section, body string) []block {
	before, list := blocks(body, 3)
	s.keep(section, before)
	for i := range list {
		list[i].text = trimRule(list[i].text)
	}
	return list
}

// keep records the kept blocks in a text that is otherwise regenerated.
func (s *Spec) keep(section Section, text string) {
	var found []string
	for line := range strings.Lines(text) {
		if isMask(line) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	if len(found) == 0 {
		return
	}
	if s.Kept == nil {
		s.Kept = map[Section]string{}
	}
	s.Kept[section] = strings.Join(found, "\n\n")
}

// attributes reads the table under the title.
func attributes(text string) []Attribute {
	rows, _ := table(text)
	var out []Attribute
	for _, row := range rows {
		if len(row) == 2 {
			out = append(out, Attribute{row[0], row[1]})
		}
	}
	return out
}

// tableText is a table: its first header cell and its rows.
type tableText struct {
	head string
	rows [][]string
}

// tables reads the tables of a text; rest is the text around them.
func tables(text string) (list []tableText, rest string) {
	var others []string
	at := 0 // line within the table
	for line := range strings.SplitSeq(text, "\n") {
		inner, ok := strings.CutPrefix(strings.TrimSpace(line), "|")
		if !ok {
			others = append(others, line)
			at = 0
			continue
		}
		row := cells(strings.TrimSuffix(inner, "|"))
		switch at++; at {
		case 1:
			list = append(list, tableText{head: row[0]})
		case 2: // the delimiter row
		default:
			list[len(list)-1].rows = append(list[len(list)-1].rows, row)
		}
	}
	return list, trimText(strings.Join(others, "\n"))
}

// table reads the rows of all tables of a text; rest is the text around them.
func table(text string) (rows [][]string, rest string) {
	list, rest := tables(text)
	for _, t := range list {
		rows = append(rows, t.rows...)
	}
	return rows, rest
}

// cells splits a row at its unescaped bars.
func cells(row string) []string {
	var out []string
	from := 0
	for i := range len(row) {
		if row[i] == '|' && (i == 0 || row[i-1] != '\\') {
			out = append(out, markdown.Uncell(row[from:i]))
			from = i + 1
		}
	}
	return append(out, markdown.Uncell(row[from:]))
}

// splitList parses "a, `b`、c"; it returns nil for an empty list.
func splitList(text string) []string {
	out := strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune("`,，、", c) })
	if len(out) == 0 {
		return nil
	}
	return out
}
