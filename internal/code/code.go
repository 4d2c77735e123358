// Package code is the model of source text: what a parser finds in a file.
//
// Everything else in reverse-spec (specs, drift, the graph, search) reads these
// types and nothing else; no second parser exists. A [File] is one parsed file,
// a [Symbol] one declaration in it (members are symbols too), a [Skeleton] the
// contract's view of one file or of several merged.
//
// Lines and columns are 1-based. Paths are relative to the project root, with
// "/". Texts (signatures, types, values) are source text as written; they are
// never made up.
package code

// File is what a parser found in one source file.
type File struct {
	Path     string // relative to the project root, with "/"
	Language string // "go", "typescript", ...; see package lang
	LOC      int    // lines of text; a last line without newline counts
	Size     int    // bytes
	Hash     string // SHA-256 of the content, hex
	Doc      string // the file's or module's own documentation
	Package  string // the package or namespace that the file says it is in; else ""
	Parser   string // "go/parser" or "tree-sitter"

	Symbols     []Symbol // top level, in source order, exported and private
	Imports     []Import
	Calls       []Call
	Tests       []Test
	Entries     []Entry // where programs start
	Notes       []Note  // TODO, FIXME, ... comments
	ParseErrors []ParseError

	Test      bool // a test file by its language's convention
	Generated bool // says so in its head ("Code generated ... DO NOT EDIT.", "@generated")
	Vendored  bool // third-party code kept in the tree

	// Constraint is why the file is outside the reference build, such as
	// "windows" or "ignore"; "" when it is inside. Go only.
	Constraint string

	Digest Digest
	// Kinds are the kinds of the file's types, where its Symbols are left out; see
	// [Decode].
	Kinds []TypeKind
	// Facts are what tells what the file's calls mean; nil unless asked for, and
	// for languages that give none.
	Facts *Facts
	// Bodies are what the functions' bodies show; nil beside Facts, and for languages
	// that give none.
	Bodies *Bodies
	// Redactions are the secrets that were taken out of the texts above; nil where
	// nobody looked for them.
	Redactions []Redaction
}

// Redaction is a secret that stands in a file.
type Redaction struct {
	Type       string // API_KEY, PASSWORD, ...
	Line       int
	Confidence string // high, medium
}

// TypeKind is the kind of the type with a qualified name, "Outer.Inner".
type TypeKind struct {
	Name string
	Kind Kind
}

// Digest tells apart what changed in a file whose meaning did not. Hashes are
// short and hex.
type Digest struct {
	Path       string `json:"path"`
	Hash       string `json:"hash"`       // the file's Hash
	Tokens     string `json:"tokens"`     // all code, normalised as in [Symbol.BodyHash], imports left out
	Comments   string `json:"comments"`   // the comments' words
	Imports    string `json:"imports"`    // the import statements in order
	Commas     int    `json:"commas"`     // trailing commas
	Semicolons int    `json:"semicolons"` // semicolons in the text
}

// Kind is what a symbol is.
type Kind string

// The kinds of a top-level symbol. Members may have these (nested types) and
// the member kinds below.
const (
	Function  Kind = "function"
	Class     Kind = "class"
	Interface Kind = "interface"
	Type      Kind = "type"
	Enum      Kind = "enum"
	Const     Kind = "const"
	Variable  Kind = "variable"
	Struct    Kind = "struct"
	Trait     Kind = "trait"
	Union     Kind = "union"
	Module    Kind = "module" // a namespace inside a file; a Ruby module
	Macro     Kind = "macro"
	Object    Kind = "object"    // a singleton: Kotlin's and Scala's object
	Extension Kind = "extension" // members for a type that is declared elsewhere
)

// The kinds of a member.
const (
	Method      Kind = "method"
	Property    Kind = "property" // a field, an attribute, a record component
	Getter      Kind = "getter"
	Setter      Kind = "setter"
	Constructor Kind = "constructor"
	EnumMember  Kind = "enum_member"
	Embedded    Kind = "embedded" // a Go struct's or interface's embedded type
)

// HoldsMembers tells the kinds whose members are declared in them, types and modules;
// what a [Type] has is in its signature.
func (k Kind) HoldsMembers() bool {
	switch k {
	case Class, Struct, Interface, Enum, Trait, Union, Module, Object, Extension:
		return true
	default:
		return false
	}
}

// Visibility is who may use a symbol.
type Visibility string

// The visibilities.
const (
	Public    Visibility = "public"
	Protected Visibility = "protected"
	Package   Visibility = "package" // Java's default, Rust's pub(crate)
	Private   Visibility = "private"
)

// Symbol is one declaration: a function, a type, a constant, or a member of a
// type. Its JSON form holds the fields of the contract's ExportSymbol and
// MemberInfo, and more.
type Symbol struct {
	// Name is unique among a file's exported symbols. A method whose type is
	// declared in another file is a top-level symbol called "Type.Method".
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	// Signature is the source text of the declaration without its body and
	// without "export"; overloads stand one after another, a line each.
	Signature string `json:"signature"`
	Doc       string `json:"jsDoc,omitempty"`

	TypeParameters []string `json:"typeParameters,omitempty"` // as written: "T extends Foo = Bar"
	Params         []Param  `json:"params,omitempty"`
	Returns        string   `json:"returns,omitempty"` // return type, or a variable's type; "" when not written
	Value          string   `json:"value,omitempty"`   // what a constant, variable or enum member is set to; a default
	Bases          []string `json:"bases,omitempty"`   // extends, implements, superclasses, supertraits
	Decorators     []string `json:"decorators,omitempty"`
	// Overloads holds each signature of an overloaded function, when there is
	// more than one; Params and Returns are then those of the first.
	Overloads []Overload `json:"overloads,omitempty"`

	Visibility Visibility `json:"visibility,omitempty"`
	Exported   bool       `json:"isExported"`
	Default    bool       `json:"isDefault"`
	Static     bool       `json:"isStatic,omitempty"`
	Abstract   bool       `json:"isAbstract,omitempty"`
	Async      bool       `json:"isAsync,omitempty"`
	Optional   bool       `json:"isOptional,omitempty"` // a property that may be left out; a default method of an interface
	Readonly   bool       `json:"isReadonly,omitempty"`
	Receiver   string     `json:"receiver,omitempty"` // the receiver as written, Go and Rust: "(s *Server)", "&mut self"

	StartLine int `json:"startLine"` // of the declaration, not of its doc
	EndLine   int `json:"endLine"`
	// NameLine is the first line of the declaration that holds the name, which stands
	// below decorators; 0 where that was not looked for.
	NameLine int `json:"-"`
	// File is the file that holds the symbol; set where symbols of several
	// files stand together.
	File string `json:"file,omitempty"`
	// Constraint is the file's; see [File.Constraint].
	Constraint string `json:"constraint,omitempty"`

	// SignatureHash and BodyHash are over normalised syntax: no comments,
	// white space, trailing commas, optional semicolons, redundant parentheses
	// or choice of quotes. Equal hashes: equal meaning. "" without such a part.
	SignatureHash string `json:"signatureHash,omitempty"`
	BodyHash      string `json:"bodyHash,omitempty"`

	Members []Symbol `json:"members,omitempty"`
	// Part is set when the declaration need not be all of the thing: a prototype,
	// a partial or reopened class, an extension. [Merge] joins the parts.
	Part bool `json:"isPart,omitempty"`
	// Broken is set when a parse error lies inside the symbol.
	Broken bool `json:"hasParseError,omitempty"`
}

// Param is one parameter of a function.
type Param struct {
	Name     string `json:"name"`               // "" when not named (Go results and types)
	Type     string `json:"type,omitempty"`     // as written; "" when not written
	Default  string `json:"default,omitempty"`  // as written
	Optional bool   `json:"optional,omitempty"` // may be left out: a default, or marked so
	Variadic bool   `json:"variadic,omitempty"` // takes any number of arguments
	// Mode is how arguments reach it where that is part of the contract:
	// "positional" or "keyword" only (Python); "" for both.
	Mode string `json:"mode,omitempty"`
}

// Overload is one signature of an overloaded function.
type Overload struct {
	Signature      string   `json:"signature"`
	TypeParameters []string `json:"typeParameters,omitempty"`
	Params         []Param  `json:"params,omitempty"`
	Returns        string   `json:"returns,omitempty"`
	SignatureHash  string   `json:"signatureHash,omitempty"`
}

// ImportKind is how an import is made.
type ImportKind string

// The import kinds of the contract.
const (
	StaticImport   ImportKind = "static"
	DynamicImport  ImportKind = "dynamic"
	TypeOnlyImport ImportKind = "type-only"
	RequireImport  ImportKind = "commonjs-require"
)

// Import is one import or re-export statement.
type Import struct {
	Module    string     `json:"moduleSpecifier"` // as written, unquoted
	Relative  bool       `json:"isRelative"`
	Resolved  string     `json:"resolvedPath,omitempty"` // the file or folder meant, set by package graph
	Named     []string   `json:"namedImports,omitempty"` // names in the imported module; "*" for all
	Aliases   []string   `json:"aliases,omitempty"`      // local names, in parallel to Named; "" where the same
	Default   string     `json:"defaultImport,omitempty"`
	Namespace string     `json:"namespaceImport,omitempty"` // import * as x; import x "path"; import a.b as x
	TypeOnly  bool       `json:"isTypeOnly"`
	Reexport  bool       `json:"isReexport,omitempty"` // export … from, pub use
	Kind      ImportKind `json:"importType"`
	Line      int        `json:"line"`
}

// Call is one call site.
type Call struct {
	Name     string `json:"name"`               // the called name: "create"
	Receiver string `json:"receiver,omitempty"` // the text before it: "svc.users"
	In       string `json:"in,omitempty"`       // the enclosing symbol, "Type.method"; "" at top level
	Line     int    `json:"line"`
	New      bool   `json:"new,omitempty"` // a constructor call
	// Local tells that the name is bound in the function around, so that it means none
	// of that name outside. Go alone tells.
	Local bool `json:"-"`
}

// Test is one test case found by its language's convention.
type Test struct {
	Name    string `json:"name"` // "TestLogin/empty password" style nesting uses " > "
	Line    int    `json:"line"`
	EndLine int    `json:"endLine,omitempty"` // of its body; 0 where that is not known
	// Rows are the cases of the table that the test goes through: their names, else
	// what stands in them, as written.
	Rows   []string `json:"rows,omitempty"`
	Runner string   `json:"runner"` // "go test", "pytest", "unittest", "junit", "cargo test", "js", "python doctest", "gtest", "rspec", ...
	File   string   `json:"file,omitempty"`
}

// Entry is a place where a program starts.
type Entry struct {
	Name string `json:"name,omitempty"` // the symbol, "Type.main"; "" for the file's own statements
	Line int    `json:"line"`
	File string `json:"file,omitempty"`
}

// Note is a marker comment.
type Note struct {
	Marker string `json:"marker"` // TODO, FIXME, HACK, XXX, BUG, DEPRECATED
	Text   string `json:"text"`
	Line   int    `json:"line"`
	File   string `json:"file,omitempty"`
}

// ParseError is a place the parser could not read.
type ParseError struct {
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Message  string   `json:"message"`
	Affected []string `json:"affectedSymbols,omitempty"` // qualified names of the symbols it touches
	File     string   `json:"file,omitempty"`
}
