package python

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// factRules are the rules for Python's scopes, names and expressions.
var factRules = &core.FactRules{Visit: visit, Value: valueRef, Type: typeRef, Begin: beginFacts}

// flow is the state of the walk over one file.
type flow struct {
	imports   map[int][]int       // line -> indexes of the imports on that line
	enums     map[string]bool     // qualified names of enum classes
	top       map[string]bool     // names that the file imports
	declared  map[string]bool     // names defined by the project, not by Python
	here      int                 // end offset of the current statement
	typeVars  map[string]code.Ref // type variable -> its bound
	narrowed  map[string]code.Ref // source text of an expression -> its type or value at this point
	yields    []code.Ref          // values yielded by the current function
	sent      code.Ref            // value of a yield expression
	generator bool                // the current function has a yield
	elsewhere map[string]int32    // names declared global or nonlocal -> their scope
	typed     map[string]code.Ref // variable of the current function -> its annotation
	fields    map[fieldOf]bool    // attributes of self that are already bound
	self      string              // first parameter of the current method
	class     int32               // scope of the current method's class, or -1
}

// fieldOf is an attribute of the class with the given scope.
type fieldOf struct {
	class int32
	name  string
}

func beginFacts(b *core.FactBuilder) {
	f := &flow{
		imports: map[int][]int{}, enums: map[string]bool{}, top: map[string]bool{}, declared: map[string]bool{},
		typeVars: map[string]code.Ref{}, narrowed: map[string]code.Ref{}, typed: map[string]code.Ref{}, fields: map[fieldOf]bool{}, class: -1,
	}
	for i := range b.File.Imports {
		imp := &b.File.Imports[i]
		if imp.Reexport {
			continue
		}
		f.imports[imp.Line] = append(f.imports[imp.Line], i)
		for _, name := range importedNames(imp) {
			f.top[name] = true
			f.declared[name] = f.declared[name] || !typingModules[imp.Module]
		}
	}
	for i := range b.File.Symbols {
		f.declared[b.File.Symbols[i].Name] = true
	}
	f.findEnums(b.File.Symbols, "")
	b.Own = f
}

// typingModules are the modules whose types and functions are treated as Python's own.
var typingModules = core.SetOf("typing", "typing_extensions", "collections", "collections.abc", "builtins", "functools", "copy", "contextlib",
	"itertools", "asyncio", "weakref")

// importedNames returns the names that an import binds.
func importedNames(imp *code.Import) []string {
	if imp.Namespace != "" {
		return []string{imp.Namespace}
	}
	out := slices.Clone(imp.Named)
	for i, alias := range imp.Aliases {
		if alias != "" {
			out[i] = alias
		}
	}
	return out
}

func (f *flow) findEnums(list []code.Symbol, owner string) {
	for i := range list {
		name := srctext.Join(owner, list[i].Name)
		if list[i].Kind == code.Enum {
			f.enums[name] = true
		}
		f.findEnums(list[i].Members, name)
	}
}

// flowOf returns the state of the walk.
func flowOf(b *core.FactBuilder) *flow { return b.Own.(*flow) } // beginFacts set it

func visit(b *core.FactBuilder, n syntax.Node) bool {
	switch n.Kind() {
	case "decorated_definition":
		decoratedFacts(b, n)
	case "function_definition":
		functionFacts(b, n, nil)
	case "class_definition":
		classFacts(b, n, nil)
	case "expression_statement":
		return expressionStatement(b, n)
	case "import_statement", "import_from_statement", "future_import_statement":
		importFacts(b, n)
	case "return_statement":
		returnFacts(b, n)
	case "global_statement", "nonlocal_statement":
		outerNames(b, n)
	case "type_alias_statement":
		typeAliasFacts(b, n)
	default:
		return branching(b, n) || expression(b, n)
	}
	return true
}

// expressionStatement reads an expression statement.
func expressionStatement(b *core.FactBuilder, n syntax.Node) bool {
	x := n.First()
	switch {
	case x.Is("string", "concatenated_string") && !strings.ContainsAny(x.Child("string_start").Text(), "fFtT"):
		if _, doc := statementDoc(n); doc {
			return true
		}
	case x.Is("assignment"):
		assignmentFacts(b, x)
		return true
	case x.Is("augmented_assignment"):
		b.Walk(x.Field("left"))
		b.Walk(x.Field("right"))
		return true
	}
	return false
}

func decoratedFacts(b *core.FactBuilder, n syntax.Node) {
	decorators := syntax.ChildrenOf(n, "decorator")
	for _, d := range decorators {
		b.Value(d.First())
	}
	if def := n.Field("definition"); def.Is("class_definition") {
		classFacts(b, def, decorators)
	} else {
		functionFacts(b, def, decorators)
	}
}

// variables returns the scope in which an assignment binds: that of the enclosing
// function, class or file.
func variables(b *core.FactBuilder) int32 { return b.Function() }

// bindName binds a name in the scope in which an assignment binds it.
func bindName(b *core.FactBuilder, d code.Def) {
	scope := variables(b)
	f := flowOf(b)
	if other, ok := f.elsewhere[d.Name]; ok && b.Scopes[scope].Kind == code.FuncScope {
		scope, d.Pos = other, 0
	}
	f.forget(d.Name)
	if b.Scopes[scope].Kind == code.TypeScope && d.Kind == code.DefVar {
		d.Kind = code.DefField
	}
	b.DefineIn(scope, d)
}

// outerNames reads global and nonlocal.
func outerNames(b *core.FactBuilder, n syntax.Node) {
	f := flowOf(b)
	for name := range n.NamedSeq() {
		text := name.Text()
		scope := int32(0)
		if n.Is("nonlocal_statement") {
			scope = holder(b, text)
		}
		if f.elsewhere == nil {
			f.elsewhere = map[string]int32{}
		}
		f.elsewhere[text] = scope
	}
}

// holder returns the closest outer function that binds a name, or the file scope.
func holder(b *core.FactBuilder, name string) int32 {
	for s := b.Scopes[b.Function()].Parent; s > 0; s = b.Scopes[s].Parent {
		if b.Scopes[s].Kind != code.FuncScope {
			continue
		}
		if slices.ContainsFunc(b.Scopes[s].Defs, func(d code.Def) bool { return d.Name == name }) {
			return s
		}
	}
	return 0
}

// importFacts binds the names of an import statement in a function or class.
func importFacts(b *core.FactBuilder, n syntax.Node) {
	if b.Scopes[variables(b)].Kind == code.FileScope {
		return // file-level imports are in File.Imports
	}
	for _, i := range flowOf(b).imports[n.Line()] {
		imp := &b.File.Imports[i]
		if imp.Namespace != "" {
			bindImport(b, n, imp.Namespace, i, "")
			continue
		}
		for j, name := range importedNames(imp) {
			if name != "*" {
				bindImport(b, n, name, i, imp.Named[j])
			}
		}
	}
}

// bindImport binds a name to the i-th import, or to the member of in its module.
func bindImport(b *core.FactBuilder, n syntax.Node, name string, i int, of string) {
	value := b.Add(code.Expr{Op: code.OpImport, N: int32(i), Name: of, Scope: b.Scope})
	bindName(b, code.Def{Name: name, Kind: code.DefVar, Value: value, Pos: int32(n.Start()), Line: int32(n.Line())})
}

func returnFacts(b *core.FactBuilder, n syntax.Node) {
	ref := b.Value(n.First())
	if f := flowOf(b); !f.generator {
		b.Returns(ref)
	}
}

// typeAliasFacts reads type A[T] = ...
func typeAliasFacts(b *core.FactBuilder, n syntax.Node) {
	var sides []syntax.Node
	for c := range n.NamedSeq() {
		if c.Is("type") {
			sides = append(sides, c)
		}
	}
	if len(sides) != 2 {
		return
	}
	name := sides[0].First()
	if name.Is("generic_type") {
		name = name.First()
	}
	bindName(b, code.Def{Name: name.Text(), Kind: code.DefAlias, Type: b.Type(sides[1]), Line: int32(n.Line())})
}
