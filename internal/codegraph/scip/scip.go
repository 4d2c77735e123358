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

// Metadata is what an index says of itself.
type Metadata struct {
	Tool        string // "scip-python"
	ToolVersion string
	Arguments   []string // of the tool's command line
	ProjectRoot string   // URI of the folder that paths are relative to, on the machine that made the index
}

// Document is one source file.
type Document struct {
	// Path is relative to the project's root, with "/". It is what the index
	// says: it may name a file that is not there, or lead out of the project.
	Path        string
	Language    string // "python", or a name of the schema's: "Go", "CPP"
	Encoding    Encoding
	Occurrences []Occurrence // in the order of the index, which need not be that of the text
	Symbols     []SymbolInfo // those defined in the document
}

// Occurrence is a place in a document where a symbol stands.
type Occurrence struct {
	Range  Range
	Symbol string // see [ParseSymbol]; "" where the place is only highlighted
	Roles  Role
	// Enclosing is the range of the whole definition, or of the expression that
	// a reference is part of; the zero value where the indexer does not say.
	Enclosing Range
}

// Range is a part of a text. Lines count from 0, and so do columns, in units of
// the document's [Encoding]. The end is the first position after it.
type Range struct {
	StartLine, StartColumn int
	EndLine, EndColumn     int
}

// Role says what a symbol does where it occurs: a set of bits. An occurrence
// without [Definition] is a reference.
type Role uint32

// The roles of the schema.
const (
	Definition        Role = 0x01
	Import            Role = 0x02
	WriteAccess       Role = 0x04
	ReadAccess        Role = 0x08
	Generated         Role = 0x10
	Test              Role = 0x20
	ForwardDefinition Role = 0x40 // a declaration of what is defined elsewhere
)

// Has reports whether all of the given roles are among r.
func (r Role) Has(roles Role) bool { return r&roles == roles }

// SymbolInfo is what a document says of a symbol.
type SymbolInfo struct {
	Symbol        string
	Kind          int    // SymbolInformation.Kind of the schema; 0 where the indexer does not say
	DisplayName   string // "" where the indexer does not say
	Enclosing     string // of a local symbol: the symbol it is in; "" where the indexer does not say
	Relationships []Relationship
}

// Relationship is how a symbol relates to another. More than one may hold.
type Relationship struct {
	Symbol         string // the other
	Reference      bool   // references to the other are also references to this one
	Implementation bool   // this one implements, overrides or inherits from the other
	TypeDefinition bool   // the other is the type of this one
	Definition     bool   // this one is defined where the other is
}

// DamagedError is returned for what is no index, or no whole one.
type DamagedError struct {
	Offset int64 // bytes from the start of the index
	Reason message.Text
}

func (e *DamagedError) text() message.Text {
	return message.New("the SCIP index is damaged at byte %d: %s", e.Offset, e.Reason)
}

func (e *DamagedError) Error() string { return e.text().String() }

// In is the message in a language.
func (e *DamagedError) In(lang message.Lang) string { return e.text().In(lang) }
