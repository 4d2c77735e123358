package model

import (
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// maxPurpose limits the text taken from a README, in characters.
const maxPurpose = 600

// Purpose returns the first paragraph of prose in the project's README, with its place, or ""
// if there is none.
func Purpose(p *project.Project) string { return FolderPurpose(p, ".") }

// FolderPurpose is [Purpose] for the README in a folder.
func FolderPurpose(p *project.Project, dir string) string {
	said, at := FolderWords(p, dir)
	if said == "" {
		return ""
	}
	return said + " (`" + at + "`)"
}

// FolderWords returns the first paragraph of prose in the README of a folder, and its place, file:line; "" if there is none.
func FolderWords(p *project.Project, dir string) (said, at string) {
	file, text := readReadme(p, dir)
	if file == "" {
		return "", ""
	}
	line, said := firstWords(text)
	if said == "" {
		return "", ""
	}
	said = withoutLabels(said, text)
	if runes := []rune(said); len(runes) > maxPurpose {
		said = string(runes[:maxPurpose-1]) + "…"
	}
	return said, fmt.Sprintf("%s:%d", file, line)
}

// definition matches where a document says what the label of a link stands for: "[WSGI]: https://…".
var definition = lazyregexp.New(`(?m)^ {0,3}\[([^\[\]]+)\]:`)

// withoutLabels returns a paragraph of a document with the texts of links whose addresses are elsewhere: WSGI for [WSGI] and
// [WSGI][1].
func withoutLabels(said, document string) string {
	for _, d := range definition.FindAllStringSubmatch(document, -1) {
		label := "[" + d[1] + "]"
		if i := strings.Index(said, "]"+label); i >= 0 && !inCode(said, i) { // [text][label]
			if from := strings.LastIndexByte(said[:i], '['); from >= 0 {
				said = said[:from] + said[from+1:i] + said[i+1+len(label):]
			}
		}
		said = unlabelled(said, label, d[1])
	}
	return said
}

// unlabelled returns a text with a word for each of its labels: [label][] and [label]. Code stays as it is: list[1].
func unlabelled(said, label, word string) string {
	var b strings.Builder
	from := 0
	for {
		i := strings.Index(said[from:], label)
		if i < 0 {
			return b.String() + said[from:]
		}
		i += from
		b.WriteString(said[from:i])
		from = i + len(label)
		if inCode(said, i) {
			b.WriteString(label)
			continue
		}
		b.WriteString(word)
		if strings.HasPrefix(said[from:], "[]") {
			from += len("[]")
		}
	}
}

// inCode reports whether an index of a text is between backticks.
func inCode(text string, at int) bool { return strings.Count(text[:at], "`")%2 == 1 }

// ProjectWords is [FolderWords] for the project, if its README is headed by the name of a folder: src/flask in Flask.
func ProjectWords(p *project.Project, folder string) (said, at string) {
	_, text := rawReadme(p, ".") // most folders have another name: it need not be clean
	if !strings.EqualFold(plainName(heading(text)), plainName(path.Base(folder))) {
		return "", ""
	}
	return FolderWords(p, ".")
}

// heading returns the first heading of a document; "" if it has none.
func heading(text string) string {
	rows := strings.Split(text, "\n")
	for i, row := range rows {
		if title, ok := strings.CutPrefix(strings.TrimSpace(row), "# "); ok {
			return title
		}
		if i+1 < len(rows) && isRule(rows[i+1]) {
			return row
		}
	}
	return ""
}

// plainName returns the letters and digits of a name.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, name)
}

// firstWords returns the first paragraph of prose in a document, on one line, and the line
// where it begins.
func firstWords(text string) (line int, said string) {
	rows := strings.Split(text, "\n")
	var words []string
	for i := 0; i < len(rows); i++ {
		row := strings.TrimSpace(rows[i])
		end := until(rows[i:], row)
		heading := i+1 < len(rows) && isRule(rows[i+1])
		switch {
		case len(words) == 0 && end > 0:
			i += end
		case len(words) == 0 && !isProse(row):
		case row == "", strings.HasPrefix(row, "<"), heading, len(words) == 0 && isMarkup(row):
			if len(words) > 0 {
				return line, strings.Join(words, " ")
			}
		default:
			if words = append(words, row); len(words) == 1 {
				line = i + 1
			}
		}
	}
	return line, strings.Join(words, " ")
}

// enclosures lists markup that encloses anything but prose (HTML, directives, tables, quotes,
// lists) and the text that ends it; "" means an empty line.
var enclosures = []struct{ begin, end string }{
	{"<!--", "-->"},
	{"```", "```"},
	{"~~~", "~~~"},
	{"<", ""},
	{"..", ""},
	{"|", ""},
	{">", ""},
	{"- ", ""},
	{"* ", ""},
	{"+ ", ""},
}

// until returns the number of rows before the last one of the enclosure that first opens, or 0
// if it opens none or closes it again.
func until(rows []string, first string) int {
	for _, e := range enclosures {
		rest, ok := strings.CutPrefix(first, e.begin)
		if !ok {
			continue
		}
		if e.end != "" && strings.Contains(rest, e.end) {
			return 0
		}
		for i, row := range rows[1:] {
			if e.end == "" && strings.TrimSpace(row) == "" || e.end != "" && strings.Contains(row, e.end) {
				return i + 1
			}
		}
		return len(rows) - 1
	}
	return 0
}

// Parts of a row that are no prose: definitions of links, images, links, tags.
var (
	linkTarget = lazyregexp.New(`^\[[^\]]+\]:\s`)
	aside      = lazyregexp.New(`(?i)^\W*(note|warning|important|caution|attention)\b\W*:`)
	linked     = lazyregexp.New(`!?\[!?\[?[^\]]*\](\([^)]*\)|\[[^\]]*\])\]?(\([^)]*\))?|<[^>]*>|https?://\S+`)
	letters    = lazyregexp.New(`\pL{2,}`)
)

// isProse reports whether a row that may begin a paragraph has words besides its links, and is not the target of one or an aside.
func isProse(row string) bool {
	return !linkTarget.MatchString(row) && !aside.MatchString(row) && letters.MatchString(linked.ReplaceAllString(row, ""))
}

// isMarkup reports whether a row is not prose: a heading, an image.
func isMarkup(row string) bool {
	for _, mark := range []string{"#", "[!", "![", "[[", "<!--", "```", "~~~", "---", "==="} {
		if strings.HasPrefix(row, mark) {
			return true
		}
	}
	return isRule(row)
}

// isRule reports whether a row is an underline, which makes the row above a heading.
func isRule(row string) bool {
	row = strings.TrimSpace(row)
	return len(row) > 2 && strings.Trim(row, row[:1]) == "" && strings.ContainsAny(row[:1], "=-~^*#")
}
