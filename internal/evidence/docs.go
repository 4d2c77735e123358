package evidence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// docs is a parsed doc comment in any style: JSDoc, Javadoc, KDoc, Scaladoc, PHPDoc, YARD,
// Doxygen, reST, Google, numpy, rustdoc, Swift, and the form that package lang makes of C#'s
// XML.
type docs struct {
	params   []documented
	failures []documented
	sections map[string]string // rustdoc sections by lower-case heading
}

// documented is a documented name.
type documented struct{ name, text string }

// docParts maps the words that begin a tag or section to its subject.
var docParts = map[string]string{
	"param": "param", "params": "param", "parameter": "param", "arg": "param", "argument": "param", "tparam": "",
	"throws": "failure", "throw": "failure", "exception": "failure", "raise": "failure", "raises": "failure",
}

// docSections maps the headings of lists to their subject.
var docSections = map[string]string{
	"args": "param", "arguments": "param", "parameters": "param", "keyword args": "param", "other parameters": "param",
	"raises": "failure", "throws": "failure", "exceptions": "failure",
}

// readDocs parses a doc comment.
func readDocs(doc string) docs {
	r := docReader{rows: strings.Split(doc, "\n"), out: docs{sections: map[string]string{}}}
	for r.at = 0; r.at < len(r.rows); r.at++ {
		r.row()
	}
	return r.out
}

// docReader parses a doc comment line by line.
type docReader struct {
	rows []string
	at   int
	in   string // subject of the current list; "" outside one
	out  docs
}

func (r *docReader) row() {
	row := r.rows[r.at]
	text := strings.TrimSpace(row)
	switch {
	case text == "":
		if r.at+1 < len(r.rows) && indent(r.rows[r.at+1]) == 0 {
			r.in = ""
		}
	case strings.HasPrefix(text, "# "):
		r.in = docSections[strings.ToLower(text[2:])]
		r.section(strings.ToLower(text[2:]))
	case r.heading(text):
	case r.tag(text):
	case r.in != "":
		r.listed(text, indent(row))
	}
}

// indent returns the indentation of a row in bytes.
func indent(row string) int { return len(row) - len(strings.TrimLeft(row, " \t")) }

// heading parses the start of a list: "Args:", or "Parameters" above a line of dashes, or
// Swift's "- Parameters:".
func (r *docReader) heading(text string) bool {
	word := strings.ToLower(strings.TrimPrefix(text, "- "))
	next := ""
	if r.at+1 < len(r.rows) {
		next = strings.TrimSpace(r.rows[r.at+1])
	}
	underlined := strings.HasPrefix(next, "---") && strings.Trim(next, "-") == ""
	word, colon := strings.CutSuffix(word, ":")
	about, ok := docSections[word]
	if underlined || colon && ok {
		r.in = about
		if underlined {
			r.at++
		}
		return true
	}
	return false
}

// tag parses a row that begins with a tag: "@param x …", ":param x: …", "\throws X …", "-
// Parameter x: …", "param x: …".
func (r *docReader) tag(text string) bool {
	sign, rest := signOf(text)
	end := strings.IndexAny(rest, " [:\t")
	if end < 0 {
		return sign == '@' || sign == '\\'
	}
	word := rest[:end]
	about := docParts[strings.ToLower(word)]
	switch {
	case about == "":
		if sign == '@' {
			r.in = ""
		}
		return sign == '@' || sign == '\\'
	case sign == '-' && word != strings.ToUpper(word[:1])+strings.ToLower(word[1:]), sign == 0 && !isXMLRow(word, rest):
		return false
	}
	r.in = ""
	rest = rest[end:]
	if strings.HasPrefix(rest, "[in") || strings.HasPrefix(rest, "[out") { // Doxygen direction
		_, rest, _ = strings.Cut(rest, "]")
	}
	r.named(about, strings.TrimSpace(rest)+r.goesOn(indent(r.rows[r.at])), sign)
	return true
}

// signOf returns the sign that a tag begins with and the text after it; 0 for none.
func signOf(text string) (sign byte, rest string) {
	if rest := strings.TrimLeft(text, "@\\:"); rest != text {
		return text[0], rest
	}
	if rest, ok := strings.CutPrefix(text, "- "); ok && strings.Contains(rest, ":") {
		return '-', rest
	}
	return 0, text
}

// isXMLRow reports whether package lang produced a row from an element of C#'s XML.
func isXMLRow(word, row string) bool {
	return (word == "param" || word == "exception") && strings.Contains(row, ":")
}

// rowsOfOthers are prefixes of rows that do not continue a tag.
var rowsOfOthers = []string{"param ", "exception ", "returns: ", "value: ", "remarks: ", "# "}

// role is a word with a role of reST at the start of a row, which is text: :class:`Response`.
var role = lazyregexp.New("^:[a-z:+-]+:`")

// goesOn returns the continuation of a tag in the rows below it.
func (r *docReader) goesOn(outer int) string {
	var text strings.Builder
	for r.at+1 < len(r.rows) {
		next := strings.TrimSpace(r.rows[r.at+1])
		if next == "" || strings.ContainsRune("@:\\<", rune(next[0])) && !role.MatchString(next) || strings.HasPrefix(next, "- ") && indent(r.rows[r.at+1]) <= outer ||
			slices.ContainsFunc(rowsOfOthers, func(w string) bool { return strings.HasPrefix(next, w) }) {
			break
		}
		text.WriteString(" " + next)
		r.at++
	}
	return text.String()
}

// named adds the text of a tag about a name, which may be preceded or followed by a type.
func (r *docReader) named(about, rest string, sign byte) {
	if about == "failure" {
		r.failure(rest, sign)
		return
	}
	if kind, after, ok := strings.Cut(rest, "}"); ok && strings.HasPrefix(kind, "{") { // JSDoc type
		rest = strings.TrimSpace(after)
	}
	if inside, after, ok := bracketed(rest); ok {
		name, _, _ := strings.Cut(inside, "=")
		rest = name + " " + after // JSDoc optional name
		if name != "" && unicode.IsUpper(rune(name[0])) {
			rest = after // YARD type
		}
	}
	if sign == ':' || sign == '-' {
		head, text, ok := strings.Cut(rest, ":")
		if words := strings.Fields(head); ok && len(words) > 0 { // a type may precede the name
			rest = words[len(words)-1] + " " + text
		}
	}
	name, text, _ := strings.Cut(rest, " ")
	text = strings.TrimSpace(text)
	if second, after, ok := strings.Cut(text, " "); ok && strings.HasPrefix(second, "$") { // PHP puts the type first
		name, text = second, after
	}
	if _, after, ok := bracketed(text); ok { // YARD type
		text = after
	}
	r.add(about, name, text)
}

// failure adds the text of a tag about an error, whose type may be in brackets.
func (r *docReader) failure(rest string, sign byte) {
	if kind, after, ok := strings.Cut(rest, "}"); ok && strings.HasPrefix(kind, "{") {
		rest = kind[1:] + " " + after
	}
	if inside, after, ok := bracketed(rest); ok {
		rest = inside + " " + after
	}
	if sign == ':' {
		rest = strings.Replace(rest, ":", " ", 1)
	}
	if sign != '-' { // Swift names no error types
		name, text, _ := strings.Cut(rest, " ")
		r.add("failure", name, text)
	}
}

// bracketed splits off the bracketed text at the start of text.
func bracketed(text string) (inside, after string, ok bool) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			return text[min(1, i):i], strings.TrimSpace(text[i+1:]), i > 0
		}
	}
	return "", "", false
}

// listed adds an entry of a list: "name (type): text", "name : type" with the text below, "*
// `name` - text". Rows that are indented further continue the entry above.
func (r *docReader) listed(text string, depth int) {
	entry := strings.TrimLeft(text, "*- ")
	name, rest, ok := strings.Cut(entry, ":")
	if before, after, dashed := strings.Cut(entry, " - "); !ok && dashed {
		name, rest, ok = before, after, true
	}
	if !ok {
		name = entry
	}
	if head, _, typed := strings.Cut(name, " ("); typed {
		name = head
	}
	if r.in == "param" && !ok { // a name needs a text after it
		return
	}
	for r.at+1 < len(r.rows) && strings.TrimSpace(r.rows[r.at+1]) != "" && indent(r.rows[r.at+1]) > depth {
		if strings.HasSuffix(name, " ") { // followed by numpy's type
			name, rest = strings.TrimSpace(name), ""
		}
		r.at++
		rest += " " + strings.TrimSpace(r.rows[r.at])
	}
	r.add(r.in, name, rest)
}

func (r *docReader) add(about, name, text string) {
	name = strings.Trim(name, "`*$:,{}\\")
	d := documented{name, strings.TrimSpace(strings.TrimLeft(strings.Join(strings.Fields(text), " "), "-–—:. "))}
	switch {
	case about == "param" && isWord(d.name):
		r.out.params = append(r.out.params, d)
	case about == "failure" && isErrorType(d.name):
		r.out.failures = append(r.out.failures, d)
	}
}

// section stores the text under a heading of rustdoc, up to the next heading.
func (r *docReader) section(heading string) {
	if !slices.Contains([]string{"errors", "panics", "safety"}, heading) {
		return
	}
	var out []string
	for _, row := range r.rows[r.at+1:] {
		row = strings.TrimSpace(row)
		if strings.HasPrefix(row, "# ") || strings.HasPrefix(row, "```") || row == "" && len(out) > 0 {
			break
		}
		if row != "" {
			out = append(out, row)
		}
	}
	r.out.sections[heading] = strings.Join(out, " ")
}

// isErrorType reports whether a name is that of an error type.
func isErrorType(name string) bool {
	return isWord(strings.ReplaceAll(name, "::", ".")) && !strings.HasPrefix(name, "-") && (strings.ToLower(name) != name || strings.Contains(name, "::"))
}
