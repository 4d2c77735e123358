package code

import "github.com/reverse-spec/reverse-spec/internal/x/reuse"

// Facts describe the names and values of a file in one form for all languages: its scopes, what is bound in each,
// and the expressions that define bindings and make calls. Package resolve derives from the facts of all files what
// each name means.
//
// Only what helps to resolve calls is kept. Arithmetic, conditions and literals without a known type are Ref 0,
// "unknown".
//
// The exported surface, which other files can refer to, comes first; see [Facts.HeadFirst].
type Facts struct {
	Exprs  []Expr  // Exprs[0] is the unknown expression
	Scopes []Scope // Scopes[0] is the file; a scope comes after its parent

	HeadExprs  int // number of Exprs in the head
	HeadScopes int // number of Scopes in the head
}

// dropped is the memory of facts that nobody needs.
var dropped struct {
	exprs  reuse.Pool[Expr]
	scopes reuse.Pool[Scope]
}

// NewFacts returns facts with expression 0 and scope 0, which is that of a file of a number of lines, and room for about as many expressions as
// it is going to have.
func NewFacts(lines, exprs int) *Facts {
	file := Scope{Kind: FileScope, Parent: -1, Line: 1, End: int32(max(lines, 1)), Body: true}
	return &Facts{Exprs: dropped.exprs.Get(1 + exprs)[:1], Scopes: append(dropped.scopes.Get(0), file)}
}

// Drop gives up the memory of the facts: nothing may refer to them any more.
func (f *Facts) Drop() {
	dropped.exprs.Put(f.Exprs)
	dropped.scopes.Put(f.Scopes)
	f.Exprs, f.Scopes = nil, nil
}

// Ref is an index into [Facts.Exprs]; 0 is the unknown expression.
type Ref int32

// Op is the operation of an expression.
type Op uint8

// The operations. X, Args, Name and N are fields of [Expr]. Types are expressions, too: a name denotes the type,
// and OpAs is a value of it. Pointers, references, nullability, parentheses and non-null assertions are dropped: *T
// and &x, T? and x! become T and x.
const (
	OpNone     Op = iota
	OpName        // the identifier Name, looked up from Scope at Pos; N is 1+n if only a type can appear here, with n type arguments, else -n
	OpSelect      // the member Name of X: of a value, a type, a module
	OpCall        // X called with Args; Line; N is 1 for a component used as an element of markup
	OpNew         // a new X made with Args by its constructor; Line
	OpMake        // a new X without a constructor call: Go's T{}, Rust's T { }
	OpAs          // a value of the type X: a cast, an assertion, a conversion
	OpIndex       // X[Args...]: an element, or X with type arguments if the syntax is ambiguous
	OpApply       // the generic X with the type arguments Args
	OpElem        // an element of X when iterating
	OpKey         // a key of X when iterating
	OpNth         // the N-th part (from 0) of X: one of several results, of a tuple, of a list
	OpAwait       // the result of awaiting X
	OpEither      // one of Args: a conditional, a default; as a type, a union; Name is "doc" if it comes from a comment
	OpThis        // the receiver of the enclosing method
	OpSuper       // the receiver, viewed as its base types
	OpFunc        // an anonymous function: scope N
	OpObject      // an object whose members are bound in scope N: an object literal, an anonymous class, an inline struct
	OpLit         // a literal of the built-in type Name: "string", "int", ...
	OpList        // a list of Args; as a type, a list of X
	OpMap         // a map of Args[0] to X
	OpTuple       // a tuple of Args; as a type too
	OpFuncType    // the type of functions from Args to X
	OpTypeOf      // the type of the value X
	OpImport      // the module of the file's N-th import, or its member Name
	OpExpected    // the type that the call X expects for its N-th argument
)

// HeadPos is the Pos of a name in a type's declaration before its body: among its bases, where its type parameters
// are in scope but its members are not.
const HeadPos = -1

// Expr is an expression.
type Expr struct { // the order of the fields leaves no gaps: there are millions
	Name  string
	Args  []Ref
	X     Ref
	N     int32
	Scope int32 // where it occurs; OpName, OpCall, OpNew, OpThis, OpSuper, OpSelect
	Pos   int32 // its first byte; for a call, the first byte of the called name
	Line  int32 // 1-based; for a call, the line of the called name
	Op    Op
	// Called is set on the callee of a call: in some languages functions and variables have separate namespaces.
	Called bool
}

// ScopeKind is the kind of a scope.
type ScopeKind uint8

// The kinds of a scope.
const (
	FileScope  ScopeKind = iota
	TypeScope            // members of a class, struct, interface, enum, trait, object, extension
	FuncScope            // parameters and body of a function; a closure if Name is ""
	BlockScope           // a block, a loop, a case
	SpaceScope           // a namespace or module inside a file; the members of an OpObject
)

// Scope is a region in which names are bound.
type Scope struct {
	Kind   ScopeKind
	Parent int32  // -1 for the file scope
	Name   string // of a type, function or namespace; "" for blocks and closures
	// Symbol is the qualified name of the [Symbol] in the file whose scope this is, "Type.method"; "" if it has
	// none, such as a nested function.
	Symbol string
	// Decorators are those of a function or type; nil if the parser reports them only in the Symbol.
	Decorators []string
	Line, End  int32 // lines, 1-based, inclusive
	Defs       []Def
	HeadDefs   int // number of Defs in the head

	// Set for types:
	Bases []Base

	// Set for functions:
	Owner   Ref   // the type of which it is a method, if declared outside it: Go's receiver, an extension's target
	Result  Ref   // the declared result type
	Returns []Ref // the returned values if no type is declared; the yielded values of a generator
	Call    Ref   // a closure: the call that it is an argument of ...
	Arg     int32 // ... as which argument
	Expect  Ref   // a closure: the declared type of the variable it is assigned to
	Async   bool  // a call returns a promise of the result, unless Result already says so
	Body    bool  // it has a body; a mere declaration has none
}

// Base is a base type.
type Base struct {
	Type       Ref
	Implements bool // declared as an interface in the source
	Embeds     bool // Go: an embedded field; Ruby and PHP: a mixin or trait
}

// DefKind is the kind of a binding.
type DefKind uint8

// The kinds of a binding.
const (
	DefVar       DefKind = iota // a variable or constant
	DefParam                    // a parameter of the function whose scope it is in
	DefField                    // a field or property
	DefFunc                     // a function or method; Scope
	DefType                     // a class, struct, interface, ...; Scope
	DefAlias                    // an alias of the type Type or of Value; "*": of all members of the namespace Type
	DefTypeParam                // a type parameter; Type is its bound
	DefSpace                    // a namespace; Scope
	DefMember                   // an enum constant: a value of the enclosing type
)

// Def binds a name in a scope.
type Def struct {
	Name  string
	Type  Ref   // as declared
	Value Ref   // the initial value
	Scope int32 // the scope of a DefFunc, DefType or DefSpace
	Pos   int32 // the byte offset from which it is visible; 0 for the whole scope
	Line  int32 // line of the name
	Kind  DefKind

	Static   bool
	Hidden   bool // visible in this file only: C's static; private items of Rust do not count
	Abstract bool // declared without a body, to be implemented elsewhere: an interface's method
	Getter   bool // DefFunc: called without parentheses
	Optional bool // DefParam: may be omitted
	Variadic bool // DefParam: takes any number of arguments
	Exported bool // visible outside the scope
	Default  bool // ECMAScript: the default export; Kotlin: the companion object of the enclosing class
	Implied  bool // DefFunc: not written, but generated for the enclosing type
	Single   bool // DefType: a singleton object; the name denotes the object
	Macro    bool // DefFunc: a macro of C, whose replacement is the body
}
