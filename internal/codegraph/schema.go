package codegraph

// ID identifies a node in a graph. A node keeps its id while the thing it stands
// for keeps its file, its name and its place among those of that name; ids of
// nodes that are gone are not given out again. 0 is no node.
type ID uint32

// Label says what a node is. The labels are those of code-graph-rag, so that
// its documented queries run here.
type Label string

// The labels.
const (
	LabelProject         Label = "Project"
	LabelPackage         Label = "Package" // a folder that is a package of its language
	LabelFolder          Label = "Folder"
	LabelFile            Label = "File"   // any file, also one no language reads
	LabelModule          Label = "Module" // a source file as its language sees it
	LabelClass           Label = "Class"  // also structs, objects, traits with bodies; see Node.Kind
	LabelFunction        Label = "Function"
	LabelMethod          Label = "Method"
	LabelInterface       Label = "Interface"
	LabelEnum            Label = "Enum"
	LabelType            Label = "Type"
	LabelUnion           Label = "Union"
	LabelVariable        Label = "Variable" // a variable or constant of a file; not in code-graph-rag
	LabelExternalPackage Label = "ExternalPackage"
)

// Relationship says what an edge means.
type Relationship string

// The relationships, each with the nodes it leads from and to.
const (
	ContainsPackage   Relationship = "CONTAINS_PACKAGE"    // Project, Package, Folder -> Package
	ContainsFolder    Relationship = "CONTAINS_FOLDER"     // Project, Package, Folder -> Folder
	ContainsFile      Relationship = "CONTAINS_FILE"       // Project, Package, Folder -> File
	ContainsModule    Relationship = "CONTAINS_MODULE"     // Project, Package, Folder -> Module
	Defines           Relationship = "DEFINES"             // Module, Class, Function -> what is declared in it
	DefinesMethod     Relationship = "DEFINES_METHOD"      // Class, Interface, ... -> Method
	Imports           Relationship = "IMPORTS"             // Module -> Module
	ExportsSymbol     Relationship = "EXPORTS"             // Module -> what others may use of it
	Inherits          Relationship = "INHERITS"            // Class -> Class, Interface -> Interface
	Implements        Relationship = "IMPLEMENTS"          // Class -> Interface
	Overrides         Relationship = "OVERRIDES"           // Method -> Method
	Calls             Relationship = "CALLS"               // Function, Method, Module -> Function, Method, Class
	References        Relationship = "REFERENCES"          // the same, used without a call
	DependsOnExternal Relationship = "DEPENDS_ON_EXTERNAL" // Project -> ExternalPackage
)

// Node is one thing in the graph.
type Node struct {
	ID    ID    `json:"id"`
	Label Label `json:"label"`
	// QualifiedName is unique in the graph: project.dir.module.Class.method. Of
	// several things that would have one name in one file those after the first
	// end in "@" and the line they start at.
	QualifiedName string `json:"qualified_name"`
	Name          string `json:"name"`
	// Kind is the language's finer word for what the label says: a code.Kind.
	Kind       string   `json:"kind,omitempty"`
	Path       string   `json:"path,omitempty"`       // of the file or folder, relative to the project; "" for Project and ExternalPackage
	StartLine  int      `json:"start_line,omitempty"` // 1-based; 0 where there are no lines
	EndLine    int      `json:"end_line,omitempty"`   // inclusive
	Signature  string   `json:"signature,omitempty"`
	Doc        string   `json:"docstring,omitempty"`
	Decorators []string `json:"decorators,omitempty"`
	Exported   bool     `json:"is_exported,omitempty"`
	Test       bool     `json:"is_test,omitempty"` // a test, or in a test file
	Language   string   `json:"language,omitempty"`
	Version    string   `json:"version_spec,omitempty"` // ExternalPackage: the version asked for
}

// Edge is one relationship between two nodes. There is at most one for each
// (From, Type, To).
type Edge struct {
	From ID           `json:"from"`
	To   ID           `json:"to"`
	Type Relationship `json:"type"`
	// Line is where the text says so first, in the file of From; 0 for containment.
	Line  int `json:"line,omitempty"`
	Count int `json:"count,omitempty"` // in how many places the text says so
	// Rule says how the target was found ("import", "receiver:declared", ...), and
	// Confidence, in (0, 1], how often such a finding is right.
	Rule       string  `json:"rule,omitempty"`
	Confidence float32 `json:"confidence,omitempty"`
}

// Direction is which way edges are followed.
type Direction int8

// The directions.
const (
	Out  Direction = iota // from From to To
	In                    // from To to From
	Both                  // either way
)
