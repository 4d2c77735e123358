package drift

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// A shape is the signature of a function of TypeScript as types.
type shape struct {
	generics []generic
	fields   []code.TypeField // parameters
	result   code.Type        // zero if it is not written
	this     string           // the type of the object that it is called on; "" for none
}

// A generic is a type parameter of a function.
type generic struct {
	name       string
	constraint code.Type // zero for none
	fallback   code.Type // its default; zero for none
	mentioned  bool      // it is in the type of a parameter, so that calls need no type arguments
}

// fitting takes back that a change of a function of TypeScript breaks users, in the items from index from on, if each former signature has
// one now that can be called in its place: the parameters that became types of their own are inferred, as TypeScript does it.
func (d *differ) fitting(p pair, from int) {
	if !p.compat.openTypes || !p.compat.unions || !callable(p.old.Kind) || !callable(p.now.Kind) || p.now.Kind == code.Constructor {
		return
	}
	if !slices.ContainsFunc(d.items[from:], func(i Item) bool { return i.Breaking && slices.Contains(ofSignatures, i.Rule) }) {
		return
	}
	if !d.fits(p) {
		return
	}
	for k := from; k < len(d.items); k++ {
		i := &d.items[k]
		if i.Breaking && slices.Contains(ofSignatures, i.Rule) {
			i.Breaking = false
			if i.Rule != "type-parameters-changed" { // of which those hear who write type arguments
				i.Severity = Low
			}
		}
	}
}

// fits reports whether each signature of a function can be called as the former one, with aliases of both sides replaced: those that others
// cannot name, or all, or those that one side alone has.
func (d *differ) fits(p pair) bool {
	known, named := d.knowing(p), d.naming(p)
	open, back := len(formsOf(p.old)), 0
	if callSignature(p.now) {
		back = len(formsOf(p.now))
	}
	fit, fitBack := make([]bool, open), make([]bool, back)
	for _, by := range []struct {
		rules   compatRules
		aliases func() (before, now tsAliases)
	}{
		{named, d.ownAliases},
		{known, func() (before, now tsAliases) { return hiddenAliases(d.base), hiddenAliases(d.now) }},
		{known, func() (before, now tsAliases) { return d.tsAliases(d.base, p.old), d.tsAliases(d.now, p.now) }},
		{known, func() (before, now tsAliases) { return d.newAliases(p) }},
	} {
		h := by.rules
		before, now := by.aliases()
		was, is := d.shapes(p, 0, before), d.shapes(p, 1, now)
		if size(was)+size(is) > maxShapes {
			continue
		}
		for i := range fit {
			fit[i] = fit[i] || h.oneFits(is, was[i])
		}
		for i := range fitBack {
			back := h
			back.loose = true
			fitBack[i] = fitBack[i] || back.oneFits(was, is[i])
		}
		if !slices.Contains(fit, false) && !slices.Contains(fitBack, false) {
			return true
		}
	}
	return false
}

// maxShapes limits the texts of signatures with what aliases stand for, in bytes: comparing each with each takes long.
const maxShapes = 100_000

// size returns how long the texts of signatures are.
func size(list []shape) int {
	n := 0
	for _, s := range list {
		n += len(s.result.Text)
		for _, f := range s.fields {
			n += len(f.Type.Text)
		}
		for _, g := range s.generics {
			n += len(g.constraint.Text) + len(g.fallback.Text)
		}
	}
	return n
}

// without returns the aliases of names that other aliases do not have.
func (a tsAliases) without(others tsAliases) tsAliases {
	out := tsAliases{}
	for name, alias := range a {
		if _, known := others[name]; !known {
			out[name] = alias
		}
	}
	return out
}

// hiddenAliases returns the aliases that others cannot name. What changed of the others is told of them.
func hiddenAliases(s *code.Skeleton) tsAliases {
	out := tsAliases{}
	eachAlias(&code.Skeleton{Internals: s.Internals, Language: s.Language}, func(sym *code.Symbol, alias tsAlias) {
		if alias.body != "" {
			out[sym.Name] = alias
		}
	})
	return out
}

// ofSignatures are the rules about types in signatures of functions. A parameter that was inserted, left out or moved may have the type of
// another one: then the types fit, and calls mean something else.
var ofSignatures = []string{
	"type-parameters-changed", "param-required-added", "param-type-changed", "param-variadic-changed", "param-became-required",
	"return-type-changed", "overload-removed", "signature-changed",
}

// callSignature reports whether a member of a type is the call of its values, which users may have to write.
func callSignature(s *code.Symbol) bool { return strings.HasPrefix(s.Name, "(") }

// shapes returns the signatures of a function as it was (0) or is (1).
func (d *differ) shapes(p pair, side int, aliases tsAliases) []shape {
	s, owner := p.old, p.owned
	if side == 1 {
		s, owner = p.now, p.owner
	}
	around := parametersAround(owner, nil)
	var out []shape
	for _, o := range formsOf(s) {
		places := maps.Clone(around)
		for i, name := range parameterNames(o.TypeParameters) {
			places[name] = "Generic" + strconv.Itoa(side) + "_" + strconv.Itoa(i)
		}
		read := func(text string) code.Type {
			if strings.TrimSpace(text) == "" {
				return code.Type{}
			}
			return d.types.Of(p.compat.name, aliases.spell(placed(uncommented(text), places)))
		}
		one := shape{result: read(o.Returns)}
		for _, q := range o.Params {
			one.fields = append(one.fields, code.TypeField{Name: q.Name, Type: read(cmp.Or(q.Type, "any")), Optional: q.Optional, Variadic: q.Variadic})
		}
		for i, text := range o.TypeParameters {
			constraint, fallback := bounds(text)
			g := generic{name: "Generic" + strconv.Itoa(side) + "_" + strconv.Itoa(i), constraint: read(constraint), fallback: read(fallback)}
			g.mentioned = slices.ContainsFunc(one.fields, func(f code.TypeField) bool { return slices.Contains(split(f.Type.Text), g.name) })
			one.generics = append(one.generics, g)
		}
		of := *s
		of.Signature = o.Signature
		one.this = thisOf(&of)
		out = append(out, one)
	}
	return out
}

// bounds returns what a type parameter extends, and its default; "" for none.
func bounds(text string) (constraint, fallback string) {
	words := split(text)
	from, to := slices.Index(words, "extends"), len(words)
	for i, w := range words {
		if w == "=" && i+1 < len(words) && words[i+1] != ">" {
			to = i
			fallback = joined(words[i+1:])
			break
		}
	}
	if from >= 0 && from+1 < to {
		constraint = joined(words[from+1 : to])
	}
	return constraint, fallback
}

// oneFits reports whether a signature can be had from one of a list.
func (h compatRules) oneFits(from []shape, want shape) bool {
	return slices.ContainsFunc(from, func(have shape) bool {
		return have.takes(len(want.fields)) && have.typeArgumentsFit(want) && (have.this == "" || have.this == want.this) && h.callableShape(have, want, maxDepth)
	})
}

// takes reports whether a function can be called with a number of arguments.
func (s shape) takes(n int) bool {
	return len(s.fields) >= n || len(s.fields) > 0 && s.fields[len(s.fields)-1].Variadic
}

// typeArgumentsFit reports whether the type arguments that calls of another function have to have are those of this one, too.
func (s shape) typeArgumentsFit(was shape) bool {
	if !slices.ContainsFunc(was.generics, func(g generic) bool { return !g.mentioned && g.fallback.Text == "" }) {
		return true
	}
	needed := 0
	for _, g := range s.generics {
		if g.fallback.Text == "" {
			needed++
		}
	}
	return len(s.generics) >= len(was.generics) && needed <= len(was.generics)
}

// callableShape reports whether a function can be called as one of another type. Its type parameters are inferred from the types of the
// other one, whose type parameters are any types that keep their constraints.
func (h compatRules) callableShape(from, to shape, depth int) bool {
	known := h.extends
	h.extends = map[string]code.Type{}
	maps.Copy(h.extends, known)
	for _, g := range to.generics {
		h.extends[g.name] = g.constraint
	}
	from = h.instantiated(from, to, depth)
	passed := h
	passed.taking = !h.taking
	for i, f := range from.fields {
		switch {
		case i >= len(to.fields):
			if !f.Optional && !f.Variadic {
				return false
			}
		case f.Variadic && !to.fields[i].Variadic:
			return passed.takesAll(f, to.fields[i:], depth) && h.gives(from, to, depth)
		case f.Variadic != to.fields[i].Variadic || !passed.assignable(given(to.fields[i]), given(f), depth):
			return false
		}
	}
	return h.gives(from, to, depth)
}

// gives reports whether what a function gives can be used as what another one gives.
func (h compatRules) gives(from, to shape, depth int) bool {
	return to.result.Text == "" || to.result.Is("void") || from.result.Text != "" && h.assignable(from.result, to.result, depth)
}

// takesAll reports whether a rest parameter takes what is passed for other parameters.
func (h compatRules) takesAll(rest code.TypeField, passed []code.TypeField, depth int) bool {
	element, ok := elementOf(rest)
	return ok && !slices.ContainsFunc(passed, func(f code.TypeField) bool {
		one, known := elementOf(f)
		return !known || !h.assignable(one, element, depth)
	})
}

// elementOf returns the type of an argument for a parameter; for a rest parameter, of one of its arguments, if that is known.
func elementOf(f code.TypeField) (t code.Type, known bool) {
	switch t := f.Type; {
	case !f.Variadic:
		return given(f), true
	case t.Form == code.ListType && len(t.Args) > 0, t.Form == code.NamedType && len(t.Args) == 1 && (t.Name == "Array" || t.Name == "ReadonlyArray"):
		return t.Args[0], true
	case t.Form == code.OtherType && t.Name == "readonly" && len(t.Args) == 1:
		return elementOf(code.TypeField{Type: t.Args[0], Variadic: true})
	}
	return code.Type{}, false
}

// instantiated returns a signature with its type parameters replaced by what they are if it stands for another one.
func (h compatRules) instantiated(s, as shape, depth int) shape {
	if len(s.generics) == 0 {
		return s
	}
	open, found := map[string]bool{}, map[string]code.Type{}
	for _, g := range s.generics {
		open[g.name] = true
	}
	for i, f := range s.fields {
		if i < len(as.fields) && f.Variadic == as.fields[i].Variadic {
			h.infer(f.Type, as.fields[i].Type, open, found, depth)
		}
	}
	h.infer(s.result, as.result, open, found, depth)
	for _, g := range s.generics { // a constraint may name those before it, and itself
		limit := g.constraint.Bind(found)
		t, ok := found[g.name]
		switch {
		case !ok && g.fallback.Text != "":
			t = g.fallback.Bind(found)
		case !ok && limit.Text != "":
			t = limit
		case !ok:
			t = plainType("unknown")
		}
		found[g.name] = t
		if limit = g.constraint.Bind(found); limit.Text != "" && !h.assignable(t, limit, depth) {
			found[g.name] = limit
		}
	}
	out := shape{result: s.result.Bind(found), this: s.this}
	for _, f := range s.fields {
		f.Type = f.Type.Bind(found)
		out.fields = append(out.fields, f)
	}
	return out
}

// infer finds the types that open names in a type stand for if it is another one.
func (h compatRules) infer(in, as code.Type, open map[string]bool, found map[string]code.Type, depth int) {
	switch {
	case depth == 0 || in.Text == "" || as.Text == "":
		return
	case in.Form == code.NamedType && len(in.Args) == 0 && open[in.Name]:
		if known, ok := found[in.Name]; !ok || h.assignable(known, as, depth-1) {
			found[in.Name] = as
		}
		return
	case in.Form == code.UnionType:
		h.inferUnion(in, as, open, found, depth)
		return
	case in.Form != as.Form || in.Name != as.Name || len(in.Args) != len(as.Args):
		return
	}
	h.inferParts(in, as, open, found, depth)
}

// inferParts is infer for the parts of two types of the same form.
func (h compatRules) inferParts(in, as code.Type, open map[string]bool, found map[string]code.Type, depth int) {
	for i := range in.Args {
		h.infer(in.Args[i], as.Args[i], open, found, depth-1)
	}
	for i, f := range in.Fields {
		at := i
		if in.Form == code.ObjectType {
			at = slices.IndexFunc(as.Fields, func(g code.TypeField) bool { return g.Name == f.Name })
		}
		if at >= 0 && at < len(as.Fields) {
			h.infer(f.Type, as.Fields[at].Type, open, found, depth-1)
		}
	}
}

// inferUnion is infer for a union: an open name in it stands for what no other type of it is.
func (h compatRules) inferUnion(in, as code.Type, open map[string]bool, found map[string]code.Type, depth int) {
	var names, others []code.Type
	for _, t := range in.Args {
		if t.Form == code.NamedType && len(t.Args) == 0 && open[t.Name] {
			names = append(names, t)
		} else {
			others = append(others, t)
		}
	}
	keys := h.keys(others)
	var rest []code.Type
	for _, t := range h.alternatives(as) {
		if slices.Contains(keys, h.key(t)) {
			continue
		}
		for _, o := range others {
			h.infer(o, t, open, found, depth-1)
		}
		rest = append(rest, t)
	}
	if len(names) != 1 || len(rest) == 0 {
		return
	}
	t := rest[0]
	if len(rest) > 1 {
		t = worded(code.Type{Form: code.UnionType, Args: rest, At: -1})
	}
	h.infer(names[0], t, open, found, depth-1)
}

// shapeOf returns the signature of a function type, with names of its type parameters that nothing else has.
func (h compatRules) shapeOf(t code.Type, prefix string) shape {
	head := closing(t.Text)
	if t.Text == "" || t.Text[0] != '<' || head == 0 {
		return shape{fields: t.Fields, result: t.Args[0]}
	}
	prefix += strconv.Itoa(len(h.extends))
	list := topLevel(t.Text[1 : head-1])
	places := map[string]code.Type{}
	for i, name := range parameterNames(list) {
		places[name] = plainType(prefix + "_" + strconv.Itoa(i))
	}
	out := shape{result: t.Args[0].Bind(places)}
	for _, f := range t.Fields {
		f.Type = f.Type.Bind(places)
		out.fields = append(out.fields, f)
	}
	for i, text := range list {
		g := generic{name: prefix + "_" + strconv.Itoa(i)}
		if constraint, fallback := bounds(text); h.read != nil {
			g.constraint, g.fallback = h.read(constraint).Bind(places), h.read(fallback).Bind(places)
		}
		out.generics = append(out.generics, g)
	}
	return out
}
