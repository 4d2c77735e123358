package core

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// MaxNesting is the maximum depth of nested types. Deeper nesting is not hand-written.
const MaxNesting = 64

// Reader reads one file's tree. The language's Read function fills File.Symbols and
// File.Imports; what all languages share is read after it.
type Reader struct {
	*syntax.Tree
	Lang      *Language
	File      *code.File
	Parts     Parts // what is read besides symbols
	Spans     []Span
	around    []int  // index of the enclosing span, for each span; -1 for none
	Rewritten []byte // the text that was parsed
	// Length is the length of the source; Rewritten may have closing brackets after it.
	Length  int
	Patched []Span // where Rewritten differs from the source
	Unread  []Span // text hidden from the parser because it could not be parsed; Name is the reason
	// doctests are the steps of the examples in documentation.
	doctests []code.Step
	Docs     []Span // documentation comments, if the language's Source finds them
	normal   *normalText
}

// Span is the range of a symbol in the source.
type Span struct {
	Start, End int    // bytes
	Name       string // qualified within the file: "Type.method"
}

// ReadTree parses src with the language's grammar and fills f with the parts.
func ReadTree(l *Language, f *code.File, src []byte, parts Parts) error {
	r := &Reader{Lang: l, File: f, Parts: parts, Length: len(src)}
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
	r.Free()
	return nil
}

// RewrittenSource returns a [Language] Source function that parses the result of rewrite,
// which has the length of src or more. Text that differs is hashed as written; see
// [Reader.Hidden].
func RewrittenSource(rewrite func(src []byte) []byte) func(r *Reader, src []byte) error {
	return func(r *Reader, src []byte) error { return r.parse(src, rewrite(src)) }
}

// PartlyHiddenSource returns a [Language] Source function that parses the result of rewrite.
// Rewrite also returns the parts whose original text has to be hashed.
func PartlyHiddenSource(rewrite func(r *Reader, src []byte) (rewritten []byte, hidden []Span)) func(r *Reader, src []byte) error {
	return func(r *Reader, src []byte) error {
		rewritten, hidden := rewrite(r, src)
		err := r.parse(src, rewritten)
		r.Patched = hidden
		return err
	}
}

// parse parses the text rewritten, which may be longer than src, and applies the language's
// repairs.
func (r *Reader) parse(src, rewritten []byte) error {
	tree, err := r.Lang.Grammar.Parse(rewritten)
	if err != nil {
		return err
	}
	if more := rewritten[len(src):]; len(more) > 0 {
		src = slices.Concat(src, more)
	}
	r.SetTree(src, Repaired(r.Lang, tree))
	return nil
}

// maxRepairs is the maximum number of rewrites of a text: one repair may reveal the next.
const maxRepairs = 4

// Repaired parses a text with errors again, rewritten by the language's Repair.
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

// RepairLimit returns the number of parser steps after which a text of size bytes is not
// parsed again: it is too ambiguous.
func RepairLimit(size int) int64 { return 200_000 + 4*int64(size) }

// SetTree sets the reader's tree to that of src, which may have been parsed from a rewritten
// text. The nodes' text is that of src.
func (r *Reader) SetTree(src []byte, tree *syntax.Tree) {
	r.Rewritten, r.Patched = tree.Source, differences(src, tree.Source)
	if len(r.Patched) > 0 {
		tree.Restore(src)
	}
	r.Tree = tree
}

// Tidy removes symbols without a name, and clips line numbers to the text: a node that the
// parser inserted at the end may be after it. last is the last line. Without [Hashes], it
// removes the hashes that are needed only to read the file.
func Tidy(list []code.Symbol, last int, parts Parts) []code.Symbol {
	list = slices.DeleteFunc(list, func(s code.Symbol) bool { return s.Name == "" })
	for i := range list {
		s := &list[i]
		s.StartLine = max(1, min(s.StartLine, last))
		s.EndLine = max(s.StartLine, min(s.EndLine, last))
		if parts&Hashes == 0 {
			dropHashes(s)
		}
		s.Members = Tidy(s.Members, last, parts)
	}
	if cap(list)-len(list) > len(list)/4 {
		return slices.Clone(list) // symbols are large, and those of a whole project are kept
	}
	return list
}

func dropHashes(s *code.Symbol) {
	s.SignatureHash, s.BodyHash = "", ""
	for i := range s.Overloads {
		s.Overloads[i].SignatureHash = ""
	}
}

// Place sets the lines of sym to those of n and of the name in it, and records its span, so that calls and errors
// inside are attributed to it. owner is the qualified name of the enclosing symbol.
func (r *Reader) Place(sym *code.Symbol, n syntax.Node, owner string) {
	sym.StartLine, sym.EndLine, sym.NameLine = n.Line(), n.EndLine(), nameNode(n, sym.Name).Line()
	r.Spans = append(r.Spans, Span{n.Start(), n.End(), srctext.Join(owner, sym.Name)})
}

// nameNode returns the node of the name that n declares; n if it is not in the head, as for a
// constructor.
func nameNode(n syntax.Node, name string) syntax.Node {
	if base, _, _ := strings.Cut(name, "<"); base != "" && !strings.HasSuffix(base, "operator") {
		name = base // without the arguments of a specialised template
	}
	name = code.ShortName(name)
	if f := n.Field("name"); f.TextIs(name) {
		return f
	}
	found := n
	n.Outline(func(c syntax.Node) bool {
		if found != n || c != n && (marks[c.Kind()] || c.FieldName() == "body" || strings.HasSuffix(c.Kind(), "_body")) {
			return false
		}
		if c.TextIs(name) || c.TextIs("`"+name+"`") {
			found = c
		}
		return true
	})
	return found
}

// marks are the kinds of nodes that precede the name of a declaration and may contain it.
var marks = SetOf(
	"decorator", "annotation", "marker_annotation", "modifiers", "attribute_list", "attribute_item",
	"attribute_specifier", "attribute_declaration", "ms_declspec_modifier",
)

// TooDeep reports whether owner is nested deeper than [MaxNesting].
func TooDeep(owner string) bool { return strings.Count(owner, ".") >= MaxNesting }

// Head returns the text between two offsets as a signature: trimmed, without the trailing
// marks in cut such as "{" or ":", and dedented.
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

// Dedent removes the indentation of the line at offset from all lines of text but the first.
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

// common returns the length of the common prefix of a and b.
func common(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// MergeSame merges declarations of the same name at one level: overloads, merged interfaces, a
// type and a value. The first is kept and gets the signatures of the others. hide reports
// whether a declaration is not part of the interface if there are others, such as the
// implementation of overloads; it may be nil.
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

// Merge adds the declaration s to the symbol into, as a signature unless hidden.
func Merge(into, s *code.Symbol, hidden bool) {
	if hidden {
		body := *s
		body.BodyHash = hashWithDefaults(s)
		into.AddBody(body)
		return
	}
	into.AddOverload(*s)
}

// hashWithDefaults returns the hash of the body of a function whose signature is hidden by overloads, with the defaults of its
// parameters, which only it has.
func hashWithDefaults(s *code.Symbol) string {
	var text strings.Builder
	for _, p := range s.Params {
		if p.Default != "" {
			text.WriteString("\x00" + p.Name + "=" + strings.Map(laidOut, p.Default))
		}
	}
	if s.BodyHash == "" || text.Len() == 0 {
		return s.BodyHash
	}
	return srctext.ShortHash([]byte(s.BodyHash + text.String()))
}

// laidOut drops what formatters change of an expression: white space, the kind of quotes, parentheses and separators.
func laidOut(r rune) rune {
	switch {
	case unicode.IsSpace(r), strings.ContainsRune("(),;", r):
		return -1
	case r == '\'':
		return '"'
	}
	return r
}
