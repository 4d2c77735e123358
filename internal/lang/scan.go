package lang

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scan fills what all languages share, in one pass over the tree: comments and
// their notes, calls, parse errors and the file's digest.
func (r *reader) scan() {
	r.sortSpans()
	r.reportUnread()
	var comments, imports strings.Builder
	root := r.Root()
	skipErrorsTo := 0
	for n := range root.Within() {
		kind := n.Kind()
		if r.lang.doc != nil {
			if text, ok := r.lang.doc(n); ok {
				r.comment(text, n.Line(), &comments)
			}
		}
		switch {
		case kind == "ERROR" || n.Missing():
			if n.Start() >= skipErrorsTo {
				r.parseError(n)
				skipErrorsTo = n.End()
			}
		case isComment(kind) && !isComment(n.Parent().Kind()):
			r.comment(n.Text(), n.Line(), &comments)
		case kind == "," && trailing(n):
			r.file.Digest.Commas++
		case kind == ";":
			r.file.Digest.Semicolons++
		case slices.Contains(r.lang.imports, kind):
			imports.WriteString(words(n.Text()) + "\n")
		}
		if call, ok := r.lang.call(n); ok && call.Name != "" {
			call.Line, call.In = cmp.Or(call.Line, n.Line()), r.enclosing(n.Start())
			r.file.Calls = append(r.file.Calls, call)
		}
	}
	r.file.Generated = generated(r.Source)
	d := &r.file.Digest
	d.Comments, d.Imports = shortHash([]byte(comments.String())), shortHash([]byte(imports.String()))
	d.Tokens = shortHash(r.tokens(root))
	markBroken(r.file)
}

// tokens returns the normalised syntax of the file without its imports.
func (r *reader) tokens(root syntax.Node) []byte {
	if r.lang.shape == nil {
		return nil
	}
	out := make([]byte, 0, len(r.Source)*3/2)
	for c := range root.Inner() {
		if !slices.Contains(r.lang.imports, c.Kind()) {
			out = r.lang.shape.append(out, c, nil)
		}
	}
	return append(out, r.hidden(root)...)
}

func trailing(comma syntax.Node) bool {
	p := comma.Parent()
	last := p.After() - 1
	n := comma.After()
	if n != last { // something stands between the comma and the last token
		return false
	}
	for c := range p.Children() {
		if c.Index() == n {
			return strings.Trim(c.Text(), ")]}>") == ""
		}
	}
	return false
}

// sortSpans orders the spans and finds for each the one around it.
func (r *reader) sortSpans() {
	slices.SortStableFunc(r.spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	open := []int{}
	r.around = make([]int, len(r.spans))
	for i, s := range r.spans {
		for len(open) > 0 && r.spans[open[len(open)-1]].end <= s.start {
			open = open[:len(open)-1]
		}
		r.around[i] = -1
		if len(open) > 0 {
			r.around[i] = open[len(open)-1]
		}
		open = append(open, i)
	}
}

// enclosing returns the qualified name of the innermost symbol around offset.
func (r *reader) enclosing(offset int) string {
	i := r.enclosingSpan(offset)
	if i < 0 {
		return ""
	}
	return r.spans[i].name
}

// enclosingSpan is the index of the innermost span around offset; -1 for none.
func (r *reader) enclosingSpan(offset int) int {
	i := sort.Search(len(r.spans), func(i int) bool { return r.spans[i].start > offset }) - 1
	for i >= 0 && r.spans[i].end <= offset {
		i = r.around[i]
	}
	return i
}

// comment takes a comment's words for the digest and its notes for the file.
func (r *reader) comment(text string, line int, all *strings.Builder) {
	for row := range strings.Lines(text) {
		text := strings.Trim(row, "/*#!- \t\r\n")
		all.WriteString(words(text) + " ")
		if note, ok := noteIn(text); ok {
			note.Line = line
			r.file.Notes = append(r.file.Notes, note)
		}
		line++
	}
}

// words joins the words of a text by single blanks.
func words(text string) string {
	if strings.IndexFunc(text, unicode.IsSpace) < 0 {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// markers are the words that begin a note in a comment.
var markers = []string{"TODO", "FIXME", "HACK", "XXX", "BUG", "DEPRECATED"}

// noteIn returns the note that a line of comment holds: a marker at its start
// or after other words, followed by ":", "(" or a blank.
func noteIn(text string) (code.Note, bool) {
	for _, m := range markers {
		i := strings.Index(text, m)
		if i < 0 || i > 0 && text[i-1] != ' ' && text[i-1] != '@' && text[i-1] != '(' {
			continue
		}
		rest := text[i+len(m):]
		marked := strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "(")
		if !marked && (i > 0 || rest != "" && rest[0] != ' ') {
			continue
		}
		return code.Note{Marker: m, Text: strings.TrimSpace(strings.TrimPrefix(rest, ":"))}, true
	}
	return code.Note{}, false
}

// headBytes is how much of a file is searched for the marks of generated code.
const headBytes = 2048

// generated tells whether the head of a file says that a program wrote it.
func generated(src []byte) bool {
	for row := range strings.Lines(string(src[:min(len(src), headBytes)])) {
		row = strings.TrimSpace(row)
		if row == "" || strings.ContainsAny(row[:1], "/*#\"'-") {
			low := strings.ToLower(row)
			for _, mark := range []string{"do not edit", "@generated", "<auto-generated", "automatically generated by", "autogenerated"} {
				if strings.Contains(low, mark) {
					return true
				}
			}
		}
	}
	return false
}

// maxParseErrors is how many errors of a file are kept; the rest says nothing new.
const maxParseErrors = 100

func (r *reader) parseError(n syntax.Node) {
	if len(r.file.ParseErrors) >= maxParseErrors || len(r.Source) > r.written && n.Start() >= r.written {
		return // the second: in brackets put behind the text
	}
	message := "unexpected " + quoteShort(n.Text())
	if n.Missing() {
		message = "missing " + n.Kind()
	}
	e := code.ParseError{Line: n.Line(), Column: n.Column(), Message: message}
	e.Affected = r.touched(n.Start(), n.End())
	if n.Missing() { // it has no place but that of what lacks it
		if name := r.enclosing(n.Parent().Start()); name != "" {
			e.Affected = []string{name}
		}
	}
	r.file.ParseErrors = append(r.file.ParseErrors, e)
}

// touched returns the innermost symbols that share bytes with a span.
func (r *reader) touched(start, end int) []string {
	if name := r.enclosing(start); name != "" && r.enclosing(max(start, end-1)) == name {
		return []string{name}
	}
	var out []string
	for _, s := range r.spans {
		if s.start < max(end, start+1) && s.end > start && !slices.Contains(out, s.name) {
			out = append(out, s.name)
		}
	}
	return out
}

// quoteShort quotes the first line of a text, at most 40 bytes of it.
func quoteShort(text string) string {
	text, _, cut := strings.Cut(strings.TrimSpace(text), "\n")
	if len(text) > 40 {
		text, cut = strings.ToValidUTF8(text[:40], ""), true
	}
	if cut {
		text += "…"
	}
	return "`" + strings.TrimSpace(text) + "`"
}

// markBroken sets Broken on every symbol that a parse error names.
func markBroken(f *code.File) {
	broken := map[string]bool{}
	for _, e := range f.ParseErrors {
		for _, name := range e.Affected {
			broken[name] = true
		}
	}
	if len(broken) > 0 {
		markIn(f.Symbols, "", broken)
	}
}

func markIn(list []code.Symbol, owner string, broken map[string]bool) {
	for i := range list {
		name := join(owner, list[i].Name)
		list[i].Broken = broken[name]
		markIn(list[i].Members, name, broken)
	}
}
