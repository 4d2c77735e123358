// Package mutation puts single mistakes into source text: a condition negated or dropped, a boundary moved by one, another
// constant, nothing returned, a statement removed, an await removed, arguments swapped. [Find] lists the mistakes that a text
// has room for. One engine serves all languages: what differs is a [table] of node kinds and words.
package mutation

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Kind is the kind of a mistake.
type Kind string

// The kinds of mistakes.
const (
	Negated  Kind = "negated"  // a condition
	Never    Kind = "never"    // a condition that never holds
	Always   Kind = "always"   // a condition that always holds
	Joined   Kind = "joined"   // and is or, or is and
	Boundary Kind = "boundary" // < is <=
	Operator Kind = "operator" // + is -, == is !=
	Constant Kind = "constant"
	Result   Kind = "result"  // a returned value
	Removed  Kind = "removed" // a statement
	Unasked  Kind = "await"   // an await that is removed
	Swapped  Kind = "swapped" // two arguments
)

// Mutant is a text with one mistake.
type Mutant struct {
	Kind       Kind
	Start, End int    // the bytes that are replaced
	Now        string // what is there instead
	Before     string // the expression or statement with it, for readers, without the mistake
	After      string // the same with the mistake
	Line       int    // of Start
	EndLine    int
	// From and To are the lines that a condition decides about; 0 for no condition.
	From, To int
	// Inside is set if it is in the body of a function.
	Inside bool
}

// Apply returns the text with the mistake.
func (m *Mutant) Apply(src []byte) []byte {
	return slices.Concat(src[:m.Start], []byte(m.Now), src[m.End:])
}

// On reports whether the mistake is on a line, or in a condition that decides about it.
func (m *Mutant) On(line int) bool {
	return m.Line <= line && line <= m.EndLine || m.Decides(line)
}

// Decides reports whether the mistake is in a condition that decides about a line.
func (m *Mutant) Decides(line int) bool { return m.From > 0 && m.From <= line && line <= m.To }

// Language returns the name of the language of a file, if mistakes can be put into its files.
func Language(file string) (name string, ok bool) {
	l, ok := lang.ByPath(file)
	if !ok || grammarOf(l) == nil {
		return "", false
	}
	return l.Name, true
}

// Compiled reports whether tests of a language are built before any of them runs: one that is not built shows nothing.
func Compiled(language string) bool {
	t := tables()[language]
	return t != nil && t.compiled
}

// grammarOf returns the grammar of a language; nil if no table has it.
func grammarOf(l *lang.Language) *syntax.Grammar {
	switch {
	case tables()[l.Name] == nil:
		return nil
	case l.Grammar == nil && l.Name == "go":
		return syntax.Go
	}
	return l.Grammar
}

// Find returns the mistakes that a file has room for, in the order of the text. Those in tests inside the file, in types,
// imports and annotations are left out. Nil for a language without a table.
func Find(file string, src []byte) ([]Mutant, error) {
	l, ok := lang.ByPath(file)
	if !ok || grammarOf(l) == nil {
		return nil, nil
	}
	tree, err := grammarOf(l).Parse(src)
	if err != nil {
		return nil, err
	}
	f := &finder{table: tables()[l.Name], src: src}
	f.walk(tree.Root(), scope{})
	slices.SortStableFunc(f.out, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.Now, b.Now))
	})
	return slices.CompactFunc(f.out, func(a, b Mutant) bool { return a.Start == b.Start && a.End == b.End && a.Now == b.Now }), nil
}

// Reads reports whether a text with a mistake is still one of its language, as far as syntax says: it has no more errors
// than the text without it.
func Reads(file string, before, after []byte) bool {
	l, ok := lang.ByPath(file)
	if !ok || grammarOf(l) == nil {
		return true
	}
	errorsIn := func(text []byte) int {
		tree, err := grammarOf(l).Parse(text)
		if err != nil {
			return len(text)
		}
		n := 0
		if !tree.Root().HasError() {
			return 0
		}
		for node := range tree.Root().Descendants() {
			if node.Is("ERROR") || node.Missing() {
				n++
			}
		}
		return n
	}
	return errorsIn(after) <= errorsIn(before)
}

// finder collects the mistakes of a text.
type finder struct {
	*table
	src []byte
	out []Mutant
}

// scope is where a node is.
type scope struct {
	function syntax.Node // the function around; the zero Node for none
	from, to int         // the lines that the condition around decides about; 0 outside conditions
}

// walk finds the mistakes at a node and below it.
func (f *finder) walk(n syntax.Node, at scope) {
	if slices.Contains(f.skipped, n.Kind()) || n.Is("ERROR") || f.isTest(n) || f.isDoc(n) {
		return
	}
	if slices.Contains(f.functions, n.Kind()) {
		at = scope{function: n}
	}
	f.at(n, at)
	condition := f.conditionOf(n)
	for c := range n.Children() {
		inner := at
		if condition.Ok() && c.Index() == condition.Index() {
			inner.from, inner.to = f.decided(n)
		}
		f.walk(c, inner)
	}
}

// isTest reports whether a node is a module or function of tests inside the code, as Rust has them.
func (f *finder) isTest(n syntax.Node) bool {
	if !n.Is("mod_item", "function_item") {
		return false
	}
	for p := n.Previous(); p.Is("attribute_item", "line_comment", "block_comment"); p = p.Previous() {
		text := p.Text()
		if p.Is("attribute_item") && (strings.Contains(text, "(test") || strings.Contains(text, "test]")) {
			return true
		}
	}
	return false
}

// isDoc reports whether a node is a statement that is nothing but a text: documentation, or a directive.
func (f *finder) isDoc(n syntax.Node) bool {
	if !n.Is("expression_statement") {
		return false
	}
	children := syntax.NamedChildren(n)
	return len(children) == 1 && slices.Contains(f.texts, children[0].Kind())
}

// conditionOf returns the condition that a node decides by; the zero Node for none.
func (f *finder) conditionOf(n syntax.Node) syntax.Node {
	if !slices.Contains(f.choices, n.Kind()) {
		return syntax.Node{}
	}
	c := n.Field("condition")
	if !c.Ok() && n.Is("conditional_expression") { // Python: a if b else c
		if parts := syntax.NamedChildren(n); len(parts) > 1 {
			c = parts[1]
		}
	}
	return c
}

// decided returns the lines that the condition of a node decides about.
func (f *finder) decided(n syntax.Node) (from, to int) {
	body := n.Field("consequence")
	if !body.Ok() {
		body = n
	}
	return body.Line(), body.EndLine()
}

// add adds a mistake that replaces a node.
func (f *finder) add(kind Kind, n syntax.Node, now string, at scope) {
	f.replace(kind, span{n.Start(), n.End()}, n, now, at)
}

// span is a part of the text.
type span struct{ start, end int }

// replace adds a mistake that replaces a part of a node, or all of it.
func (f *finder) replace(kind Kind, s span, n syntax.Node, now string, at scope) {
	if string(f.src[s.start:s.end]) == now {
		return
	}
	shown := span{s.start, s.end}
	if around := f.around(kind, n); around.Ok() {
		shown = span{around.Start(), around.End()}
	}
	f.out = append(f.out, Mutant{
		Kind: kind, Start: s.start, End: s.end, Now: now, Line: n.Line(), EndLine: n.EndLine(),
		From: at.from, To: at.to, Inside: at.function.Ok(),
		Before: string(f.src[shown.start:shown.end]),
		After:  string(f.src[shown.start:s.start]) + now + string(f.src[s.end:shown.end]),
	})
}

// longest is the length of an expression that is shown around a mistake, in bytes.
const longest = 60

// around returns the short expression around a mistake that alone does not say what it is about; the zero Node if there is none.
func (f *finder) around(kind Kind, n syntax.Node) syntax.Node {
	switch kind {
	case Constant, Boundary, Joined, Operator, Swapped, Result:
	default:
		return syntax.Node{}
	}
	p := n.Parent()
	if p.Is("expression_list", "argument_list", "arguments") {
		p = p.Parent()
	}
	if p.End()-p.Start() > longest || strings.Contains(p.Text(), "\n") || p.Is("block", "statement_block", "source_file", "module", "program") {
		return syntax.Node{}
	}
	return p
}
