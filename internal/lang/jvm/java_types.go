package jvm

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// javaKinds maps type declarations to kinds of symbols. A record is a class, an
// annotation type an interface.
var javaKinds = map[string]code.Kind{
	"class_declaration":           code.Class,
	"record_declaration":          code.Class,
	"enum_declaration":            code.Enum,
	"interface_declaration":       code.Interface,
	"annotation_type_declaration": code.Interface,
}

func (j *javaReader) typeDeclaration(n syntax.Node, s javaScope) code.Symbol {
	sym := j.begin(n, n.Field("name").Text(), javaKinds[n.Kind()], s)
	if sym.Name == "" {
		return sym
	}
	if s.owner == "" {
		sym.Static = false
	} else { // JLS 8.5.1, 8.9, 8.10, 9.5: these are implicitly static
		sym.Static = sym.Static || s.of == code.Interface || !n.Is("class_declaration")
	}
	sym.TypeParameters = core.TypeParameters(n)
	sym.Params = javaParams(n.Field("parameters"))
	sym.Bases = javaBases(n)
	j.Place(&sym, n, s.owner)
	body := n.Field("body")
	j.signature(&sym, n, body)
	sym.BodyHash = j.initializers(body)
	if core.TooDeep(s.owner) {
		return sym
	}
	inside := javaScope{owner: srctext.Join(s.owner, sym.Name), of: sym.Kind, enum: sym.Kind == code.Enum}
	sym.Members = append(j.components(n.Field("parameters"), inside), j.declarations(body, inside)...)
	return sym
}

// javaBases returns the superclass and interfaces of a type.
func javaBases(n syntax.Node) []string {
	bases := syntax.Texts(syntax.NamedChildren(n.Field("superclass")))
	for c := range n.NamedSeq() {
		if c.Is("super_interfaces", "extends_interfaces") {
			bases = append(bases, syntax.Texts(syntax.NamedChildren(c.Child("type_list")))...)
		}
	}
	return bases
}

// initializers returns the hash of the initializer blocks of a type, which do not
// belong to a member.
func (j *javaReader) initializers(body syntax.Node) string {
	var all []string
	for _, place := range []syntax.Node{body, body.Child("enum_body_declarations")} {
		for c := range place.NamedSeq() {
			if c.Is("block", "static_initializer") {
				all = append(all, j.BodyHash(c))
			}
		}
	}
	if len(all) == 0 {
		return ""
	}
	return srctext.ShortHash([]byte(strings.Join(all, " ")))
}

// components returns the components of a record as properties: each is a field, an
// accessor and a constructor parameter.
func (j *javaReader) components(list syntax.Node, s javaScope) []code.Symbol {
	var out []code.Symbol
	for n := range list.NamedSeq() {
		p, ok := javaParam(n)
		if !ok || p.Name == "" {
			continue
		}
		sym := code.Symbol{
			Name: p.Name, Kind: code.Property, Returns: p.Type, Decorators: javaAnnotations(n),
			Visibility: code.Public, Exported: true, Readonly: true,
		}
		j.Place(&sym, n, s.owner)
		j.signature(&sym, n, syntax.Node{})
		out = append(out, sym)
	}
	return out
}

// enumConstant reads an enum constant. Its value is its arguments, its members are
// those of its own body.
func (j *javaReader) enumConstant(n syntax.Node, s javaScope) code.Symbol {
	sym := j.begin(n, n.Field("name").Text(), code.EnumMember, s)
	if sym.Name == "" {
		return sym
	}
	sym.Visibility, sym.Exported = code.Public, true
	arguments, body := n.Field("arguments"), n.Field("body")
	j.Place(&sym, n, s.owner)
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	sym.Signature = j.headText(n, j.valued(&sym, n, arguments, end, body))
	if blocks := j.initializers(body); blocks != "" {
		sym.BodyHash = srctext.ShortHash([]byte(sym.BodyHash + blocks))
	}
	if !core.TooDeep(s.owner) {
		sym.Members = j.declarations(body, javaScope{owner: srctext.Join(s.owner, sym.Name), of: code.Class})
	}
	return sym
}

// method reads a method, or an element of an annotation type.
func (j *javaReader) method(n syntax.Node, s javaScope) code.Symbol {
	sym := j.begin(n, n.Field("name").Text(), code.Method, s)
	if sym.Name == "" {
		return sym
	}
	if s.of == "" { // a file without a class (JEP 512)
		sym.Kind = code.Function
	}
	body, value := n.Field("body"), n.Field("value")
	if s.of == code.Interface && !body.Ok() && !sym.Static && !sym.Optional && sym.Visibility == code.Public {
		sym.Abstract = true
	}
	sym.TypeParameters = core.TypeParameters(n)
	sym.Params = javaParams(n.Field("parameters"))
	sym.Returns = n.Field("type").Text() + n.Field("dimensions").Text()
	j.Place(&sym, n, s.owner)
	j.signature(&sym, n, body)
	if value.Ok() { // an optional element
		sym.Optional, sym.Value = true, core.PlainValue(value)
	}
	return sym
}

func (j *javaReader) constructor(n syntax.Node, s javaScope) code.Symbol {
	sym := j.begin(n, n.Field("name").Text(), code.Constructor, s)
	if sym.Name == "" {
		return sym
	}
	if s.enum {
		sym.Visibility, sym.Exported = code.Private, false
	}
	sym.TypeParameters = core.TypeParameters(n)
	sym.Params = javaParams(n.Field("parameters"))
	j.Place(&sym, n, s.owner)
	j.signature(&sym, n, n.Field("body"))
	return sym
}

// fields reads a variable declaration and returns one symbol per variable.
func (j *javaReader) fields(n syntax.Node, s javaScope) []code.Symbol {
	declarators := syntax.ChildrenOf(n, "variable_declarator")
	var out []code.Symbol
	for _, d := range declarators {
		sym := j.begin(n, d.Field("name").Text(), code.Property, s)
		if sym.Name == "" {
			continue
		}
		if s.of == code.Interface {
			sym.Static, sym.Readonly = true, true
		}
		if s.of == "" {
			sym.Kind = code.Variable
		}
		sym.Returns = n.Field("type").Text() + d.Field("dimensions").Text()
		j.variable(&sym, n, d, s.owner)
		out = append(out, sym)
	}
	return out
}

// variable places the variable d of declaration n and sets its signature: the words
// that all variables of n share, and its own.
func (j *javaReader) variable(sym *code.Symbol, n, d syntax.Node, owner string) {
	var others []syntax.Node
	for _, other := range syntax.ChildrenOf(n, "variable_declarator") {
		if other != d {
			others = append(others, other)
		}
	}
	if len(others) == 0 {
		j.Place(sym, n, owner)
		sym.Signature = j.headText(n, j.valued(sym, n, d.Field("value"), n.End()))
		return
	}
	j.Place(sym, d, owner)
	end := j.valued(sym, n, d.Field("value"), d.End(), others...)
	own := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(string(j.Source[d.Start():end])), "="))
	sym.Signature = j.headText(n, n.Child("variable_declarator").Start()) + " " + j.Dedent(own, n.Start())
	sym.StartLine = d.Line()
}

// valued sets the body of sym to the initial value of n, and its value if that is one
// short line. The value is excluded from the signature's hash, because the length of a
// line depends on formatting. It returns the end of the signature's text, which
// includes a short value. The nodes in skip are not part of the symbol.
func (j *javaReader) valued(sym *code.Symbol, n, value syntax.Node, end int, skip ...syntax.Node) int {
	sym.Value = core.PlainValue(value)
	sym.BodyHash = j.BodyHash(value)
	skip = append(append(annotationNodes(n), skip...), value)
	sym.SignatureHash = j.Hash(n, skip...)
	sym.StartLine = j.Line(j.start(n))
	if value.Ok() && sym.Value == "" {
		return value.Start()
	}
	return end
}

// javaParams reads a parameter list.
func javaParams(list syntax.Node) []code.Param {
	var out []code.Param
	for n := range list.NamedSeq() {
		if p, ok := javaParam(n); ok && p.Name != "this" {
			out = append(out, p)
		}
	}
	return out
}

// javaParam reads a parameter without its modifiers and annotations.
func javaParam(n syntax.Node) (code.Param, bool) {
	switch n.Kind() {
	case "formal_parameter":
		return code.Param{Name: n.Field("name").Text(), Type: n.Field("type").Text() + n.Field("dimensions").Text()}, true
	case "spread_parameter":
		p := code.Param{Variadic: true}
		for c := range n.NamedSeq() {
			switch {
			case c.Is("variable_declarator"):
				p.Name = c.Field("name").Text()
			case !c.Is("modifiers") && !isAnnotation(c):
				p.Type = c.Text()
			}
		}
		return p, true
	}
	return code.Param{}, false
}
