package code

import (
	"cmp"
	"slices"
	"strings"
)

// TypeForm is the form of a type.
type TypeForm string

// The forms of a type, and what their Name, Args and Fields are.
const (
	NamedType        TypeForm = "named"        // a name, perhaps qualified, with type arguments
	PointerType      TypeForm = "pointer"      // a pointer or reference to one argument; Name has its qualifiers
	NullableType     TypeForm = "nullable"     // one argument, or null
	ListType         TypeForm = "list"         // of the first argument; the second is the length of an array
	MapType          TypeForm = "map"          // the arguments are key and value
	TupleType        TypeForm = "tuple"        // the fields are its elements
	FuncType         TypeForm = "func"         // the fields are parameters, the arguments results
	UnionType        TypeForm = "union"        // the arguments are alternatives; none is a union
	IntersectionType TypeForm = "intersection" // of the arguments
	LiteralType      TypeForm = "literal"      // the value Name, as written
	ObjectType       TypeForm = "object"       // members are listed; Name is the keyword, such as "struct"
	OtherType        TypeForm = "other"        // an operator Name with arguments, or a text that is not read further; the field of "in" is its key, with its name, variadic for -?
)

// Type is a type as a tree. The zero value is a type that is not written.
type Type struct {
	Form   TypeForm
	Text   string // as written, without enclosing parentheses
	At     int    // byte offset of Text in the text that the tree was read from
	Name   string
	Args   []Type
	Fields []TypeField
}

// TypeField is a member of an object type, an element of a tuple, or a parameter of a function
// type.
type TypeField struct {
	Name     string // "" if unnamed; "[key: string]" for an index signature
	Type     Type
	Tag      string // the tag of a Go field, as written
	Optional bool
	Variadic bool // ...T
	Embedded bool // has no name of its own (Go)
	Method   bool
}

// Is reports whether the type is a name without type arguments and one of names.
func (t Type) Is(names ...string) bool {
	return t.Form == NamedType && len(t.Args) == 0 && slices.Contains(names, t.Name)
}

// Last returns the last part of a qualified name: "Map" for java.util.Map.
func (t Type) Last() string { return t.Name[strings.LastIndexAny(t.Name, `.:\`)+1:] }

// Qualifier returns what precedes the last part of a qualified name, with its separator.
func (t Type) Qualifier() string { return t.Name[:len(t.Name)-len(t.Last())] }

// Bind returns the type with the names in args replaced, in the text, too.
func (t Type) Bind(args map[string]Type) Type {
	if len(args) == 0 {
		return t
	}
	return t.boundAt(args, t.At)
}

// boundAt is Bind for a type that is a part of a text then, at an offset.
func (t Type) boundAt(args map[string]Type, at int) Type {
	if arg, ok := t.argument(args); ok {
		return arg.MovedTo(at)
	}
	if !t.mentions(args) {
		return t.MovedTo(at)
	}
	was := t.At
	t.At, t.Args, t.Fields = at, slices.Clone(t.Args), slices.Clone(t.Fields)
	var text strings.Builder
	end, bound := 0, Type{} // of the previous part, which two fields may share: a, b T
	for _, part := range t.parts() {
		if from := part.At - was; from >= end {
			text.WriteString(t.Text[end:from])
			end = from + len(part.Text)
			arg, ok := part.argument(args)
			enclosed := ok && arg.alternatives() && t.Text[max(from-1, 0)] != '('
			if enclosed {
				text.WriteByte('(')
			}
			bound = part.boundAt(args, at+text.Len())
			text.WriteString(bound.Text)
			if enclosed {
				text.WriteByte(')')
			}
		}
		*part = bound
	}
	t.Text = text.String() + t.Text[end:]
	return t
}

// argument returns what a type that is one of the names in args is replaced by.
func (t Type) argument(args map[string]Type) (arg Type, ok bool) {
	if t.Form != NamedType || len(t.Args) > 0 {
		return Type{}, false
	}
	arg, ok = args[t.Name]
	return arg, ok
}

// mentions reports whether the text of a type may have one of these names.
func (t Type) mentions(args map[string]Type) bool {
	for name := range args {
		if strings.Contains(t.Text, name) {
			return true
		}
	}
	return t.Text == ""
}

// alternatives reports whether the text of a type needs parentheses inside another type.
func (t Type) alternatives() bool { return t.Form == UnionType || t.Form == IntersectionType }

// parts returns the types that a type consists of, in the order of its text.
func (t *Type) parts() []*Type {
	var out []*Type
	for i := range t.Args {
		out = append(out, &t.Args[i])
	}
	for i := range t.Fields {
		out = append(out, &t.Fields[i].Type)
	}
	out = slices.DeleteFunc(out, func(part *Type) bool { return part.Text == "" })
	slices.SortStableFunc(out, func(a, b *Type) int { return cmp.Compare(a.At, b.At) })
	return out
}

// MovedTo returns the type as a part of a text, at an offset.
func (t Type) MovedTo(at int) Type {
	by := at - t.At
	if by == 0 {
		return t
	}
	t.At, t.Args, t.Fields = at, slices.Clone(t.Args), slices.Clone(t.Fields)
	for _, part := range t.parts() {
		*part = part.MovedTo(part.At + by)
	}
	return t
}

// Rewrite returns the text of the type with that of its parts replaced.
func (t Type) Rewrite(replace func(part Type) string) string {
	var text strings.Builder
	end := 0
	for _, part := range t.parts() {
		if from := part.At - t.At; from >= end {
			text.WriteString(t.Text[end:from] + replace(*part))
			end = from + len(part.Text)
		}
	}
	return text.String() + t.Text[end:]
}
