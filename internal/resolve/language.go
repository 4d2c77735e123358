package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// language holds the resolution rules of a language. The zero value of a field is the common rule.
type language struct {
	// Files and packages: visibility.

	// family is shared by languages whose files see each other's declarations.
	family string
	// space returns the package of a file, whose files see each other's declarations; "" for none.
	space func(u *unit) string
	// visible reports whether a declaration of a scope is visible in a package, and in which: the file's own for
	// top-level declarations, another for a namespace.
	visible func(u *unit, space string, scope int32, d *decl) (string, bool)
	// opened returns the package in which the bindings of an open namespace's scope are visible; may be nil.
	opened func(u *unit, scope int32) string
	// within returns what a package has under a name as seen from a file; nil for everything.
	within func(l *Linker, u *unit, space, name string) values
	// near selects among several declarations in a package, if a project has the package more than once; nil for
	// all.
	near func(l *Linker, u *unit, found values) values
	// bind binds the names of the i-th import of a file.
	bind func(u *unit, i int)
	// imported returns the meaning of an imported name; nil for the common rule: the module, or a name that it
	// exports.
	imported func(l *Linker, u *unit, b binding) values
	// exported returns what a module's file exports under a name; nil for its top-level declarations and imported
	// names.
	exported func(l *Linker, u *unit, name string) values
	// modules is set if a file may have modules with imports of their own; see unit.importScopes.
	modules bool
	// wildcard returns what the i-th import of a file, a wildcard, binds to a name; nil for the common rule: what the files that it
	// leads to export.
	wildcard func(l *Linker, u *unit, i int, name string) values
	// rebinds is set if a name may be both imported and declared in a file; either may be meant.
	rebinds bool

	// Names: the meaning of an unqualified name.

	// outer looks up a name that is neither in the enclosing scopes nor imported nor in the package; may be nil.
	outer func(l *Linker, u *unit, scope int32, name string) values
	// builtins are the predeclared names.
	builtins map[string]bool
	// functionsApart is set if functions have a namespace of their own: their declarations and calls are looked up
	// with "()" appended.
	functionsApart bool
	// fallback is set if a call may also mean a type, or a variable that holds a function, when there is no
	// function of the name.
	fallback bool
	// typesApart is set if types and values have separate namespaces.
	typesApart bool
	// hoists is set if a variable can be used before the line that declares it.
	hoists bool
	// implicitThis is set if members can be named without a receiver.
	implicitThis bool
	// qualified is set if members are always qualified.
	qualified bool
	// classNames is set if the name of a class, inside it, means the class and not its constructor.
	classNames bool
	// implied is the name of the implicit parameter of a closure without parameters; in a closure that cannot have
	// one it is that of the enclosing closure.
	implied string
	// receiver returns the implicit receiver in a closure; may be nil.
	receiver func(l *Linker, u *unit, scope int32) values
	// has reports whether an external type is known to have a member.
	has func(v value, name string) bool

	// only returns what a member of a name means on values that are not known to have it; may be nil.
	only func(l *Linker, u *unit, x *code.Expr, of values) values

	// byUse returns what a called member of a variable of an unknown type means, by what else is called on the variable; may be nil.
	byUse func(l *Linker, callee *code.Expr) values

	// Types: members and bases.

	// merges is set if several declarations of a name in a package are one type.
	merges bool
	// sameType reports whether two such declarations are parts of one type; nil if all are. See merges.
	sameType func(a, b *decl) bool
	// variants is set if a type without a body is a value of the enclosing enum.
	variants bool
	// foreign reports whether the project only adds to a type declared elsewhere; may be nil.
	foreign func(d *decl) bool
	// structural is set if types implement interfaces implicitly, by having their methods.
	structural bool
	// library is what is known of external types.
	library *library
	// linear is set if all bases of a type are searched in C3 order.
	linear bool
	// nearest is set if the shallowest member among the bases counts; else bases are searched one after another.
	nearest bool
	// typeMember returns a member of a type, instead of the common rule; may be nil.
	typeMember func(l *Linker, v value, name string) values
	// overloads is set if a type inherits overloads of its own functions: a function overrides only one with the
	// same parameters.
	overloads bool
	// extends is set if a function with an owner is only a member of that, and not visible by its plain name.
	extends bool
	// receiverFirst is set if the first parameter of a method with an owner is the receiver.
	receiverFirst bool
	// narrows is set if a variable of a declared type is narrowed to the type assigned to it.
	narrows bool

	// Calls: their targets.

	// constructors are the names of constructors, in order. Without a constructor the type itself is the target.
	constructors []string
	// namedConstructors is set if constructors have the name of their type.
	namedConstructors bool
	// ownConstructors is set if a type without a constructor of its own is the target even if a base has one.
	ownConstructors bool
	// staticsToo is set if a name without a receiver in a type means static methods too, beside those of its instances.
	staticsToo bool
	// staticExtensions is set if an extension method is a static method, too, and can be called as one.
	staticExtensions bool
	// delegates is set if this(…) and super(…) call constructors.
	delegates bool
	// callsTypes is set if calling a type is a call of the type, which then uses its constructor.
	callsTypes bool
	// converts is set if calling a type is a conversion, which calls no code.
	converts bool
	// callables are the names of the members called by calling a value: "__call__".
	callables []string
	// declaredOnly is set if only declared functions are targets, not variables or fields that hold one.
	declaredOnly bool
	// fixture returns what a test framework passes for a parameter of a function; may be nil.
	fixture func(l *Linker, param *decl) values
	// holds is set if variables and fields are not functions: calling one uses the function that it holds.
	holds bool
	// bare returns the result of a function named without parentheses; may be nil.
	bare func(l *Linker, v value) (values, bool)
	// anyMethod is set if a closure implements any interface with a single method.
	anyMethod bool
	// common are the functions that every value has; an interface with only these requires nothing.
	common map[string]bool
	// trailing is set if a closure after the arguments is the last argument.
	trailing bool
	// prototypes is set if functions without a body are declarations of functions defined elsewhere.
	prototypes bool
	// defined returns the definitions of a function without a body, as seen from the file being linked; may be nil.
	defined func(l *Linker, d *decl) []*decl
	// signatures is set if functions without a body, of one name and scope, are overload signatures of one
	// function.
	signatures bool
	// choose selects the targets of a call among several declarations; nil for all.
	choose func(l *Linker, c *callSite, goals values) values

	// Built-in types: their members and results.

	// member returns a member that is not declared in the project: of a built-in type or module. If ok is set it is
	// known, even if found is empty.
	member func(l *Linker, v value, name string) (found values, ok bool)
	// result returns the result of calling a built-in function or member; may be nil.
	result func(l *Linker, c *callSite, callee value) (values, bool)
	// passed returns the n-th parameter of a closure that is the arg-th argument of a built-in; may be nil.
	passed func(l *Linker, callee value, arg, n int) values
	// generic converts an external generic type with arguments to a value: Array<T> to a list of T. It may be nil.
	generic func(l *Linker, name string, args []values) (value, bool)
	// element returns the elements of a value other than a list or map.
	element func(l *Linker, v value) values
	// key returns the keys of a value other than a map.
	key func(l *Linker, v value) values
	// item returns x[n] for an x of a project type, or of any type if n is the unknown index -1; nil for the
	// elements of x.
	item func(l *Linker, v value, n int) values
	// keyed is set if iterating over a map yields its keys.
	keyed bool
}

// languages maps names to rules.
var languages = map[string]func() *language{
	"c":          cLanguage,
	"cpp":        cppLanguage,
	"csharp":     csharpLanguage,
	"go":         goLanguage,
	"java":       javaLanguage,
	"javascript": ecmaLanguage,
	"kotlin":     kotlinLanguage,
	"php":        phpLanguage,
	"python":     pythonLanguage,
	"ruby":       rubyLanguage,
	"rust":       rustLanguage,
	"scala":      scalaLanguage,
	"swift":      swiftLanguage,
	"typescript": ecmaLanguage,
}

// languageOf returns the rules of a language.
func languageOf(name string) *language {
	l := &language{}
	if rules := languages[name]; rules != nil {
		l = rules()
	}
	if l.family == "" {
		l.family = name
	}
	if l.space == nil {
		l.space = func(*unit) string { return "" }
	}
	if l.visible == nil {
		l.visible = visibleAtTop
	}
	if l.bind == nil {
		l.bind = bindImport
	}
	return l
}

// visibleAtTop makes the top-level declarations of files visible in the package.
func visibleAtTop(_ *unit, space string, scope int32, d *decl) (string, bool) {
	return space, space != "" && scope == 0 && !d.def.Hidden
}

// nameOf returns the name by which a declaration is looked up.
func (l *language) nameOf(d *code.Def) string {
	if l.functionsApart && d.Kind == code.DefFunc && !d.Getter {
		return d.Name + called
	}
	return d.Name
}

// constructorName is the name of constructors in languages in which they have no name.
const constructorName = "new"

// called is appended to function names in languages with functionsApart.
const called = "()"

// typeScope reports whether a scope holds members.
func typeScope(s *code.Scope) bool { return s.Kind == code.TypeScope }

// wordSet returns the set of words of a text.
func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		out[word] = true
	}
	return out
}
