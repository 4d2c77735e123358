package drift

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// isHiddenRust reports whether an item is doc(hidden), and so not public, unless it is deprecated: so an item is kept until its users are gone.
func isHiddenRust(s *code.Symbol) bool {
	return attribute(s, "doc(hidden)") != "" && attribute(s, "deprecated") == "" || isUnset(s)
}

// rustSymbol returns a symbol with its derived traits among its bases, and its hidden members private.
func rustSymbol(s code.Symbol) code.Symbol {
	s.Bases = slices.Concat(s.Bases, derived(&s), boundsOfSelf(&s))
	if len(s.Members) == 0 {
		return s
	}
	members := slices.DeleteFunc(slices.Clone(s.Members), func(m code.Symbol) bool { return isUnset(&m) })
	for i, m := range members {
		m = rustSymbol(m)
		if isHiddenRust(&m) {
			m.Visibility, m.Exported = code.Private, false
		}
		members[i] = m
	}
	s.Members = members
	return s
}

// boundsOfSelf returns the traits that a trait demands in its where clause: where Self: Base is the same as Trait: Base.
func boundsOfSelf(s *code.Symbol) []string {
	at := strings.Index(s.Signature, "where")
	if s.Kind != code.Trait || at < 0 {
		return nil
	}
	for _, clause := range topLevel(strings.TrimRight(s.Signature[at+len("where"):], "{ ")) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(clause), "Self:"); ok {
			var out []string
			for bound := range strings.SplitSeq(rest, "+") {
				out = append(out, strings.TrimSpace(bound))
			}
			return out
		}
	}
	return nil
}

// configured matches a condition that only a flag of the compiler sets: no manifest turns it on.
var configured = lazyregexp.New(`^cfg\((\w+)\)$`)

// setByCompiler are the conditions that the compiler sets by itself.
var setByCompiler = []string{"unix", "windows", "debug_assertions", "test", "doc", "docsrs", "proc_macro", "panic", "overflow_checks"}

// isUnset reports whether an item is compiled only with a flag that a build sets by hand.
func isUnset(s *code.Symbol) bool {
	m := configured.FindStringSubmatch(attribute(s, "cfg("))
	return m != nil && !slices.Contains(setByCompiler, m[1])
}

// derived returns the traits that a type derives.
func derived(s *code.Symbol) []string { return arguments(attribute(s, "derive(")) }

// attribute returns the attributes that begin with a text, without white space, as one; "" for none.
func attribute(s *code.Symbol, begin string) string {
	out := ""
	for _, text := range s.Decorators {
		t := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(squeeze(text), "#["), "unsafe("), "]")
		switch {
		case !strings.HasPrefix(t, begin):
		case out == "":
			out = t
		default:
			out = strings.TrimSuffix(out, ")") + "," + strings.TrimPrefix(t, begin)
		}
	}
	return out
}

// arguments returns the arguments of an attribute: of repr(C, align(8)) C and align(8).
func arguments(text string) []string {
	_, inner, ok := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	if !ok {
		return nil
	}
	return strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == '"' })
}

// rust compares what attributes and the order of parts mean in Rust. The names of rules in comments are those of cargo-semver-checks.
func (d *differ) rust(p pair) {
	if p.compat.name != "rust" || d.guess {
		return
	}
	d.rustAttributes(p)
	switch p.now.Kind {
	case code.Struct, code.Union:
		d.literal(p)
		d.derivedOrder(p)
	case code.Enum:
		d.discriminants(p)
		d.derivedOrder(p)
	default:
	}
}

// promises are the attributes whose change breaks users, and what about them does.
var promises = []struct {
	begin  string
	breaks func(was, is string) bool
}{
	{"repr(", brokenRepr},       // repr_*, enum_repr_*, struct_repr_transparent_removed
	{"target_feature(", moreIn}, // *_requires_more_target_features
	{"non_exhaustive", isNew},   // *_marked_non_exhaustive
	{"macro_export", isLost},    // macro_no_longer_exported
	{"cfg(", func(was, is string) bool { return strings.Contains(is, "feature=") && !strings.Contains(was, is) }}, // *_missing, without the feature
}

func isNew(was, _ string) bool { return was == "" }

func isLost(_, is string) bool { return is == "" }

// exportedName returns the name of a function for linkers; "" for none of its own.
func exportedName(s *code.Symbol) string {
	if name := attribute(s, "export_name"); name != "" {
		return strings.Trim(strings.TrimPrefix(name, "export_name="), `"`)
	}
	if attribute(s, "no_mangle") != "" {
		return s.Name
	}
	return ""
}

// moreIn reports whether something is in a list of arguments that was not in another one.
func moreIn(was, is string) bool { return len(without(arguments(is), arguments(was))) > 0 }

// brokenRepr reports whether a representation that users may depend on is another one: C, an integer, transparent, an alignment.
func brokenRepr(was, is string) bool {
	gone, come := without(arguments(was), arguments(is)), without(arguments(is), arguments(was))
	layout := func(list []string) bool {
		return slices.ContainsFunc(list, func(a string) bool { return strings.HasPrefix(a, "align") || strings.HasPrefix(a, "packed") })
	}
	return len(gone) > 0 || layout(come)
}

// rustAttributes reports attributes that changed, each with its meaning. Deprecation and must_use are told, and break nobody.
func (d *differ) rustAttributes(p pair) {
	from := len(d.items)
	for _, a := range promises {
		was, is := attribute(p.old, a.begin), attribute(p.now, a.begin)
		if was == is || a.begin == "non_exhaustive" && !exhaustible(p.old) || strings.HasPrefix(was, "repr(transparent") && opaque(p.old) {
			continue
		}
		if a.breaks(was, is) {
			d.add("decorators-changed", p, change{old: was, now: is, verdict: breaks})
		}
	}
	if was, is := exportedName(p.old), exportedName(p.now); was != "" && was != is { // function_export_name_changed
		d.add("decorators-changed", p, change{old: was, now: is, verdict: breaks})
	}
	if len(d.items) > from {
		return
	}
	d.deprecation(p)
	was, is := slices.DeleteFunc(loud(p.old.Decorators), isDeprecation), slices.DeleteFunc(loud(p.now.Decorators), isDeprecation)
	gone, come := without(was, is), without(is, was)
	if len(gone)+len(come) > 0 {
		d.add("decorators-changed", p, change{old: strings.Join(gone, " "), now: strings.Join(come, " "), severity: Low})
	}
}

// exhaustible reports whether users may have relied on knowing all parts: of an enumeration, a variant, or a struct that they can write.
func exhaustible(s *code.Symbol) bool {
	if s.Kind != code.Struct {
		return true
	}
	return !slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return m.Kind == code.Property && m.Visibility != code.Public })
}

// opaque reports whether no field of a struct is public, so that nobody outside may depend on how it is laid out.
func opaque(s *code.Symbol) bool {
	return s.Kind == code.Struct && !slices.ContainsFunc(s.Members, func(m code.Symbol) bool { return m.Kind == code.Property && m.Visibility == code.Public })
}

// fields returns the fields of a type.
func fields(s *code.Symbol) []code.Symbol {
	return slices.DeleteFunc(slices.Clone(s.Members), func(m code.Symbol) bool { return m.Kind != code.Property })
}

// literal reports a new field of a struct whose values users could write: constructible_struct_adds_field.
func (d *differ) literal(p pair) {
	if !exhaustible(p.old) || attribute(p.old, "non_exhaustive") != "" || p.old.Kind != p.now.Kind {
		return
	}
	if tuple(p.old) != tuple(p.now) && len(fields(p.old)) > 0 {
		return // the kind of the struct is told
	}
	for _, f := range fields(p.now) {
		if !slices.ContainsFunc(p.old.Members, func(m code.Symbol) bool { return m.Name == f.Name && m.Kind == f.Kind }) && braced(p.old) {
			q := p
			q.name = p.name + "." + f.Name
			d.add("literal-broken", q, change{what: f.Name, now: f.Signature})
		}
	}
}

// braced reports whether a struct is written with its fields, perhaps none, and not a unit.
func braced(s *code.Symbol) bool {
	return len(fields(s)) > 0 || !strings.HasSuffix(s.Signature, s.Name) || s.Kind == code.Struct
}

// tuple reports whether the fields of a struct have numbers.
func tuple(s *code.Symbol) bool {
	list := fields(s)
	return len(list) > 0 && list[0].Name == "0"
}

// derivedOrder reports parts in another order where the order of values follows it: partial_ord_enum_variants_reordered.
func (d *differ) derivedOrder(p pair) {
	ordered := func(s *code.Symbol) bool { return slices.Contains(derived(s), "PartialOrd") }
	inC := strings.HasPrefix(attribute(p.old, "repr("), "repr(C") && p.old.Kind == code.Struct // repr_c_plain_struct_fields_reordered
	if !inC && (!ordered(p.old) || !ordered(p.now)) {
		return
	}
	part := func(s *code.Symbol) []string {
		var out []string
		for _, m := range s.Members {
			if m.Kind == code.EnumMember || m.Kind == code.Property && m.Name != "0" {
				out = append(out, m.Name)
			}
		}
		return out
	}
	was, is := part(p.old), part(p.now)
	a := slices.DeleteFunc(slices.Clone(was), func(n string) bool { return !slices.Contains(is, n) })
	b := slices.DeleteFunc(slices.Clone(is), func(n string) bool { return !slices.Contains(was, n) })
	if !slices.Equal(a, b) {
		d.add("order-changed", p, change{old: strings.Join(a, ", "), now: strings.Join(b, ", ")})
	}
}

// discriminants reports variants with another number: enum_no_repr_variant_discriminant_changed. Users see numbers where no variant has
// data, or where the representation is an integer.
func (d *differ) discriminants(p pair) {
	was, plain := variantNumbers(p.old)
	is, still := variantNumbers(p.now)
	if !plain && attribute(p.old, "repr(") == "" || attribute(p.old, "non_exhaustive") != "" && !plain {
		return
	}
	if plain && !still {
		return // that variants have data now is told
	}
	for name, n := range was {
		if m, ok := is[name]; ok && n != m {
			q := p
			q.name = p.name + "." + name
			d.add("enum-member-value-changed", q, change{old: n, now: m, verdict: breaks})
		}
	}
}

// variantNumbers returns the number of each variant as far as it is known, and whether no variant has data.
func variantNumbers(s *code.Symbol) (out map[string]string, plain bool) {
	out, plain = map[string]string{}, true
	next, known := int64(0), true
	for _, m := range s.Members {
		if m.Kind != code.EnumMember {
			continue
		}
		if len(m.Params) > 0 {
			plain = false
		}
		if m.Value != "" {
			n, err := strconv.ParseInt(strings.ReplaceAll(m.Value, "_", ""), 0, 64)
			next, known = n, err == nil
		}
		if !known {
			out[m.Name] = m.Value
			continue
		}
		out[m.Name] = strconv.FormatInt(next, 10)
		next++
	}
	return out, plain
}

// sealedRust reports whether nobody outside the crate can implement a trait: it demands one that has no public path.
func sealedRust(g *code.Skeleton, s *code.Symbol) bool {
	return s.Kind == code.Trait && slices.ContainsFunc(s.Bases, func(base string) bool {
		name := base[strings.LastIndexByte(base, ':')+1:]
		name, _, _ = strings.Cut(name, "<")
		return privateTrait(g.Internals, name) && !publicTrait(g.Exports, name)
	})
}

// privateTrait reports whether a trait is among symbols, or in a module among them.
func privateTrait(list []code.Symbol, name string) bool {
	return slices.ContainsFunc(list, func(s code.Symbol) bool {
		return s.Kind == code.Trait && s.Name == name || s.Kind == code.Module && privateTrait(s.Members, name)
	})
}

func publicTrait(list []code.Symbol, name string) bool {
	return slices.ContainsFunc(list, func(s code.Symbol) bool { return s.Kind == code.Trait && s.Name == name })
}

// unimplementable reports whether p is a trait, or is in one, that users could not implement before.
func (d *differ) unimplementable(p pair) bool {
	s := p.old
	if p.owner != nil {
		s = p.owner
	}
	return p.compat.name == "rust" && s != nil && sealedRust(d.base, s)
}

// implementation reports whether a member of a type is part of an implementation of a trait, which is among the type's bases.
func (h compatRules) implementation(owner, m *code.Symbol) bool {
	if h.name != "rust" || owner.Kind == code.Trait || owner.Kind == code.Module || m.Kind == code.EnumMember || m.Kind == code.Property {
		return false
	}
	return m.Visibility == code.Public && !strings.HasPrefix(m.Signature, "pub")
}

// future returns the type that a function of Rust yields when it is awaited; "" if it is not asynchronous.
func (h compatRules) future(s *code.Symbol) string {
	if h.name != "rust" {
		return ""
	}
	if s.Async {
		return cmp.Or(squeeze(s.Returns), "()")
	}
	text := squeeze(s.Returns)
	if strings.Join(strings.Fields(text), " ") == "impl Future" {
		return "()"
	}
	_, output, ok := strings.Cut(text, "Future<Output=")
	if !ok || !strings.HasPrefix(text, "impl") {
		return ""
	}
	output, _, _ = strings.Cut(output, ">+")
	return strings.TrimSuffix(output, ">")
}

// sameFuture reports whether both versions of a function are asynchronous with the same result.
func sameFuture(p pair) bool {
	was := p.compat.future(p.old)
	return was != "" && was == p.compat.future(p.now)
}

// implementedByUsers reports whether p is a trait of Rust, or is in one, that users may implement: what callers may do less matters to them, too.
func (d *differ) implementedByUsers(p pair) bool {
	if p.compat.name != "rust" || d.unimplementable(p) {
		return false
	}
	return p.now.Kind == code.Trait || p.owner != nil && p.owner.Kind == code.Trait
}

// literalBroken says what to do about the rule of the name.
var literalBroken = message.Key("add the field `{what}` of `{symbol}` to its data structure")
