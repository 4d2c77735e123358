package ecma

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// variables reads const, let, var and using.
func (e factReader) variables(n syntax.Node) {
	for d := range n.NamedSeq() {
		if d.Is("variable_declarator") {
			e.variable(d, n)
		}
	}
}

// variable reads one declarator of a declaration.
func (e factReader) variable(d, declaration syntax.Node) {
	name, typ := d.Field("name"), e.annotated(d.Field("type"))
	if typ == 0 {
		typ = e.docType(e.docOf(d), "", "type")
	}
	exported, _ := exportedHere(declaration)
	into := e.Scope
	if declaration.Is("variable_declaration") {
		into = e.Function()
	}
	def := code.Def{Type: typ, Line: e.line(name), Exported: exported}
	v, cast := e.functionValue(d.Field("value"))
	if typ == 0 {
		def.Type = cast
	}
	if !name.Is("identifier") {
		source := e.Value(v)
		if typ != 0 {
			source = e.Apply(code.OpAs, typ)
		}
		if e.Exprs[source].Op == code.OpImport && into == 0 { // the import binds the names
			return
		}
		e.pattern(name, source, code.Def{Kind: e.partKind(into, exported), Exported: exported}, into)
		return
	}
	switch {
	case isFunction(v):
		e.functionIn(into, v, d, name.Text(), def)
	case v.Is("class"):
		e.classNamed(v, name.Text(), declaration)
	default:
		def.Kind, def.Name = code.DefVar, name.Text()
		def.Value = e.expected(v, typ)
		if e.ofImport(def.Value) && into == 0 {
			if e.Exprs[def.Value].Op == code.OpImport && !exported { // the import binds the name
				return
			}
			def.Kind = code.DefField
		}
		e.DefineIn(into, def)
	}
}

// partKind returns the kind of a top-level name that stands for a part of another value: not a
// variable visible to other files.
func (e factReader) partKind(into int32, exported bool) code.DefKind {
	if into == 0 && !exported {
		return code.DefField
	}
	return code.DefVar
}

// ofImport reports whether an expression is a required module or a part of one.
func (e factReader) ofImport(ref code.Ref) bool {
	x := e.Exprs[ref]
	for x.Op == code.OpSelect {
		x = e.Exprs[x.X]
	}
	return x.Op == code.OpImport
}

// setVariable binds a name to a value.
func (e factReader) setVariable(name string, v syntax.Node, d code.Def) {
	d.Name, d.Kind, d.Value = name, code.DefVar, e.Value(v)
	e.Define(d)
}

// expected returns the value of v, assigned to something of type typ. A closure gets its
// parameter types from it.
func (e factReader) expected(v syntax.Node, typ code.Ref) code.Ref {
	ref := e.Value(v)
	e.expect(ref, typ)
	return ref
}

// expect records the expected type in the closures that an expression is or contains.
func (e factReader) expect(ref, typ code.Ref) {
	if typ == 0 || ref == 0 {
		return
	}
	switch x := e.Exprs[ref]; x.Op {
	case code.OpFunc:
		if s := &e.Scopes[x.N]; s.Expect == 0 && s.Call == 0 {
			s.Expect = typ
		}
	case code.OpObject:
		for i := range e.Scopes[x.N].Defs {
			e.expectMember(e.Scopes[x.N].Defs[i], typ)
		}
	case code.OpEither:
		for _, arg := range x.Args {
			e.expect(arg, typ)
		}
	default:
	}
}

// expectMember records the expected type of an object's member, if the object's type is known.
func (e factReader) expectMember(d code.Def, typ code.Ref) {
	closure := d.Kind == code.DefFunc && d.Scope != 0 && e.Scopes[d.Scope].Expect == 0
	if op := e.Exprs[d.Value].Op; !closure && op != code.OpFunc && op != code.OpObject && op != code.OpEither {
		return
	}
	member := e.Add(code.Expr{Op: code.OpSelect, X: e.Apply(code.OpAs, typ), Name: d.Name, Scope: e.Scope})
	of := e.Apply(code.OpTypeOf, member)
	if closure {
		e.Scopes[d.Scope].Expect = of
		return
	}
	e.expect(d.Value, of)
}
