package core

import (
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// BodyRules say by node kinds how a language writes what [code.Bodies] holds.
type BodyRules struct {
	Functions Set // what a condition outside does not reach into
	Throws    Set // statements and expressions that throw
	Ifs       Set // with the fields condition and alternative
	Tries     Set // what handlers belong to
	Handlers  Set // catch and its like
	Branches  Set // what a reader has to decide about
	Texts     Set // literals
	Calls     Set // what is given arguments
	Choices   map[string]ChoiceRule
	Groups    Set               // what holds the statements of a case
	Takes     map[string]string // statements that take something -> its kind
	// Around tells the condition under which n, a child of p, is run, where the sets
	// above do not; "" for none. It may be nil, as may be those below.
	Around func(b *BodyReader, p, n syntax.Node) string
	// Refusal tells other nodes that give up: a macro, a result that is an error.
	Refusal func(n syntax.Node) EarlyExit
	// CatchesAll tells the head of a handler that catches whatever is thrown.
	CatchesAll func(head string) bool
	// Lookup tells other look-ups of texts: process.env.HOME. Each node is a text, or
	// a name that stands for one.
	Lookup func(n syntax.Node) (of string, names []syntax.Node)
	Scope  string // what stands between a type and what is in it; "" for "."
}

// EarlyExit is what gives up at a node.
type EarlyExit struct {
	Kind  code.GuardKind // "" for nothing
	Given syntax.Node    // what is made or named; the first text in it is the message
	Err   string         // what that is called, where the node does not tell
	By    string         // what stands there in its place
	When  string         // a condition that stands in the node itself
}

// ChoiceRule is how a switch is written: the field or kind of what is looked at, the
// kind of its cases, and of what stands in one for the values.
type ChoiceRule struct{ On, Arm, Label string }

// MaxBodyText bounds a condition, a statement and a message, in bytes.
const MaxBodyText = 200

// readBodies fills the file's Bodies.
func (r *Reader) readBodies() {
	rules := r.Lang.Bodies
	if rules == nil || r.File.Facts != nil {
		return
	}
	b := &BodyReader{Reader: r, Rules: rules, out: &code.Bodies{}, weights: map[int]int{}}
	for n := range r.Root().Within() {
		if n.Start() >= r.Length {
			break
		}
		b.visit(n)
	}
	b.weigh()
	r.File.Bodies = b.out
}

// BodyReader reads the bodies of one file.
type BodyReader struct {
	*Reader
	Rules   *BodyRules
	out     *code.Bodies
	weights map[int]int // index of a span -> branches; overloads share their name
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
	b.move(n)
	b.asked(n)
	if what, ok := b.Rules.Takes[kind]; ok && n.Named() {
		word := strings.TrimSuffix(kind, "_statement")
		b.out.Resources = append(b.out.Resources, code.ResourceUse{In: b.Enclosing(n.Start()), Kind: what, Text: word, Line: n.Line()})
	}
	if b.Rules.Texts[kind] || longTexts[kind] {
		b.tables(n)
	}
}

// asked notes what the language's own functions tell of a node.
func (b *BodyReader) asked(n syntax.Node) {
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

// refusal notes that n gives up.
func (b *BodyReader) refusal(n syntax.Node, g EarlyExit) {
	if !g.Given.Ok() { // it only throws on what it caught
		return
	}
	f := code.Guard{In: b.Enclosing(n.Start()), Kind: g.Kind, Error: g.Err, By: g.By, When: b.conditions(n), Line: n.Line()}
	if f.Error == "" {
		f.Error = b.made(g.Given)
	}
	if f.Error == "" || b.caught(n, f.Error) {
		return
	}
	if g.When != "" {
		f.When = append(f.When, ClipBody(g.When))
	}
	for part := range g.Given.Within() {
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

// isMessage tells a text that is read by people from one that is a key or joins.
func (b *BodyReader) isMessage(n syntax.Node) bool {
	return strings.ContainsFunc(betweenQuotes(n), unicode.IsLetter) &&
		!n.Parent().Is("subscript", "subscript_expression", "element_reference", "element_access_expression", "indexing_suffix")
}

// made names the type or function of what is thrown.
func (b *BodyReader) made(n syntax.Node) string {
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
	if text := OneLine(n.Text()); len(text) <= MaxBodyText/4 && !strings.ContainsAny(text, "(){} \"'`") {
		return text
	}
	return ""
}

// message is the text of a literal and of those joined to it.
func (b *BodyReader) message(n syntax.Node) string {
	text := betweenQuotes(n)
	if p := n.Parent(); p.Is(joins...) {
		text += "…"
	}
	return ClipBody(text)
}

// joins are the expressions that join texts.
var joins = []string{"binary_expression", "binary_operator", "concatenated_string", "additive_expression", "binary", "infix_expression", "chained_string"}

// betweenQuotes is what stands between the quotes of a literal of one line; "" for
// others.
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

// weigh turns the counts into the weights of functions.
func (b *BodyReader) weigh() {
	for i, s := range b.Spans {
		n := b.weights[i]
		if n == 0 {
			continue
		}
		first, last := b.Line(s.Start), b.Line(max(s.Start, s.End-1))
		b.out.Complexity = append(b.out.Complexity, code.Complexity{Symbol: s.Name, Branches: n, Lines: last - first + 1, Line: first})
	}
}

// ClipBody cuts a text to what is kept of it.
func ClipBody(text string) string {
	if len(text) <= MaxBodyText {
		return text
	}
	return strings.ToValidUTF8(text[:MaxBodyText], "") + "…"
}
