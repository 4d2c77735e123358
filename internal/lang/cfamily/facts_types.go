package cfamily

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// plainTypes are the names of types without members.
var plainTypes = core.SetOf(strings.Fields(`size_t ssize_t bool int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t
	intptr_t uintptr_t off_t u8 u16 u32 u64 s8 s16 s32 s64 __u8 __u16 __u32 __u64 __s8 __s16 __s32 __s64 __le16 __le32 __le64
	__be16 __be32 __be64 gfp_t umode_t loff_t dma_addr_t phys_addr_t uint ulong ushort uchar va_list`)...)

// typeC returns the type that a specifier or type descriptor names. It binds a struct that has
// a body.
func typeC(b *core.FactBuilder, n syntax.Node) code.Ref {
	switch n.Kind() {
	case "type_identifier", "namespace_identifier", "identifier", "field_identifier":
		name := n.Text()
		if !plainTypes[name] {
			return b.Name(name, n.Start())
		}
		return plainType(b, name)
	case "struct_specifier", "class_specifier", "union_specifier", "enum_specifier":
		return specifier(b, n)
	case "type_descriptor":
		return declaredType(b, b.Type(n.Field("type")), n.Field("declarator"), syntax.Node{})
	case "macro_type_specifier": // typeof(x)
		if strings.Contains(n.Field("name").Text(), "typeof") {
			return b.Type(n.Field("type"))
		}
	case "primitive_type", "sized_type_specifier":
		return plainType(b, n.Text())
	default:
		if isCPP(b) {
			return typeCPP(b, n)
		}
	}
	return 0
}

// plainType returns a type without members, by which overloads are chosen in C++: "int", "unsigned long", or a pointer to
// one as "char*". It returns 0 for void and in C.
func plainType(b *core.FactBuilder, text string) code.Ref {
	if !isCPP(b) || text == "void" || text == "va_list" {
		return 0
	}
	if name := typeNames[text]; name != "" {
		return b.Literal(name)
	}
	words := map[string]int{}
	for w := range strings.FieldsSeq(text) {
		words[w]++
	}
	name := "int"
	switch {
	case words["bool"]+words["double"]+words["float"] > 0:
		name = strings.Join(strings.Fields(text), " ")
	case words["char"] > 0:
		name = "char"
	case words["short"] > 0:
		name = "short"
	case words["long"] > 1:
		name = "long long"
	case words["long"] > 0:
		name = "long"
	case words["int"]+words["unsigned"]+words["signed"] == 0:
		name = text // wchar_t, char16_t
	}
	if words["unsigned"] > 0 {
		name = "unsigned " + name
	}
	return b.Literal(name)
}

// typeNames are the names under which libraries declare number types.
var typeNames = map[string]string{
	"size_t": "unsigned long", "ssize_t": "long", "int8_t": "signed char", "int16_t": "short", "int32_t": "int", "int64_t": "long",
	"uint8_t": "unsigned char", "uint16_t": "unsigned short", "uint32_t": "unsigned int", "uint64_t": "unsigned long",
	"intptr_t": "long", "uintptr_t": "unsigned long", "off_t": "long", "ptrdiff_t": "long",
}

// tagName returns the name under which the tag of a struct, union or enumeration is bound.
func tagName(b *core.FactBuilder, name string) string {
	if isCPP(b) {
		return name
	}
	return "struct " + name
}

func specifier(b *core.FactBuilder, n syntax.Node) code.Ref {
	name, body := n.Field("name"), n.Field("body")
	switch {
	case name.Is("template_type", "qualified_identifier") && body.Ok(): // a specialisation or nested class
		return cppQualifiedClass(b, n, name)
	case name.Ok() && body.Ok():
		return namedType(b, n, tagName(b, name.Text()), name.Text(), name)
	case name.Ok() && isCPP(b):
		return b.Type(name)
	case name.Ok():
		if n.Is("enum_specifier") {
			return 0
		}
		return b.Name(tagName(b, name.Text()), name.Start())
	case n.Is("enum_specifier"):
		enumerators(b, body, -1)
		return 0
	}
	s := b.OpenScope(code.SpaceScope, "", n.Start(), n.End())
	b.WalkChildren(body)
	b.CloseScope()
	return b.ScopeExpr(code.OpObject, s)
}

// declaredType returns the type that a declarator, up to the node stop, makes of base. Pointers
// are ignored except those to plain types in C++, and so are arrays in C.
func declaredType(b *core.FactBuilder, base code.Ref, top, stop syntax.Node) code.Ref {
	ref := base
	for d := top; d.Ok() && d != stop; d = anyInnerDeclarator(d) {
		switch d.Kind() {
		case "function_declarator", "abstract_function_declarator":
			ref = b.Group(code.OpFuncType, ref, nil)
		case "pointer_declarator", "abstract_pointer_declarator":
			ref = pointerTo(b, ref)
		case "array_declarator", "abstract_array_declarator":
			if b.Exprs[ref].Op == code.OpLit {
				ref = pointerTo(b, ref)
			} else if isCPP(b) && ref != 0 {
				ref = b.Group(code.OpList, ref, nil)
			}
			b.Walk(d.Field("size"))
		}
	}
	return ref
}

// pointerTo returns the type of pointers to a plain type; other types as they are.
func pointerTo(b *core.FactBuilder, ref code.Ref) code.Ref {
	if x := &b.Exprs[ref]; ref != 0 && x.Op == code.OpLit {
		return b.Literal(x.Name + "*")
	}
	return ref
}

// anyInnerDeclarator returns the declarator inside a declarator, which may be unnamed.
func anyInnerDeclarator(d syntax.Node) syntax.Node {
	if !strings.HasPrefix(d.Kind(), "abstract_") {
		return innerDeclarator(d)
	}
	if n := d.Field("declarator"); n.Ok() {
		return n
	}
	for c := range d.NamedSeq() {
		if strings.HasPrefix(c.Kind(), "abstract_") {
			return c
		}
	}
	return syntax.Node{}
}
