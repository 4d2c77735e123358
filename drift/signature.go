package drift

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// signature compares a declaration's signature. Equal hashes mean equal signatures. A
// difference that none of the items from index from on explains is reported as
// signature-changed.
func (d *differ) signature(p pair, from int) {
	old, now := p.old, p.now
	switch {
	case old.SignatureHash == "" || now.SignatureHash == "":
		d.byText(p)
		return
	case old.SignatureHash == now.SignatureHash:
		d.sameHash(p)
		return
	case p.compat.exact && empty(old) && empty(now):
		return
	}
	d.typeParameters(p)
	d.bases(p)
	if now.Kind == code.TypeDef && spelled(p) {
		return // the members show it; see [differ.symbol]
	}
	d.parts(p)
	d.value(p)
	if len(d.items) == from && len(old.Overloads)+len(now.Overloads) == 0 && !comparedWhole(p) && !d.respelled(p) {
		d.rest(p)
	}
	d.fitting(p, from)
}

// respelled reports whether a signature of TypeScript says the same in other words.
func (d *differ) respelled(p pair) bool {
	return p.compat.openTypes && thisOf(p.old) == thisOf(p.now) && d.sameSignature(p)
}

// sameHash compares what may differ where the text of a signature is the same.
func (d *differ) sameHash(p pair) {
	switch {
	case p.compat.exact && p.now.Kind == code.Variable: // its value may determine its type
		d.typed(p)
	case !p.compat.exact: // mixins and extensions are separate from the head
		d.bases(p)
	}
	d.value(p)
}

// sameSignature reports whether two declarations with other texts have the same signature: names of parameters and type parameters and
// the order of unions mean nothing inside.
func (d *differ) sameSignature(p pair) bool {
	was, is := p.old, p.now
	if !sameHead(was, is) {
		return false
	}
	switch {
	case len(was.Overloads)+len(is.Overloads) > 0:
		return p.compat.openTypes && len(unlike(formsOf(was), formsOf(is), d.formKey))+len(unlike(formsOf(is), formsOf(was), d.formKey)) == 0
	case was.Kind == code.TypeDef && !p.compat.exact:
		return d.sameTypes(p, bodyOf(was), bodyOf(is))
	case !slices.Equal(d.basesOf(p, 0), d.basesOf(p, 1)) || was.Returns == "" && is.Returns == "" && len(was.Params) == 0:
		return false
	}
	for i, a := range was.Params {
		if !d.sameParam(p, a, is.Params[i]) {
			return false
		}
	}
	return d.sameTypes(p, was.Returns, is.Returns)
}

// sameParam reports whether two parameters are the same inside a project.
func (d *differ) sameParam(p pair, a, b code.Param) bool {
	named := !p.compat.named || a.Name == b.Name
	return named && a.Optional == b.Optional && a.Variadic == b.Variadic && a.Mode == b.Mode && squeeze(a.Default) == squeeze(b.Default) && d.sameTypes(p, passed(p, a), passed(p, b))
}

// passed returns the type of what is passed for a parameter: also undefined where TypeScript lets callers leave it out.
func passed(p pair, q code.Param) string {
	if p.compat.openTypes && q.Optional && q.Type != "" {
		return "(" + q.Type + ") | undefined"
	}
	return q.Type
}

// sameHead reports whether two declarations are alike except for types, values and bases.
func sameHead(was, is *code.Symbol) bool {
	return was.Kind == is.Kind && was.Static == is.Static && was.Readonly == is.Readonly && was.Async == is.Async && was.Abstract == is.Abstract &&
		was.Visibility == is.Visibility && len(was.Params) == len(is.Params) &&
		slices.Equal(positional(was.TypeParameters), positional(is.TypeParameters)) && slices.Equal(was.Decorators, is.Decorators)
}

// sameTypes reports whether two types as written are the same.
func (d *differ) sameTypes(p pair, was, is string) bool {
	return squeeze(was) == squeeze(is) || d.relate(p, was, is) == sameType
}

// parts compares the parts of a declaration, depending on its kind.
func (d *differ) parts(p pair) {
	old, now := p.old, p.now
	switch {
	case len(old.Overloads) > 0 || len(now.Overloads) > 0:
		d.overloads(p)
	case callable(now.Kind) && callable(old.Kind) || len(old.Params)+len(now.Params) > 0:
		d.params(p, old.Params, now.Params)
		d.result(p, old.Returns, now.Returns)
		d.async(p)
	case now.Kind == code.TypeDef:
		d.definition(p)
	default:
		d.typed(p)
	}
}

// spelled reports whether a type definition has members on both sides.
func spelled(p pair) bool { return len(p.old.Members) > 0 && len(p.now.Members) > 0 }

// byText compares signatures of which at least one has no hash.
func (d *differ) byText(p pair) {
	if bare(p.old.Signature) != bare(p.now.Signature) {
		d.add("signature-changed", p, change{old: p.old.Signature, now: p.now.Signature})
	}
}

// bare returns a signature without the parts that depend on its place in the file.
func bare(signature string) string {
	text := strings.TrimSuffix(strings.TrimSpace(signature), ";")
	for _, word := range []string{"export ", "default ", "declare ", "pub ", "public "} {
		text = strings.TrimPrefix(text, word)
	}
	return squeeze(text)
}

// typed compares the types of constants, variables and properties.
func (d *differ) typed(p pair) {
	was, is := p.old.Returns, p.now.Returns
	related := d.relate(p, was, is)
	if p.compat.exact && group(p.now.Kind) == "value" {
		var a, b string
		was, a = d.goBase.valueType(p.old)
		is, b = d.goNow.valueType(p.now)
		related = relateExact(a, b)
	}
	switch related {
	case sameType:
	case unknownType:
		if !p.compat.exact {
			d.add("type-changed", p, change{old: was, now: is, verdict: compatible})
		}
	case narrower: // what users only read may be of a narrower type
		c := change{old: was, now: is}
		if p.compat.openTypes && p.owner == nil && (p.now.Kind == code.Const || p.now.Kind == code.Function) {
			c.verdict = compatible
		}
		d.add("type-changed", p, c)
	default:
		d.add("type-changed", p, change{old: was, now: is})
	}
}

// result compares return types.
func (d *differ) result(p pair, was, is string) {
	if p.now.Kind == code.Constructor || sameFuture(p) {
		return
	}
	if p.compat.exact {
		if d.goBase.result(p.old, was) == d.goNow.result(p.now, is) {
			return
		}
		d.add("return-type-changed", p, change{old: was, now: is})
		return
	}
	switch d.relate(p, was, is) {
	case sameType:
	case unknownType, narrower:
		d.add("return-type-changed", p, change{old: was, now: is, verdict: compatible})
	default:
		d.add("return-type-changed", p, change{old: was, now: is})
	}
}

// definition compares type definitions without members: aliases and named types.
func (d *differ) definition(p pair) {
	was, is := bodyOf(p.old), bodyOf(p.now)
	if p.compat.exact {
		a, b := d.goBase.canon(p.old, was), d.goNow.canon(p.now, is)
		if a != b {
			d.add("type-body-changed", p, change{old: was, now: is, verdict: verdictIf(!widerNumber(a, b))})
		}
		return
	}
	if d.relate(p, was, is) != sameType {
		d.add("type-body-changed", p, change{old: was, now: is})
	}
}

// bodyOf returns the definition of a type: the text after its name and type parameters.
func bodyOf(s *code.Symbol) string {
	if s.Value != "" {
		return s.Value
	}
	text := s.Signature
	if i := strings.Index(text, s.Name); i >= 0 {
		text = strings.TrimSpace(text[i+len(s.Name):])
	}
	if len(s.TypeParameters) > 0 && text != "" {
		text = strings.TrimSpace(text[closing(text):])
	}
	text = strings.TrimSuffix(text, ";")
	if rest, ok := strings.CutPrefix(text, "="); ok && !strings.HasPrefix(rest, "=") {
		return strings.TrimSpace(rest)
	}
	return text
}

// closing returns the offset after the bracket that closes the one at the start of text, or 0
// if text does not start with a bracket.
func closing(text string) int {
	depth := 0
	for i, r := range text {
		switch r {
		case '<', '[', '(', '{':
			depth++
		case '>', ']', ')', '}':
			if r == '>' && i > 0 && (text[i-1] == '=' || text[i-1] == '-') {
				continue // an arrow
			}
			depth--
		}
		if depth == 0 {
			if i == 0 {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

func (d *differ) typeParameters(p pair) {
	was, is := p.old.TypeParameters, p.now.TypeParameters
	if p.compat.openTypes {
		was, is = unconstrainedAll(was), unconstrainedAll(is)
	}
	equal := slices.Equal(positional(was), positional(is))
	if p.compat.exact {
		equal = d.goBase.constraints(p.old) == d.goNow.constraints(p.now)
	}
	if !equal {
		c := change{old: strings.Join(was, ", "), now: strings.Join(is, ", ")}
		if p.compat.erased {
			c.verdict = d.typeBounds(p)
		} else if p.compat.openTypes || p.compat.name == "rust" && !callable(p.now.Kind) {
			c.verdict = d.typeArguments(p)
		}
		d.add("type-parameters-changed", p, c)
	}
}

func unconstrainedAll(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = strings.TrimSpace(unconstrained(text))
	}
	return out
}

// positional returns type parameters with their positions in place of their names, which users do not see.
func positional(list []string) []string {
	places := map[string]string{}
	for i, text := range list {
		for _, w := range split(text) {
			if wordByte(w[0]) && !slices.Contains([]string{"in", "out", "const", "reified", "typename", "class"}, w) {
				places[w] = "$" + strconv.Itoa(i)
				break
			}
		}
	}
	out := make([]string, len(list))
	for i, text := range list {
		words := split(text)
		for k, w := range words {
			if to, ok := places[w]; ok {
				words[k] = to
			}
		}
		out[i] = strings.Join(words, " ")
	}
	return out
}

// typeArguments judges a change of the type parameters of a TypeScript declaration: users who write type arguments are not
// affected if aliases mean the same, or if only parameters with defaults came.
func (d *differ) typeArguments(p pair) verdict {
	was, is := positional(p.old.TypeParameters), positional(p.now.TypeParameters)
	switch {
	case len(is) < len(was):
		return breaks
	case len(was) == 0 && callable(p.now.Kind): // nobody wrote arguments, and nobody has to
		return compatible
	}
	for i, text := range is {
		switch {
		case i >= len(was):
			if !strings.Contains(strings.ReplaceAll(text, "= >", ""), "=") {
				return breaks
			}
		case text != was[i] && !d.widerConstraint(p, was[i], text):
			return breaks
		}
	}
	return compatible
}

// widerConstraint reports whether a type parameter of TypeScript takes at least the arguments that it took, and is the same without one.
func (d *differ) widerConstraint(p pair, was, is string) bool {
	if !p.compat.openTypes {
		return was == is
	}
	before, now := d.ownAliases()
	return d.widerBound(p, d.naming(p), before.spell(was), now.spell(is)) ||
		d.widerBound(p, p.compat, d.tsAliases(d.base, p.old).spell(was), d.tsAliases(d.now, p.now).spell(is))
}

// widerBound does so for two texts.
func (d *differ) widerBound(p pair, h compatRules, was, is string) bool {
	before, now := split(was), split(is)
	if len(now) > 0 && now[0] == "const" && callable(p.now.Kind) { // what is inferred is narrower, what is taken the same
		now = now[1:]
	}
	from, to := slices.Index(before, "extends"), slices.Index(now, "extends")
	if from != 1 || to != 1 || hasDefault(before) || hasDefault(now) {
		return slices.Equal(before, now)
	}
	inner, outer := d.types.Of(p.compat.name, joined(before[from+1:])), d.types.Of(p.compat.name, joined(now[to+1:]))
	return h.assignable(inner, outer, maxDepth)
}

// hasDefault reports whether a type parameter has a default.
func hasDefault(words []string) bool {
	for i, w := range words {
		if w == "=" && i+1 < len(words) && words[i+1] != ">" {
			return true
		}
	}
	return false
}

func (d *differ) bases(p pair) {
	was, is := p.compat.keys(d.readAll(p, d.basesOf(p, 0))), p.compat.keys(d.readAll(p, d.basesOf(p, 1)))
	gone := d.stillAbove(p, without(was, is))
	come := without(is, was)
	if len(gone)+len(come) == 0 {
		return
	}
	implementers := p.now.Kind == code.Interface || p.now.Kind == code.Trait
	broken := len(gone) > 0 || implementers && !p.compat.openTypes && !d.unimplementable(p)
	d.add("bases-changed", p, change{
		old: strings.Join(p.old.Bases, ", "), now: strings.Join(p.now.Bases, ", "), verdict: verdictIf(broken),
	})
}

// basesOf returns the bases of a declaration as it was (0) or is (1), with the places of type parameters if their names changed.
func (d *differ) basesOf(p pair, side int) []string {
	list := [2][]string{p.old.Bases, p.now.Bases}[side]
	out := make([]string, len(list))
	for i, text := range list {
		if p.compat.name == "python" && (baseName(text) == "Generic" || baseName(text) == "Protocol") {
			text, _, _ = strings.Cut(text, "[") // type parameters
		}
		before, now := d.positioned(p, text, text)
		out[i] = [2]string{before, now}[side]
	}
	return out
}

// without returns the elements of a that are not in b.
func without(a, b []string) []string {
	var out []string
	for _, x := range a {
		if !slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

func (d *differ) async(p pair) {
	if p.old.Async == p.now.Async || p.compat.promises || sameFuture(p) {
		return
	}
	words := map[bool]string{true: wordAsync, false: wordSync}
	stays := p.compat.openTypes && p.old.Returns != "" && d.relate(p, p.old.Returns, p.now.Returns) == sameType
	eased := p.compat.awaits && !p.now.Async
	d.add("async-changed", p, change{old: words[p.old.Async], now: words[p.now.Async], verdict: verdictIf(!stays && !eased)})
}
