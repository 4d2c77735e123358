package mermaid

import (
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// SyntaxError reports text that could not be parsed.
type SyntaxError struct {
	Line     int          // 1-based
	Expected message.Text // what would be valid there
	Found    string       // the text there; "" at the end
}

func (e *SyntaxError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *SyntaxError) In(lang message.Lang) string { return e.text().In(lang) }

func (e *SyntaxError) text() message.Text {
	if e.Found == "" {
		return message.New("line %d: expected %v, found the end", e.Line, e.Expected)
	}
	return message.New("line %d: expected %v, found %q", e.Line, e.Expected, shortened(e.Found, 40))
}

func shortened(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// source is a diagram without front matter, directives and comments.
type source struct {
	lang                        message.Lang // of accessible texts
	heading, title, description string
	lines                       []line
}

// line is a line of the diagram, trimmed.
type line struct {
	n    int // 1-based
	text string
}

func (l line) expected(what message.Text) error { return &SyntaxError{l.n, what, l.text} }

// read splits a diagram into lines. The first is that with the kind.
func read(text string, lang message.Lang) (*source, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	s := &source{lang: lang}
	lines := strings.Split(withoutDirectives(text), "\n")
	start := s.frontMatter(lines)
	for i := start; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		switch {
		case t == "" || strings.HasPrefix(t, "%%"):
		case s.accessible(t):
			if strings.HasPrefix(t, "accDescr") && strings.HasSuffix(t, "{") {
				i = s.longDescription(lines, i+1)
			}
		default:
			s.lines = append(s.lines, line{i + 1, t})
		}
	}
	if len(s.lines) == 0 {
		return nil, &SyntaxError{len(lines), message.New("the kind of the diagram"), ""}
	}
	return s, nil
}

// withoutDirectives blanks %%{...}%%, which may span lines.
func withoutDirectives(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "%%{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		directive, after, _ := strings.Cut(rest, "}%%")
		b.WriteString(strings.Repeat("\n", strings.Count(directive, "\n")))
		text = after
	}
}

// frontMatter reads the title in the front matter and returns the index of the line after it.
func (s *source) frontMatter(lines []string) int {
	start := 0
	for start < len(lines) && strings.TrimSpace(lines[start]) == "" {
		start++
	}
	if start == len(lines) || strings.TrimSpace(lines[start]) != "---" {
		return 0
	}
	for i := start + 1; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "---" {
			return i + 1
		}
		if title, ok := strings.CutPrefix(lines[i], "title:"); ok {
			s.heading = strings.Trim(strings.TrimSpace(title), `"'`)
		}
	}
	return 0
}

// accessible parses accTitle and accDescr.
func (s *source) accessible(t string) bool {
	key, value, _ := strings.Cut(t, ":")
	switch strings.TrimSpace(key) {
	case "accTitle":
		s.title = strings.TrimSpace(value)
		return true
	case "accDescr":
		s.description = strings.TrimSpace(value)
		return true
	}
	return strings.HasPrefix(t, "accDescr") && strings.HasSuffix(t, "{")
}

// longDescription reads lines up to a closing brace and returns its line.
func (s *source) longDescription(lines []string, from int) int {
	for i := from; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		if t == "}" {
			return i
		}
		s.description = strings.TrimSpace(s.description + " " + t)
	}
	return len(lines)
}

// word splits off the first word.
func word(text string) (first, rest string) {
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}

// ended returns a statement without a final semicolon, except that of an entity.
func ended(text string) string {
	if t, ok := strings.CutSuffix(text, ";"); ok && !entityEnds(t) {
		text = t
	}
	return strings.TrimSpace(text)
}

// entityEnds reports whether a text ends in an entity without its semicolon.
func entityEnds(text string) bool {
	i := strings.LastIndexByte(text, '#')
	if i < 0 || i+1 == len(text) || len(text)-i > 10 {
		return false
	}
	return !strings.ContainsFunc(text[i+1:], func(r rune) bool {
		return r > 'z' || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// caption returns the caption of the diagram; kind is a key of the message catalogue.
func (s *source) caption(kind string) caption {
	return caption{kind: message.Translate(s.lang, kind), heading: s.heading, title: s.title, description: s.description}
}
