// Package lang turns source text into package code's model, one file per
// language.
//
// A language is a value in a table: its names, its grammar, how its syntax is
// normalised and a function that reads symbols off the tree. Adding one is one
// file and one line in [Languages]. Go is read by go/parser; the others by
// tree-sitter through package lang/syntax.
package lang

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// ErrUnknown is returned by [lang.Parse] for a file that no language reads.
var ErrUnknown = message.Errorf("no language reads this file")

// ErrTooComplex is returned by [Parse] (wrapped) for a text that takes more
// operations than its size allows.
var ErrTooComplex = syntax.ErrTooComplex

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

// Languages returns the table of languages.
func Languages() []*Language {
	return []*Language{
		astro, c, cpp, csharp, golang, java, javascript, kotlin, notebook, php, python, ruby, rust, scala, svelte,
		swift, tsx, typescript, vue,
	}
}

// ByPath returns the language that reads the file, by its extension or its name.
func ByPath(file string) (*Language, bool) {
	ext, base := strings.ToLower(path.Ext(file)), path.Base(file)
	for _, l := range Languages() {
		if ext != "" && slices.Contains(l.Extensions, ext) || slices.Contains(l.Files, base) {
			return l, true
		}
	}
	return nil, false
}

// IsTest tells by its path whether a file holds tests, as the language has them.
func (l *Language) IsTest(file string) bool { return l.TestPath(file) }

// Parse reads one file. Broken text still gives what is readable, with parse
// errors that name the symbols they touch. The error is [core.ErrUnknown] (wrapped),
// the context's, [ErrTooComplex], or the parser's refusal of the whole text. A context that ends is seen
// within some milliseconds, whatever the text.
func Parse(ctx context.Context, file string, src []byte) (*code.File, error) {
	return parse(ctx, file, src, nil)
}

// ParseFacts is Parse that fills [code.File.Facts] in place of the hashes, which cost
// much and tell a code graph nothing.
func ParseFacts(ctx context.Context, file string, src []byte) (*code.File, error) {
	return parse(ctx, file, src, &code.Facts{})
}

func parse(ctx context.Context, file string, src []byte, facts *code.Facts) (*code.File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l, ok := ByPath(file)
	if !ok {
		return nil, message.Errorf("parse %s: %w", file, ErrUnknown)
	}
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if l.Dialect != nil {
		l = cmp.Or(l.Dialect(src), l)
	}
	if facts != nil {
		lean := *l
		lean.Shape, l = nil, &lean
	}
	sum := sha256.Sum256(src)
	f := &code.File{
		Path: file, Language: l.Name, LOC: Lines(src), Size: len(src),
		Hash: hex.EncodeToString(sum[:]), Parser: "tree-sitter", Facts: facts,
	}
	f.Test = l.TestPath(file)
	if err := l.ReadMetered(f, src, syntax.NewMeter(ctx, len(src))); err != nil {
		return nil, message.Errorf("parse %s: %w", file, err)
	}
	f.Symbols = Tidy(f.Symbols, max(f.LOC, 1))
	if facts == nil {
		code.LocateNames(f.Symbols, strings.Split(string(src), "\n"))
	}
	if f.Facts != nil {
		f.Facts.HeadFirst()
	}
	Entries(l, f, src)
	f.Digest.Path, f.Digest.Hash = f.Path, f.Hash
	return f, nil
}

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
