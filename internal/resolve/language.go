package resolve

import "github.com/reverse-spec/reverse-spec/internal/code"

// language is how one language resolves names. The zero value of a field is the
// usual way.
type language struct {
	// Files and packages: who sees what.

	// family is shared by languages whose files see each other's declarations.
	family string
	// space returns the package of a file whose other files see what it declares;
	// "" for none.
	space func(u *unit) string
	// visible reports whether a declaration of a scope is seen in a package, and in
	// which: the file's own for what stands at its top, another for a namespace.
	visible func(u *unit, space string, scope int32, d *decl) (string, bool)
	// opened returns the package that what a namespace's scope binds is seen in, where
	// other files open the same one; it may be nil.
	opened func(u *unit, scope int32) string
	// within returns what a package has under a name for who sees it from a file; nil
	// for all that it has.
	within func(l *Linker, u *unit, space, name string) values
	// near leaves of several declarations in a package those that a file means, where
	// a project has a package more than once; nil for all.
	near func(l *Linker, u *unit, found values) values
	// bind binds what the i-th import of a file brings.
	bind func(u *unit, i int)
	// imported returns what the name of a binding means; nil for the usual way: the
	// module, or a name that it exports.
	imported func(l *Linker, u *unit, b binding) values
	// exported returns what a module's file has under a name for who imports it;
	// nil for what its top declares and its imports bind.
	exported func(l *Linker, u *unit, name string) values
	// rebinds tells that a name may be imported and declared in one file: either is
	// meant.
	rebinds bool

	// Names: what one that stands alone can mean.

	// beyond looks up a name that neither the scopes around it nor the imports nor
	// the package have; it may be nil.
	beyond func(l *Linker, u *unit, scope int32, name string) values
	// builtins are names that the language itself brings.
	builtins map[string]bool
	// functionsApart tells that functions have names apart from those of variables and
	// types: what declares one and what calls one is looked up with "()" behind the name.
	functionsApart bool
	// fallback tells that where nothing is called by a name, what else has it is
	// meant: a type, a variable that holds a function.
	fallback bool
	// typesApart tells that types and values do not share their names.
	typesApart bool
	// hoists tells that a variable can be used above the line that sets it.
	hoists bool
	// implicitThis tells that members are named without a receiver.
	implicitThis bool
	// qualified tells that a member is never named without what it is a member of.
	qualified bool
	// classNames tells that in a class its name is the class, not its constructor.
	classNames bool
	// implied is the name of a parameter that a closure has where it names none: that of
	// the closure around is meant where it can have none.
	implied string
	// receiver returns what the names in a closure are members of; it may be nil.
	receiver func(l *Linker, u *unit, scope int32) values
	// has tells that a type of outside the project is known to have a member.
	has func(v value, name string) bool

	// Types: what they are made of and built on.

	// merges tells that several declarations of one name in one package are one
	// type.
	merges bool
	// sameType reports whether two declarations of one name in one package are parts of
	// one type; nil where all are. See merges.
	sameType func(a, b *decl) bool
	// variants tells that a type without a body of its own is a value of the enum around.
	variants bool
	// foreign tells a type that the project only adds to; it may be nil.
	foreign func(d *decl) bool
	// structural tells that types implement interfaces by having their methods.
	structural bool
	// interfaces are the methods of interfaces of outside the project, by their names.
	interfaces map[string][]outline
	// linear tells that all bases of a type are searched in one order, that of C3.
	linear bool
	// nearest tells that of the members of bases the one least deep counts; else all
	// of one base come before the next.
	nearest bool
	// typeMember returns what a type has under a name, in place of the usual way; it may
	// be nil.
	typeMember func(l *Linker, v value, name string) values
	// overloads tells that a type has the functions of one name of its bases beside
	// its own, told apart by their parameters: a call that fits none reaches none, and
	// one stands in only for one that takes the same.
	overloads bool
	// extends tells that a function with an owner is a member of that, and of nothing
	// else by its name alone.
	extends bool
	// receiverFirst tells that the first parameter of a method with an owner is
	// what it is called on.
	receiverFirst bool
	// narrows tells that a variable of a declared type is of the type that it is set to.
	narrows bool

	// Calls: what one reaches.

	// constructors are the names of what making a value calls, in order; without
	// any, or where a type has none of them, the type is the target.
	constructors []string
	// namedConstructors tells that constructors have the name of their type.
	namedConstructors bool
	// ownConstructors tells that a type without a constructor of its own is the target
	// even if a base has one.
	ownConstructors bool
	// delegates tells that this(…) and super(…) call constructors.
	delegates bool
	// callsTypes tells that calling a type reaches the type, which then uses its
	// constructor.
	callsTypes bool
	// converts tells that calling a type converts, which reaches no code.
	converts bool
	// callables are the names of what calling a value calls: "__call__".
	callables []string
	// declaredOnly tells that what is called is what is declared as a function, not the
	// variable or field that holds one.
	declaredOnly bool
	// holds tells that variables and fields are no functions, whatever they hold:
	// calling one uses what it holds.
	holds bool
	// bare returns what a function gives that is named without being called; it may be
	// nil.
	bare func(l *Linker, v value) (values, bool)
	// anyMethod tells that a closure stands for an interface with one method, whatever
	// that is called.
	anyMethod bool
	// common are the functions that every value has: an interface that names them asks
	// for nothing.
	common map[string]bool
	// trailing tells that a closure behind the arguments is the last parameter's.
	trailing bool
	// prototypes tells that functions without a body are promises of others.
	prototypes bool
	// defined returns what a function without a body promises: its definitions, as seen
	// from the file being linked; it may be nil.
	defined func(l *Linker, d *decl) []*decl
	// signatures tells that functions of one name and scope without a body are the ways
	// to call one function.
	signatures bool
	// choose leaves of several declarations that a call may reach those it does; nil
	// for all of them.
	choose func(l *Linker, c *callSite, goals values) values

	// What the language itself brings: the members of its own types, and what they give.

	// member returns a member of a value that the declarations do not tell: of a
	// built-in type, of a module. ok tells that it is known, even as nothing.
	member func(l *Linker, v value, name string) (found values, ok bool)
	// result returns what calling a built-in function or member gives; it may be nil.
	result func(l *Linker, c *callSite, callee value) (values, bool)
	// passed returns what the n-th parameter of a closure gets that is passed as the
	// arg-th argument to a built-in; it may be nil.
	passed func(l *Linker, callee value, arg, n int) values
	// generic turns the application of a type of outside the project to arguments into a
	// value: Array<T> into a list of T. It may be nil.
	generic func(l *Linker, name string, args []values) (value, bool)
	// element returns what iterating over a value that is no list or map gives.
	element func(l *Linker, v value) values
	// key returns what the keys are of a value that is no map.
	key func(l *Linker, v value) values
	// item returns what x[n] gives, of an x of a type of the project, or of any by an
	// index that is not known, -1; nil for what iterating over x gives.
	item func(l *Linker, v value, n int) values
	// keyed tells that iterating over a map gives its keys.
	keyed bool
}

// languages is the table of languages.
var languages = map[string]func() *language{ //nolint:gochecknoglobals // a table
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

// languageOf returns how a language resolves names.
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

// visibleAtTop shows a package what stands at the top of its files.
func visibleAtTop(_ *unit, space string, scope int32, d *decl) (string, bool) {
	return space, space != "" && scope == 0 && !d.def.Hidden
}

// nameOf is what a declaration is looked up by.
func (l *language) nameOf(d *code.Def) string {
	if l.functionsApart && d.Kind == code.DefFunc && !d.Getter {
		return d.Name + called
	}
	return d.Name
}

// maker is what constructors are bound as in languages where they have no name of
// their own.
const maker = "new"

// called is what the name of a function ends in where functions have names apart.
const called = "()"

// typeScope tells a scope of members.
func typeScope(s *code.Scope) bool { return s.Kind == code.TypeScope }
