package prose

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// Documentation is a doc comment, read in the dialect of its language: reST and Google style (Python), Javadoc, KDoc,
// Scaladoc, JSDoc, PHPDoc, Doxygen, XML comments (C#), rustdoc, godoc, RDoc and YARD.
type Documentation struct {
	Text       string            // without tags, in plain Markdown; "" for a comment that only refers to another
	Parameters map[string]string // what is said of each
	Returns    string
	Raises     map[string]string // when each error is raised
	Since      string
	Deprecated string
	Internal   bool // not meant for users
}

// Summary returns the first sentence of the text, on one line; "" if there is none.
func (d *Documentation) Summary() string {
	text, _ := markdown.Sentence(d.Text, maxSummary)
	return text
}

// maxSummary limits the first sentence of documentation, in bytes.
const maxSummary = 240

// Doc reads a doc comment of a language.
func Doc(text, language string) *Documentation {
	d := &docReader{Documentation: Documentation{Parameters: map[string]string{}, Raises: map[string]string{}}}
	text = markdown.UnixLines(text)
	if slices.Contains(references, strings.ToLower(strings.TrimSpace(text))) {
		return &d.Documentation
	}
	if language == "csharp" {
		text = xmlTags(text)
	}
	fence := ""
	for row := range strings.SplitSeq(text, "\n") {
		if after := markdown.FenceAfter(fence, row); fence != "" || after != "" {
			fence = after
			d.plain(row)
			continue
		}
		d.row(row)
	}
	d.end()
	d.Text = strings.TrimSpace(collapsed(plainMarkup(strings.Join(d.text, "\n"), language)))
	return &d.Documentation
}

// references are comments that only refer to the documentation of another symbol.
var references = []string{"inheritdoc", "{@inheritdoc}", "@inheritdoc", "<inheritdoc/>", "<inheritdoc />", ":nodoc:", "@hidden"}

// Inline returns a sentence of documentation on one line, in plain Markdown.
func (w Writer) Inline(text string) string {
	return markdown.QuotedRow(plainMarkup(text, w.Code))
}

// docReader reads the rows of a comment.
type docReader struct {
	Documentation
	text    []string
	to      *string // the tag that the rows belong to; nil for the text
	name    string  // of the parameter or error
	into    map[string]string
	value   []string
	section string // of Google style: "args", "raises"
	indent  int    // of the section's head
}

// tag matches @param {T} [name=x] - text, :param name: text and \param name text.
var tag = lazyregexp.New(`^\s*(?:@|:|\\)([a-zA-Z]+)(?:-(?:read|write))?\b:?\s*(.*)$`)

// heads are the sections of Google and NumPy style.
var heads = map[string]string{
	"args:": "args", "arguments:": "args", "parameters:": "args", "keyword args:": "args", "raises:": "raises", "returns:": "returns", "yields:": "returns",
	"example:": "drop", "examples:": "drop", "note:": "", "# arguments": "drop",
}

// row reads one row outside code.
func (d *docReader) row(row string) {
	trimmed := strings.TrimSpace(row)
	indent := len(row) - len(strings.TrimLeft(row, " \t"))
	if head, ok := heads[strings.ToLower(trimmed)]; ok && head != "" {
		d.end()
		d.section, d.indent = head, indent
		return
	}
	if d.section != "" {
		if trimmed == "" || indent > d.indent {
			d.sectionRow(trimmed)
			return
		}
		d.end()
		d.section = ""
	}
	if found := tag.FindStringSubmatch(row); found != nil && isTag(trimmed) {
		d.end()
		d.begin(strings.ToLower(found[1]), found[2])
		return
	}
	if d.to != nil || d.into != nil || d.name == dropped {
		if trimmed == "" {
			d.end()
			return
		}
		d.value = append(d.value, trimmed)
		return
	}
	if strings.HasPrefix(trimmed, "//") && len(d.Parameters) > 0 { // a comment between tags
		return
	}
	d.plain(row)
}

// tags are the names of tags; others that begin a row are text, such as an e-mail address.
var tags = []string{
	"param", "parameter", "arg", "argument", "key", "keyword", "property", "prop", "return", "returns", "rtype", "type", "raise", "raises", "throws", "throw", "exception",
	"since", "version", "versionadded", "versionchanged", "deprecated", "see", "link", "example", "author", "copyright", "license", "template", "tparam", "typeparam", "typedef", "module",
	"packagedocumentation", "file", "fileoverview", "internal", "private", "public", "protected", "meta", "default", "defaultvalue", "remarks", "brief", "note", "yields", "yield",
	"yieldparam", "yieldreturn", "option", "overload", "api", "category", "group", "callback", "this", "override", "readonly", "static", "abstract", "async", "class", "function", "name",
	"memberof", "constructor", "extends", "implements", "implspec", "implnote", "apinote", "sa", "method", "mixin", "uses", "ingroup", "details", "tparams", "constructs", "event", "fires", "beta", "alpha", "experimental", "var", "ivar", "cvar", "vartype",
}

// isTag reports whether a row begins with a tag.
func isTag(row string) bool {
	name := strings.TrimLeft(row, `@:\`)
	if strings.HasPrefix(row, "@phpstan-") || strings.HasPrefix(row, "@psalm-") { // tags of analysers
		return true
	}
	if row == name || len(row)-len(name) > 1 {
		return false
	}
	end := strings.IndexFunc(name, func(c rune) bool { return (c|0x20 < 'a' || c|0x20 > 'z') })
	if end < 0 {
		end = len(name)
	}
	if strings.HasPrefix(name[end:], ":`") { // :class:`Response`, which is text
		return false
	}
	return slices.Contains(tags, strings.ToLower(name[:end]))
}

// dropped is the name of a tag without information for readers.
const dropped = "\x00"

// begin begins a tag.
func (d *docReader) begin(name, rest string) {
	switch name {
	case "param", "parameter", "arg", "argument", "key", "keyword", "property", "prop", "ivar", "cvar", "var":
		d.into = d.Parameters
		d.name, rest = parameterName(rest)
	case "raise", "raises", "throws", "throw", "exception":
		d.into = d.Raises
		d.name, rest = parameterName(rest)
	case "return", "returns", "yields", "yield":
		d.to, rest = &d.Returns, braced.ReplaceAllString(strings.TrimPrefix(rest, ":"), "")
	case "since", "versionadded":
		d.to = &d.Since
	case "deprecated":
		d.to = &d.Deprecated
	case "brief", "details", "remarks", "note":
		d.plain(rest)
		return
	case "internal", "private", "api":
		d.Internal, d.name = name != "api" || strings.TrimSpace(rest) == "private", dropped
	case "meta":
		d.Internal, d.name = strings.HasPrefix(rest, "private"), dropped
	default:
		d.name = dropped
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		d.value = append(d.value, rest)
	}
}

// braced is a type in braces at the start of a tag's text.
var braced = lazyregexp.New(`^\s*\{(?:[^{}]|\{[^{}]*\})*\}\s*`)

// parameterName cuts the name off a tag's text: "{T} [name=x] - text", "name: text", "T name: text".
func parameterName(text string) (name, rest string) {
	text = strings.TrimSpace(braced.ReplaceAllString(text, ""))
	if strings.HasPrefix(text, "[") {
		if i := strings.IndexByte(text, ']'); i > 0 {
			name, _, _ = strings.Cut(text[1:i], "=")
			return strings.TrimSpace(name), trimDash(text[i+1:])
		}
	}
	if head, tail, ok := strings.Cut(text, ":"); ok && len(strings.Fields(head)) <= 2 && len(strings.Fields(head)) > 0 {
		fields := strings.Fields(head)
		return strings.TrimLeft(fields[len(fields)-1], "$*&"), strings.TrimSpace(tail)
	}
	name, rest, _ = strings.Cut(text, " ")
	if strings.HasPrefix(rest, "$") { // PHPDoc: the type comes first
		name, rest, _ = strings.Cut(rest, " ")
	}
	return strings.Trim(name, "$*&`<>"), trimDash(rest)
}

func trimDash(text string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "- "))
}

// sectionRow reads a row of a section: "name (type): text".
func (d *docReader) sectionRow(row string) {
	if row == "" {
		return
	}
	head, text, ok := strings.Cut(row, ":")
	name, _, _ := strings.Cut(strings.TrimLeft(head, "*"), " ")
	switch {
	case d.section == "drop":
	case d.section == "returns":
		d.to = &d.Returns
		d.value = append(d.value, row)
	case ok && name != "" && len(strings.Fields(head)) <= 3:
		d.end()
		d.into, d.name = d.Parameters, name
		if d.section == "raises" {
			d.into = d.Raises
		}
		d.value = append(d.value, strings.TrimSpace(text))
	case d.into != nil:
		d.value = append(d.value, row)
	}
}

// end ends a tag.
func (d *docReader) end() {
	text := strings.TrimSpace(strings.Join(d.value, " "))
	switch {
	case d.to != nil:
		*d.to = text
	case d.into != nil && d.name != "":
		d.into[d.name] = text
	}
	d.to, d.into, d.name, d.value = nil, nil, "", nil
}

func (d *docReader) plain(row string) { d.text = append(d.text, strings.TrimRight(row, " \t")) }

// markups are the inline marks of the dialects and what they are in Markdown.
var markups = []struct {
	languages string // "" for all
	mark      *lazyregexp.Regexp
	plain     string
}{
	{"java kotlin scala", lazyregexp.New(`\{@link(?:plain)?\s+#([^\s{}()]+(?:\([^()]*\))?)\s*\}`), "`$1`"},
	{"java kotlin scala", lazyregexp.New(`\{@link(?:plain)?\s+([\w.]+)#([^\s{}()]+(?:\([^()]*\))?)\s*\}`), "`$1.$2`"},
	{"java kotlin scala", lazyregexp.New(`\{@link(?:plain)?\s+[\w.]*#?\w*(?:\([^()]*\))?\s+([^{}]+?)\}`), "$1"}, // its label
	{"", lazyregexp.New(`\{@(?:link|linkplain|code|literal|value)\s+([^{}]*?)\}`), "`$1`"},
	{"python", lazyregexp.New("(?::[a-z]+)?:[a-z]+:`~?\\.?([^`<]*?)(?:\\s*<[^`]*>)?`"), "`$1`"},
	{"python", lazyregexp.New("``([^`]*)``"), "`$1`"},
	{"python", lazyregexp.New(`(?m)^\s*\.\. [a-z-]+::.*$`), ""},
	{"go", lazyregexp.New(`\[(\*?[A-Za-z_][\w.]*)\]`), "`$1`"},
	{"java kotlin scala php csharp", lazyregexp.New(`</?(?:p|b|i|em|strong|ul|ol|li|pre|br|para|a|h[1-6]|blockquote)(?:\s[^<>]*)?/?>`), ""},
	{"java kotlin scala csharp", lazyregexp.New(`</?(?:code|tt|c|see|paramref|typeparamref)(?:\s[^<>]*)?>`), "`"},
	{"rust", lazyregexp.New("\\[(`[^`]+`)\\](?:\\([^)]*\\)|\\[[^\\]]*\\])?"), "$1"},
	{"kotlin", lazyregexp.New(`\[([^\[\]]+)\]\[[^\[\]]*\]`), "$1"},
	{"rust kotlin", lazyregexp.New(`\[([A-Za-z_][\w:.]*)\](?:\([^)]*\))?`), "`$1`"},
	{"ruby", lazyregexp.New(`\+([\w.:#?!]+)\+`), "`$1`"},
	{"ruby", lazyregexp.New(`(?m)^\s*:[a-z-]+:.*$`), ""},
	{"c cpp", lazyregexp.New(`[\\@](?:ref|c|p|a|e|b)\s+(\w[\w:.]*)`), "`$1`"},
}

// plainMarkup rewrites the inline marks of a dialect.
func plainMarkup(text, language string) string {
	for _, m := range markups {
		if m.languages == "" || slices.Contains(strings.Fields(m.languages), language) {
			text = m.mark.ReplaceAllString(text, m.plain)
		}
	}
	if language == "java" || language == "csharp" || language == "kotlin" || language == "scala" {
		text = entities.Replace(text)
	}
	return text
}

// entities are those of HTML that comments use.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, "&nbsp;", " ")

// xmlElements are the elements of an XML comment that have a tag's meaning.
var xmlElements = []struct {
	element *lazyregexp.Regexp
	row     string
}{
	{lazyregexp.New(`(?s)<see(?:also)?\s+(?:cref|langword|href)="(?:[A-Z]:)?([^"]*)"\s*/>`), "`$1`"},
	{lazyregexp.New(`(?s)<(?:type)?paramref\s+name="([^"]*)"\s*/>`), "`$1`"},
	{lazyregexp.New(`(?s)\s*<param\s+name="([^"]*)">(.*?)</param>`), "\n@param $1 $2"},
	{lazyregexp.New(`(?s)\s*<typeparam\s+name="[^"]*">.*?</typeparam>`), ""},
	{lazyregexp.New(`(?s)\s*<exception\s+cref="(?:[A-Z]:)?([^"]*)">(.*?)</exception>`), "\n@throws $1 $2"},
	{lazyregexp.New(`(?s)\s*<returns>(.*?)</returns>`), "\n@returns $1"},
	{lazyregexp.New(`(?s)\s*<example>.*?</example>`), ""},
	{lazyregexp.New(`(?s)</?(?:summary|remarks|value)>`), "\n"},
}

// xmlTags turns the elements of an XML comment into tags.
func xmlTags(text string) string {
	for _, e := range xmlElements {
		text = e.element.ReplaceAllString(text, e.row)
	}
	return text
}

// collapsed replaces runs of empty rows with one.
func collapsed(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}
