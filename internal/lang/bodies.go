package lang

import (
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// bodyRules say by node kinds how a language writes what [code.Bodies] holds.
type bodyRules struct {
	functions set // what a condition outside does not reach into
	throws    set // statements and expressions that throw
	ifs       set // with the fields condition and alternative
	tries     set // what handlers belong to
	handlers  set // catch and its like
	branches  set // what a reader has to decide about
	texts     set // literals
	calls     set // what is given arguments
	choices   map[string]choiceRule
	groups    set               // what holds the statements of a case
	takes     map[string]string // statements that take something -> its kind
	// around tells the condition under which n, a child of p, is run, where the sets
	// above do not; "" for none. It may be nil, as may be those below.
	around func(b *bodyReader, p, n syntax.Node) string
	// refusal tells other nodes that give up: a macro, a result that is an error.
	refusal func(n syntax.Node) givesUp
	// catchesAll tells the head of a handler that catches whatever is thrown.
	catchesAll func(head string) bool
	// lookup tells other look-ups of texts: process.env.HOME. Each node is a text, or
	// a name that stands for one.
	lookup func(n syntax.Node) (of string, names []syntax.Node)
	scope  string // what stands between a type and what is in it; "" for "."
}

// givesUp is what gives up at a node.
type givesUp struct {
	kind  code.GuardKind // "" for nothing
	given syntax.Node    // what is made or named; the first text in it is the message
	err   string         // what that is called, where the node does not tell
	by    string         // what stands there in its place
	when  string         // a condition that stands in the node itself
}

// choiceRule is how a switch is written: the field or kind of what is looked at, the
// kind of its cases, and of what stands in one for the values.
type choiceRule struct{ on, arm, label string }

// maxBodyText bounds a condition, a statement and a message, in bytes.
const maxBodyText = 200

// readBodies fills the file's Bodies.
func (r *reader) readBodies() {
	rules := bodyRulesOf(r.lang.Name)
	if rules == nil || r.file.Facts != nil {
		return
	}
	b := &bodyReader{reader: r, rules: rules, out: &code.Bodies{}, weights: map[int]int{}}
	for n := range r.Root().Within() {
		if n.Start() >= r.written {
			break
		}
		b.visit(n)
	}
	b.weigh()
	r.file.Bodies = b.out
}

// bodyReader reads the bodies of one file.
type bodyReader struct {
	*reader
	rules   *bodyRules
	out     *code.Bodies
	weights map[int]int // index of a span -> branches; overloads share their name
	open    []openUse
}

func (b *bodyReader) visit(n syntax.Node) {
	kind := n.Kind()
	if b.rules.branches[kind] && n.Named() || kind == "&&" || kind == "||" {
		b.weights[b.enclosingSpan(n.Start())]++
	}
	switch rule, isChoice := b.rules.choices[kind]; {
	case isChoice && n.Named():
		b.choice(n, rule)
	case b.rules.throws[kind] && n.Named():
		b.refusal(n, givesUp{kind: code.Throws, given: n.First()})
	case b.rules.calls[kind]:
		b.call(n)
	}
	b.move(n)
	b.asked(n)
	if what, ok := b.rules.takes[kind]; ok && n.Named() {
		word := strings.TrimSuffix(kind, "_statement")
		b.out.Resources = append(b.out.Resources, code.ResourceUse{In: b.enclosing(n.Start()), Kind: what, Text: word, Line: n.Line()})
	}
	if b.rules.texts[kind] || longTexts[kind] {
		b.tables(n)
	}
}

// asked notes what the language's own functions tell of a node.
func (b *bodyReader) asked(n syntax.Node) {
	if b.rules.refusal != nil {
		if g := b.rules.refusal(n); g.kind != "" {
			b.refusal(n, g)
		}
	}
	if b.rules.lookup != nil {
		if of, names := b.rules.lookup(n); len(names) > 0 {
			b.lookups(n, of, names)
		}
	}
}

// refusal notes that n gives up.
func (b *bodyReader) refusal(n syntax.Node, g givesUp) {
	if !g.given.Ok() { // it only throws on what it caught
		return
	}
	f := code.Guard{In: b.enclosing(n.Start()), Kind: g.kind, Error: g.err, By: g.by, When: b.conditions(n), Line: n.Line()}
	if f.Error == "" {
		f.Error = b.made(g.given)
	}
	if f.Error == "" || b.caught(n, f.Error) {
		return
	}
	if g.when != "" {
		f.When = append(f.When, clipBody(g.when))
	}
	for part := range g.given.Within() {
		if b.rules.texts[part.Kind()] && b.isMessage(part) {
			f.Message, f.Line = b.message(part), part.Line()
			break
		}
	}
	if f.Message == "" && f.Line != g.given.Line() && g.err == "" {
		f.Line = g.given.Line()
	}
	b.out.Guards = append(b.out.Guards, f)
}

// isMessage tells a text that is read by people from one that is a key or joins.
func (b *bodyReader) isMessage(n syntax.Node) bool {
	return strings.ContainsFunc(betweenQuotes(n), unicode.IsLetter) &&
		!n.Parent().Is("subscript", "subscript_expression", "element_reference", "element_access_expression", "indexing_suffix")
}

// made names the type or function of what is thrown.
func (b *bodyReader) made(n syntax.Node) string {
	if call, ok := b.lang.call(n); ok {
		between := "."
		if scope := b.rules.scope; scope != "" && strings.Contains(n.Text(), call.Receiver+scope+call.Name) {
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
	if text := words(n.Text()); len(text) <= maxBodyText/4 && !strings.ContainsAny(text, "(){} \"'`") {
		return text
	}
	return ""
}

// message is the text of a literal and of those joined to it.
func (b *bodyReader) message(n syntax.Node) string {
	text := betweenQuotes(n)
	if p := n.Parent(); p.Is(joins...) {
		text += "…"
	}
	return clipBody(text)
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
func (b *bodyReader) weigh() {
	for i, s := range b.spans {
		n := b.weights[i]
		if n == 0 {
			continue
		}
		first, last := b.Line(s.start), b.Line(max(s.start, s.end-1))
		b.out.Complexity = append(b.out.Complexity, code.Complexity{Symbol: s.name, Branches: n, Lines: last - first + 1, Line: first})
	}
}

// clipBody cuts a text to what is kept of it.
func clipBody(text string) string {
	if len(text) <= maxBodyText {
		return text
	}
	return strings.ToValidUTF8(text[:maxBodyText], "") + "…"
}
