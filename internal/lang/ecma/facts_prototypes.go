package ecma

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// The object that new f() creates has the members set on f's prototype: an object with the
// name "f.prototype" in the scope that binds f. Members set on the function itself are under
// "f.{members}" there, and exports of a CommonJS file under "exports" in the file's scope.

// memberAssignment reads x.y = v: a member of "this", of a prototype, of exports, or of an
// object or function.
func (e factReader) memberAssignment(left, right syntax.Node) code.Ref {
	object := left.Field("object")
	switch text := left.Text(); {
	case text == "module.exports":
		return e.defaultExport(left, right)
	case object.Is("this"):
		return e.fieldAssignment(left, right)
	}
	if scope := e.membersOf(object); scope >= 0 {
		return e.setMember(scope, left, right)
	}
	e.Value(left)
	return e.Value(right)
}

// defaultExport reads module.exports = v.
func (e factReader) defaultExport(left, right syntax.Node) code.Ref {
	ref := e.Value(right)
	if e.Scope == 0 || e.Function() == 0 {
		e.DefineIn(0, code.Def{Name: "default", Kind: code.DefField, Value: ref, Line: e.line(left), Exported: true, Default: true})
	}
	return ref
}

// fieldAssignment reads this.x = v: a field, unless its class declares its type.
func (e factReader) fieldAssignment(left, right syntax.Node) code.Ref {
	this := e.Value(left.Field("object"))
	scope := int32(-1)
	if this != 0 && e.Exprs[this].Op == code.OpThis {
		scope = e.self(e.Exprs[this].Scope)
	}
	e.Value(left)
	if scope < 0 {
		return e.Value(right)
	}
	name := left.Field("property").Text()
	typ := e.docType(e.docOf(left), "", "type")
	ref := e.expected(right, typ)
	for i := range e.Scopes[scope].Defs {
		d := &e.Scopes[scope].Defs[i]
		if d.Name == name && (d.Kind != code.DefField || d.Type != 0 || d.Value != 0) {
			e.expect(ref, d.Type)
			return ref
		}
	}
	if ref != 0 || typ != 0 {
		e.DefineIn(scope, code.Def{Name: name, Kind: code.DefField, Type: typ, Value: ref, Line: e.line(left.Field("property"))})
	}
	return ref
}

// self returns the scope of the members of "this" in a scope; -1 for none.
func (e factReader) self(scope int32) int32 {
	for s := scope; s >= 0; s = e.Scopes[s].Parent {
		if e.Scopes[s].Kind == code.TypeScope || e.isObject(s) {
			return s
		}
	}
	return -1
}

// isObject reports whether a scope is that of an object's members.
func (e factReader) isObject(s int32) bool {
	return e.Scopes[s].Kind == code.SpaceScope && e.Scopes[s].Name == ""
}

// setMember binds a member in a scope.
func (e factReader) setMember(scope int32, left, right syntax.Node) code.Ref {
	property := left.Field("property")
	d := code.Def{Name: property.Text(), Kind: code.DefField, Line: e.line(property)}
	v := unwrapped(right)
	if !isFunction(v) {
		d.Value = e.Value(v)
		e.DefineIn(scope, d)
		return d.Value
	}
	outer := e.Scope
	if !v.Is("arrow_function") {
		e.Scope = scope
	}
	s := e.functionIn(scope, v, left, d.Name, d)
	if f := &e.Scopes[s]; f.Symbol == "" {
		f.Symbol = srctext.Join(strings.TrimSuffix(left.Field("object").Text(), ".prototype"), d.Name)
	}
	e.Scope = outer
	return e.ScopeExpr(code.OpFunc, s)
}

// membersOf returns the scope with the members of an object: a prototype, exports, an object
// literal or a function of the file; -1 for others.
func (e factReader) membersOf(object syntax.Node) int32 {
	switch text := object.Text(); {
	case text == "exports", text == "module.exports":
		return e.objectIn(0, "exports")
	case object.Is("identifier"):
		return e.ofVariable(text)
	case object.Is("member_expression") && object.Field("property").TextIs("prototype"):
		return e.prototype(object.Field("object"))
	}
	return -1
}

// prototype returns the scope of a function's prototype; -1 if f is not a function of the
// file.
func (e factReader) prototype(f syntax.Node) int32 {
	if d, scope := e.bound(f.Text()); f.Is("identifier") && d != nil && d.Kind == code.DefFunc {
		return e.objectIn(scope, f.Text()+".prototype")
	}
	return -1
}

// hasPrototype reports whether the file mentions the prototype of a function.
func (e factReader) hasPrototype(name string) bool {
	owners, known := e.Own.(map[string]bool)
	if !known {
		owners = prototypeOwners(e.Source)
		e.Own = owners
	}
	return owners[name]
}

// prototypeOwners returns the names before ".prototype" in a text.
func prototypeOwners(text []byte) map[string]bool {
	const mark = ".prototype"
	out := map[string]bool{}
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(mark))
		if i < 0 {
			return out
		}
		from := at + i
		for from > 0 && (plainKey(string(text[from-1:from])) || text[from-1] >= utf8.RuneSelf) {
			from--
		}
		out[string(text[from:at+i])] = true
		at += i + len(mark)
	}
}

// ofVariable returns the scope of the members of the object literal or function that a name is
// bound to; -1 for none.
func (e factReader) ofVariable(name string) int32 {
	d, scope := e.bound(name)
	switch {
	case d == nil:
	case d.Kind == code.DefFunc:
		return e.objectIn(scope, name+".{members}")
	case d.Kind == code.DefVar && d.Type == 0 && e.Exprs[d.Value].Op == code.OpObject:
		return e.Exprs[d.Value].N
	}
	return -1
}

// bound returns the binding of a name so far and its scope; nil for none.
func (e factReader) bound(name string) (d *code.Def, scope int32) {
	for s := e.Scope; s >= 0; s = e.Scopes[s].Parent {
		if e.Scopes[s].Kind == code.TypeScope || e.isObject(s) {
			continue
		}
		for i := range e.Scopes[s].Defs {
			if d := &e.Scopes[s].Defs[i]; d.Name == name && d.Kind != code.DefTypeParam {
				return d, s
			}
		}
	}
	return nil, -1
}

// objectIn returns the scope of the object with a name in a scope, which it creates if
// necessary.
func (e factReader) objectIn(scope int32, name string) int32 {
	for i := range e.Scopes[scope].Defs {
		if d := &e.Scopes[scope].Defs[i]; d.Name == name && e.Exprs[d.Value].Op == code.OpObject {
			return e.Exprs[d.Value].N
		}
	}
	outer := e.Scope
	e.Scope = scope
	object := e.OpenScope(code.SpaceScope, "", 0, len(e.Source))
	e.Scope = outer
	e.DefineIn(scope, code.Def{Name: name, Kind: code.DefField, Value: e.ScopeExpr(code.OpObject, object), Line: 1})
	return object
}
