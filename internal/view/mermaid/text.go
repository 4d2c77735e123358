package mermaid

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// Dimensions of text in pixels.
const (
	fontSize   = 14
	lineHeight = 19
	wrapAt     = 260 // longer labels are wrapped
)

// glyphs are the widths of ASCII characters from the space on, in thousandths of the font
// size, for a common sans-serif font.
var glyphs = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 345, 345, 389, 680, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 700, 700, 700, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// roomy is a factor for fonts that are wider than usual.
const roomy = 1.15

// width estimates the width of a text in pixels.
func width(s string) float64 {
	n := 0
	for _, r := range s {
		n += glyph(r)
	}
	return float64(n) * fontSize * roomy / 1000
}

func glyph(r rune) int {
	switch {
	case r < ' ':
		return 0
	case int(r-' ') < len(glyphs):
		return glyphs[r-' ']
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case wide(r):
		return 1000
	default:
		return 600
	}
}

// wide reports whether a character is full-width, as in East Asian scripts.
func wide(r rune) bool {
	return r >= 0x1100 && r <= 0x115f || r >= 0x2e80 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
		r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f000
}

// sizeOf returns the size of lines of text.
func sizeOf(lines []string) layout.Size {
	s := layout.Size{H: lineHeight * float64(len(lines))}
	for _, l := range lines {
		s.W = max(s.W, width(l))
	}
	return s
}

// markup matches markup in labels.
type markup struct {
	breaks, tags, icons, entities, numbers, emphasis *regexp.Regexp
}

var markups = sync.OnceValue(func() *markup {
	return &markup{
		breaks:   regexp.MustCompile(`(?i)<br\s*/?>|\\n|\n`),
		tags:     regexp.MustCompile(`(?i)</?(b|i|u|em|strong|small|big|code|span|div|p|sub|sup|font|center|a|ul|li|s)\b[^<>]*>`),
		icons:    regexp.MustCompile(`\bfa[brsl]?:fa-[\w-]+\s*`),
		entities: regexp.MustCompile(`#([a-zA-Z]{2,8}|[0-9]{1,6});`),
		emphasis: regexp.MustCompile(`(\*{1,2}|\b_{1,2})([^\s*_](?:[^*_]*[^\s*_])?)(\*{1,2}|_{1,2}\b)`),
		numbers:  regexp.MustCompile(`^[0-9]+$`),
	}
})

// label converts a label with line breaks, tags, icons and entities to lines of text.
func label(text string) []string {
	m := markups()
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "`"); ok && strings.HasSuffix(inner, "`") { // a Markdown string
		text = m.emphasis.ReplaceAllString(strings.TrimSuffix(inner, "`"), "$2")
	}
	text = m.icons.ReplaceAllString(text, "")
	var out []string
	for _, l := range m.breaks.Split(text, -1) {
		l = m.entities.ReplaceAllStringFunc(m.tags.ReplaceAllString(l, ""), decoded)
		out = append(out, wrapped(html.UnescapeString(strings.TrimSpace(l)))...)
	}
	if len(out) == 1 && out[0] == "" {
		return nil
	}
	return out
}

// decoded returns the character of an entity in Mermaid's syntax: #quot; or #35;.
func decoded(entity string) string {
	name := entity[1 : len(entity)-1]
	if markups().numbers.MatchString(name) {
		if n, err := strconv.Atoi(name); err == nil && unicode.IsPrint(rune(n)) {
			return string(rune(n))
		}
		return entity
	}
	if s := html.UnescapeString("&" + name + ";"); s != "&"+name+";" {
		return s
	}
	return entity
}

// plain splits plain text into lines.
func plain(text string) []string {
	if text == "" {
		return nil
	}
	var out []string
	for l := range strings.SplitSeq(text, "\n") {
		out = append(out, wrapped(l)...)
	}
	return out
}

// wrapped breaks a long line between words.
func wrapped(s string) []string {
	if width(s) <= wrapAt {
		return []string{s}
	}
	var out []string
	now := ""
	for w := range strings.FieldsSeq(s) {
		if now != "" && width(now)+width(" "+w) > wrapAt {
			out = append(out, now)
			now = ""
		}
		now = strings.TrimSpace(now + " " + w)
	}
	return append(out, now)
}

// unquoted removes the quotes around a text.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}
