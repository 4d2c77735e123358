package core

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// scan reads what all languages share: parse errors and, unless the parts are bare, what
// scanSites reads.
func (r *Reader) scan() {
	r.SortSpans()
	r.reportUnread()
	r.File.Generated = generated(r.Source)
	if r.Parts&(Bare|Hashes) != Bare {
		r.scanSites()
	} else {
		r.scanErrors()
	}
	MarkBroken(r.File)
}

// scanErrors reports what the parser could not read or had to insert.
func (r *Reader) scanErrors() {
	if !r.Root().HasError() {
		return
	}
	skipErrorsTo := 0
	for n := range r.Root().Descendants() {
		skipErrorsTo = r.scanError(n, skipErrorsTo)
	}
}

// scanError reports a node that is an error and begins at or after an offset, and returns the
// offset from which the next one is reported.
func (r *Reader) scanError(n syntax.Node, from int) int {
	if n.Kind() != "ERROR" && !n.Missing() || n.Start() < from {
		return from
	}
	r.ParseError(n)
	return n.End()
}

// scanSites reads comments and their notes, calls, parse errors and the file's digest, in one
// pass over the tree.
func (r *Reader) scanSites() {
	var comments, imports strings.Builder
	root := r.Root()
	skipErrorsTo := 0
	for n := range root.Descendants() {
		kind := n.Kind()
		if text, ok := r.docNode(n); ok {
			r.Comment(text, n.Line(), &comments)
		}
		switch {
		case kind == "ERROR" || n.Missing():
			skipErrorsTo = r.scanError(n, skipErrorsTo)
		case syntax.IsComment(kind) && !syntax.IsComment(n.Parent().Kind()):
			r.Comment(n.Text(), n.Line(), &comments)
		case kind == "," && trailing(n):
			r.File.Digest.Commas++
		case kind == ";":
			r.File.Digest.Semicolons++
		case slices.Contains(r.Lang.Imports, kind):
			imports.WriteString(srctext.OneLine(n.Text()) + "\n")
		}
		if call, ok := r.Lang.Call(n); ok && call.Name != "" {
			call.Line, call.In = cmp.Or(call.Line, n.Line()), r.Enclosing(n.Start())
			r.File.Calls = append(r.File.Calls, call)
		}
	}
	if r.Parts&Hashes != 0 {
		r.digest(root, comments.String(), imports.String())
	}
}

// docNode returns the text of a documentation node that is not a comment.
func (r *Reader) docNode(n syntax.Node) (text string, ok bool) {
	if r.Lang.Doc == nil {
		return "", false
	}
	return r.Lang.Doc(n)
}

// digest sets the hashes of the file's parts.
func (r *Reader) digest(root syntax.Node, comments, imports string) {
	d := &r.File.Digest
	d.Comments, d.Imports = srctext.ShortHash([]byte(comments)), srctext.ShortHash([]byte(imports))
	d.Tokens = srctext.ShortHash(r.tokens(root))
}

// tokens returns the normalised syntax of the file without its imports.
func (r *Reader) tokens(root syntax.Node) []byte {
	return append(slices.Clip(r.normalised(root).out), r.Hidden(root)...)
}

// normalised returns the normalised syntax of the file, which is made once.
func (r *Reader) normalised(root syntax.Node) *normalText {
	if r.normal != nil && r.normal.tree == r.Tree {
		return r.normal
	}
	t := &normalText{tree: r.Tree, out: make([]byte, 0, len(r.Source)*3/2), from: make([]uint32, r.Len()), to: make([]uint32, r.Len())}
	for c := range root.NamedSeq() {
		if !slices.Contains(r.Lang.Imports, c.Kind()) {
			t.add(r.Lang.Shape, c)
		}
	}
	r.normal = t
	return t
}

func trailing(comma syntax.Node) bool {
	p := comma.Parent()
	last := p.After() - 1
	n := comma.After()
	if n != last { // there is a node between the comma and the last token
		return false
	}
	for c := range p.Children() {
		if c.Index() == n {
			return strings.Trim(c.Text(), ")]}>") == ""
		}
	}
	return false
}

// SortSpans sorts the spans and finds the enclosing span of each.
func (r *Reader) SortSpans() {
	slices.SortStableFunc(r.Spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	open := []int{}
	r.around = make([]int, len(r.Spans))
	for i, s := range r.Spans {
		for len(open) > 0 && r.Spans[open[len(open)-1]].End <= s.Start {
			open = open[:len(open)-1]
		}
		r.around[i] = -1
		if len(open) > 0 {
			r.around[i] = open[len(open)-1]
		}
		open = append(open, i)
	}
}

// Enclosing returns the qualified name of the innermost symbol around offset.
func (r *Reader) Enclosing(offset int) string {
	i := r.enclosingSpan(offset)
	if i < 0 {
		return ""
	}
	return r.Spans[i].Name
}

// enclosingSpan returns the index of the innermost span around offset; -1 for none.
func (r *Reader) enclosingSpan(offset int) int {
	i := sort.Search(len(r.Spans), func(i int) bool { return r.Spans[i].Start > offset }) - 1
	for i >= 0 && r.Spans[i].End <= offset {
		i = r.around[i]
	}
	return i
}

// Comment adds a comment's words to all, for the digest, and its notes to the file.
func (r *Reader) Comment(text string, line int, all *strings.Builder) {
	for row := range strings.Lines(text) {
		text := strings.Trim(row, "/*#!- \t\r\n")
		all.WriteString(srctext.OneLine(text) + " ")
		if note, ok := NoteIn(text); ok {
			note.Line = line
			r.File.Notes = append(r.File.Notes, note)
		}
		line++
	}
}

// markers are the words that begin a note in a comment.
var markers = []string{"TODO", "FIXME", "HACK", "XXX", "BUG", "DEPRECATED"}

// NoteIn returns the note in a line of a comment: a marker at the start or after another word,
// followed by ":", "(" or, at the start, a space.
func NoteIn(text string) (code.Note, bool) {
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

// generated reports whether the head of a file says that it is generated.
func generated(src []byte) bool {
	for row := range strings.Lines(string(src[:min(len(src), srctext.HeadBytes)])) {
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

// MaxParseErrors is the maximum number of parse errors kept per file.
const MaxParseErrors = 100

// ParseError adds the parse error at n to the file, up to [MaxParseErrors].
func (r *Reader) ParseError(n syntax.Node) {
	if len(r.File.ParseErrors) >= MaxParseErrors || len(r.Source) > r.Length && n.Start() >= r.Length {
		return // in the second case, n is in the brackets added after the source
	}
	message := "unexpected " + srctext.QuoteShort(n.Text())
	if n.Missing() {
		message = "missing " + n.Kind()
	}
	e := code.ParseError{Line: n.Line(), Column: n.Column(), Message: message}
	e.Affected = r.Touched(n.Start(), n.End())
	if n.Missing() { // it is empty: use the node that it is missing from
		if name := r.Enclosing(n.Parent().Start()); name != "" {
			e.Affected = []string{name}
		}
	}
	r.File.ParseErrors = append(r.File.ParseErrors, e)
}

// Touched returns the names of the innermost symbols that overlap a range.
func (r *Reader) Touched(start, end int) []string {
	if name := r.Enclosing(start); name != "" && r.Enclosing(max(start, end-1)) == name {
		return []string{name}
	}
	var out []string
	for _, s := range r.Spans {
		if s.Start < max(end, start+1) && s.End > start && !slices.Contains(out, s.Name) {
			out = append(out, s.Name)
		}
	}
	return out
}

// MarkBroken sets Broken on every symbol affected by a parse error.
func MarkBroken(f *code.File) {
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
		name := srctext.Join(owner, list[i].Name)
		list[i].Broken = broken[name]
		markIn(list[i].Members, name, broken)
	}
}
