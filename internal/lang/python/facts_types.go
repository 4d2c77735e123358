package python

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// typeText parses an annotation: an expression, or a string that contains one. It
// parses text because the tree has no nodes inside strings.
type typeText struct {
	b    *core.FactBuilder
	text string
	at   int // in text
	base int // byte offset of text in the file
	deep int
}

// maxTypeDepth is the maximum nesting of brackets in an annotation.
const maxTypeDepth = 40

// typeRef parses the annotation n, and walks the calls in it.
func typeRef(b *core.FactBuilder, n syntax.Node) code.Ref {
	if n.Is("call", "conditional_expression", "boolean_operator") || n.HasError() {
		b.Walk(n)
		return 0
	}
	for c := range n.Descendants() {
		if c.Is("call") {
			b.Value(c)
		}
	}
	return typeIn(b, n.Text(), n.Start())
}

// typeIn parses the annotation text, which begins at offset in the file.
func typeIn(b *core.FactBuilder, text string, offset int) code.Ref {
	t := &typeText{b: b, text: text, base: offset}
	return t.union()
}

// skip skips white space, comments and continued lines.
func (t *typeText) skip() {
	for t.at < len(t.text) {
		switch c := t.text[t.at]; {
		case strings.IndexByte(space+`\`, c) >= 0:
			t.at++
		case c == '#':
			t.at += srctext.EndOfLine([]byte(t.text[t.at:]), 0)
		default:
			return
		}
	}
}

// next skips sign if it is next. It reports whether it was.
func (t *typeText) next(sign byte) bool {
	t.skip()
	if t.at < len(t.text) && t.text[t.at] == sign {
		t.at++
		return true
	}
	return false
}

// union parses A | B.
func (t *typeText) union() code.Ref {
	if t.deep > maxTypeDepth {
		return 0
	}
	t.deep++
	defer func() { t.deep-- }()
	all := []code.Ref{t.primary()}
	for t.next('|') {
		all = append(all, t.primary())
	}
	return t.b.Either(all...)
}

// primary parses a name with its arguments, a string, or a list of types in brackets.
func (t *typeText) primary() code.Ref {
	t.next('*') // *args: *Ts
	t.skip()
	if t.at >= len(t.text) {
		return 0
	}
	switch c := t.text[t.at]; {
	case c == '(' || c == '[':
		t.at++
		list := t.list()
		if len(list) == 1 {
			return list[0]
		}
		return 0
	case c == '"' || c == '\'':
		return t.quoted()
	case srctext.NameByte(c):
		return t.named()
	}
	t.other()
	return 0
}

// other skips what is not a type: signed numbers and dots.
func (t *typeText) other() {
	for t.at < len(t.text) && strings.IndexByte(",]|)", t.text[t.at]) < 0 {
		t.at++
	}
}

// list parses types up to the closing bracket.
func (t *typeText) list() []code.Ref {
	var out []code.Ref
	for {
		t.skip()
		if t.at >= len(t.text) {
			return out
		}
		if c := t.text[t.at]; c == ']' || c == ')' {
			t.at++
			return out
		}
		before := t.at
		out = append(out, t.union())
		t.other()
		if !t.next(',') && t.at == before {
			t.at++
		}
	}
}

// quoted parses the type in a string.
func (t *typeText) quoted() code.Ref {
	from := t.at
	end := srctext.SkipString([]byte(t.text), from)
	t.at = end
	quotes := 1
	if strings.HasPrefix(t.text[from:], `"""`) || strings.HasPrefix(t.text[from:], "'''") {
		quotes = len(`"""`)
	}
	if end-from < 2*quotes {
		return 0
	}
	inside := &typeText{b: t.b, text: t.text[from+quotes : end-quotes], base: t.base + from + quotes, deep: t.deep}
	return inside.union()
}

// named parses a dotted name and its type arguments.
func (t *typeText) named() code.Ref {
	var parts []string
	var starts []int
	for {
		t.skip()
		from := t.at
		for t.at < len(t.text) && srctext.NameByte(t.text[t.at]) {
			t.at++
		}
		if t.at == from {
			break
		}
		parts, starts = append(parts, t.text[from:t.at]), append(starts, t.base+from)
		if !t.next('.') {
			break
		}
	}
	if len(parts) == 0 {
		t.other()
		return 0
	}
	last := parts[len(parts)-1]
	known := !flowOf(t.b).declared[parts[0]]
	if t.at < len(t.text) && t.text[t.at] == '[' {
		t.at++
		return t.applied(parts, starts, known)
	}
	if known && slices.Contains(unknownTypes, last) {
		return 0
	}
	if kind, ok := plainTypes[last]; ok && known {
		return t.b.Literal(kind)
	}
	if last == "Self" {
		return this(t.b)
	}
	return t.dotted(parts, starts)
}

func (t *typeText) dotted(parts []string, starts []int) code.Ref {
	ref := t.b.Name(parts[0], starts[0])
	for i, part := range parts[1:] {
		ref = t.b.Select(ref, part, starts[i+1])
	}
	return ref
}

// unknownTypes are the types about which nothing is known.
var unknownTypes = []string{"None", "Any", "object", "NoReturn", "Never", "True", "False", "Incomplete", "Callable", "LiteralString"}

// plainTypes maps the built-in types to the names used in facts.
var plainTypes = map[string]string{
	"str": "str", "int": "int", "float": "float", "bool": "bool", "bytes": "bytes", "complex": "complex", "bytearray": "bytearray",
	"Text": "str", "AnyStr": "str",
}

// How generic types of typing are read.
const (
	anyOf   = iota // a union of the arguments
	firstOf        // the first argument
	listOf         // a list of the first
	mapOf          // a map
	tupleOf        // a tuple
	funcOf         // a function type
	classOf        // the class itself
	unclear        // type of an unknown value
)

// genericTypes are the generic types with a rule of their own, by name.
var genericTypes = map[string]int{
	"Optional": anyOf, "Union": anyOf,
	"Annotated": firstOf, "ClassVar": firstOf, "Final": firstOf, "Required": firstOf, "NotRequired": firstOf, "ReadOnly": firstOf,
	"InitVar": firstOf, "Unpack": firstOf, "TypeGuard": unclear, "TypeIs": unclear, "Literal": unclear, "Concatenate": unclear,
	"List": listOf, "list": listOf, "Sequence": listOf, "MutableSequence": listOf, "Iterable": listOf, "Iterator": listOf,
	"Collection": listOf, "Set": listOf, "set": listOf, "FrozenSet": listOf, "frozenset": listOf, "AbstractSet": listOf,
	"MutableSet": listOf, "Deque": listOf, "deque": listOf, "Generator": listOf, "AsyncIterator": listOf, "AsyncIterable": listOf,
	"AsyncGenerator": listOf, "Reversible": listOf, "KeysView": listOf, "ValuesView": listOf, "Container": listOf,
	"Dict": mapOf, "dict": mapOf, "Mapping": mapOf, "MutableMapping": mapOf, "DefaultDict": mapOf, "defaultdict": mapOf,
	"OrderedDict": mapOf, "WeakValueDictionary": mapOf,
	"Tuple": tupleOf, "tuple": tupleOf, "Callable": funcOf, "Type": classOf, "type": classOf,
}

// applied parses the type arguments of a name.
func (t *typeText) applied(parts []string, starts []int, known bool) code.Ref {
	b := t.b
	last := parts[len(parts)-1]
	how, special := genericTypes[last]
	special = special && known
	if special && how == funcOf {
		return t.callable()
	}
	from := t.at
	args := t.list()
	rest := t.text[from:t.at]
	if !special {
		return b.Group(code.OpApply, t.dotted(parts, starts), args)
	}
	arg := func(i int) code.Ref {
		if i < len(args) {
			return args[i]
		}
		return 0
	}
	switch how {
	case anyOf:
		return b.Either(args...)
	case firstOf:
		return arg(0)
	case listOf:
		return b.Group(code.OpList, arg(0), nil)
	case mapOf:
		return b.Group(code.OpMap, arg(1), []code.Ref{arg(0)})
	case tupleOf:
		if strings.Contains(rest, "...") {
			return b.Group(code.OpList, arg(0), nil)
		}
		return b.Group(code.OpTuple, 0, args)
	case classOf:
		return b.Apply(code.OpTypeOf, arg(0))
	}
	return 0
}

// callable parses the arguments of Callable: [[A, B], R].
func (t *typeText) callable() code.Ref {
	var params []code.Ref
	if t.next('[') {
		params = t.list()
	} else {
		t.other()
	}
	t.next(',')
	var result code.Ref
	if rest := t.list(); len(rest) > 0 {
		result = rest[0]
	}
	return t.b.Group(code.OpFuncType, result, params)
}

// this returns the receiver of the enclosing method.
func this(b *core.FactBuilder) code.Ref { return b.Add(code.Expr{Op: code.OpThis, Scope: b.Scope}) }
