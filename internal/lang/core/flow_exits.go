package core

import (
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// EarlyExit describes a node that leaves the function early: a throw or an error result.
type EarlyExit struct {
	Kind  code.ExitKind // "" if the node is not an early exit
	Given syntax.Node   // the error value
	Err   string        // the name of the error; "" to derive it from Given
	By    string        // the construct used instead of a throw, such as a macro
	When  *Check        // a condition that is part of the node itself
}

// Check is the condition of an [EarlyExit]: On must not hold, or must be null.
type Check struct {
	On   syntax.Node
	Text string // instead of On, if that is not a node
	Null bool
}

// failing reads the early exit g at n.
func (f *FlowReader) failing(n syntax.Node, g EarlyExit) []code.Stmt {
	out := f.Inside(n)
	if !g.Given.Ok() { // a rethrow
		return append(out, code.Stmt{Op: code.StmtReturn, Text: code.Rethrow, Line: n.Line()})
	}
	exit := &code.Exit{Kind: g.Kind, Error: g.Err, By: g.By, Value: f.value(g.Given, 0)}
	if exit.Error == "" {
		exit.Error = f.errorName(g.Given)
	}
	s := code.Stmt{Op: code.StmtError, Exit: exit, Line: n.Line()}
	if exit.Error == "" {
		s = code.Stmt{Op: code.StmtReturn, Value: &exit.Value, Line: n.Line()}
	}
	if g.When == nil {
		return append(out, s)
	}
	cond := Not(Atom(g.When.Text))
	if g.When.On.Ok() {
		cond = Not(f.Cond(g.When.On))
		if g.When.Null {
			cond = code.Cond{Op: code.CondIs, Of: Atom(g.When.On.Text()).Text, Text: "null"}
		}
	}
	return append(out, code.Stmt{Op: code.StmtIf, Cond: &cond, Body: []code.Stmt{s}, Line: n.Line()})
}

// value reads an expression.
func (f *FlowReader) value(n syntax.Node, depth int) code.Value {
	for n.Is(wrappers...) {
		inner := syntax.LastNamedChild(n)
		if n.Is("as_expression", "satisfies_expression") {
			inner = n.First() // the value, before its type
		}
		if !inner.Ok() {
			break
		}
		n = inner
	}
	v := code.Value{Line: n.Line()}
	if depth > code.MaxValueDepth {
		return v
	}
	switch {
	case concatenates(n) && f.concatenated(&v, n, depth):
	case f.Rules.Texts[n.Kind()]:
		v.Kind, v.Text = code.ValueString, f.text(n)
	case f.Parts&Calls != 0 && n.Is("simple_symbol"):
		v.Kind, v.Text = code.ValueString, strings.TrimPrefix(n.Short(), ":")
	case numbers[n.Kind()]:
		v.Kind, v.Text = code.ValueNumber, n.Short()
	case n.Is("pair", "keyword_argument", "element_value_pair", "named_argument", "argument", "value_argument", "array_element_initializer", "field_initializer"):
		return f.namedValue(n, depth)
	case f.isPlainName(n):
		v.Kind, v.Text = code.ValueName, n.Short()
	default:
		f.compound(&v, n, depth)
	}
	return v
}

// compound reads a value with parts.
func (f *FlowReader) compound(v *code.Value, n syntax.Node, depth int) {
	list := n
	if call, ok := f.Lang.Call(n); ok {
		if literal := f.literalOf(n, call.Receiver); literal.Ok() {
			v.Kind, v.Text = code.ValueString, f.text(literal)
			return
		}
		v.Kind, v.Text = code.ValueCall, srctext.Join(call.Receiver, call.Name)
		if strings.Contains(call.Receiver, "(") {
			v.Args = append(v.Args, f.value(f.before(n), depth+1))
		}
		if list = argumentsOf(n); !list.Ok() {
			list = n.Field("value")
		}
	} else if conditionals[n.Kind()] {
		f.conditional(v, n, depth)
		return
	} else if n.Is("object", "dictionary", "hash", "struct_expression", "array_creation_expression", "initializer_list") {
		v.Kind = code.ValueObject
	} else if f.Rules.Flow[n.Kind()] == FlowFunction && f.literal(v, n) {
		return
	}
	f.parts(v, n, list, depth)
	if f.Parts&Calls != 0 && n.Is("subscript_expression", "subscript", "array_access", "element_access_expression") {
		v.Text = shortText(n)
	}
	if f.Parts&Calls != 0 && f.Rules.Calls[n.Kind()] {
		f.trailing(v, n, depth)
	}
}

// trailing adds what a call is given besides its arguments: the members of a new object and the type argument in C#,
// the lambda of Kotlin, the block of fetch in Ruby.
func (f *FlowReader) trailing(v *code.Value, n syntax.Node, depth int) {
	for c := range n.Child("initializer_expression").NamedSeq() {
		if c.Is("assignment_expression") {
			part := f.value(c.Field("right"), depth+1)
			part.Name = c.Field("left").Short()
			v.Args = append(v.Args, part)
		}
	}
	if t := typeArgument(n); t.Ok() {
		v.Args = append(v.Args, code.Value{Kind: code.ValueName, Name: code.TypeArgument, Text: t.Short(), Line: t.Line()})
	}
	if block := n.Field("block"); block.Ok() && n.Field("method").TextIs("fetch") {
		part := f.value(block.Field("body").First(), depth+1)
		part.Name = code.BlockArgument
		v.Args = append(v.Args, part)
	}
	if last := n.Child("call_suffix").Child("annotated_lambda"); last.Ok() {
		v.Args = append(v.Args, f.value(last.Child("lambda_literal"), depth+1))
	}
}

// typeArgument returns the only type argument of a call in C#: Get<Options>().
func typeArgument(n syntax.Node) syntax.Node {
	name := n.Field("function")
	if name.Is("member_access_expression") {
		name = name.Field("name")
	}
	list := name.Child("type_argument_list")
	if !n.Is("invocation_expression") || len(syntax.NamedChildren(list)) != 1 {
		return syntax.Node{}
	}
	return list.First()
}

// before returns the expression on whose result a call is made.
func (f *FlowReader) before(n syntax.Node) syntax.Node {
	for _, field := range []string{"receiver", "object"} { // where a call has no node for its callee
		if receiver := n.Field(field); f.Parts&Calls != 0 && receiver.Ok() {
			return receiver
		}
	}
	on := n.First()
	if f.Rules.Calls[on.Kind()] {
		return on
	}
	return on.First() // a member of what is before it
}

// parts reads the parts of a value from a list.
func (f *FlowReader) parts(v *code.Value, n, list syntax.Node, depth int) {
	if f.Parts&Calls != 0 && v.Text == "" && n.Is(computed...) {
		v.Text = shortText(n)
	}
	for c := range list.NamedSeq() {
		if len(v.Args) >= f.maxArgs() {
			break
		}
		if arg := f.value(c, depth+1); arg.Kind != code.ValueOther || len(arg.Args) > 0 || v.Kind == code.ValueCall {
			v.Args = append(v.Args, arg)
		}
	}
}

// literal reads a function literal; it reports whether its parts are not read.
func (f *FlowReader) literal(v *code.Value, n syntax.Node) bool {
	if f.Parts&Calls == 0 {
		return n.Short() == ""
	}
	v.Kind, v.Text = code.ValueFunction, strconv.Itoa(n.Start())
	if n.Is("method_definition") { // of an object literal
		v.Name = strings.Trim(n.Field("name").Short(), `'"`)
	}
	return true
}

// conditional reads an expression that chooses one of two values.
func (f *FlowReader) conditional(v *code.Value, n syntax.Node, depth int) {
	if v.Text = code.CondFirst; n.Is("conditional_expression") && !n.Field("condition").Ok() {
		v.Text = code.CondSecond // Python
	}
	for c := range n.NamedSeq() {
		v.Args = append(v.Args, f.value(c, depth+1))
	}
}

// conditionals are the kinds of expressions that choose one of two values.
var conditionals = SetOf("conditional_expression", "ternary_expression", "conditional")

// literalOf returns the string literal whose method is called at n; the zero Node for others.
func (f *FlowReader) literalOf(n syntax.Node, receiver string) syntax.Node {
	if receiver == "" || !strings.ContainsRune("\"'`", rune(receiver[0])) {
		return syntax.Node{}
	}
	for part := range n.Descendants() {
		if f.Rules.Texts[part.Kind()] {
			return part
		}
	}
	return syntax.Node{}
}

// wrappers are the kinds of nodes that have the value of the node inside.
var wrappers = []string{"parenthesized_expression", "await_expression", "await", "as_expression", "satisfies_expression", "reference_expression", "expression_statement", "non_null_expression"}

// numbers are the kinds of number literals.
var numbers = SetOf("number", "integer", "integer_literal", "int_literal", "number_literal", "decimal_integer_literal")

// namedValue reads an argument or field that may have a name.
func (f *FlowReader) namedValue(n syntax.Node, depth int) code.Value {
	name, inner := "", syntax.Node{}
	switch n.Kind() {
	case "argument", "value_argument":
		name, inner = labelled(n)
	case "array_element_initializer":
		name, inner = f.element(n)
	default:
		name, inner = pairOf(n)
	}
	if !inner.Ok() || inner == n {
		return code.Value{Line: n.Line()}
	}
	v := f.value(inner, depth+1)
	v.Name = name
	return v
}

// element splits an element of PHP's arrays, which may have a key.
func (f *FlowReader) element(n syntax.Node) (key string, value syntax.Node) {
	value = syntax.LastNamedChild(n)
	if first := n.First(); f.Parts&Calls != 0 && first.Ok() && first != value {
		key = strings.Trim(first.Short(), `'"`)
	}
	return key, value
}

// isPlainName reports whether n is a variable or member.
func (f *FlowReader) isPlainName(n syntax.Node) bool {
	text := n.Short()
	return text != "" && strings.IndexFunc(text, func(c rune) bool {
		return c != '.' && c != ':' && c != '$' && c != '\\' && c != '@' && c != '>' && c != '-' && !isWordRune(c)
	}) < 0 && (text[0] < '0' || text[0] > '9') && text[0] != '-' && text[0] != ':'
}

// text returns the content of a string literal, with "…" if it is concatenated with others.
func (f *FlowReader) text(n syntax.Node) string {
	text := f.betweenQuotes(n)
	if p := n.Parent(); text != "" && p.Is(joins...) {
		text += "…"
	}
	return f.clip(text)
}

// clip truncates a text: less if calls are asked for.
func (f *FlowReader) clip(text string) string {
	if f.Parts&Calls != 0 {
		return srctext.ClipLong(text)
	}
	return srctext.ClipBody(text)
}

// betweenQuotes returns the content of a string literal, of several lines only if calls are asked for.
func (f *FlowReader) betweenQuotes(n syntax.Node) string {
	if f.Parts&Calls != 0 {
		return unquoted(n.Text())
	}
	return betweenQuotes(n)
}

// errorName returns the name of the type or function that creates the thrown value; "" if n
// has none.
func (f *FlowReader) errorName(n syntax.Node) string {
	if call, ok := f.Lang.Call(n); ok {
		between := "."
		if scope := f.Rules.Scope; scope != "" && strings.Contains(n.Text(), call.Receiver+scope+call.Name) {
			between = scope
		}
		if made, _, ok := strings.Cut(call.Receiver, "("); ok && !strings.ContainsAny(made, " \"'`") { // a method of a new error
			return strings.TrimLeft(made, `\.`)
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

// concatenates reports whether n is a concatenation of adjacent literals or by an operator.
func concatenates(n syntax.Node) bool {
	if n.Is("concatenated_string", "chained_string") {
		return true
	}
	if !n.Is(joins...) {
		return false
	}
	for c := range n.Children() {
		if text := c.Short(); (!c.Named() || c.Leaf()) && (text == "+" || text == ".") {
			return true
		}
	}
	return false
}

// concatenated reads a concatenation, and reports whether one of its parts is a literal. What
// else it joins is "…", and a part of the value.
func (f *FlowReader) concatenated(v *code.Value, n syntax.Node, depth int) bool {
	var b strings.Builder
	literal := false
	deepest := code.MaxValueDepth
	if f.Parts&Calls != 0 {
		deepest = maxConcatenated
	}
	var add func(n syntax.Node, depth int)
	add = func(n syntax.Node, depth int) {
		text := ""
		switch {
		case n.Is("comment", "line_comment", "block_comment"):
			return
		case depth <= deepest && concatenates(n):
			for c := range n.NamedSeq() {
				if text := c.Short(); text != "+" && text != "." {
					add(c, depth+1)
				}
			}
			return
		case f.Rules.Texts[n.Kind()]:
			text = f.betweenQuotes(n)
		case len(v.Args) < code.MaxValueArgs:
			v.Args = append(v.Args, f.hole(n, min(depth+1, code.MaxValueDepth), b.String()))
		}
		if text != "" && !literal {
			literal, v.Part, v.Line = true, srctext.ClipBody(text), n.Line()
		}
		if text == "" && !strings.HasSuffix(b.String(), "…") {
			text = "…"
		}
		b.WriteString(text)
	}
	add(n, depth)
	if !literal {
		v.Args = nil
		return false
	}
	v.Kind, v.Text = code.ValueString, f.clip(b.String())
	return true
}

// hole reads a part of a concatenated text other than a literal; it marks one that directly follows another such part.
func (f *FlowReader) hole(n syntax.Node, depth int, before string) code.Value {
	v := f.value(n, depth)
	if strings.HasSuffix(before, "…") && v.Part == "" {
		v.Part = "…"
	}
	return v
}

// maxConcatenated limits the nesting of the operators in a concatenation, if all calls are asked for.
const maxConcatenated = 64

// maxArgs returns how many parts of a value are read at most.
func (f *FlowReader) maxArgs() int {
	if f.Parts&Calls != 0 {
		return code.MaxWholeArgs
	}
	return code.MaxValueArgs
}

// computed are the kinds of expressions whose text shows their value.
var computed = []string{"binary_expression", "binary_operator", "unary_expression", "unary_operator", "unary", "binary", "char_literal", "character_literal", "boolean_operator", "comparison_operator", "elvis_expression"}

// joins are the kinds of expressions that concatenate strings.
var joins = []string{"binary_expression", "binary_operator", "concatenated_string", "additive_expression", "binary", "infix_expression", "chained_string"}

// betweenQuotes returns the content of a single-line string literal; "" for others.
func betweenQuotes(n syntax.Node) string {
	text := n.Text()
	if strings.Contains(text, "\n") {
		return ""
	}
	return unquoted(text)
}

// unquoted returns what is between the quotes of a string literal.
func unquoted(text string) string {
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
