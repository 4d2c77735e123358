package core

import (
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// BodyRules describe, by node kinds, how a language writes what [code.Bodies] records.
type BodyRules struct {
	Functions Set // function bodies: outer conditions do not apply inside them
	Throws    Set // statements and expressions that throw
	Ifs       Set // with the fields condition and alternative
	Tries     Set // statements that have handlers
	Handlers  Set // catch clauses and their equivalents
	Branches  Set // nodes that count towards the complexity of a function
	Texts     Set // string literals
	Calls     Set // nodes with an argument list
	Choices   map[string]ChoiceRule
	Groups    Set               // nodes that hold the statements of a case
	Takes     map[string]string // kinds of statements that acquire a resource -> the kind of resource
	// Ancestor returns the condition under which n, a child of p, runs, where the sets above do
	// not cover it; "" for none. Around and the functions below may be nil.
	Around func(b *BodyReader, p, n syntax.Node) string
	// Refusal recognises other early exits: a macro, a result that is an error.
	Refusal func(n syntax.Node) EarlyExit
	// CatchesAll reports whether a handler with this head catches every exception.
	CatchesAll func(head string) bool
	// Lookup recognises look-ups by a string key, such as process.env.HOME. Each name is a
	// string literal or an identifier that is the key.
	Lookup func(n syntax.Node) (of string, names []syntax.Node)
	Scope  string // the separator between a type and its members; "" means "."
}

// EarlyExit describes a node that leaves the function early: a throw or an error result.
type EarlyExit struct {
	Kind  code.GuardKind // "" if the node is not an early exit
	Given syntax.Node    // the error value; its first string literal is the message
	Err   string         // the name of the error; "" to derive it from Given
	By    string         // the construct used instead of a throw, such as a macro
	When  string         // a condition that is part of the node itself
}

// ChoiceRule describes a switch: the field or kind of its subject, the kind of its cases, and
// the field or kind of the values in a case.
type ChoiceRule struct{ On, Arm, Label string }

// readBodies fills the file's Bodies.
func (r *Reader) readBodies() {
	rules := r.Lang.Bodies
	if rules == nil || r.File.Facts != nil {
		return
	}
	b := &BodyReader{Reader: r, Rules: rules, out: &code.Bodies{}, weights: map[int]int{}}
	for n := range r.Root().Descendants() {
		if n.Start() >= r.Length {
			break
		}
		b.visit(n)
	}
	b.countBranches()
	r.File.Bodies = b.out
}

// BodyReader reads the bodies of one file.
type BodyReader struct {
	*Reader
	Rules   *BodyRules
	out     *code.Bodies
	weights map[int]int // index of a span -> number of branches; not keyed by name, which overloads share
	open    []OpenUse
}

func (b *BodyReader) visit(n syntax.Node) {
	kind := n.Kind()
	if b.Rules.Branches[kind] && n.Named() || kind == "&&" || kind == "||" {
		b.weights[b.enclosingSpan(n.Start())]++
	}
	switch rule, isChoice := b.Rules.Choices[kind]; {
	case isChoice && n.Named():
		b.choice(n, rule)
	case b.Rules.Throws[kind] && n.Named():
		b.refusal(n, EarlyExit{Kind: code.Throws, Given: n.First()})
	case b.Rules.Calls[kind]:
		b.call(n)
	}
	b.transition(n)
	b.languageRules(n)
	if what, ok := b.Rules.Takes[kind]; ok && n.Named() {
		word := strings.TrimSuffix(kind, "_statement")
		b.out.Resources = append(b.out.Resources, code.ResourceUse{In: b.Enclosing(n.Start()), Kind: what, Text: word, Line: n.Line()})
	}
	if b.Rules.Texts[kind] || longTexts[kind] {
		b.tables(n)
	}
}

// languageRules applies the language's own functions to a node.
func (b *BodyReader) languageRules(n syntax.Node) {
	if b.Rules.Refusal != nil {
		if g := b.Rules.Refusal(n); g.Kind != "" {
			b.refusal(n, g)
		}
	}
	if b.Rules.Lookup != nil {
		if of, names := b.Rules.Lookup(n); len(names) > 0 {
			b.lookups(n, of, names)
		}
	}
}

// refusal records the early exit g at n.
func (b *BodyReader) refusal(n syntax.Node, g EarlyExit) {
	if !g.Given.Ok() { // a rethrow
		return
	}
	f := code.Guard{In: b.Enclosing(n.Start()), Kind: g.Kind, Error: g.Err, By: g.By, When: b.conditions(n), Line: n.Line()}
	if f.Error == "" {
		f.Error = b.errorName(g.Given)
	}
	if f.Error == "" || b.caught(n, f.Error) {
		return
	}
	if g.When != "" {
		f.When = append(f.When, srctext.ClipBody(g.When))
	}
	for part := range g.Given.Descendants() {
		if b.Rules.Texts[part.Kind()] && b.isMessage(part) {
			f.Message, f.Line = b.message(part), part.Line()
			break
		}
	}
	if f.Message == "" && f.Line != g.Given.Line() && g.Err == "" {
		f.Line = g.Given.Line()
	}
	b.out.Guards = append(b.out.Guards, f)
}

// isMessage reports whether a string literal is text for people, not a key or a separator.
func (b *BodyReader) isMessage(n syntax.Node) bool {
	return strings.ContainsFunc(betweenQuotes(n), unicode.IsLetter) &&
		!n.Parent().Is("subscript", "subscript_expression", "element_reference", "element_access_expression", "indexing_suffix")
}

// errorName returns the name of the type or function that creates the thrown value; "" if n
// has none.
func (b *BodyReader) errorName(n syntax.Node) string {
	if call, ok := b.Lang.Call(n); ok {
		between := "."
		if scope := b.Rules.Scope; scope != "" && strings.Contains(n.Text(), call.Receiver+scope+call.Name) {
			between = scope
		}
		if call.Receiver != "" {
			return strings.TrimLeft(call.Receiver+between+call.Name, `\.`)
		}
		return call.Name
	}
	if n.Is("struct_expression") {
		n = n.Field("name")
	}
	if text := srctext.OneLine(n.Text()); len(text) <= srctext.MaxBodyText/4 && !strings.ContainsAny(text, "(){} \"'`") {
		return text
	}
	return ""
}

// message returns the text of a literal, with "…" if it is concatenated with others.
func (b *BodyReader) message(n syntax.Node) string {
	text := betweenQuotes(n)
	if p := n.Parent(); p.Is(joins...) {
		text += "…"
	}
	return srctext.ClipBody(text)
}

// joins are the kinds of expressions that concatenate strings.
var joins = []string{"binary_expression", "binary_operator", "concatenated_string", "additive_expression", "binary", "infix_expression", "chained_string"}

// betweenQuotes returns the content of a single-line string literal; "" for others.
func betweenQuotes(n syntax.Node) string {
	text := n.Text()
	if strings.Contains(text, "\n") {
		return ""
	}
	open := strings.IndexAny(text, "\"'`")
	if open < 0 || len(text) < open+2 {
		return ""
	}
	quote := text[open : open+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[open:], triple) && len(text) >= open+6 {
		quote = triple
	}
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(text[open:], quote), "#"), quote)
}

// countBranches adds the branch counts of the functions to the result.
func (b *BodyReader) countBranches() {
	for i, s := range b.Spans {
		n := b.weights[i]
		if n == 0 {
			continue
		}
		first, last := b.Line(s.Start), b.Line(max(s.Start, s.End-1))
		b.out.Complexity = append(b.out.Complexity, code.Complexity{Symbol: s.Name, Branches: n, Lines: last - first + 1, Line: first})
	}
}
