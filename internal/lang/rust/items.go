package rust

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// function reads a function, or a method inside a type.
func (r *reader) function(n syntax.Node, s scope) code.Symbol {
	sym := r.begin(n, code.Function, s)
	if sym.Name == "" {
		return sym
	}
	list := n.Field("parameters")
	sym.Receiver = receiverOf(list)
	if s.of != "" {
		sym.Kind = code.Method
		sym.Static = sym.Receiver == "" && s.of != code.Trait
	}
	sym.Async = n.Child("function_modifiers").Has("async")
	sym.TypeParameters = r.parameters(n)
	sym.Params = params(list)
	sym.Returns = n.Field("return_type").Text()
	body := n.Field("body")
	r.signature(&sym, n, body)
	if s.of == code.Trait {
		sym.Abstract, sym.Optional = !body.Ok(), body.Ok()
	}
	r.test(&sym, n)
	return sym
}

// test adds a function with a test attribute to the tests.
func (r *reader) test(sym *code.Symbol, n syntax.Node) {
	if !slices.ContainsFunc(sym.Decorators, isTestAttribute) {
		return
	}
	name := r.Spans[len(r.Spans)-1].Name
	r.File.Tests = append(r.File.Tests, code.Test{
		Name: strings.ReplaceAll(name, ".", " > "), Line: n.Line(), EndLine: n.EndLine(), Runner: "cargo test",
	})
}

// receiverOf returns a method's receiver as written: "&mut self".
func receiverOf(list syntax.Node) string {
	for p := range list.NamedSeq() {
		if p.Is("self_parameter") || p.Is("parameter") && p.Field("pattern").Is("self") {
			return p.Text()
		}
	}
	return ""
}

// params reads a parameter list without its receiver.
func params(list syntax.Node) []code.Param {
	var out []code.Param
	for p := range list.NamedSeq() {
		switch p.Kind() {
		case "self_parameter", "attribute_item", "ERROR":
		case "parameter":
			if pattern := p.Field("pattern"); !pattern.Is("self") {
				out = append(out, code.Param{Name: srctext.OneLine(pattern.Text()), Type: p.Field("type").Text()})
			}
		case "variadic_parameter":
			out = append(out, code.Param{Name: p.Field("pattern").Text(), Type: "...", Variadic: true})
		default: // a type without a name: traits of edition 2015, extern blocks
			out = append(out, code.Param{Type: p.Text()})
		}
	}
	return out
}

// parameters returns the type parameters of n as written. Defaults are included,
// although the grammar does not parse all of them.
func (r *reader) parameters(n syntax.Node) []string {
	list := n.Field("type_parameters")
	var out []string
	at := list.Start()
	for c := range list.Children() {
		if !c.Is("<", ",", ">") {
			continue
		}
		if text := strings.TrimSpace(string(r.Source[at:c.Start()])); text != "" {
			out = append(out, text)
		}
		at = c.End()
	}
	return out
}

// structure reads a struct or union. The fields of a tuple struct are named by their
// numbers.
func (r *reader) structure(n syntax.Node, s scope) code.Symbol {
	kind := code.Struct
	if n.Is("union_item") {
		kind = code.Union
	}
	sym := r.begin(n, kind, s)
	if sym.Name == "" {
		return sym
	}
	sym.TypeParameters = r.parameters(n)
	body := n.Field("body")
	r.signature(&sym, n, body)
	sym.BodyHash = ""
	if body.Is("ordered_field_declaration_list") { // the fields are inside the signature
		sym.Signature = r.Head(n.Start(), n.End(), ";")
	}
	sym.Members = r.fields(body, srctext.Join(s.owner, sym.Name))
	return sym
}

func (r *reader) fields(body syntax.Node, owner string) []code.Symbol {
	var out []code.Symbol
	if body.Is("ordered_field_declaration_list") {
		for c := range body.Children() {
			if c.FieldName() == "type" {
				out = append(out, r.numbered(c, len(out), owner))
			}
		}
		return out
	}
	for n := range body.NamedSeq() {
		if !n.Is("field_declaration") {
			continue
		}
		sym := r.begin(n, code.Property, scope{owner: owner})
		sym.Returns = n.Field("type").Text()
		r.signature(&sym, n, syntax.Node{})
		out = append(out, sym)
	}
	return out
}

// numbered reads a field of a tuple struct: its type and an optional visibility.
func (r *reader) numbered(n syntax.Node, number int, owner string) code.Symbol {
	first := n
	if v := n.Previous(); v.Is("visibility_modifier") {
		first = v
	}
	sym := code.Symbol{
		Name: strconv.Itoa(number), Kind: code.Property, Returns: n.Text(), Doc: doc(first), Decorators: attributesOf(first),
		Visibility: code.Private, Signature: r.Head(first.Start(), n.End(), ""),
	}
	if first != n {
		sym.Visibility = visibility(first)
	}
	sym.Exported = sym.Visibility == code.Public
	sym.SignatureHash = srctext.ShortHash([]byte(r.Hash(first) + r.Hash(n)))
	r.Place(&sym, n, owner)
	return sym
}

// enum reads an enum. The fields of a variant are its parameters, because it is
// constructed like a call; its discriminant is its value.
func (r *reader) enum(n syntax.Node, s scope) code.Symbol {
	sym := r.begin(n, code.Enum, s)
	if sym.Name == "" {
		return sym
	}
	sym.TypeParameters = r.parameters(n)
	body := n.Field("body")
	r.signature(&sym, n, body)
	sym.BodyHash = ""
	for v := range body.NamedSeq() {
		if !v.Is("enum_variant") {
			continue
		}
		m := r.begin(v, code.EnumMember, scope{owner: srctext.Join(s.owner, sym.Name), public: true})
		payload, value := v.Field("body"), v.Field("value")
		m.Params = carried(payload)
		r.valued(&m, v, value)
		sym.Members = append(sym.Members, m)
	}
	return sym
}

// carried returns the fields of an enum variant as parameters.
func carried(body syntax.Node) []code.Param {
	var out []code.Param
	for c := range body.Children() {
		switch {
		case c.Is("field_declaration"):
			out = append(out, code.Param{Name: c.Field("name").Text(), Type: c.Field("type").Text()})
		case c.FieldName() == "type":
			out = append(out, code.Param{Type: c.Text()})
		}
	}
	return out
}

func (r *reader) constant(n syntax.Node, s scope) code.Symbol {
	if n.Field("name").TextIs("_") {
		return code.Symbol{}
	}
	sym := r.begin(n, code.Const, s)
	if sym.Name == "" {
		return sym
	}
	value := n.Field("value")
	if n.Is("static_item") {
		sym.Kind = code.Variable
		sym.Readonly = !n.Has("mutable_specifier")
	}
	if s.of == code.Trait {
		sym.Abstract, sym.Optional = !value.Ok(), value.Ok()
	}
	sym.Returns = n.Field("type").Text()
	r.valued(&sym, n, value)
	return sym
}

// valued sets the signature of a declaration with a value. The value is its body; one
// short line of it is included in the signature's text, not in its hash.
func (r *reader) valued(sym *code.Symbol, n, value syntax.Node) {
	r.signature(sym, n, value)
	if sym.Value = core.PlainValue(value); sym.Value != "" || !value.Ok() {
		sym.Signature = r.Head(n.Start(), n.End(), ";")
	}
}

func (r *reader) typeAlias(n syntax.Node, s scope) code.Symbol {
	sym := r.begin(n, code.TypeDef, s)
	if sym.Name == "" {
		return sym
	}
	value := cmp.Or(n.Field("type"), n.Field("default_type"))
	if s.of == code.Trait {
		sym.Abstract, sym.Optional = !value.Ok(), value.Ok()
		sym.Bases = syntax.Texts(syntax.NamedChildren(n.Field("bounds")))
	}
	sym.TypeParameters = r.parameters(n)
	sym.Value = value.Text()
	r.signature(&sym, n, syntax.Node{})
	return sym
}

// macro reads macro_rules!. Its signature consists of the patterns of its rules.
func (r *reader) macro(n syntax.Node, s scope) code.Symbol {
	sym := r.begin(n, code.Macro, s)
	if sym.Name == "" {
		return sym
	}
	if slices.ContainsFunc(sym.Decorators, func(a string) bool { return attributeName(a) == "macro_export" }) {
		sym.Exported, sym.Visibility = true, code.Public
	}
	sig := []string{"macro_rules! " + sym.Name}
	var bodies []syntax.Node
	var hashes []string
	for rule := range n.NamedSeq() {
		if rule.Is("macro_rule") {
			sig = append(sig, srctext.OneLine(rule.Field("left").Text()))
			bodies = append(bodies, rule.Field("right"))
			hashes = append(hashes, r.BodyHash(rule.Field("right")))
		}
	}
	sym.SignatureHash = r.Hash(n, bodies...)
	sym.Signature = strings.Join(sig, "\n")
	sym.BodyHash = srctext.ShortHash([]byte(strings.Join(hashes, " ")))
	return sym
}
