// Package core is what the readers of all languages share: the row that describes a
// language ([Language]), the reader of one file's tree ([Reader]) with its spans,
// comments, calls and parse errors, and the builders of the model's parts:
// [FactBuilder] for scopes and expressions, [BodyReader] for what functions do,
// [Shape] for hashes that formatting does not change. It knows no language by name.
package core

import (
	"bytes"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ErrUnknown is returned by [lang.Parse] for a file that no language reads.
var ErrUnknown = message.Errorf("no language reads this file")

// Language is how one language's files are recognised and read.
type Language struct {
	Name       string   // as in code.File.Language
	Extensions []string // with the dot, lower case
	Files      []string // base names of files that have none of these: "Rakefile"
	// FolderIsModule tells that the files of a folder make one module, apart from
	// those of folders below it: a Go or Java package.
	FolderIsModule bool

	Grammar *syntax.Grammar
	Shape   *Shape
	Imports []string // node kinds of import statements
	// Doc returns the text of a node that documents without being a comment, such
	// as a docstring; nil where there is none.
	Doc func(n syntax.Node) (text string, ok bool)
	// Repair returns the text of a tree with errors, rewritten byte for byte
	// where the grammar is older than the language; nil when there is nothing to
	// rewrite. It may be nil itself.
	Repair func(t *syntax.Tree) []byte

	// Source parses a text into the reader's tree, in a form that the grammar can
	// read where that is older than the language; nil for the text as it is.
	Source func(r *Reader, src []byte) error

	Read     func(r *Reader)                       // symbols, imports, module doc
	Call     func(n syntax.Node) (code.Call, bool) // a call site, if n is one
	Tests    func(r *Reader)                       // test cases, if the language's tests are in symbols or calls
	TestPath func(file string) bool                // by path
	// Entry tells the symbols that programs start at; owner is the qualified name
	// of the type around one. It may be nil.
	Entry  func(f *code.File, owner string, s *code.Symbol) bool
	Parse  func(f *code.File, src []byte, m *syntax.Meter) error // in place of all above: Go
	Bodies *BodyRules                                            // how functions' bodies are read; nil where they are not
	Steps  *StepRule                                             // how the statements of tests are read; nil where they are not
	// Facts says how the language's scopes, bindings and expressions are read; nil
	// where they are not. With parse, that fills the facts itself.
	Facts *FactRules
	// Dialect returns the other language that a text is in where an extension is
	// shared, or nil: a header may be C or C++. It may be nil itself.
	Dialect func(src []byte) *Language
}

// IsTest tells by its path whether a file holds tests, as the language has them.
func (l *Language) IsTest(file string) bool { return l.TestPath(file) }

// ReadMetered reads a text into f by the language's parser, its operations counted.
func (l *Language) ReadMetered(f *code.File, src []byte, m *syntax.Meter) (err error) {
	defer syntax.Recover(&err)
	if l.Parse != nil {
		return l.Parse(f, src, m)
	}
	return ReadTree(l.Metered(m), f, src)
}

// Metered returns the language for one file, whose operations m counts.
func (l *Language) Metered(m *syntax.Meter) *Language {
	own := *l
	own.Grammar = l.Grammar.Metered(m)
	return &own
}

// Lines counts lines of text; a last line without newline counts.
func Lines(src []byte) int {
	n := bytes.Count(src, []byte{'\n'})
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return n
}
