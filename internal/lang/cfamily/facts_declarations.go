package cfamily

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// declarationFacts binds the variables, fields and functions that n declares.
func declarationFacts(b *core.FactBuilder, n syntax.Node) {
	base := b.Type(n.Field("type"))
	inFunction := inFunction(b)
	for top := range n.Children() {
		if top.FieldName() != "declarator" {
			continue
		}
		d := declaratorOf(top)
		switch {
		case top.Missing() || !d.name.Ok() && !d.top.Is("structured_binding_declarator"):
		case d.top.Is("structured_binding_declarator"):
			cppBinding(b, d.top, b.Value(valueOf(n, top)))
		case inWord(b, d.full):
			madeByMacro(b, &d)
			return
		case d.function.Ok() && inFunction:
			localFunction(b, n, &d)
		case d.function.Ok():
			prototype(b, n, &d)
		case !notNames[d.text()]:
			variable(b, n, top, &d, base)
		}
	}
	if d := n.Field("declarator"); !d.Ok() || d.Missing() {
		embedded(b, base)
	}
}

// embedded makes the members of an unnamed struct members of the enclosing one.
func embedded(b *core.FactBuilder, base code.Ref) {
	if b.Exprs[base].Op != code.OpObject || b.Scopes[b.Scope].Kind != code.TypeScope && b.Scopes[b.Scope].Kind != code.SpaceScope {
		return
	}
	list := b.Scopes[b.Exprs[base].N].Defs
	b.Scopes[b.Scope].Defs = append(b.Scopes[b.Scope].Defs, list...)
}

// inFunction reports whether the current scope is in a function body.
func inFunction(b *core.FactBuilder) bool {
	k := b.Scopes[b.Scope].Kind
	return k == code.FuncScope || k == code.BlockScope
}

// valueOf returns the initial value of a declarator of n.
func valueOf(n, top syntax.Node) syntax.Node {
	if v := top.Field("value"); v.Ok() {
		return v
	}
	if v := n.Field("value"); v.Ok() { // a declaration in the condition of an if
		return v
	}
	return n.Field("default_value")
}

// variable binds a variable or a field.
func variable(b *core.FactBuilder, n, top syntax.Node, d *declarator, base code.Ref) {
	def := code.Def{
		Name: d.text(), Kind: code.DefVar, Type: declaredType(b, base, d.top, syntax.Node{}), Line: int32(d.name.Line()),
		Static: hasSpecifier(n, "static"), Exported: true,
	}
	switch b.Scopes[b.Scope].Kind {
	case code.TypeScope, code.SpaceScope:
		if b.Scopes[b.Scope].Kind == code.TypeScope || n.Is("field_declaration") {
			def.Kind = code.DefField
		}
	case code.FileScope:
		def.Hidden, def.Static = def.Static || unnamedSpace(b, n), false
		def.Exported = !def.Hidden
	default:
		def.Pos, def.Static = int32(top.End()), false
	}
	value := valueOf(n, top)
	if isCPP(b) {
		cppVariable(b, n, top, value, &def)
		return
	}
	switch ref := argument(b, value); {
	case ref == 0 || def.Type != 0 && b.Exprs[def.Type].Op != code.OpFuncType:
	case b.Exprs[ref].Op == code.OpName:
		def.Value, def.Type = ref, 0 // the function is more specific than the type
	default:
		def.Value = ref
	}
	b.Define(def)
}

// prototype binds a function that is declared but not defined here.
func prototype(b *core.FactBuilder, n syntax.Node, d *declarator) {
	if notNames[d.text()] || !n.Field("type").Ok() && !isCPP(b) {
		madeByMacro(b, d)
		return
	}
	openFunction(b, n, d, false)
	b.CloseScope()
}

// localFunction reads a function declaration in a function. In C++ it is an object, T x(y);
// in C it declares a function of another file.
func localFunction(b *core.FactBuilder, n syntax.Node, d *declarator) {
	if call, ok := declared(n); isCPP(b) && ok && call.Name != "" {
		cppObject(b, n, d)
	}
}

// madeByMacro reads a macro call in place of a declaration: DEFINE_MUTEX(lock).
func madeByMacro(b *core.FactBuilder, d *declarator) {
	from := d.full.Start()
	for from > 0 && srctext.NameByte(b.Source[from-1]) {
		from--
	}
	to := from
	for to < len(b.Source) && srctext.NameByte(b.Source[to]) {
		to++
	}
	if name := string(b.Source[from:to]); isName(name) && name != "" && !notNames[name] && !notCalls[name] {
		b.Call(code.OpCall, b.Name(name, from), nil, from)
	}
}

// typedef binds the names of a typedef.
func typedef(b *core.FactBuilder, n syntax.Node) {
	spec := n.Field("type")
	for top := range n.Children() {
		if top.FieldName() != "declarator" {
			continue
		}
		d := declaratorOf(top)
		if !d.name.Ok() {
			continue
		}
		name := d.text()
		if spec.Field("body").Ok() && !spec.Field("name").Ok() && d.top == d.name {
			if _, known := b.Types.Of(spec); !known { // the struct has the name of its first typedef
				b.Types.Set(spec, namedType(b, spec, name, name, d.name))
				continue
			}
		}
		b.Define(code.Def{
			Name: name, Kind: code.DefAlias, Type: declaredType(b, b.Type(spec), d.top, syntax.Node{}), Line: int32(d.name.Line()), Exported: true,
		})
	}
}

// namedType binds a struct, class, union or enumeration under name and reads its body. called
// is the name used in the text.
func namedType(b *core.FactBuilder, n syntax.Node, name, called string, at syntax.Node) code.Ref {
	def := b.Define(code.Def{Name: name, Kind: code.DefType, Line: int32(at.Line()), Exported: !unnamedSpace(b, n)})
	def.Scope = b.OpenScope(code.TypeScope, called, n.Start(), n.End())
	s := b.Scope
	b.Scopes[s].Body = true
	symbol(b, s, at.Start())
	if isCPP(b) {
		cppTemplateParameters(b, n)
		cppBases(b, n)
	}
	memberFacts(b, n)
	b.CloseScope()
	return b.Name(name, at.Start())
}

// memberFacts reads the body of a type.
func memberFacts(b *core.FactBuilder, n syntax.Node) {
	body := n.Field("body")
	if !n.Is("enum_specifier") {
		b.WalkChildren(body)
		return
	}
	outer := int32(-1)
	if !n.Has("class") && !n.Has("struct") { // its values are also visible in the enclosing scope
		outer = b.Scopes[b.Scope].Parent
	}
	enumerators(b, body, outer)
}

func enumerators(b *core.FactBuilder, body syntax.Node, outer int32) {
	for e := range body.NamedSeq() {
		if !e.Is("enumerator") {
			enumerators(b, e, outer)
			continue
		}
		name := e.Field("name")
		b.Walk(e.Field("value"))
		if isCPP(b) {
			b.Define(code.Def{Name: name.Text(), Kind: code.DefMember, Line: int32(name.Line()), Exported: true})
			if outer >= 0 && b.Scopes[b.Scope].Name != "" {
				typ := b.Name(b.Scopes[b.Scope].Name, body.Start())
				b.DefineIn(outer, code.Def{Name: name.Text(), Kind: code.DefVar, Type: typ, Line: int32(name.Line()), Exported: true})
			}
		}
	}
}
