package ecma

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// namedFunction reads a function declaration, which may have no body.
func (e factReader) namedFunction(n syntax.Node) {
	d := code.Def{Line: e.line(n)}
	if name := n.Field("name"); name.Ok() {
		d.Line = e.line(name)
	}
	d.Exported, d.Default = exportedHere(n)
	e.functionIn(e.Function(), n, n, defaultName(n), d)
}

// functionIn binds a function to a name. The start or name of holder is that of the symbol.
func (e factReader) functionIn(into int32, n, holder syntax.Node, name string, d code.Def) int32 {
	at := holder.Start()
	for _, field := range []string{"name", "key", "left", "property"} {
		if f := holder.Field(field); f.Ok() {
			at = f.Start()
			break
		}
	}
	d.Name, d.Kind, d.Scope = name, code.DefFunc, int32(len(e.Scopes))
	e.DefineIn(into, d)
	scope := e.callable(n, name, at)
	e.Scopes[scope].Expect = d.Type
	return scope
}

// callable reads a function in a new scope in the current one. at is the offset of its
// symbol's name.
func (e factReader) callable(n syntax.Node, name string, at int) int32 {
	scope := e.OpenScope(code.FuncScope, name, n.Start(), n.End())
	if name != "" {
		e.Symbol(scope, at)
	}
	doc := e.docOf(n)
	e.typeParameters(n.Field("type_parameters"))
	e.docParameters(doc)
	e.parameters(n, doc)
	if own := n.Field("name"); own.Is("identifier") && n.Is("function_expression", "generator_function") && own.Text() != name {
		e.Define(code.Def{Name: own.Text(), Kind: code.DefFunc, Scope: scope, Line: e.line(own)})
	}
	s := &e.Scopes[scope]
	s.Async = n.Has("async") && !generates(n)
	result := n.Field("return_type")
	if !result.Ok() && n.Is("construct_signature") {
		result = n.Field("type")
	}
	e.Scopes[scope].Result = cmp.Or(e.annotated(result), e.docType(doc, "", "returns", "return"))
	if n.Is("function_declaration") && e.hasPrototype(name) {
		if made := e.prototype(n.Field("name")); made >= 0 {
			e.Returns(e.thisIn(made, n))
		}
	}
	if body := n.Field("body"); body.Ok() {
		e.Scopes[scope].Body = true
		e.body(body)
	}
	e.CloseScope()
	return scope
}

// body reads the body of a function in its scope.
func (e factReader) body(body syntax.Node) {
	if body.Is("statement_block") {
		e.WalkChildren(body)
		return
	}
	e.result(e.expected(body, e.Scopes[e.Scope].Result))
}

// result records the returned value of the enclosing function: a promise of a promise is one
// promise.
func (e factReader) result(ref code.Ref) {
	if e.Scopes[e.Function()].Async {
		ref = e.Apply(code.OpAwait, ref)
	}
	e.Returns(ref)
}

// generates reports whether a function is a generator.
func generates(n syntax.Node) bool {
	return n.Has("*") || n.Is("generator_function", "generator_function_declaration")
}

// returnStatement records the returned value of the enclosing function.
func (e factReader) returnStatement(n syntax.Node) {
	e.result(e.expected(n.First(), e.Scopes[e.Function()].Result))
}

// typeParameters binds type parameters in the current scope.
func (e factReader) typeParameters(list syntax.Node) {
	for p := range list.NamedSeq() {
		name := p.Field("name")
		if !name.Ok() {
			continue
		}
		d := code.Def{Name: name.Text(), Kind: code.DefTypeParam, Line: e.line(name)}
		d.Type = e.Type(p.Field("constraint").First())
		d.Value = e.Type(p.Field("value").First())
		e.Define(d)
	}
}

// parameters binds the parameters of a function: first all of them, then the names in
// patterns.
func (e factReader) parameters(n syntax.Node, doc []docTag) {
	if p := n.Field("parameter"); p.Ok() { // x => …
		e.Define(code.Def{Name: p.Text(), Kind: code.DefParam, Type: e.docType(doc, p.Text(), "param"), Line: e.line(p)})
		return
	}
	var this syntax.Node
	var patterns []syntax.Node
	for p := range n.Field("parameters").NamedSeq() {
		switch {
		case p.Is("decorator", "ERROR"):
		case p.Field("pattern").Is("this"):
			this = p
		default:
			patterns = append(patterns, e.parameter(p, len(patterns), doc))
		}
	}
	if this.Ok() {
		e.Define(code.Def{Name: "this", Kind: code.DefVar, Type: e.annotated(this.Field("type")), Line: e.line(this)})
	}
	for i, p := range patterns {
		if !p.Is("identifier") {
			e.pattern(p, e.Name(nameless(i), p.Start()), code.Def{}, e.Scope)
		}
	}
}

// nameless returns the name of the i-th parameter if it is a pattern.
func nameless(i int) string { return fmt.Sprintf("{%d}", i) }

// parameter binds the i-th parameter, in either grammar, and returns its pattern.
func (e factReader) parameter(p syntax.Node, i int, doc []docTag) syntax.Node {
	for d := range p.NamedSeq() {
		if d.Is("decorator") {
			e.Walk(d)
		}
	}
	pattern, standard := p, syntax.Node{}
	switch p.Kind() {
	case "required_parameter", "optional_parameter":
		pattern, standard = p.Field("pattern"), p.Field("value")
	case "assignment_pattern":
		pattern, standard = p.Field("left"), p.Field("right")
	}
	d := code.Def{Kind: code.DefParam, Line: e.line(pattern)}
	d.Optional = p.Is("optional_parameter") || standard.Ok()
	if pattern.Is("rest_pattern") {
		d.Variadic, d.Type = true, e.elementType(p.Field("type").First())
		pattern = pattern.First()
	} else {
		d.Type = e.annotated(p.Field("type"))
	}
	d.Name = nameless(i)
	if pattern.Is("identifier") {
		d.Name = pattern.Text()
		if d.Type == 0 && !d.Variadic {
			d.Type = e.docType(doc, d.Name, "param")
		}
	}
	d.Value = e.expected(standard, d.Type)
	e.Define(d)
	return pattern
}

// elementType returns the element type of a list type.
func (e factReader) elementType(n syntax.Node) code.Ref {
	if n.Is("array_type") {
		return e.Type(n.First())
	}
	return e.Apply(code.OpElem, e.Type(n))
}

// pattern binds the names of a destructuring pattern for source.
func (e factReader) pattern(n syntax.Node, source code.Ref, d code.Def, into int32) {
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier_pattern":
		d.Name, d.Value, d.Line = n.Text(), source, e.line(n)
		e.DefineIn(into, d)
	case "object_pattern":
		for p := range n.NamedSeq() {
			e.property(p, source, d, into)
		}
	case "array_pattern":
		e.elements(n, source, d, into)
	case "assignment_pattern", "object_assignment_pattern":
		e.pattern(n.Field("left"), e.Either(source, e.expected(n.Field("right"), 0)), d, into)
	case "rest_pattern":
		e.pattern(n.First(), source, d, into)
	default: // an assignment to something other than a name
		e.Value(n)
	}
}

// property binds the name of one part of an object pattern.
func (e factReader) property(p syntax.Node, source code.Ref, d code.Def, into int32) {
	switch p.Kind() {
	case "shorthand_property_identifier_pattern":
		e.pattern(p, e.part(source, p.Text(), p.Start()), d, into)
	case "object_assignment_pattern":
		left := p.Field("left")
		e.pattern(left, e.Either(e.part(source, left.Text(), left.Start()), e.Value(p.Field("right"))), d, into)
	case "pair_pattern":
		key := p.Field("key")
		if name, ok := e.key(key); ok {
			e.pattern(p.Field("value"), e.part(source, name, key.Start()), d, into)
			return
		}
		e.pattern(p.Field("value"), 0, d, into)
	case "rest_pattern":
		e.pattern(p.First(), source, d, into)
	default:
		e.pattern(p, 0, d, into)
	}
}

// part returns a member of source; 0 if source is 0.
func (e factReader) part(source code.Ref, name string, pos int) code.Ref {
	if source == 0 {
		return 0
	}
	return e.Select(source, name, pos)
}

// elements binds the names of an array pattern by position.
func (e factReader) elements(n syntax.Node, source code.Ref, d code.Def, into int32) {
	i := 0
	for p := range n.Children() {
		switch {
		case p.Kind() == ",":
			i++
		case p.Is("rest_pattern"):
			e.pattern(p.First(), source, d, into)
		case p.Named() && !syntax.IsComment(p.Kind()):
			e.pattern(p, e.Part(source, i), d, into)
		}
	}
}

// key returns the name of a property if it is constant: "x", 'x' or ['x'].
func (e factReader) key(n syntax.Node) (string, bool) {
	switch n.Kind() {
	case "property_identifier", "private_property_identifier", "string", "number", "identifier", "shorthand_property_identifier":
		return strings.Trim(n.Text(), `'"`), true
	case "computed_property_name":
		x := n.First()
		if x.Is("string") {
			return strings.Trim(x.Text(), `'"`), true
		}
		e.Value(x)
		return "[" + x.Text() + "]", x.Is("member_expression") // [Symbol.iterator]
	}
	return "", false
}
