package link

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/code"
)

// kind is what a value is.
type kind uint8

const (
	instance  kind = iota + 1 // a value of the type decl, with type arguments args
	typeValue                 // the type decl itself
	function                  // the function decl, or the closure in scope of unit
	module                    // the file unit; what it exports are its members
	space                     // a package, by name, or the namespace decl
	external                  // something of outside the project, by name
	builtin                   // a value of a built-in type, by name: "list" (args: element), "map" (key, element), "tuple", "promise", "string"
	object                    // the object whose members are in scope of unit
	typeParam                 // a value of the type parameter decl
	funcType                  // a value of the function type ref of unit
	named                     // whatever the variable, field, getter or alias decl stands for; see Linker.open
)

// value is what is known of an expression: one of the things it may be.
type value struct {
	kind  kind
	decl  *decl
	unit  *unit
	scope int32
	ref   code.Ref
	name  string
	args  []values
	// on is what a function is called on: it binds the type parameters of the type
	// around it.
	on  *value
	env *env // of closures and function types: what type parameters stand for where they are written
	// how is the rule by which the value was found.
	how Rule
}

// values are the things an expression may be; none when nothing is known.
type values []value

// maxValues bounds how many things an expression may be.
const maxValues = 8

// maxOverloads bounds how many functions of one name are kept.
const maxOverloads = 256

// maxArgs is how deep type arguments are kept.
const maxArgs = 3

// add adds what is not there yet.
func (vs values) add(more ...value) values {
	for _, v := range more {
		if len(vs) >= maxValues && (v.kind != function || len(vs) >= maxOverloads) {
			continue
		}
		if !vs.has(v) {
			vs = append(slices.Clip(vs), v)
		}
	}
	return vs
}

func (vs values) has(v value) bool {
	return slices.ContainsFunc(vs, func(w value) bool { return w.same(v) })
}

// same tells whether two values are one, however they were found.
func (v value) same(w value) bool {
	return v.kind == w.kind && v.decl == w.decl && v.unit == w.unit && v.scope == w.scope && v.ref == w.ref && v.name == w.name &&
		v.env == w.env && slices.EqualFunc(v.args, w.args, values.same) && (v.on == w.on || v.on != nil && w.on != nil && v.on.same(*w.on))
}

// same tells whether two are equal, in whatever order.
func (vs values) same(ws values) bool {
	if len(vs) != len(ws) {
		return false
	}
	for _, v := range vs {
		if !ws.has(v) {
			return false
		}
	}
	return true
}

// by returns the values as found by a rule, where that is less sure.
func (vs values) by(r Rule) values {
	out := slices.Clone(vs)
	for i := range out {
		out[i].how = weakest(out[i].how, r)
	}
	return out
}

// arg returns the i-th type argument; nothing where there is none.
func (v value) arg(i int) values {
	if i < 0 || i >= len(v.args) {
		return nil
	}
	return v.args[i]
}

// depth is how deep the type arguments of values are nested.
func (vs values) depth() int {
	n := 0
	for _, v := range vs {
		for _, a := range v.args {
			n = max(n, 1+a.depth())
		}
	}
	return n
}

// withArgs returns v with type arguments, unless they are nested too deep.
func (v value) withArgs(args ...values) value {
	for i, a := range args {
		if a.depth() >= maxArgs {
			args[i] = nil
		}
	}
	v.args = args
	return v
}

// functionName is the name of the built-in type of functions that are known by what
// they give (args[0]) and get (the rest).
const functionName = "func"

func listOf(elem values) value      { return value{kind: builtin, name: "list"}.withArgs(elem) }
func mapOf(key, elem values) value  { return value{kind: builtin, name: "map"}.withArgs(key, elem) }
func builtinOf(name string) value   { return value{kind: builtin, name: name} }
func promiseOf(inner values) value  { return value{kind: builtin, name: "promise"}.withArgs(inner) }
func externalOf(name string) value  { return value{kind: external, name: name} }
func instanceOf(d *decl) value      { return value{kind: instance, decl: d} }
func typeOf(d *decl) value          { return value{kind: typeValue, decl: d} }
func tupleOf(parts ...values) value { return value{kind: builtin, name: "tuple"}.withArgs(parts...) }

// env says what type parameters stand for. Envs are kept once each, so that equal
// ones are one pointer; nil is the empty one.
type env struct {
	params []*decl
	args   []values
}

// lookup returns what a type parameter stands for.
func (e *env) lookup(d *decl) (values, bool) {
	if e == nil {
		return nil, false
	}
	for i, p := range e.params {
		if p == d {
			return e.args[i], true
		}
	}
	return nil, false
}

// key is a text that tells envs apart.
func (e *env) key() string {
	var b strings.Builder
	for i, p := range e.params {
		b.WriteString(p.key() + "=")
		e.args[i].writeKey(&b)
	}
	return b.String()
}

func (d *decl) key() string {
	if d == nil {
		return "-"
	}
	return d.unit.file.Path + ":" + strconv.Itoa(int(d.scope)) + "." + strconv.Itoa(int(d.index))
}

func (vs values) writeKey(b *strings.Builder) {
	keys := make([]string, len(vs))
	for i, v := range vs {
		var one strings.Builder
		one.WriteString(strconv.Itoa(int(v.kind)) + v.name + v.decl.key() + strconv.Itoa(int(v.scope)) + "/" + strconv.Itoa(int(v.ref)))
		if v.unit != nil {
			one.WriteString(v.unit.file.Path)
		}
		for _, a := range v.args {
			one.WriteByte('<')
			a.writeKey(&one)
			one.WriteByte('>')
		}
		if v.on != nil {
			one.WriteByte('^')
			values{*v.on}.writeKey(&one)
		}
		if v.env != nil {
			one.WriteString("{" + v.env.key() + "}")
		}
		keys[i] = one.String()
	}
	slices.Sort(keys)
	b.WriteString(strings.Join(keys, "|") + ";")
}
