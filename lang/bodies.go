package lang

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
	"github.com/reverse-spec/reverse-spec/lang/syntax"
)

// bodyRules say by node kinds how a language writes what [code.Bodies] holds.
type bodyRules struct {
	functions set // what a condition outside does not reach into
	throws    set // statements and expressions that throw
	ifs       set // with the fields condition and alternative
	handlers  set // catch and its like
	branches  set // what a reader has to decide about
	texts     set // literals
	calls     set // with the field arguments, or the child argument_list
	choices   map[string]choiceRule
	groups    set // what holds the statements of a case
	// refusal tells other nodes that give up: a macro, a result that is an error.
	refusal func(n syntax.Node) (kind code.RefusalKind, given syntax.Node)
	// lookup tells other look-ups of a text: process.env.HOME.
	lookup func(n syntax.Node) (of, text string)
}

// choiceRule is how a switch is written: the field of what is looked at, the kind
// of its cases, and of what stands in one for the values.
type choiceRule struct{ on, arm, label string }

// maxBodyText bounds a condition, a statement and a message, in bytes.
const maxBodyText = 200

// readBodies fills the file's Bodies.
func (r *reader) readBodies() {
	rules := bodyRulesOf(r.lang.Name)
	if rules == nil || r.file.Facts != nil {
		return
	}
	b := &bodyReader{reader: r, rules: rules, out: &code.Bodies{}, weights: map[string]int{}}
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
	weights map[string]int // symbol -> branches
}

func (b *bodyReader) visit(n syntax.Node) {
	kind := n.Kind()
	if b.rules.branches[kind] && n.Named() || kind == "&&" || kind == "||" {
		b.weights[b.enclosing(n.Start())]++
	}
	switch rule, isChoice := b.rules.choices[kind]; {
	case isChoice:
		b.choice(n, rule)
	case b.rules.throws[kind] && n.Named():
		b.refusal(n, code.Throws, n.First())
	case b.rules.calls[kind]:
		b.call(n)
	}
	b.move(n)
	if b.rules.refusal != nil {
		if kind, given := b.rules.refusal(n); kind != "" {
			b.refusal(n, kind, given)
		}
	}
	if b.rules.lookup != nil {
		if of, text := b.rules.lookup(n); text != "" {
			b.text(n, of, []string{text})
		}
	}
}

// refusal notes that n gives up with given.
func (b *bodyReader) refusal(n syntax.Node, kind code.RefusalKind, given syntax.Node) {
	if !given.Ok() { // it only throws on what it caught
		return
	}
	f := code.Refusal{In: b.enclosing(n.Start()), Kind: kind, Error: b.made(given), When: b.conditions(n), Line: n.Line()}
	if f.Error == "" || b.caught(n, f.Error) {
		return
	}
	for part := range given.Within() {
		if b.rules.texts[part.Kind()] {
			f.Message, f.Line = b.message(part), part.Line()
			break
		}
	}
	b.out.Refusals = append(b.out.Refusals, f)
}

// caught tells that the function around catches what is thrown at n itself.
func (b *bodyReader) caught(n syntax.Node, thrown string) bool {
	name := thrown[strings.LastIndexByte(thrown, '.')+1:]
	for p := n.Parent(); p.Ok() && !b.rules.functions[p.Kind()]; n, p = p, p.Parent() {
		if !p.Is("try_statement", "try_with_resources_statement") || n.FieldName() != "body" {
			continue
		}
		for h := range p.Inner() {
			if b.rules.handlers[h.Kind()] && catches(h, name) {
				return true
			}
		}
	}
	return false
}

// catches tells that a handler catches an error by its name, or all of them.
func catches(handler syntax.Node, name string) bool {
	head, _, _ := strings.Cut(words(handler.Text()), "{")
	head, _, typed := strings.Cut(head, ":") // Python's, or ECMAScript's any
	if handler.Is("catch_clause") {
		head, _, _ = strings.Cut(words(handler.Text()), "{")
		typed = handler.Has("catch_formal_parameter") || handler.Has("catch_declaration")
	}
	kinds := strings.FieldsFunc(head, func(c rune) bool { return strings.ContainsRune(" (),.|", c) })
	return !typed || len(kinds) == 1 || slices.ContainsFunc(kinds, func(k string) bool {
		return k == name || k == "Exception" || k == "BaseException" || k == "Throwable"
	})
}

// made names the type or function of what is thrown.
func (b *bodyReader) made(n syntax.Node) string {
	if call, ok := b.lang.call(n); ok {
		if call.Receiver != "" {
			return call.Receiver + "." + call.Name
		}
		return call.Name
	}
	if text := words(n.Text()); len(text) <= maxBodyText/4 && !strings.ContainsAny(text, "(){} \"'`") {
		return text
	}
	return ""
}

// message is the text of a literal and of those joined to it.
func (b *bodyReader) message(n syntax.Node) string {
	text := betweenQuotes(n)
	if p := n.Parent(); p.Is("binary_expression", "binary_operator", "concatenated_string") {
		text += "…"
	}
	return clipBody(text)
}

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
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimLeft(text[open:], quote), "#"), quote)
}

// conditions returns what has to hold where n stands, the outermost first.
func (b *bodyReader) conditions(n syntax.Node) []string {
	var out []string
	for p := n.Parent(); p.Ok() && !b.rules.functions[p.Kind()]; n, p = p, p.Parent() {
		switch {
		case b.rules.handlers[p.Kind()]:
			head, _, _ := strings.Cut(words(p.Text()), "{")
			head, _, _ = strings.Cut(head, ": ")
			out = append(out, clipBody(strings.TrimSpace(head)))
		case b.rules.groups[p.Kind()]:
			if text := b.caseText(p); text != "" {
				out = append(out, text)
			}
		case b.rules.ifs[p.Kind()]:
			condition := p.Field("condition")
			if !condition.Ok() || n.Index() == condition.Index() {
				continue
			}
			text := clipBody(unparenthesised(words(condition.Text())))
			if n.FieldName() == "alternative" && !b.rules.ifs[n.Kind()] {
				text = "not (" + text + ")"
				if p.Has("elif_clause") {
					text = "none of the conditions from line " + strconv.Itoa(p.Line()) + " on"
				}
			}
			if n.FieldName() != "alternative" || !b.rules.ifs[n.Kind()] {
				out = append(out, text)
			}
		}
	}
	slices.Reverse(out)
	return out
}

// caseText is a case as a condition. Cases without statements above it lead to it.
func (b *bodyReader) caseText(group syntax.Node) string {
	choice := b.At(max(b.choiceOf(group), 0))
	rule, ok := b.rules.choices[choice.Kind()]
	if !ok {
		return ""
	}
	on := clipBody(unparenthesised(words(choice.Field(rule.on).Text())))
	var list []string
	for group.Is("switch_case", "switch_default", "switch_block_statement_group", "switch_rule", "case_clause") {
		text, label := b.labels(group, rule)
		if text == "" {
			text = "anything else"
		}
		list = append(list, text)
		if group = group.Previous(); !group.Is("switch_case", "switch_default") || len(inner(group)) > label {
			break
		}
	}
	slices.Reverse(list)
	return clipBody(on + " is " + strings.Join(list, ", "))
}

// labels are the values of a case, and how many nodes say them; "" for the default.
func (b *bodyReader) labels(group syntax.Node, rule choiceRule) (text string, nodes int) {
	var list []string
	for c := range group.Inner() {
		if c.FieldName() == rule.label && rule.label != "" || c.Is(rule.label) || rule.label == "" && c.Is(rule.arm) {
			text := strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(words(c.Text()), "case")), ":")
			if text == "default" || text == "_" {
				return "", 1
			}
			list = append(list, text)
		}
	}
	return strings.Join(list, ", "), max(len(list), 1)
}

// unparenthesised takes off the parentheses that stand around all of a text.
func unparenthesised(text string) string {
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return text
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(text)-1 {
			return text
		}
	}
	return strings.TrimSpace(text[1 : len(text)-1])
}

// textArgs is how many arguments of a call are looked at for texts.
const textArgs = 3

func (b *bodyReader) call(n syntax.Node) {
	args := n.Field("arguments")
	if !args.Ok() {
		args = n.Child("argument_list")
	}
	var list []string
	found := false
	for a := range args.Inner() {
		if len(list) == textArgs {
			break
		}
		text := ""
		if a.Is("argument") {
			a = a.First()
		}
		if b.rules.texts[a.Kind()] {
			text = clipBody(betweenQuotes(a))
		}
		list = append(list, text)
		found = found || text != ""
	}
	if c, ok := b.lang.call(n); found && ok {
		b.text(n, join(c.Receiver, c.Name), list)
	}
}

func (b *bodyReader) text(n syntax.Node, of string, args []string) {
	b.out.Texts = append(b.out.Texts, code.TextUse{In: b.enclosing(n.Start()), Of: of, Args: args, Line: n.Line()})
}

// maxCases bounds what is kept of a switch.
const maxCases = 40

func (b *bodyReader) choice(n syntax.Node, rule choiceRule) {
	c := code.Choice{In: b.enclosing(n.Start()), On: clipBody(unparenthesised(words(n.Field(rule.on).Text()))), Line: n.Line()}
	end := n.End()
	for part := range n.Within() {
		if part.Start() >= end || len(c.Cases) == maxCases {
			break
		}
		if !part.Is(rule.arm) || b.choiceOf(part) != n.Index() {
			continue
		}
		label := part.Field(rule.label)
		if rule.label == "" || !label.Ok() {
			label = part.Child(rule.label)
		}
		if rule.label == "" {
			label = part
		}
		text := strings.TrimSpace(strings.TrimPrefix(words(label.Text()), "case "))
		if text = strings.TrimSuffix(text, ":"); text != "" && text != "_" && text != "default" {
			c.Cases = append(c.Cases, clipBody(text))
		}
	}
	if c.On != "" && len(c.Cases) > 1 {
		b.out.Choices = append(b.out.Choices, c)
	}
}

// choiceOf is the index of the switch that a case belongs to.
func (b *bodyReader) choiceOf(arm syntax.Node) int {
	for p := arm.Parent(); p.Ok(); p = p.Parent() {
		if _, ok := b.rules.choices[p.Kind()]; ok {
			return p.Index()
		}
	}
	return -1
}

// weigh turns the counts into the weights of functions.
func (b *bodyReader) weigh() {
	for _, s := range b.spans {
		n := b.weights[s.name]
		if n == 0 {
			continue
		}
		delete(b.weights, s.name)
		first, last := b.Line(s.start), b.Line(max(s.start, s.end-1))
		b.out.Weights = append(b.out.Weights, code.Weight{Symbol: s.name, Branches: n, Lines: last - first + 1, Line: first})
	}
}

// clipBody cuts a text to what is kept of it.
func clipBody(text string) string {
	if len(text) <= maxBodyText {
		return text
	}
	return strings.ToValidUTF8(text[:maxBodyText], "") + "…"
}
