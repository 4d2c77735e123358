package mutation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// at adds the mistakes at a node, without those below it.
func (f *finder) at(n syntax.Node, at scope) {
	f.choice(n, at)
	f.operator(n, at)
	f.constant(n, at)
	if !at.function.Ok() {
		return
	}
	f.result(n, at)
	f.statement(n, at)
	f.await(n, at)
	f.arguments(n, at)
}

// choice negates or drops the condition of a choice.
func (f *finder) choice(n syntax.Node, at scope) {
	c := f.conditionOf(n)
	if !c.Ok() || c.HasError() || c.Is("let_condition", "let_chain") {
		return
	}
	start, end := c.Start(), c.End()
	if c.Is("parenthesized_expression") {
		start, end = start+1, end-1
	}
	inner := strings.TrimSpace(string(f.src[start:end]))
	at.from, at.to = f.decided(n)
	for _, m := range []struct {
		kind   Kind
		before string
	}{{Negated, f.not}, {Never, f.never}, {Always, f.always}} {
		f.replace(m.kind, span{start, end}, c, m.before+"("+inner+")", at)
	}
}

// opposites are operators, what they become, and the kind of the mistake.
var opposites = map[string]struct {
	now  string
	kind Kind
}{
	"<": {"<=", Boundary}, "<=": {"<", Boundary}, ">": {">=", Boundary}, ">=": {">", Boundary},
	"&&": {"||", Joined}, "||": {"&&", Joined}, "and": {"or", Joined}, "or": {"and", Joined},
	"==": {"!=", Operator}, "!=": {"==", Operator}, "===": {"!==", Operator}, "!==": {"===", Operator},
	"+": {"-", Operator}, "-": {"+", Operator}, "*": {"/", Operator}, "/": {"*", Operator},
	"is": {"is not", Operator}, "is not": {"is", Operator}, "in": {"not in", Operator}, "not in": {"in", Operator},
	"??": {"&&", Joined},
}

// operator replaces the operator of an expression with two sides.
func (f *finder) operator(n syntax.Node, at scope) {
	if !slices.Contains(f.binaries, n.Kind()) {
		return
	}
	text := false
	for c := range n.Children() {
		text = text || slices.Contains(f.texts, c.Kind())
	}
	for c := range n.Children() {
		if c.Named() {
			continue
		}
		o, ok := opposites[c.Text()]
		if !ok || text && c.TextIs("+") { // what is joined to a text cannot be subtracted from it
			continue
		}
		f.add(o.kind, c, o.now, at)
	}
}

// constant replaces a number, a text or a truth value.
func (f *finder) constant(n syntax.Node, at scope) {
	switch kind := n.Kind(); {
	case slices.Contains(f.numbers, kind):
		f.add(Constant, n, f.more(n.Text()), at)
	case slices.Contains(f.truths, kind) && n.Text() != "":
		f.add(Constant, n, opposite(n.Text()), at)
	case slices.Contains(f.texts, kind) && !f.isKey(n):
		f.add(Constant, n, otherText(n.Text()), at)
	}
}

// isKey reports whether a text names a member of an object.
func (f *finder) isKey(n syntax.Node) bool {
	return n.FieldName() == "key" && n.Parent().Is("pair") || n.Parent().Is("property_signature", "method_definition", "concatenated_string")
}

// more returns a number that is larger by one.
func (f *finder) more(number string) string {
	if i, err := strconv.Atoi(number); err == nil && !strings.HasPrefix(number, "0") || number == "0" {
		return strconv.Itoa(i + 1)
	}
	one := "1"
	if suffix := strings.TrimLeft(number, "0123456789_"); suffix == "n" { // of a large integer
		one = "1n"
	} else if strings.ContainsAny(number, ".") && f.strict {
		one = "1.0"
	}
	return "(" + number + " + " + one + ")"
}

// opposite returns the other truth value, written alike.
func opposite(truth string) string {
	switch truth {
	case "true":
		return "false"
	case "false":
		return "true"
	case "True":
		return "False"
	case "False":
		return "True"
	}
	return truth
}

// otherText returns an empty text, written with the same quotes; another one for an empty text.
func otherText(literal string) string {
	quote := literal[strings.IndexAny(literal+`"`, "\"'`"):]
	prefix := literal[:len(literal)-len(quote)]
	if quote == "" {
		return literal
	}
	open := quote[:1]
	if strings.HasPrefix(quote, `"""`) || strings.HasPrefix(quote, "'''") {
		open = quote[:3]
	}
	end := strings.LastIndex(quote, open)
	if end < len(open) {
		return literal
	}
	if quote[len(open):end] == "" {
		return prefix + open + "mutant" + quote[end:]
	}
	return prefix + open + quote[end:]
}

// result replaces a returned value by an empty one.
func (f *finder) result(n syntax.Node, at scope) {
	if n.HasError() {
		return
	}
	var parts []syntax.Node
	switch {
	case slices.Contains(f.returns, n.Kind()):
		parts = syntax.NamedChildren(n)
		if len(parts) == 1 && parts[0].Is("expression_list") {
			parts = syntax.NamedChildren(parts[0])
		}
	case f.isTail(n):
		parts = []syntax.Node{n}
	}
	for i, part := range parts {
		for _, zero := range f.zeros(at.function, i, len(parts)) {
			if !slices.Contains(f.empties, part.Text()) {
				f.add(Result, part, zero, at)
			}
		}
	}
}

// isTail reports whether an expression is what its function returns without saying so.
func (f *finder) isTail(n syntax.Node) bool {
	in := n.Parent()
	switch {
	case in.Is("arrow_function"):
		return n.FieldName() == "body" && !n.Is("statement_block")
	case in.Is("block") && in.Parent().Is("function_item"):
		last := syntax.LastNamedChild(in)
		return n.Index() == last.Index() && !n.Is("expression_statement", "let_declaration", "if_expression", "match_expression") && !strings.HasSuffix(n.Kind(), "_item")
	}
	return false
}

// statement removes a statement that calls something or ends the function with an error.
func (f *finder) statement(n syntax.Node, at scope) {
	switch {
	case n.HasError():
	case slices.Contains(f.exits, n.Kind()):
		f.add(Removed, n, f.nothing, at)
	case n.Is("expression_statement", "defer_statement", "go_statement"):
		inner := syntax.NamedChildren(n)
		if len(inner) == 1 && slices.Contains(f.removable, inner[0].Kind()) {
			f.add(Removed, n, f.nothing, at)
		}
	}
}

// await removes an await, so that what it waits for is not waited for.
func (f *finder) await(n syntax.Node, at scope) {
	if !n.Is("await_expression", "await") || !n.Named() {
		return
	}
	parts := syntax.NamedChildren(n)
	if len(parts) == 1 && parts[0].Start() > n.Start() { // before what it waits for: not in Rust
		f.add(Unasked, n, parts[0].Text(), at)
	}
}

// arguments swaps the first two arguments of a call that look alike.
func (f *finder) arguments(n syntax.Node, at scope) {
	if !n.Is("argument_list", "arguments") {
		return
	}
	parts := syntax.NamedChildren(n)
	const pair = 2
	if len(parts) < pair {
		return
	}
	a, b := parts[0], parts[1]
	if a.Kind() != b.Kind() || a.Text() == b.Text() || !a.Is("identifier", "selector_expression", "member_expression", "attribute", "field_access", "field_expression") && !slices.Contains(f.numbers, a.Kind()) {
		return
	}
	between := string(f.src[a.End():b.Start()])
	f.replace(Swapped, span{a.Start(), b.End()}, a, b.Text()+between+a.Text(), at)
}
