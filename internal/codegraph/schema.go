package codegraph

// ID identifies a node in a graph. A node keeps its id as long as its file, its name and its rank among equal names
// stay the same; ids of removed nodes are not reused. 0 is not a node.
type ID uint32

// Label is the kind of a node. The labels are those of code-graph-rag, so that its documented queries work.
type Label string

// The labels.
const (
	LabelProject         Label = "Project"
	LabelPackage         Label = "Package" // a folder that is a package in its language
	LabelFolder          Label = "Folder"
	LabelFile            Label = "File"   // any file, also of an unsupported language
	LabelModule          Label = "Module" // a source file, as a module of its language
	LabelClass           Label = "Class"  // also structs, objects, traits with bodies; see Node.Kind
	LabelFunction        Label = "Function"
	LabelMethod          Label = "Method"
	LabelInterface       Label = "Interface"
	LabelEnum            Label = "Enum"
	LabelType            Label = "Type"
	LabelUnion           Label = "Union"
	LabelVariable        Label = "Variable" // a variable or constant of a file; not in code-graph-rag
	LabelExternalPackage Label = "ExternalPackage"
	LabelExternalType    Label = "ExternalType"   // a base of a type that the project does not declare; not in code-graph-rag
	LabelExternalMethod  Label = "ExternalMethod" // a method of such a type; not in code-graph-rag
)

// Relationship is the type of an edge.
type Relationship string

// The relationships, with the labels of their ends.
const (
	ContainsPackage   Relationship = "CONTAINS_PACKAGE"    // Project, Package, Folder -> Package
	ContainsFolder    Relationship = "CONTAINS_FOLDER"     // Project, Package, Folder -> Folder
	ContainsFile      Relationship = "CONTAINS_FILE"       // Project, Package, Folder -> File
	ContainsModule    Relationship = "CONTAINS_MODULE"     // Project, Package, Folder -> Module
	Defines           Relationship = "DEFINES"             // Module, Class, Function -> nested declaration
	DefinesMethod     Relationship = "DEFINES_METHOD"      // Class, Interface, ... -> Method
	Imports           Relationship = "IMPORTS"             // Module -> Module
	ExportsSymbol     Relationship = "EXPORTS"             // Module -> its exported declaration
	Inherits          Relationship = "INHERITS"            // Class -> Class, Interface -> Interface, ExternalType
	Implements        Relationship = "IMPLEMENTS"          // Class -> Interface, ExternalType
	Overrides         Relationship = "OVERRIDES"           // Method -> Method, ExternalMethod
	Calls             Relationship = "CALLS"               // Function, Method, Module -> Function, Method, Class, ExternalMethod
	CallsOn           Relationship = "CALLS_ON"            // the same -> Interface, Class, ExternalType: it calls a method that this has from another one
	References        Relationship = "REFERENCES"          // as CALLS, for a use other than a call
	Tests             Relationship = "TESTS"               // Function, Method, Module of a test file -> what the test reaches
	DependsOnExternal Relationship = "DEPENDS_ON_EXTERNAL" // Project -> ExternalPackage
)

// Node is a node of the graph.
type Node struct {
	ID    ID    `json:"id"`
	Label Label `json:"label"`
	// QualifiedName is unique in the graph: project.dir.module.Class.method. If a file declares a name repeatedly,
	// all but the first get "@" and their start line appended.
	QualifiedName string `json:"qualified_name"`
	Name          string `json:"name"`
	// Kind is the language's own, more specific kind: a code.Kind.
	Kind       string   `json:"kind,omitempty"`
	Path       string   `json:"path,omitempty"`       // of the file or folder, relative to the project; "" for Project and ExternalPackage
	StartLine  int      `json:"start_line,omitempty"` // 1-based; 0 for nodes without lines
	EndLine    int      `json:"end_line,omitempty"`   // inclusive
	Signature  string   `json:"signature,omitempty"`
	Doc        string   `json:"docstring,omitempty"`
	Decorators []string `json:"decorators,omitempty"`
	Exported   bool     `json:"is_exported,omitempty"`
	Test       bool     `json:"is_test,omitempty"` // a test, or in a test file
	Language   string   `json:"language,omitempty"`
	Version    string   `json:"version_spec,omitempty"` // ExternalPackage: the version constraint
}

// Edge is a relationship between two nodes. (From, Type, To) is unique.
type Edge struct {
	From ID           `json:"from"`
	To   ID           `json:"to"`
	Type Relationship `json:"type"`
	// Line is the first line of From's file that shows the relationship; 0 for containment.
	Line  int `json:"line,omitempty"`
	Count int `json:"count,omitempty"` // number of occurrences
	// Rule says how the target was found ("import", "receiver:declared", ...). Confidence, in (0, 1], is the
	// measured precision of that rule.
	Rule       string  `json:"rule,omitempty"`
	Confidence float32 `json:"confidence,omitempty"`
}

// RuleDispatch is the rule of calls that an abstract member may hand on to what implements it.
const RuleDispatch = "implementation"

// Direction is the direction in which edges are followed.
type Direction int8

// The directions.
const (
	Out  Direction = iota // along the edge, from From
	In                    // against the edge, from To
	Both                  // both
)
