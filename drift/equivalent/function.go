package equivalent

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// function is a function on the way to its normal form.
type function struct {
	*table
	text   []byte
	opaque bool
	bound  map[string]int // how often a local gets its name
	// changed are the locals that get another value than that of their declaration.
	changed map[string]bool
	uses    map[string][]syntax.Node
	binds   map[int]bool           // the indexes of nodes that bind a name
	inline  map[string]syntax.Node // the values that stand for locals
	types   map[string]bool        // type parameters, of the function and of what is around it
	gone    map[int]bool           // statements of inlined locals, by index
	out     []token
}

func newFunction(t *table, text []byte, root syntax.Node) *function {
	f := &function{
		table: t, text: text, bound: map[string]int{}, changed: map[string]bool{}, uses: map[string][]syntax.Node{},
		binds: map[int]bool{}, inline: map[string]syntax.Node{}, gone: map[int]bool{}, types: map[string]bool{},
	}
	for around := root; around.Ok(); around = around.Parent() {
		f.generic(around)
	}
	for n := range root.Descendants() {
		f.generic(n)
		f.opaque = f.opaque || t.opaque[n.Kind()] || t.knowsLocals(n)
		in(n, t.binders, f.bind)
	}
	for n := range root.Descendants() {
		in(n, t.assigned, f.change)
		if n.Is("unary_expression") && n.Begins("&") || n.Is("mutable_specifier") {
			f.change(n.Parent())
		}
		if f.isName(n) && !f.binds[n.Index()] {
			f.uses[n.Text()] = append(f.uses[n.Text()], n)
		}
	}
	for n := range root.Descendants() {
		if blocks[n.Kind()] {
			f.inlineIn(n)
		}
	}
	return f
}

// knowsLocals reports whether a node calls a function that knows locals by their names.
func (t *table) knowsLocals(n syntax.Node) bool {
	return n.Is("function_call_expression") && t.reflective[strings.ToLower(strings.TrimPrefix(n.Field("function").Text(), `\`))]
}

// generic notes the names of the type parameters of a declaration.
func (f *function) generic(n syntax.Node) {
	for c := range n.Children() {
		if !c.Is("type_parameters", "type_parameter_list") {
			continue
		}
		for x := range c.Descendants() {
			if x.Is("type_identifier", "identifier") && x.Parent().Is("type_parameter", "type_parameter_declaration") && x.Start() == x.Parent().First().Start() {
				f.types[x.Text()] = true
			}
		}
	}
}

// in calls see for the parts of a node that a table names.
func in(n syntax.Node, table [][2]string, see func(syntax.Node)) {
	for _, row := range table {
		if n.Is(row[0]) {
			for _, x := range parts(n, row[1]) {
				see(x)
			}
		}
	}
}

// parts returns the children of a node in a field, or the node if the field is "".
func parts(n syntax.Node, field string) []syntax.Node {
	if field == "" {
		return []syntax.Node{n}
	}
	var out []syntax.Node
	for c := range n.Children() {
		if c.FieldName() == field {
			out = append(out, c)
		}
	}
	return out
}

// isName reports whether a node is the name of a variable.
func (f *function) isName(n syntax.Node) bool {
	if !n.Is("identifier", "variable_name") || f.global[n.Text()] {
		return false
	}
	p := n.Parent()
	for _, x := range f.notNames {
		if p.Is(x[0]) && (x[1] == "" || n.FieldName() == x[1]) {
			return false
		}
	}
	if p.Is("literal_element") && p.Parent().Is("keyed_element") && p.Index() == p.Parent().First().Index() {
		return false // the name of a field, or a key
	}
	return !isMember(n, p)
}

// isMember reports whether a name of C# is that of a property in an initializer, or in nameof, and not a variable.
func isMember(n, p syntax.Node) bool {
	switch {
	case p.Is("assignment_expression"):
		return n.FieldName() == "left" && p.Parent().Is("initializer_expression")
	case p.Is("argument"):
		call := p.Parent().Parent()
		return call.Is("invocation_expression") && call.Field("function").TextIs("nameof")
	}
	return false
}

// bind notes the names in a pattern.
func (f *function) bind(n syntax.Node) {
	for x := range n.Descendants() {
		inPattern := x.Index() == n.Index() || x.Parent().Index() == n.Index() ||
			x.Parent().Is("expression_list", "pattern_list", "tuple_pattern", "array_pattern", "list_pattern", "tuple_struct_pattern", "mut_pattern", "ref_pattern", "captured_pattern")
		if inPattern && f.isName(x) && !f.binds[x.Index()] && x.FieldName() != "type" && x.FieldName() != "value" && isLocal(x.Text()) {
			f.binds[x.Index()] = true
			f.bound[x.Text()]++
		}
	}
}

// isLocal reports whether a name in a pattern is that of a local: not a constant or a variant.
func isLocal(name string) bool {
	return name != "_" && (name[0] < 'A' || name[0] > 'Z')
}

// change notes that the variables in a target get another value.
func (f *function) change(n syntax.Node) {
	for x := range n.Descendants() {
		if f.isName(x) {
			f.changed[x.Text()] = true
		}
	}
}

// stable reports whether a name has the same value wherever it can be used.
func (f *function) stable(name string) bool { return f.bound[name] == 1 && !f.changed[name] }

// declares returns the local that a statement declares, and its value.
func (f *function) declares(statement syntax.Node) (name string, value syntax.Node, ok bool) {
	n := statement
	for n.Is("expression_statement", "lexical_declaration", "variable_declaration", "var_declaration", "local_variable_declaration") {
		var parts []syntax.Node
		for _, c := range syntax.NamedChildren(n) {
			if c.FieldName() != "type" && !c.Is("modifiers") {
				parts = append(parts, c)
			}
		}
		if len(parts) != 1 || !f.mayInline(n) {
			return "", syntax.Node{}, false
		}
		n = parts[0]
	}
	for _, d := range f.declared {
		if !n.Is(d[0]) || !f.mayInline(n) {
			continue
		}
		target, value := only(n.Field(d[1])), only(n.Field(d[2]))
		if f.isName(target) && value.Ok() && f.binds[target.Index()] {
			return target.Text(), value, true
		}
	}
	return "", syntax.Node{}, false
}

// only returns the single element of a list of expressions, or the node if it is no such list.
func only(n syntax.Node) syntax.Node {
	if !n.Is("expression_list") {
		return n
	}
	if list := syntax.NamedChildren(n); len(list) == 1 {
		return list[0]
	}
	return syntax.Node{}
}

// mayInline reports whether the type that a declaration names cannot change what its value means.
func (f *function) mayInline(n syntax.Node) bool {
	if f.typed == "" {
		return true
	}
	t := n.Field(f.typed)
	return !t.Ok() || f.harmless != nil && f.harmless(t.Text())
}

// inlineIn decides which locals of a block their values stand for.
func (f *function) inlineIn(block syntax.Node) {
	list := syntax.NamedChildren(block)
	for i, s := range list {
		name, value, ok := f.declares(s)
		if !ok || !f.stable(name) || len(f.uses[name]) == 0 {
			continue
		}
		next := syntax.Node{}
		if i+1 < len(list) {
			next = list[i+1]
		}
		if f.constant(value) || len(f.uses[name]) == 1 && f.movable(value, f.uses[name][0], next) {
			f.inline[name] = value
			f.gone[s.Index()] = true
		}
	}
}

// constant reports whether a value is the same wherever its names are known.
func (f *function) constant(value syntax.Node) bool {
	for n := range value.Descendants() {
		switch {
		case n.Is("identifier") && !f.stable(n.Text()):
			return false
		case n.Is("unary_expression") && (n.Begins("&") || n.Begins("*") || n.Begins("<-")):
			return false
		case !syntaxOnly(n) && !calm[n.Kind()]:
			return false
		}
	}
	return true
}

// syntaxOnly reports whether a node is a token without a name, such as an operator.
func syntaxOnly(n syntax.Node) bool { return !n.Named() }

// movable reports whether a value may be evaluated where a local is used, in the statement after its declaration: whether
// nothing that it depends on, or that depends on it, is evaluated before.
func (f *function) movable(value, use, next syntax.Node) bool {
	if !next.Ok() || use.Start() < next.Start() || use.End() > next.End() || later[next.Kind()] || later[value.Kind()] {
		return false
	}
	acts := has(value, acting) || has(value, later)
	return alwaysEvaluated(use, next) && f.nothingBefore(use, next, acts)
}

// alwaysEvaluated reports whether a part of a statement is evaluated once whenever the statement is.
func alwaysEvaluated(use, next syntax.Node) bool {
	for n := use; n.Index() != next.Index(); n = n.Parent() {
		p := n.Parent()
		first := p.First().Index() == n.Index() || n.FieldName() == "condition" && !p.Is("conditional_expression", "ternary_expression")
		switch {
		case later[p.Kind()] || blocks[p.Kind()]:
			return false
		case !first && (partial[p.Kind()] || shortCircuit(p)):
			return false
		}
	}
	return true
}

// quoteless returns the text of a node without children, with one kind of quotes around texts.
func quoteless(n syntax.Node) string {
	text := string(n.Bytes())
	if p := n.Parent(); p.Ok() && p.Is("string") && (!n.Named() || n.Is("string_start", "string_end")) {
		return strings.ReplaceAll(text, "'", `"`)
	}
	return text
}

// inCallee reports whether a node is a part of the name of the function that a call around the use calls: which one it is does not depend
// on its arguments.
func inCallee(n, use syntax.Node) bool {
	for call := use.Parent(); call.Ok(); call = call.Parent() {
		if !call.Is("call_expression", "call") {
			continue
		}
		callee := call.Field("function")
		if callee.Ok() && callee.Start() <= n.Start() && n.End() <= callee.End() && callee.End() <= use.Start() {
			return !has(callee, acting)
		}
	}
	return false
}

// bare reports whether a node is the only statement of a branch or a loop, without braces.
func bare(n syntax.Node) bool {
	p := n.Parent()
	if !p.Ok() || blocks[n.Kind()] || !strings.HasSuffix(n.Kind(), "statement") {
		return false
	}
	switch p.Kind() {
	case "if_statement":
		return n.FieldName() == "consequence" || n.FieldName() == "body" || n.FieldName() == "alternative" && !n.Is("if_statement")
	case "else_clause":
		return !n.Is("if_statement")
	case "for_statement", "for_in_statement", "while_statement", "enhanced_for_statement", "foreach_statement":
		return n.FieldName() == "body"
	}
	return false
}

// nothingBefore reports whether nothing acts in a statement before a part of it, and, if that part acts itself, whether what
// is evaluated before has the same value after it.
func (f *function) nothingBefore(use, next syntax.Node, acts bool) bool {
	for n := range next.Descendants() {
		if n.Start() >= use.Start() {
			break
		}
		if n.End() > use.Start() || !n.Named() {
			continue // it contains the use
		}
		if acting[n.Kind()] || acts && !f.harmlessBefore(n) && !inCallee(n, use) {
			return false
		}
	}
	return true
}

// harmlessBefore reports whether a node that is evaluated before a call has the same value after it.
func (f *function) harmlessBefore(n syntax.Node) bool {
	if calm[n.Kind()] && !n.Is("identifier") || n.Is("field_identifier", "property_identifier", "type_identifier") {
		return true
	}
	callee := n
	for callee.FieldName() != "function" && callee.FieldName() != "name" && callee.FieldName() != "object" && reading[callee.Parent().Kind()] {
		callee = callee.Parent()
	}
	return n.Is("identifier") && f.stable(n.Text()) || callee.FieldName() == "function" || callee.FieldName() == "name" ||
		callee.FieldName() == "object" && callee.Parent().Is("method_invocation") || n.Is("argument_list", "arguments", "identifier") && n.FieldName() == "type"
}

// shortCircuit reports whether a node is an operation that may not evaluate its second operand.
func shortCircuit(n syntax.Node) bool {
	op := n.Field("operator").Text()
	return op == "&&" || op == "||" || op == "??"
}

// has reports whether a tree has a node of one of the kinds.
func has(n syntax.Node, set map[string]bool) bool {
	for x := range n.Descendants() {
		if set[x.Kind()] {
			return true
		}
	}
	return false
}

// emit appends the normal form of a node.
func (f *function) emit(n syntax.Node) {
	kind := n.Kind()
	switch {
	case syntax.IsComment(kind):
		return
	case n.Is("type_identifier") && f.types[n.Text()]:
		f.out = append(f.out, token{n.Text(), true})
		return
	case f.isName(n) && f.bound[n.Text()] > 0:
		f.local(n)
		return
	case blocks[kind]:
		f.emitBlock(n)
		return
	case !n.First().Ok() && !hasChildren(n):
		f.leaf(quoteless(n))
		return
	case wrappers[kind] && len(syntax.NamedChildren(n)) == 1:
		f.emit(n.First())
		return
	}
	if bare(n) { // as in a block of its own
		f.out = append(f.out, token{text: "{"})
		defer func() { f.out = append(f.out, token{text: "}"}) }()
	}
	operation := strings.HasSuffix(kind, "expression") || strings.HasSuffix(kind, "operator")
	if operation {
		f.out = append(f.out, token{text: "\x02"})
	}
	f.children(n)
	if operation {
		f.out = append(f.out, token{text: "\x03"})
	}
}

// local appends a local, or the value that stands for it.
func (f *function) local(n syntax.Node) {
	if value, ok := f.inline[n.Text()]; ok && !f.binds[n.Index()] {
		f.emit(value)
		return
	}
	f.out = append(f.out, token{n.Text(), true})
}

func hasChildren(n syntax.Node) bool {
	for range n.Children() {
		return true
	}
	return false
}

// children emits the children of a node, and the text that is in none of them.
func (f *function) children(n syntax.Node) {
	at := n.Start()
	for c := range n.Children() {
		f.gap(at, c.Start())
		f.emit(c)
		at = max(at, c.End())
	}
	f.gap(at, n.End())
}

// gap emits text between nodes: that of strings.
func (f *function) gap(from, to int) {
	if from < to && strings.TrimSpace(string(f.text[from:to])) != "" {
		f.out = append(f.out, token{text: string(f.text[from:to])})
	}
}

// leaf emits a token, unless formatters add and remove it.
func (f *function) leaf(text string) {
	switch strings.TrimSpace(text) {
	case "", ";":
		return
	case ")", "]", "}":
		if last := len(f.out) - 1; last >= 0 && f.out[last].text == "," && !f.out[last].local {
			f.out = f.out[:last]
		}
	}
	f.out = append(f.out, token{text: text})
}

// emitBlock emits statements: neighbours that do not depend on each other in one order.
func (f *function) emitBlock(n syntax.Node) {
	f.out = append(f.out, token{text: "{"})
	var run [][]token
	flush := func() {
		if f.independent(run) {
			slices.SortStableFunc(run, func(a, b []token) int { return cmp.Compare(quiet(a), quiet(b)) })
		}
		for _, r := range run {
			f.out = append(f.out, r...)
		}
		run = nil
	}
	for c := range n.Children() {
		if f.gone[c.Index()] || c.Is("{", "}") || syntax.IsComment(c.Kind()) {
			continue
		}
		before := f.out
		f.out = nil
		if blocks[c.Kind()] {
			f.emitBlock(c) // Go has a list of statements in a block
		} else {
			f.emit(c)
		}
		tokens := f.out
		f.out = before
		if len(tokens) == 0 {
			continue
		}
		if !f.settable(c) {
			flush()
			f.out = append(f.out, tokens...)
			continue
		}
		run = append(run, tokens)
	}
	flush()
	f.out = append(f.out, token{text: "}"})
}

// settable reports whether a statement only gives a value to a local or to a field of the object itself.
func (f *function) settable(n syntax.Node) bool {
	if _, value, ok := f.declares(n); ok {
		return !has(value, acting) && !has(value, later)
	}
	if n.Is("expression_statement") && len(syntax.NamedChildren(n)) == 1 {
		n = n.First()
	}
	if !n.Is("assignment_expression", "assignment", "assignment_statement") {
		return false
	}
	target, value := only(n.Field("left")), only(n.Field("right"))
	own := reading[target.Kind()] && slices.Contains(f.self, target.First().Text())
	return own && value.Ok() && !has(value, acting) && !has(value, later)
}

// independent reports whether the local or field that each statement sets is in none of the others.
func (f *function) independent(run [][]token) bool {
	for i, a := range run {
		set := f.target(a)
		for j, b := range run {
			if i != j && slices.ContainsFunc(set, func(t token) bool { return slices.Contains(b, t) }) {
				return false
			}
		}
	}
	return true
}

// target returns what a statement sets: its locals before the assignment sign, or the name of the field right before it.
func (f *function) target(list []token) []token {
	var set []token
	last := token{}
	for _, t := range list {
		if !t.local && (t.text == "=" || t.text == ":=") {
			break
		}
		if t.local && !slices.Contains(f.self, t.text) {
			set = append(set, t)
		}
		if t.text != "\x02" && t.text != "\x03" {
			last = t
		}
	}
	if len(set) == 0 {
		set = append(set, last)
	}
	return set
}
