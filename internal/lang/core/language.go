// Package core holds what the readers of all languages share: the description of a language
// ([Language]), the reader of one file's tree ([Reader]) with its spans, comments, calls and
// parse errors, and the builders of the model's parts: [FactBuilder] for scopes and
// expressions, [BodyReader] for conditions, errors and state changes in function bodies,
// [Shape] for hashes that are independent of formatting. The entry point is
// [Language.ReadMetered]. Package core does not depend on any language.
package core

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ErrUnknown is returned by lang.Parse for a file in an unsupported language.
var ErrUnknown = message.Errorf("no language reads this file")

// Language describes how files of one language are recognised and read.
type Language struct {
	Name       string   // the value of code.File.Language
	Extensions []string // with the dot, lower case
	Files      []string // base names of files without such an extension: "Rakefile"
	// FolderIsModule reports that the files of a folder form one module, separate from its
	// subfolders: a Go or Java package.
	FolderIsModule bool

	Grammar *syntax.Grammar
	Shape   *Shape
	Imports []string // node kinds of import statements
	// Doc returns the text of a documentation node that is not a comment, such as a docstring.
	// Doc is nil if the language has none.
	Doc func(n syntax.Node) (text string, ok bool)
	// Repair returns the source of a tree with errors, rewritten in place where the grammar is
	// older than the language, or nil if there is nothing to rewrite. Repair may be nil.
	Repair func(t *syntax.Tree) []byte

	// Source parses src into the reader's tree, rewritten where the grammar is older than the
	// language. If Source is nil, src is parsed as it is.
	Source func(r *Reader, src []byte) error

	Read     func(r *Reader)                       // reads symbols, imports and the module doc
	Call     func(n syntax.Node) (code.Call, bool) // returns the call at n, if n is a call
	Tests    func(r *Reader)                       // reads test cases, if they are in symbols or calls; may be nil
	TestPath func(file string) bool                // reports whether the path is that of a test file
	// Entry reports whether a program may start at s; owner is the qualified name of the
	// enclosing type. Entry may be nil.
	Entry  func(f *code.File, owner string, s *code.Symbol) bool
	Parse  func(f *code.File, src []byte, parts Parts, m *syntax.Meter) error // replaces all of the above; used for Go
	Bodies *BodyRules                                                         // how function bodies are read; may be nil
	Steps  *StepRule                                                          // how the statements of tests are read; may be nil
	// Facts describe how scopes, bindings and expressions are read; may be nil. If Parse is
	// set, Parse fills the facts itself.
	Facts *FactRules
	Types *TypeRules                  // how types are read; may be nil
	Type  func(text string) code.Type // replaces Types; used for Go
	// Dialect returns the language of a text whose extension is shared by several, or nil for
	// this one: a header may be C or C++. Dialect may be nil.
	Dialect func(src []byte) *Language
}

// Parts are the parts of a file's model that take time and that not every caller needs.
// Symbols, imports, calls, tests, notes and parse errors are always read.
type Parts uint8

// The parts.
const (
	Facts  Parts = 1 << iota // [code.File.Facts]
	Bodies                   // [code.File.Bodies]; of generated code only of tests
	Hashes                   // [code.File.Digest], and the hashes of symbols
	Calls                    // with Bodies: [code.Bodies.Calls], also of generated code, and statements that do not decide how a function ends
	Whole                    // [code.File.Whole] besides Bodies, of files that are neither tests nor generated
	Bare                     // without [code.File.Calls], [code.File.Notes] and [code.File.Tests], which are read otherwise
	All    = Facts | Bodies | Hashes
)

// IsTest reports whether the path is that of a test file.
func (l *Language) IsTest(file string) bool { return l.TestPath(file) }

// ReadMetered parses src and fills f with the parts. Operations are counted by m.
func (l *Language) ReadMetered(f *code.File, src []byte, parts Parts, m *syntax.Meter) (err error) {
	defer syntax.Recover(&err)
	if l.Parse != nil {
		return l.Parse(f, src, parts, m)
	}
	return ReadTree(l.Metered(m), f, src, parts)
}

// Metered returns a copy of the language for one file, with operations counted by m.
func (l *Language) Metered(m *syntax.Meter) *Language {
	own := *l
	own.Grammar = l.Grammar.Metered(m)
	return &own
}
