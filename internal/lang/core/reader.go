package core

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// MaxNesting is how deep types inside types are followed. Deeper text is not
// written by people.
const MaxNesting = 64

// Reader reads one file's tree. A language's read function fills file.Symbols
// and file.Imports; what all languages share is done after it.
type Reader struct {
	*syntax.Tree
	Lang      *Language
	File      *code.File
	Spans     []Span
	around    []int  // for each span, the one around it; -1 for none
	Rewritten []byte // the text as the parser was shown it
	// Length is the length of the text; closing brackets may be shown behind it.
	Length  int
	Patched []Span // where that is not the source
	Unread  []Span // what the parser was not shown since it could not be read; name says why
	// doctests are the steps of examples in documentation.
	doctests []code.Step
	Docs     []Span // the comments that document, where the language's source finds them
}

// Span is where a symbol stands in the text.
type Span struct {
	Start, End int    // bytes
	Name       string // qualified within the file: "Type.method"
}

// ReadTree parses src by the language's grammar and fills f.
func ReadTree(l *Language, f *code.File, src []byte) error {
	r := &Reader{Lang: l, File: f, Length: len(src)}
	source := l.Source
	if source == nil {
		source = RewrittenSource(func(src []byte) []byte { return src })
	}
	if err := source(r, src); err != nil {
		return err
	}
	l.Read(r)
	r.scan()
	if l.Tests != nil {
		l.Tests(r)
	}
	r.readBodies()
	r.readSteps()
	r.readFacts()
	return nil
}

// RewrittenSource returns a source that parses what show makes of a text, of the same
// length. What differs counts as not shown; see [Reader.Hidden].
func RewrittenSource(show func(src []byte) []byte) func(r *Reader, src []byte) error {
	return func(r *Reader, src []byte) error { return r.parse(src, show(src)) }
}

// PartlyHiddenSource returns a source that parses what show makes of a text, byte for
// byte; show tells, too, which parts have a meaning that is not shown.
func PartlyHiddenSource(show func(r *Reader, src []byte) (shown []byte, hidden []Span)) func(r *Reader, src []byte) error {
	return func(r *Reader, src []byte) error {
		shown, hidden := show(r, src)
		err := r.parse(src, shown)
		r.Patched = hidden
		return err
	}
}

// parse parses src in the form shown, which may go on behind it, and as that is
// repaired.
func (r *Reader) parse(src, shown []byte) error {
	tree, err := r.Lang.Grammar.Parse(shown)
	if err != nil {
		return err
	}
	if more := shown[len(src):]; len(more) > 0 {
		src = slices.Concat(src, more)
	}
	r.SetTree(src, Repaired(r.Lang, tree))
	return nil
}

// maxRepairs is how often a text is rewritten: one repair may uncover the next.
const maxRepairs = 4

// Repaired parses a text with errors again, rewritten where the grammar is older
// than the language.
func Repaired(l *Language, tree *syntax.Tree) *syntax.Tree {
	spent := tree.Steps
	for range maxRepairs {
		if l.Repair == nil || !tree.Root().HasError() || spent > RepairLimit(len(tree.Source)) {
			break
		}
		text := l.Repair(tree)
		if text == nil {
			break
		}
		next, err := l.Grammar.Parse(text)
		if err != nil {
			break
		}
		tree = next
		spent += tree.Steps
	}
	return tree
}

// RepairLimit returns after how many steps of parsing a text of so many bytes is not
// parsed again: it is too ambiguous to go on with.
func RepairLimit(size int) int64 { return 200_000 + 4*int64(size) }

// SetTree takes a tree of src whose parser may have been shown src in another
// form; the tree keeps the text as written.
func (r *Reader) SetTree(src []byte, tree *syntax.Tree) {
	r.Rewritten, r.Patched = tree.Source, differences(src, tree.Source)
	if len(r.Patched) > 0 {
		tree.Restore(src)
	}
	r.Tree = tree
}

// Tidy drops what broken text left without a name, and keeps lines in order and
// in the text: a node put in at the end may lie behind it.
func Tidy(list []code.Symbol, last int) []code.Symbol {
	list = slices.DeleteFunc(list, func(s code.Symbol) bool { return s.Name == "" })
	for i := range list {
		s := &list[i]
		s.StartLine = max(1, min(s.StartLine, last))
		s.EndLine = max(s.StartLine, min(s.EndLine, last))
		s.Members = Tidy(s.Members, last)
	}
	return list
}

// Place sets where sym stands and remembers it under its qualified name, so
// that calls and errors inside find it. owner is the qualified name around it.
func (r *Reader) Place(sym *code.Symbol, n syntax.Node, owner string) {
	sym.StartLine, sym.EndLine = n.Line(), n.EndLine()
	r.Spans = append(r.Spans, Span{n.Start(), n.End(), Join(owner, sym.Name)})
}

// Join qualifies a name.
func Join(owner, name string) string {
	if owner == "" {
		return name
	}
	return owner + "." + name
}

// TooDeep reports whether owner is nested beyond what is followed.
func TooDeep(owner string) bool { return strings.Count(owner, ".") >= MaxNesting }

// Head returns the text from one byte to another as a signature: trimmed, a
// trailing mark such as "{" or ":" cut, later lines freed of the indentation that
// the first has in the source.
func (r *Reader) Head(from, to int, cut string) string {
	if to = min(to, r.Length); to < from {
		return ""
	}
	text := strings.TrimSpace(string(r.Source[from:to]))
	for mark := range strings.FieldsSeq(cut) {
		text = strings.TrimSpace(strings.TrimSuffix(text, mark))
	}
	return r.Dedent(text, from)
}

// Dedent frees the lines after the first of the indentation that the line at
// offset has, so that a declaration looks as it would at the margin.
func (r *Reader) Dedent(text string, offset int) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	start := bytes.LastIndexByte(r.Source[:offset], '\n') + 1
	line := string(r.Source[start:offset])
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	rows := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, row := range rows[1:] {
		rows[i+1] = strings.TrimRight(row[common(row, indent):], " \t")
	}
	return strings.Join(rows, "\n")
}

// common is how many bytes two texts begin with alike.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Outside returns what of a text stands outside brackets, and not these.
func Outside(text string, open, shut rune) string {
	if !strings.ContainsRune(text, open) {
		return text
	}
	var b strings.Builder
	depth := 0
	for _, c := range text {
		switch {
		case c == open:
			depth++
		case c == shut:
			depth--
		case depth == 0:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// BlockComment returns the text of a /** ... */ comment without its frame.
func BlockComment(text string) string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "/*"), "*/")
	var rows []string
	for row := range strings.Lines(strings.TrimLeft(text, "*!")) {
		row = strings.TrimSpace(row)
		row = strings.TrimPrefix(strings.TrimPrefix(row, "* "), "*")
		rows = append(rows, row)
	}
	return strings.TrimSpace(strings.Join(rows, "\n"))
}

// MergeSame joins declarations of one name at one level: overloads, merged
// interfaces, a type and a value of one name. The first stands for all; each
// signature is kept. hide tells which declaration is not part of the interface
// when others are (the implementation behind overloads); it may be nil.
func MergeSame(list []code.Symbol, same func(a, b *code.Symbol) bool, hide func(s *code.Symbol) bool) []code.Symbol {
	var out []code.Symbol
	first := map[string][]int{} // name -> indexes in out
	for i := range list {
		s := &list[i]
		at := -1
		for _, j := range first[s.Name] {
			if same(&out[j], s) {
				at = j
				break
			}
		}
		if at < 0 {
			first[s.Name] = append(first[s.Name], len(out))
			out = append(out, *s)
			continue
		}
		Merge(&out[at], s, hide != nil && hide(s))
	}
	return out
}

// Merge adds the declaration s to the symbol into; a hidden one is no signature.
func Merge(into, s *code.Symbol, hidden bool) {
	if hidden {
		into.AddBody(*s)
		return
	}
	into.AddOverload(*s)
}
