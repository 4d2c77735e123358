package code

// Facts are what a file says about its names and values, in one form for all
// languages: which scopes there are, what is bound in each, and the expressions
// that say what a binding is and what is called. Package link works out from the
// facts of all files what each name means.
//
// Only what helps to tell what is called is kept: arithmetic, conditions and
// literals without a known type are the Ref 0, "nothing known".
//
// What other files can ask for stands first; see [Facts.HeadFirst].
type Facts struct {
	Exprs  []Expr  // Exprs[0] is none
	Scopes []Scope // Scopes[0] is the file; one stands after the one around it

	HeadExprs  int // how many of Exprs are the head
	HeadScopes int // how many of Scopes are
}

// Ref is the index of an expression in [Facts.Exprs]; 0 is none.
type Ref int32

// Op is what an expression does.
type Op uint8

// The operations. X, Args, Name and N are fields of [Expr]. Types are
// expressions too: a name stands for the type, and what has that type is As.
// Pointers, references, nullability, parentheses and assertions that something
// is there leave no trace: *T, &x, T? and x! are T and x.
const (
	OpNone     Op = iota
	OpName        // the identifier Name, looked up from Scope at Pos; N is 1+n where only a type can stand, one with n type arguments, else -n
	OpSelect      // the member Name of X: of a value, a type, a module
	OpCall        // X called with Args; Line; N is 1 for a component used as an element of markup
	OpNew         // a new X made with Args by its constructor; Line
	OpMake        // a new X without a call of a constructor: Go's T{}, Rust's T { }
	OpAs          // a value of the type X: a cast, an assertion, a conversion
	OpIndex       // X[Args...]: an element, or X with type arguments where the text does not tell
	OpApply       // the generic X with the type arguments Args
	OpElem        // what iterating over X gives
	OpKey         // the keys that iterating over X gives
	OpNth         // the N-th part (from 0) of X: of several results, of a tuple, of a list
	OpAwait       // what awaiting X gives
	OpEither      // one of Args: a conditional, a default; as a type, a union; Name is "doc" where a comment says so
	OpThis        // the value that the method around is called on
	OpSuper       // the same, as its bases see it
	OpFunc        // a function without a name: scope N
	OpObject      // an object whose members are bound in scope N: an object literal, an anonymous class, an inline struct
	OpLit         // a literal of the built-in type Name: "string", "int", ...
	OpList        // a list of Args; as a type, a list of X
	OpMap         // a map of Args[0] to X
	OpTuple       // a tuple of Args; as a type too
	OpFuncType    // the type of functions from Args to X
	OpTypeOf      // the type of the value X
	OpImport      // the module that the file's N-th import means, or what it names there by Name
	OpExpected    // what the call X expects as its N-th argument
)

// HeadPos is the Pos of a name in the head of a type: among its bases, where its
// type parameters are in sight but not its members.
const HeadPos = -1

// Expr is an expression.
type Expr struct {
	Op Op
	// Called tells a name or member that a call calls: in some languages functions
	// and variables have names apart.
	Called bool
	Name   string
	X      Ref
	Args   []Ref
	N      int32
	Scope  int32 // where it stands; OpName, OpCall, OpNew, OpThis, OpSuper, OpSelect
	Pos    int32 // its first byte; for a call, that of the called name
	Line   int32 // 1-based; that of the called name for a call
}

// ScopeKind is what a scope is.
type ScopeKind uint8

// The kinds of a scope.
const (
	FileScope  ScopeKind = iota
	TypeScope            // members of a class, struct, interface, enum, trait, object, extension
	FuncScope            // parameters and body of a function; without a Name, of a closure
	BlockScope           // a block, a loop, a case
	SpaceScope           // a namespace or module inside a file; the members of an OpObject
)

// Scope is a region in which names are bound.
type Scope struct {
	Kind   ScopeKind
	Parent int32  // -1 for the file's
	Name   string // of a type, function or namespace; "" for blocks and closures
	// Symbol is the qualified name of the [Symbol] in the file that this is the
	// scope of, "Type.method"; "" where it has none, such as a nested function.
	Symbol string
	// Decorators are those of a function or type; nil where the parser does not tell
	// them here, but of the Symbol alone. They are for people, and [Encode] leaves them
	// out.
	Decorators []string
	Line, End  int32 // lines, 1-based, inclusive
	Defs       []Def
	HeadDefs   int // how many of Defs are the head

	// Of types:
	Bases []Base

	// Of functions:
	Owner   Ref   // the type it is a method of, where it does not stand in it: Go's receiver, an extension's target
	Result  Ref   // the type it declares to return
	Returns []Ref // what it returns, where it declares no type; for generators what is yielded
	Call    Ref   // a closure: the call that it is passed to ...
	Arg     int32 // ... as which argument
	Expect  Ref   // a closure: the type that what it is assigned to declares
	Async   bool  // calling it gives a promise of the result, where Result does not say so itself
	Body    bool  // it has one; a declaration has none
}

// Base is what a type is built on.
type Base struct {
	Type       Ref
	Implements bool // the text says that it is an interface
	Embeds     bool // Go: a field without a name; Ruby and PHP: a mixin or trait
}

// DefKind is what a binding binds.
type DefKind uint8

// The kinds of a binding.
const (
	DefVar       DefKind = iota // a variable or constant
	DefParam                    // a parameter of the function whose scope it is in
	DefField                    // a field or property
	DefFunc                     // a function or method; Scope
	DefType                     // a class, struct, interface, ...; Scope
	DefAlias                    // another name for the type Type, or for Value; "*": for all that the namespace Type binds
	DefTypeParam                // a type parameter; Type is its bound
	DefSpace                    // a namespace; Scope
	DefMember                   // a constant of an enum: a value of the type around
)

// Def binds a name in a scope.
type Def struct {
	Name  string
	Kind  DefKind
	Type  Ref   // as declared
	Value Ref   // what it is set to
	Scope int32 // that it opens: of DefFunc, DefType, DefSpace
	Pos   int32 // the byte from which on it can be used; 0 for the whole scope
	Line  int32 // of the name

	Static   bool
	Hidden   bool // only this file can use it: C's static, Rust's private items do not count
	Abstract bool // it has no body and asks others for one: an interface's method
	Getter   bool // DefFunc: used without parentheses, gives its result
	Optional bool // DefParam: may be left out
	Variadic bool // DefParam: any number
	Exported bool // others may use it
	Default  bool // ECMAScript: the default export; Kotlin: the companion of the class around
	Implied  bool // DefFunc: it is not written, but comes with the type around
	Single   bool // DefType: an object, of which there is one; the name stands for that
}
