package rust

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// trait reads a trait. Its required members are abstract, its provided ones optional.
func (r *reader) trait(n syntax.Node, s scope) code.Symbol {
	sym := r.begin(n, code.Trait, s)
	if sym.Name == "" {
		return sym
	}
	sym.TypeParameters = r.parameters(n)
	sym.Bases = syntax.Texts(syntax.NamedChildren(n.Field("bounds")))
	body := n.Field("body")
	r.signature(&sym, n, body)
	sym.BodyHash = ""
	sym.Members = r.items(body, scope{owner: srctext.Join(s.owner, sym.Name), of: code.Trait, public: true, test: s.test})
	return sym
}

// impl reads an impl block. Its methods belong to the type it names.
func (r *reader) impl(n syntax.Node, s scope) {
	named, trait := n.Field("type"), n.Field("trait")
	name := typeName(named)
	if name == "" || core.TooDeep(s.owner) {
		return
	}
	owner := r.resolve(named, name, s)
	in := scope{owner: owner, of: code.Struct, public: trait.Ok(), test: s.test}
	if owner == "" {
		in.owner = name
	}
	list := r.items(n.Field("body"), in)
	conditions := slices.DeleteFunc(attributesOf(n), func(a string) bool { // those that hold for each member
		return attributeName(a) != "cfg" && strings.Join(strings.Fields(a), "") != "#[doc(hidden)]"
	})
	for i := range list {
		list[i].Decorators = append(slices.Clone(conditions), list[i].Decorators...)
		list[i].Optional = named.Is("dynamic_type") // trait objects do not require these methods
	}
	if s.test && !r.File.Test {
		return
	}
	if owner != "" {
		r.methods[owner] = append(r.methods[owner], list...)
		if trait.Ok() {
			r.traits[owner] = append(r.traits[owner], implemented(n, trait))
		}
		return
	}
	for _, m := range list {
		if m.Kind != code.Method && trait.Ok() {
			continue // Output of impl Add for Other means nothing without its type
		}
		m.Name = name + "." + m.Name
		r.orphans = append(r.orphans, m)
	}
}

// implemented returns the trait that an impl block implements, with a leading "!" for a
// negative impl.
func implemented(n, trait syntax.Node) string {
	if n.Has("!") {
		return "!" + trait.Text()
	}
	return trait.Text()
}

// typeName returns the name of the type that an impl block is for, without path,
// arguments and references: "S" for &'a mut m::S<T>. For a type without a name it
// returns the text.
func typeName(n syntax.Node) string {
	for range core.MaxNesting {
		switch n.Kind() {
		case "generic_type", "reference_type":
			n = n.Field("type")
		case "dynamic_type", "abstract_type":
			n = n.Field("trait")
		case "bounded_type":
			n = n.First()
		case "scoped_type_identifier":
			n = n.Field("name")
		default:
			return srctext.OneLine(n.Text())
		}
	}
	return ""
}

// resolve returns the qualified name of the type that an impl block in scope s is for.
// It returns "" unless this file declares the type: in the same module, along the
// written path, or exactly once in the file.
func (r *reader) resolve(n syntax.Node, name string, s scope) string {
	if own := srctext.Join(s.owner, name); r.knows(own, s) {
		return own
	}
	found := ""
	for t := range r.types {
		if r.knows(t, s) && (t == name || strings.HasSuffix(t, "."+name)) {
			if found != "" {
				return r.along(n, s)
			}
			found = t
		}
	}
	return found
}

// along resolves a path of self, super and module names.
func (r *reader) along(n syntax.Node, s scope) string {
	for n.Is("generic_type", "reference_type") {
		n = n.Field("type")
	}
	at := strings.Split(s.owner, ".")
	if s.owner == "" {
		at = nil
	}
	for part := range strings.SplitSeq(strings.Join(strings.Fields(n.Text()), ""), "::") {
		switch part {
		case "self":
		case "super":
			at = at[:max(0, len(at)-1)]
		default:
			at = append(slices.Clip(at), part)
		}
	}
	if t := strings.Join(at, "."); r.knows(t, s) {
		return t
	}
	return ""
}

// knows reports whether this file declares the type and scope s sees it. Types compiled
// for tests only are visible in tests only.
func (r *reader) knows(name string, s scope) bool {
	always, ok := r.types[name]
	return ok && (always || s.test || r.File.Test)
}

// attach adds the methods and traits from impl blocks to the types in list.
func (r *reader) attach(list []code.Symbol, owner string) {
	for i := range list {
		sym := &list[i]
		name := srctext.Join(owner, sym.Name)
		if sym.Kind == code.Module {
			r.attach(sym.Members, name)
			continue
		}
		if isTypeKind(sym.Kind) {
			sym.Members = append(sym.Members, r.methods[name]...)
			sym.Bases = append(sym.Bases, r.traits[name]...)
			delete(r.methods, name)
			delete(r.traits, name)
		}
	}
}

func isTypeKind(k code.Kind) bool {
	return k == code.Struct || k == code.Enum || k == code.Union || k == code.Trait || k == code.TypeDef
}

// joinAlternatives merges the declarations of one name and kind at one level, which are
// selected by #[cfg] or implement one trait for several types. The first one represents
// all; a different signature becomes an overload.
func joinAlternatives(list []code.Symbol) []code.Symbol {
	var out []code.Symbol
	first := map[string]int{} // kind and name -> index in out
	for i := range list {
		s := &list[i]
		key := string(s.Kind) + " " + s.Name
		at, ok := first[key]
		if !ok {
			first[key] = len(out)
			out = append(out, *s)
			continue
		}
		into := &out[at]
		start, end := into.StartLine, into.EndLine
		members := len(into.Members)
		core.Merge(into, s, knownForm(into, s))
		into.StartLine, into.EndLine = start, end
		if members > 0 && len(into.Members) > members {
			into.Members = joinAlternatives(into.Members)
		}
	}
	return out
}

// knownForm reports whether a symbol already has the signature of s.
func knownForm(into, s *code.Symbol) bool {
	if len(into.Overloads) == 0 {
		return into.SignatureHash == s.SignatureHash
	}
	return slices.ContainsFunc(into.Overloads, func(o code.Overload) bool { return o.SignatureHash == s.SignatureHash })
}
