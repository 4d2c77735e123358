package drift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// overloads compares the signatures of an overloaded function. Equal ones are ignored; if one
// remains on each side, it changed; all others were removed or added.
func (d *differ) overloads(p pair) {
	was, is := formsOf(p.old), formsOf(p.now)
	key := formKey
	if p.compat.openTypes {
		key = d.formKey
	}
	if p.compat.name == "python" && (len(was) == 1) != (len(is) == 1) { // overloads tell type checkers more of one function
		a, b := oneForm(was), oneForm(is)
		d.params(p, a.Params, b.Params)
		d.result(p, a.Returns, b.Returns)
		return
	}
	d.redefaultedForms(p, was, is)
	gone, come := unlike(was, is, key), unlike(is, was, key)
	if len(gone) == 1 && len(come) == 1 {
		d.overload(p, gone[0], come[0])
		return
	}
	for len(gone) > 0 && len(come) > 0 { // pair those closest in number of parameters
		i, j := nearest(gone, come)
		if i < 0 {
			break
		}
		d.overload(p, gone[i], come[j])
		gone = append(gone[:i:i], gone[i+1:]...)
		come = append(come[:j:j], come[j+1:]...)
	}
	for _, o := range gone {
		d.add("overload-removed", p, change{old: o.Signature})
	}
	for _, o := range come {
		implemented := p.owner != nil && (p.owner.Kind == code.Interface || p.owner.Kind == code.Trait)
		d.add("overload-added", p, change{now: o.Signature, verdict: verdictIf(implemented && !p.compat.openTypes)})
	}
}

// oneForm returns one signature that takes what overloads of Python take and gives what they give.
func oneForm(list []code.Overload) code.Overload {
	out := list[0]
	if len(list) == 1 {
		return out
	}
	add := func(a, b string) string {
		if a == "" || b == "" || slices.Contains(topLevelUnion(a), strings.TrimSpace(b)) {
			return a
		}
		return a + " | " + b
	}
	out.Params = slices.Clone(out.Params)
	for _, o := range list[1:] {
		out.Returns = add(out.Returns, o.Returns)
		for i := range out.Params {
			out.Params[i].Optional = out.Params[i].Optional || !slices.ContainsFunc(o.Params, func(q code.Param) bool { return q.Name == out.Params[i].Name })
		}
		for _, q := range o.Params {
			i := slices.IndexFunc(out.Params, func(known code.Param) bool { return known.Name == q.Name })
			if i < 0 {
				q.Optional = true
				out.Params = append(out.Params, q)
				continue
			}
			out.Params[i].Type = add(out.Params[i].Type, q.Type)
			if q.Optional && !out.Params[i].Optional {
				out.Params[i].Optional, out.Params[i].Default = true, q.Default
			}
		}
	}
	return out
}

// topLevelUnion splits a union of Python that no brackets are around.
func topLevelUnion(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, "|") {
		out = append(out, strings.TrimSpace(part))
	}
	return out
}

// redefaultedForms compares the signatures of TypeScript that are written as before and use an alias with other defaults.
func (d *differ) redefaultedForms(p pair, was, is []code.Overload) {
	if !p.compat.openTypes {
		return
	}
	for _, a := range was {
		i := slices.IndexFunc(is, func(b code.Overload) bool { return d.formKey(b) == d.formKey(a) })
		if i >= 0 && slices.ContainsFunc(a.Params, func(q code.Param) bool { return d.redefaulted(p, q.Type) }) {
			d.params(p, a.Params, is[i].Params)
		}
	}
}

// formsOf returns a function's signatures, one if it is not overloaded.
func formsOf(s *code.Symbol) []code.Overload {
	if len(s.Overloads) > 0 {
		return s.Overloads
	}
	return []code.Overload{{
		Signature: s.Signature, TypeParameters: s.TypeParameters, Params: s.Params,
		Returns: s.Returns, SignatureHash: s.SignatureHash,
	}}
}

// unlike returns the signatures of a that are not in b.
func unlike(a, b []code.Overload, key func(o code.Overload) string) []code.Overload {
	count := map[string]int{}
	for _, o := range b {
		count[key(o)]++
	}
	var out []code.Overload
	for _, o := range a {
		if k := key(o); count[k] > 0 {
			count[k]--
			continue
		}
		out = append(out, o)
	}
	return out
}

func formKey(o code.Overload) string {
	if o.SignatureHash != "" {
		return o.SignatureHash
	}
	return squeeze(o.Signature)
}

// nearest returns the indexes of two signatures whose parameters have the same names, or -1.
func nearest(gone, come []code.Overload) (i, j int) {
	for i := range gone {
		for j := range come {
			if names(gone[i].Params) == names(come[j].Params) {
				return i, j
			}
		}
	}
	return -1, -1
}

// overload compares two paired signatures.
func (d *differ) overload(p pair, was, is code.Overload) {
	q := p
	old, now := *p.old, *p.now
	for side, o := range map[*code.Symbol]code.Overload{&old: was, &now: is} {
		side.Signature, side.TypeParameters, side.Params = o.Signature, o.TypeParameters, o.Params
		side.Returns, side.SignatureHash, side.Overloads = o.Returns, o.SignatureHash, nil
	}
	q.old, q.now = &old, &now
	from := len(d.items)
	d.typeParameters(q)
	d.params(q, was.Params, is.Params)
	d.result(q, was.Returns, is.Returns)
	if len(d.items) == from {
		d.rest(q)
	}
}

// formKey returns a text that is the same for overloads of TypeScript that differ in names of parameters and type parameters.
func (d *differ) formKey(o code.Overload) string {
	h := compatRules{name: "typescript", openTypes: true, unions: true, known: d.typeKeys}
	var list []string
	for _, q := range o.Params {
		list = append(list, mark(q.Optional)+mark(q.Variadic)+h.key(d.types.Of(h.name, q.Type)))
	}
	text := id(strings.Join(list, ","), h.key(d.types.Of(h.name, o.Returns)))
	places := map[string]string{}
	for i, name := range parameterNames(o.TypeParameters) {
		places[name] = "T" + strconv.Itoa(i)
	}
	return id(append(positional(o.TypeParameters), placed(text, places))...)
}
