package core

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// The kinds of nodes around the table of a test, in all grammars.
var (
	functionNodes = SetOf("arrow_function", "function_expression", "function")
	// partNodes are patterns that take a row apart by the order of its values, fieldNodes those that do it by their names.
	partNodes  = SetOf("array_pattern", "pattern_list", "tuple_pattern", "formal_parameters")
	fieldNodes = SetOf("object_pattern")
	castNodes  = SetOf("as_expression", "satisfies_expression", "parenthesized_expression", "type_assertion")
)

// rowsOf records the table that a loop or a decorator of a test file goes through, with the names by which the test knows its
// parts.
func (b *BodyReader) rowsOf(n syntax.Node) {
	if n.Is("return_statement") {
		b.provided(n)
		return
	}
	list, names := iteration(n)
	if !list.Ok() {
		return
	}
	for castNodes[list.Kind()] {
		list = list.First()
	}
	if list.Is("identifier") {
		list = b.listNamed(list.Text())
	}
	if !list.Ok() || !listNodes[list.Kind()] {
		return
	}
	l := code.Lookup{Kind: code.LookupList, In: b.Enclosing(n.Start()), Line: n.Line(), EndLine: n.EndLine(), Rows: rowsIn(list)}
	if n.Is("decorator") {
		l.EndLine = n.Parent().EndLine()
	}
	if len(l.Rows) >= leastLookup && name(&l, names) {
		b.out.Lookups = append(b.out.Lookups, l)
	}
}

// rowsIn returns the elements of a list.
func rowsIn(list syntax.Node) []code.LookupRow {
	var out []code.LookupRow
	for e := range list.NamedSeq() {
		if len(out) == code.MaxLookupRows {
			break
		}
		if !syntax.IsComment(e.Kind()) {
			out = append(out, code.LookupRow{Value: oneRow(e)})
		}
	}
	return out
}

// provided records the rows that a method returns, which may be those of tests that name it.
func (b *BodyReader) provided(n syntax.Node) {
	list := n.First()
	for _, kind := range []string{"initializer_expression", "array_initializer"} { // after the type of a new array
		if inner := list.Child(kind); inner.Ok() && list.Is("array_creation_expression") {
			list = inner
		}
	}
	if c, ok := b.Lang.Call(list); ok && listCalls[c.Name] {
		list = argumentsOf(list)
	} else if !listNodes[list.Kind()] {
		return
	}
	in := b.Enclosing(n.Start())
	l := code.Lookup{Kind: code.LookupList, In: in, Name: in[strings.LastIndexByte(in, '.')+1:], Line: n.Line(), Rows: rowsIn(list)}
	if len(l.Rows) >= leastLookup {
		b.out.Lookups = append(b.out.Lookups, l)
	}
}

// name sets the names of the parts of a row; false if they cannot be told.
func name(l *code.Lookup, names syntax.Node) bool {
	if names.Is("required_parameter") {
		names = names.Field("pattern")
	}
	switch kind := names.Kind(); {
	case names.Is("identifier"):
		l.Each = names.Text()
		return true
	case kind == "string":
		for part := range strings.SplitSeq(strings.Trim(names.Text(), `"'`), ",") {
			l.Columns = append(l.Columns, strings.TrimSpace(part))
		}
	case kind == "formal_parameters" && names.First().Ok() && !names.First().Next().Ok() && !strings.HasPrefix(l.Rows[0].Value, "["):
		return name(l, names.First()) // a row is not taken apart
	case partNodes[kind]:
		l.Columns = partsOf(names, "identifier")
	case fieldNodes[kind]:
		l.Columns = partsOf(names, "shorthand_property_identifier_pattern")
	}
	l.Parts = len(l.Columns) > 0
	return l.Parts
}

// partsOf returns the names in a pattern; nil if a part is of another kind than a name.
func partsOf(names syntax.Node, kind string) []string {
	var out []string
	for part := range names.NamedSeq() {
		if part.Is("required_parameter") {
			part = part.Field("pattern")
		}
		if !part.Is(kind) {
			return nil
		}
		out = append(out, part.Text())
	}
	return out
}

// iteration returns the list that a node goes through, and the pattern that names a row or its parts: of a loop, forEach and
// each of JavaScript's test tools, and pytest's parametrize.
func iteration(n syntax.Node) (list, names syntax.Node) {
	switch {
	case n.Is("for_in_statement", "for_statement"):
		return n.Field("right"), n.Field("left")
	case n.Is("decorator") && n.First().Is("call") && n.First().Field("function").Ends("parametrize"):
		args := syntax.NamedChildren(n.First().Field("arguments"))
		if len(args) > 1 && args[0].Is("string") {
			return args[1], args[0]
		}
	case n.Is("call_expression"):
		return eachCall(n)
	}
	return list, names
}

// eachCall is iteration for a call.
func eachCall(n syntax.Node) (list, names syntax.Node) {
	f := n.Field("function")
	run := syntax.LastNamedChild(n.Field("arguments"))
	for run.Ok() && !functionNodes[run.Kind()] { // a time-out follows
		run = run.Previous()
	}
	if !run.Ok() {
		return list, names
	}
	names = run.Field("parameters")
	if one := run.Field("parameter"); one.Ok() {
		names = one
	}
	switch {
	case f.Is("call_expression") && f.Field("function").Ends(".each"):
		return f.Field("arguments").First(), names
	case f.Is("member_expression") && f.Field("property").TextIs("forEach"):
		return f.Field("object"), names
	}
	return list, names
}

// listNamed returns the list that a variable of the file holds; none if several have the name.
func (b *BodyReader) listNamed(name string) syntax.Node {
	if b.lists == nil {
		b.lists = map[string]syntax.Node{}
		for n := range b.Root().Descendants() {
			if !listNodes[n.Kind()] {
				continue
			}
			value := n
			for castNodes[value.Parent().Kind()] {
				value = value.Parent()
			}
			if of := assigned(value); of != "" {
				if _, twice := b.lists[of]; twice {
					n = syntax.Node{}
				}
				b.lists[of] = n
			}
		}
	}
	return b.lists[name]
}
