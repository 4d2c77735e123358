// Package scip reads SCIP indexes: what a compiler or type checker knows of the
// definitions and references in a project, as Sourcegraph's indexers
// (scip-typescript, scip-python, scip-go, scip-java, rust-analyzer, ...) write
// it down.
//
// An index is one protobuf message of the schema scip.proto
// (github.com/sourcegraph/scip), and can be larger than the memory. [Read] takes
// it apart document by document and keeps one at a time. Of the messages it
// reads what links code: paths, occurrences, symbols and how symbols relate;
// documentation, texts, diagnostics and highlighting are skipped, as is
// every field that it does not know.
package scip

import "github.com/reverse-spec/reverse-spec/internal/message"

// Metadata describes an index.
type Metadata struct {
	Tool        string // "scip-python"
	ToolVersion string
	Arguments   []string // its command line arguments
	ProjectRoot string   // URI of the folder that paths are relative to, on the machine that wrote the index
}

// Document is one source file.
type Document struct {
	// Path is relative to the project root, with "/". It is not validated: the file may not exist, or be outside
	// the project.
	Path        string
	Language    string // "python", or a name from the schema: "Go", "CPP"
	Encoding    Encoding
	Occurrences []Occurrence // in the order of the index
	Symbols     []SymbolInfo // defined in the document
}

// Occurrence is an occurrence of a symbol in a document.
type Occurrence struct {
	Range  Range
	Symbol string // see [ParseSymbol]; "" for mere highlighting
	Roles  Role
	// Enclosing is the range of the whole definition, or of the expression that contains a reference; zero if
	// unknown.
	Enclosing Range
}

// Range is a range of text. Lines and columns are 0-based, columns in units of the document's [Encoding]. The end
// is exclusive.
type Range struct {
	StartLine, StartColumn int
	EndLine, EndColumn     int
}

// Role is a set of bits that describe an occurrence. Without [Definition] it is a reference.
type Role uint32

// The roles in scip.proto.
const (
	Definition        Role = 0x01
	Import            Role = 0x02
	WriteAccess       Role = 0x04
	ReadAccess        Role = 0x08
	Generated         Role = 0x10
	Test              Role = 0x20
	ForwardDefinition Role = 0x40 // a declaration of a symbol defined elsewhere
)

// Has reports whether r contains all of the given roles.
func (r Role) Has(roles Role) bool { return r&roles == roles }

// SymbolInfo describes a symbol.
type SymbolInfo struct {
	Symbol        string
	Kind          int    // SymbolInformation.Kind of the schema; 0 if unknown
	DisplayName   string // "" if unknown
	Enclosing     string // the enclosing symbol of a local symbol; "" if unknown
	Relationships []Relationship
}

// Relationship is a relationship to another symbol. Several of its flags may be set.
type Relationship struct {
	Symbol         string // the other symbol
	Reference      bool   // references to the other symbol are references to this one, too
	Implementation bool   // this symbol implements, overrides or inherits from the other
	TypeDefinition bool   // the other symbol is the type of this one
	Definition     bool   // this symbol has the same definition as the other
}

// DamagedError is returned for an invalid or truncated index.
type DamagedError struct {
	Offset int64 // bytes from the start of the index
	Reason message.Text
}

func (e *DamagedError) text() message.Text {
	return message.New("the SCIP index is damaged at byte %d: %s", e.Offset, e.Reason)
}

func (e *DamagedError) Error() string { return e.text().String() }

// In implements [message.Localizer].
func (e *DamagedError) In(lang message.Lang) string { return e.text().In(lang) }
