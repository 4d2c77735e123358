package python

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// decoratorKind is the kind of a function according to its decorators.
type decoratorKind struct {
	static, class, getter, setter, overload, abstract, context bool
}

func decoratedKind(decorators []syntax.Node) decoratorKind {
	var k decoratorKind
	for _, d := range decorators {
		name := decoratorName(d.First())
		switch {
		case strings.HasSuffix(name, "staticmethod"):
			k.static = true
		case strings.HasSuffix(name, "classmethod"):
			k.class = true
		case name == "setter" || name == "deleter":
			k.setter = true
		case strings.HasSuffix(name, "property") || name == "getter":
			k.getter = true
		case name == "overload":
			k.overload = true
		case strings.HasSuffix(name, "contextmanager"):
			k.context = true
		}
		k.abstract = k.abstract || strings.HasPrefix(name, "abstract")
	}
	return k
}

// implicitClassMethods are class methods without a @classmethod decorator.
var implicitClassMethods = core.SetOf("__new__", "__init_subclass__", "__class_getitem__")

func functionFacts(b *core.FactBuilder, n syntax.Node, decorators []syntax.Node) {
	k := decoratedKind(decorators)
	name, list := n.Field("name"), n.Field("parameters")
	k.class = k.class || implicitClassMethods[name.Text()]
	defaults := defaults(b, list)
	outer := variables(b)
	method := b.Scopes[outer].Kind == code.TypeScope
	scope := b.OpenScope(code.FuncScope, name.Text(), n.Start(), n.End())
	b.Symbol(scope, name.Start())
	decorated(b, scope, decorators)
	b.DefineIn(outer, code.Def{
		Name: name.Text(), Kind: code.DefFunc, Scope: scope, Line: int32(name.Line()),
		Static: method && (k.static || k.class), Getter: method && (k.getter || k.setter), Abstract: method && k.abstract,
	})
	flowOf(b).forget(name.Text())
	leave := flowOf(b).enter(b, method, k.static)
	defer leave()
	b.Scopes[scope].Async = n.Has("async")
	f := flowOf(b)
	typeParams(b, n.Field("type_parameters"))
	bindTypeVars(b, n)
	paramFacts(b, list, defaults, method && !k.static, k.class, n.Field("body").Start())
	b.Scopes[scope].Result = b.Type(n.Field("return_type"))
	body := n.Field("body")
	b.Scopes[scope].Body = !k.overload && !bodyless(body)
	if f.generator = yields(body); f.generator {
		f.sent = sentTo(b, n.Field("return_type"))
	}
	b.WalkChildren(body)
	results(b, scope, k)
	b.CloseScope()
}

// decorated records the decorators of a definition on its scope. Symbols are not
// enough: they merge the decorators of all definitions of one name, and nested
// definitions have no symbol.
func decorated(b *core.FactBuilder, scope int32, decorators []syntax.Node) {
	texts := make([]string, len(decorators))
	for i, d := range decorators {
		texts[i] = decoratorText(d)
	}
	b.Scopes[scope].Decorators = texts
}

// results sets the result of calling a function if it differs from its return value. A
// generator returns an iterator over its yields; a function decorated by contextlib
// returns a context manager.
func results(b *core.FactBuilder, scope int32, k decoratorKind) {
	f, s := flowOf(b), &b.Scopes[scope]
	if !f.generator {
		return
	}
	s.Async = false
	yielded := b.Either(f.yields...)
	if s.Result != 0 {
		yielded = b.Apply(code.OpElem, b.Apply(code.OpAs, s.Result))
	}
	switch {
	case k.context:
		object := b.OpenScope(code.SpaceScope, "", 0, 0)
		b.Scopes[object].Line, b.Scopes[object].End = b.Scopes[scope].Line, b.Scopes[scope].End
		b.Define(code.Def{Name: entered, Kind: code.DefField, Value: yielded, Line: b.Scopes[scope].Line})
		b.CloseScope()
		s = &b.Scopes[scope] // OpenScope may have reallocated b.Scopes
		s.Result, s.Returns = 0, []code.Ref{b.ScopeExpr(code.OpObject, object)}
	case s.Result == 0:
		s.Returns = []code.Ref{b.Group(code.OpList, 0, []code.Ref{yielded})}
	}
}

// sentTo returns the value of a yield expression in a generator of the given type: the
// second argument of Generator.
func sentTo(b *core.FactBuilder, typ syntax.Node) code.Ref {
	x := typ.First()
	switch name := typeName(typ); {
	case name != "Generator" && name != "AsyncGenerator":
		return 0
	case x.Is("generic_type"):
		if args := syntax.NamedChildren(x.Child("type_parameter")); len(args) > 1 {
			return b.Apply(code.OpAs, b.Type(args[1]))
		}
	case x.Is("subscript"):
		if parts := syntax.NamedChildren(x); len(parts) > 2 {
			return b.Apply(code.OpAs, b.Type(parts[2]))
		}
	}
	return 0
}

// entered is the name of the member of a context manager that with binds: the result of
// __enter__ or __aenter__.
const entered = "(enter)"

// bodyless reports whether a body is only "...", after an optional docstring.
func bodyless(body syntax.Node) bool {
	for c := range body.NamedSeq() {
		if _, doc := statementDoc(c); doc {
			continue
		}
		return c.Is("expression_statement") && c.First().Is("ellipsis")
	}
	return false
}

// yields reports whether a body is that of a generator.
func yields(body syntax.Node) bool {
	skip := -1
	for c := range body.Descendants() {
		switch {
		case c.Index() < skip:
		case c.Is("function_definition", "class_definition", "lambda"):
			skip = c.After()
		case c.Is("yield"):
			return true
		}
	}
	return false
}

// enter saves the state and begins a function. The returned function restores the
// state.
func (f *flow) enter(b *core.FactBuilder, method, static bool) func() {
	before := *f
	f.narrowed, f.yields, f.sent, f.generator, f.elsewhere = map[string]code.Ref{}, nil, 0, false, nil
	f.typed = map[string]code.Ref{}
	if method {
		f.self, f.class = "", b.Scopes[b.Scope].Parent
		if static {
			f.class = -1
		}
	}
	return func() {
		here := f.here
		*f = before
		f.here = here
	}
}

// defaults evaluates the default values of parameters in the scope of the definition.
func defaults(b *core.FactBuilder, list syntax.Node) []code.Ref {
	var out []code.Ref
	for n := range list.NamedSeq() {
		out = append(out, b.Value(n.Field("value")))
	}
	return out
}

// paramFacts binds the parameters of a function, visible from offset pos:
// annotations do not see them.
func paramFacts(b *core.FactBuilder, list syntax.Node, defaults []code.Ref, method, class bool, pos int) {
	i := -1
	for n := range list.NamedSeq() {
		i++
		if n.Is("positional_separator", "keyword_separator", "ERROR", "line_continuation") {
			continue
		}
		name, typ := paramName(n), b.Type(n.Field("type"))
		d := code.Def{Name: name.Text(), Kind: code.DefParam, Type: typ, Pos: int32(pos), Line: int32(name.Line()), Optional: true}
		if i < len(defaults) {
			d.Value = defaults[i]
		}
		switch name.Parent().Kind() {
		case "list_splat_pattern":
			d.Variadic = true
		case "dictionary_splat_pattern":
			if typ != 0 {
				d.Type = b.Group(code.OpMap, typ, []code.Ref{b.Literal("str")})
			}
		}
		if method && i == 0 && !d.Variadic && name.Parent().Kind() != "dictionary_splat_pattern" {
			d.Type, d.Value = 0, this(b)
			if class {
				d.Value = b.Apply(code.OpTypeOf, d.Value)
			}
			flowOf(b).self = d.Name
		}
		b.Define(d)
	}
}

// paramName returns the identifier of a parameter.
func paramName(n syntax.Node) syntax.Node {
	name := n
	switch n.Kind() {
	case "default_parameter", "typed_default_parameter":
		name = n.Field("name")
	case "typed_parameter":
		name = n.First()
	}
	if name.Is("list_splat_pattern", "dictionary_splat_pattern") {
		name = name.First()
	}
	return name
}

// typeParams binds the type parameters of a bracketed list: [T: Bound, *Ts].
func typeParams(b *core.FactBuilder, list syntax.Node) {
	for n := range list.NamedSeq() {
		x := n.First()
		d := code.Def{Kind: code.DefTypeParam, Line: int32(n.Line())}
		if x.Is("constrained_type") {
			sides := syntax.NamedChildren(x)
			if len(sides) == 2 {
				x = sides[0].First()
				d.Type = b.Type(sides[1])
			}
		}
		for x.Is("splat_type", "list_splat", "dictionary_splat") {
			x = x.First()
		}
		if d.Name = x.Text(); x.Is("identifier") {
			b.Define(d)
		}
	}
}

// bindTypeVars binds the file's type variables that occur in the annotations of a
// function or the bases of a class, unless an enclosing class binds them.
func bindTypeVars(b *core.FactBuilder, n syntax.Node) {
	f := flowOf(b)
	if len(f.typeVars) == 0 {
		return
	}
	body := n.Field("body")
	for c := range n.Descendants() {
		if c.Index() >= body.Index() {
			break
		}
		if c.Is("string") {
			for name := range strings.FieldsFuncSeq(c.Text(), func(r rune) bool { return r >= 0x80 || !srctext.NameByte(byte(r)) }) {
				typeVar(b, name, n)
			}
		}
		if c.Is("identifier") {
			typeVar(b, c.Text(), n)
		}
	}
}

func typeVar(b *core.FactBuilder, name string, n syntax.Node) {
	bound, ok := flowOf(b).typeVars[name]
	if !ok {
		return
	}
	for s := b.Scope; s > 0; s = b.Scopes[s].Parent {
		for i := range b.Scopes[s].Defs {
			if d := &b.Scopes[s].Defs[i]; d.Name == name && d.Kind == code.DefTypeParam {
				return
			}
		}
	}
	b.Define(code.Def{Name: name, Kind: code.DefTypeParam, Type: bound, Line: int32(n.Line())})
}

func classFacts(b *core.FactBuilder, n syntax.Node, decorators []syntax.Node) {
	name, list := n.Field("name"), n.Field("superclasses")
	outer := variables(b)
	scope := b.OpenScope(code.TypeScope, name.Text(), n.Start(), n.End())
	b.Symbol(scope, name.Start())
	decorated(b, scope, decorators)
	b.DefineIn(outer, code.Def{Name: name.Text(), Kind: code.DefType, Scope: scope, Line: int32(name.Line())})
	f := flowOf(b)
	f.forget(name.Text())
	narrowed := f.narrowed
	f.narrowed = map[string]code.Ref{}
	typeParams(b, n.Field("type_parameters"))
	bindTypeVars(b, n)
	for base := range list.NamedSeq() {
		baseFacts(b, scope, base)
	}
	b.Scopes[scope].Body = true
	b.WalkChildren(n.Field("body"))
	f.narrowed = narrowed
	b.CloseScope()
}

// baseFacts reads one argument of a class statement: a base or a keyword.
func baseFacts(b *core.FactBuilder, scope int32, n syntax.Node) {
	switch {
	case n.Is("keyword_argument"):
		b.Walk(n.Field("value"))
		return
	case n.Is("call") && n.Field("function").Ends("with_metaclass"):
		b.Value(n)
		for i, c := range syntax.NamedChildren(n.Field("arguments")) {
			if i > 0 {
				baseFacts(b, scope, c)
			}
		}
		return
	case lastName(n) == "Generic" || lastName(n) == "Protocol" && n.Is("subscript"):
		return
	}
	if t := b.Type(n); t != 0 {
		b.Scopes[scope].Bases = append(b.Scopes[scope].Bases, code.Base{Type: t})
	}
}
