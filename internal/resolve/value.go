package resolve

import (
	"encoding/binary"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// kind is the kind of a value.
type kind uint8

const (
	instance  kind = iota + 1 // an instance of type decl, with type arguments args
	typeValue                 // the type decl itself
	function                  // the function decl, or the closure with scope scope of unit
	module                    // the file unit; its members are its exports
	space                     // a package, by name, or the namespace decl
	external                  // something external, by name
	builtin                   // an instance of a built-in type, by name: "list" (args: element), "map" (key, element), "tuple", "promise", "string"
	object                    // the object whose members are in scope scope of unit
	typeParam                 // an instance of the type parameter decl
	funcType                  // an instance of the function type ref of unit
	named                     // what the variable, field, getter or alias decl denotes; see Linker.open
)

// value is a possible value of an expression.
type value struct {
	kind kind
	// how is the rule by which the value was found.
	how   Rule
	scope int32
	ref   code.Ref
	decl  *decl
	unit  *unit
	name  string
	args  []values
	// on is the receiver of a function: it binds the type parameters of its type.
	on  *value
	env *env // closures and function types: the type arguments where they are written
}

// values are the possible values of an expression; none if unknown.
type values []value

// maxValues bounds the number of possible values.
const maxValues = 8

// maxOverloads bounds the number of functions of one name.
const maxOverloads = 256

// maxArgs bounds the nesting of type arguments.
const maxArgs = 3

// add returns the values and those of more that are not among them. It leaves their arrays alone, which others may hold; so must
// its callers, for the result may be one of the two.
func (vs values) add(more ...value) values {
	if len(vs) == 0 && values(more).distinct() {
		return more
	}
	out := vs
	for i := range more {
		v := &more[i]
		if len(out) >= maxValues && (v.kind != function || len(out) >= maxOverloads) || out.has(v) {
			continue
		}
		if len(out) == len(vs) { // the first one that is added
			out = append(make(values, 0, len(vs)+len(more)-i), vs...)
		}
		out = append(out, *v)
	}
	return out
}

// distinct reports whether the values are different, and not too many.
func (vs values) distinct() bool {
	if len(vs) > maxValues {
		return false
	}
	for i := range vs {
		if vs[:i].has(&vs[i]) {
			return false
		}
	}
	return true
}

func (vs values) has(v *value) bool {
	for i := range vs {
		if vs[i].same(v) {
			return true
		}
	}
	return false
}

// same reports whether two values are equal, ignoring how they were found.
func (v *value) same(w *value) bool {
	return v.kind == w.kind && v.decl == w.decl && v.unit == w.unit && v.scope == w.scope && v.ref == w.ref && v.name == w.name &&
		v.env == w.env && slices.EqualFunc(v.args, w.args, values.same) && (v.on == w.on || v.on != nil && w.on != nil && v.on.same(w.on))
}

// same reports whether two sets are equal, in any order.
func (vs values) same(ws values) bool {
	if len(vs) != len(ws) {
		return false
	}
	for i := range vs {
		if !ws.has(&vs[i]) {
			return false
		}
	}
	return true
}

// by returns the values with rule r, where that has lower confidence.
func (vs values) by(r Rule) values {
	for i := range vs {
		if weakest(vs[i].how, r) == vs[i].how {
			continue
		}
		out := slices.Clone(vs)
		for j := i; j < len(out); j++ {
			out[j].how = weakest(out[j].how, r)
		}
		return out
	}
	return vs
}

// only returns the values for which keep is true. It leaves the array of vs alone.
func (vs values) only(keep func(v *value) bool) values {
	kept, n := make([]bool, 0, 64), 0
	for i := range vs {
		kept = append(kept, keep(&vs[i]))
		if kept[i] {
			n++
		}
	}
	if n == len(vs) {
		return vs
	}
	out := make(values, 0, n)
	for i := range vs {
		if kept[i] {
			out = append(out, vs[i])
		}
	}
	return out
}

// have reports whether there are n values or more for which so is true.
func (vs values) have(n int, so func(v *value) bool) bool {
	for i := 0; i < len(vs) && n > 0; i++ {
		if so(&vs[i]) {
			n--
		}
	}
	return n <= 0
}

// plain reports whether all values have project types without type parameters.
func (vs values) plain() bool {
	return len(vs) > 0 && !slices.ContainsFunc(vs, func(v value) bool {
		return v.kind != instance || v.decl == nil || len(v.decl.typeParams()) > 0
	})
}

// arg returns the i-th type argument; nil if there is none.
func (v value) arg(i int) values {
	if i < 0 || i >= len(v.args) {
		return nil
	}
	return v.args[i]
}

// depth returns the nesting of the values' type arguments.
func (vs values) depth() int {
	n := 0
	for _, v := range vs {
		for _, a := range v.args {
			n = max(n, 1+a.depth())
		}
	}
	return n
}

// withArgs returns v with type arguments, unless they are nested too deeply.
func (v value) withArgs(args ...values) value {
	for i, a := range args {
		if a.depth() >= maxArgs {
			args[i] = nil
		}
	}
	v.args = args
	return v
}

// functionName is the built-in type of functions known by their result (args[0]) and parameters (the rest).
const functionName = "func"

func listOf(elem values) value      { return value{kind: builtin, name: "list"}.withArgs(elem) }
func mapOf(key, elem values) value  { return value{kind: builtin, name: "map"}.withArgs(key, elem) }
func builtinOf(name string) value   { return value{kind: builtin, name: name} }
func promiseOf(inner values) value  { return value{kind: builtin, name: "promise"}.withArgs(inner) }
func externalOf(name string) value  { return value{kind: external, name: name} }
func instanceOf(d *decl) value      { return value{kind: instance, decl: d} }
func typeOf(d *decl) value          { return value{kind: typeValue, decl: d} }
func tupleOf(parts ...values) value { return value{kind: builtin, name: "tuple"}.withArgs(parts...) }

// env binds type parameters. Envs are interned, so that equal ones are the same pointer; nil is the empty env.
type env struct {
	params []*decl
	args   []values
}

// lookup returns the binding of a type parameter.
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

// appendKey appends a key that is unique among the envs of one linker.
func (e *env) appendKey(b []byte) []byte {
	if e == nil {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(e.params)))
	for i, p := range e.params {
		b = e.args[i].appendKey(binary.AppendUvarint(b, uint64(p.id)))
	}
	return b
}

// appendKey appends a key of a set of values, independent of their order, that includes their rules.
func (vs values) appendKey(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(vs)))
	if len(vs) == 1 {
		return vs[0].appendKey(b)
	}
	keys := make([]string, len(vs))
	for i := range vs {
		keys[i] = string(vs[i].appendKey(nil))
	}
	slices.Sort(keys)
	for _, k := range keys {
		b = append(b, k...)
	}
	return b
}

func (v *value) appendKey(b []byte) []byte {
	b = append(b, byte(v.kind))
	b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(v.scope)), uint64(v.ref))
	decl, unit := uint64(0), uint64(0)
	if v.decl != nil {
		decl = uint64(v.decl.id)
	}
	if v.unit != nil {
		unit = uint64(v.unit.id)
	}
	b = binary.AppendUvarint(binary.AppendUvarint(b, decl), unit)
	b = append(append(b, v.name...), 0)
	b = append(b, byte(v.how))
	b = binary.AppendUvarint(b, uint64(len(v.args)))
	for _, a := range v.args {
		b = a.appendKey(b)
	}
	if v.on == nil {
		b = append(b, 0)
	} else {
		b = v.on.appendKey(append(b, 1))
	}
	return v.env.appendKey(b)
}
