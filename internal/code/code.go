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
	Doc      string // the documentation of the file or module
	Package  string // the declared package or namespace; "" if none
	Parser   string // "go/parser" or "tree-sitter"

	Symbols     []Symbol // top level, in source order, exported and private
	Imports     []Import
	Calls       []Call
	Tests       []Test
	Entries     []Entry // program entry points
	Notes       []Note  // TODO, FIXME, ... comments
	ParseErrors []ParseError

	Test      bool // a test file by the convention of its language
	Generated bool // marked as generated ("Code generated ... DO NOT EDIT.", "@generated")
	Vendored  bool // third-party code in the tree

	// Constraint is the reason why the file is not part of the reference build, such as "windows" or "ignore"; ""
	// if it is part of it. Go only.
	Constraint string

	Digest Digest
	// Kinds are the kinds of the file's types. Set by [Decode], which leaves Symbols out.
	Kinds []TypeKind
	// Facts are the input of name resolution; nil unless requested, and for languages without an extractor.
	Facts *Facts
	// Bodies describe the function bodies; nil unless requested, and for languages without an extractor.
	Bodies *Bodies
	// Whole are the bodies with all statements and calls, apart from which Bodies may be pruned; set only for the files of
	// a target that is described.
	Whole *Bodies `json:"-"`

	Packed []byte `json:"-"` // the encoded facts, after [File.Pack]; nil before
	// Redactions are the secrets removed from the texts above; nil if the texts were not searched for secrets.
	Redactions []Redaction
}

// Redaction is a secret found in a file.
type Redaction struct {
	Type       string // API_KEY, PASSWORD, ...
	Line       int
	Confidence string // high, medium
}

// TypeKind is the kind of a type, given by its qualified name "Outer.Inner".
type TypeKind struct {
	Name string
	Kind Kind
}

// Digest holds hashes that distinguish formatting changes from changes of meaning. Hashes are short and in hex.
type Digest struct {
	Path       string `json:"path"`
	Hash       string `json:"hash"`       // the file's Hash
	Tokens     string `json:"tokens"`     // all code except imports, normalised as for [Symbol.BodyHash]
	Comments   string `json:"comments"`   // the words of the comments
	Imports    string `json:"imports"`    // the import statements, in order
	Commas     int    `json:"commas"`     // trailing commas
	Semicolons int    `json:"semicolons"` // semicolons in the text
}

// Kind is the kind of a symbol.
type Kind string

// The kinds of a top-level symbol. Members may have these (nested types) and
// the member kinds below.
const (
	Function  Kind = "function"
	Class     Kind = "class"
	Interface Kind = "interface"
	TypeDef   Kind = "type"
	Enum      Kind = "enum"
	Const     Kind = "const"
	Variable  Kind = "variable"
	Struct    Kind = "struct"
	Trait     Kind = "trait"
	Union     Kind = "union"
	Module    Kind = "module" // a namespace inside a file; a Ruby module
	Macro     Kind = "macro"
	Object    Kind = "object"    // a singleton: an object of Kotlin or Scala
	Extension Kind = "extension" // members of a type declared elsewhere
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

// HoldsMembers reports whether members are declared inside symbols of this kind: types and modules. The members of
// a [TypeDef] are part of its signature.
func (k Kind) HoldsMembers() bool {
	switch k {
	case Class, Struct, Interface, Enum, Trait, Union, Module, Object, Extension:
		return true
	default:
		return false
	}
}

// Visibility says where a symbol may be used.
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
	// Signature is the source text of the declaration without its body and without "export". Overloads are
	// separated by newlines.
	Signature string `json:"signature"`
	Doc       string `json:"jsDoc,omitempty"`

	TypeParameters []string `json:"typeParameters,omitempty"` // as written: "T extends Foo = Bar"
	Params         []Param  `json:"params,omitempty"`
	Returns        string   `json:"returns,omitempty"` // return type, or the type of a variable; "" if not written
	Value          string   `json:"value,omitempty"`   // initial value of a constant, variable or enum member; default value
	Bases          []string `json:"bases,omitempty"`   // extends, implements, superclasses, supertraits
	Decorators     []string `json:"decorators,omitempty"`
	// Overloads holds every signature of a function with more than one. Params and Returns are then those of the
	// first.
	Overloads []Overload `json:"overloads,omitempty"`

	Visibility Visibility `json:"visibility,omitempty"`
	Exported   bool       `json:"isExported"`
	Default    bool       `json:"isDefault"`
	Static     bool       `json:"isStatic,omitempty"`
	Abstract   bool       `json:"isAbstract,omitempty"`
	Async      bool       `json:"isAsync,omitempty"`
	Optional   bool       `json:"isOptional,omitempty"` // an optional property; a default method of an interface
	Readonly   bool       `json:"isReadonly,omitempty"`
	Receiver   string     `json:"receiver,omitempty"` // the receiver as written, Go and Rust: "(s *Server)", "&mut self"

	StartLine int `json:"startLine"` // of the declaration, not of its doc
	EndLine   int `json:"endLine"`
	// NameLine is the line of the declaration that contains the name; decorators may precede it. 0 if unknown.
	NameLine int `json:"-"`
	// File is the file that declares the symbol. Set when symbols of several files are listed together.
	File string `json:"file,omitempty"`
	// Constraint is the file's; see [File.Constraint].
	Constraint string `json:"constraint,omitempty"`

	// SignatureHash and BodyHash are hashes of normalised syntax, without comments, white space, trailing commas,
	// optional semicolons, redundant parentheses and quote style. Equal hashes mean equal meaning. "" if the symbol
	// has no such part.
	SignatureHash string `json:"signatureHash,omitempty"`
	BodyHash      string `json:"bodyHash,omitempty"`

	Members []Symbol `json:"members,omitempty"`
	// Part is set if this may be only one part of the declaration: a prototype, a partial or reopened class, an
	// extension. [Merge] joins the parts.
	Part bool `json:"isPart,omitempty"`
	// Broken is set if there is a parse error inside the symbol.
	Broken bool `json:"hasParseError,omitempty"`
}

// Param is one parameter of a function.
type Param struct {
	Name     string `json:"name"`               // "" if unnamed (results and types in Go)
	Type     string `json:"type,omitempty"`     // as written; "" if not written
	Default  string `json:"default,omitempty"`  // as written
	Optional bool   `json:"optional,omitempty"` // may be omitted: has a default value or is marked optional
	Variadic bool   `json:"variadic,omitempty"` // takes any number of arguments
	// Mode restricts how the argument is passed: "positional" or "keyword" only (Python); "" if unrestricted.
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

// ImportKind says how a module is imported.
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
	Resolved  string     `json:"resolvedPath,omitempty"` // the imported file or folder, set by package codegraph
	Named     []string   `json:"namedImports,omitempty"` // names in the imported module; "*" for all
	Aliases   []string   `json:"aliases,omitempty"`      // local names, parallel to Named; "" if unchanged
	Default   string     `json:"defaultImport,omitempty"`
	Namespace string     `json:"namespaceImport,omitempty"` // import * as x; import x "path"; import a.b as x
	TypeOnly  bool       `json:"isTypeOnly"`
	Reexport  bool       `json:"isReexport,omitempty"` // export … from, pub use
	Kind      ImportKind `json:"importType"`
	Line      int        `json:"line"`
	// File is the file with the import. Set by [Merge].
	File string `json:"-"`
}

// Call is one call site.
type Call struct {
	Name     string `json:"name"`               // the called name: "create"
	Receiver string `json:"receiver,omitempty"` // the expression before the name: "svc.users"
	In       string `json:"in,omitempty"`       // the enclosing symbol, "Type.method"; "" at top level
	Line     int    `json:"line"`
	New      bool   `json:"new,omitempty"` // a constructor call
	// Local is set if the name is bound in the enclosing function and so cannot mean a declaration outside it. Go
	// only.
	Local bool `json:"-"`
}

// Test is one test case, found by the convention of its language.
type Test struct {
	Name    string `json:"name"` // "TestLogin/empty password" style nesting uses " > "
	Line    int    `json:"line"`
	EndLine int    `json:"endLine,omitempty"` // last line of its body; 0 if unknown
	// Rows are the cases of a table-driven test: their names, or their source text if they have none.
	Rows   []string `json:"rows,omitempty"`
	Runner string   `json:"runner"` // "go test", "pytest", "unittest", "junit", "cargo test", "js", "python doctest", "gtest", "rspec", ...
	// Lacks is a name that an example in documentation uses and its file does not have, so that it cannot be run by itself.
	Lacks string `json:"lacks,omitempty"`
	File  string `json:"file,omitempty"`
}

// Entry is a program entry point.
type Entry struct {
	Name string `json:"name,omitempty"` // the symbol, "Type.main"; "" for top-level statements
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

// ParseError is a place that the parser could not read.
type ParseError struct {
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Message  string   `json:"message"`
	Affected []string `json:"affectedSymbols,omitempty"` // qualified names of the symbols that contain it
	File     string   `json:"file,omitempty"`
}
