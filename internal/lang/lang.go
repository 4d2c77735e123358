// Package lang reads source files of all supported languages into the model of package code.
// The entry point is [Parse]. [Languages] is the table of languages: each
// is a value of type [core.Language] in the package of its family. To add a language, add a
// package and a line to the table. Package lang/core holds what the families share. Go is read
// with go/parser, all other languages with tree-sitter (lang/syntax).
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
	"github.com/reverse-spec/reverse-spec/internal/lang/cfamily"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/csharp"
	"github.com/reverse-spec/reverse-spec/internal/lang/ecma"
	"github.com/reverse-spec/reverse-spec/internal/lang/embedded"
	"github.com/reverse-spec/reverse-spec/internal/lang/golang"
	"github.com/reverse-spec/reverse-spec/internal/lang/jvm"
	"github.com/reverse-spec/reverse-spec/internal/lang/php"
	"github.com/reverse-spec/reverse-spec/internal/lang/python"
	"github.com/reverse-spec/reverse-spec/internal/lang/ruby"
	"github.com/reverse-spec/reverse-spec/internal/lang/rust"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Language describes one language; see [core.Language].
type Language = core.Language

// ErrUnknown is returned (wrapped) by [Parse] for a file in an unsupported language.
var ErrUnknown = core.ErrUnknown

// ErrTooComplex is returned (wrapped) by [Parse] for a text that takes more operations than
// its size allows.
var ErrTooComplex = syntax.ErrTooComplex

// Languages returns the table of languages.
func Languages() []*Language {
	return []*Language{
		embedded.Astro, embedded.Notebook, embedded.Svelte, embedded.Vue,
		cfamily.C, cfamily.CPP,
		csharp.CSharp,
		ecma.JavaScript, ecma.TSX, ecma.TypeScript,
		golang.Go,
		jvm.Java, jvm.Kotlin, jvm.Scala,
		php.PHP,
		python.Python,
		ruby.Ruby,
		rust.Rust,
		swift.Swift,
	}
}

// ByPath returns the language of a file, by its extension or name.
func ByPath(file string) (*Language, bool) {
	ext, base := strings.ToLower(path.Ext(file)), path.Base(file)
	for _, l := range Languages() {
		if ext != "" && slices.Contains(l.Extensions, ext) || slices.Contains(l.Files, base) {
			return l, true
		}
	}
	return nil, false
}

// Parts are the parts of a file's model that are read on request; see [core.Parts].
type Parts = core.Parts

// The parts. Symbols, imports and parse errors are always read, and calls, tests and notes unless Bare is one of them.
const (
	Facts  = core.Facts  // for name resolution
	Bodies = core.Bodies // for specs
	Hashes = core.Hashes // for comparing versions
	Calls  = core.Calls  // for services: makes the bodies complete
	Whole  = core.Whole  // for specs: complete bodies besides Bodies
	Bare   = core.Bare   // without calls, notes and tests
	All    = core.All    // Facts, Bodies and Hashes
)

// Parse reads one file: symbols and the given parts. The parts do not influence each other. Broken text is read as
// far as possible; the parse errors name the affected symbols. The error is [ErrUnknown], [ErrTooComplex],
// [syntax.ErrGaveUp] or that of the context, wrapped. Cancellation takes effect within a few milliseconds.
func Parse(ctx context.Context, file string, src []byte, parts Parts) (*code.File, error) {
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
	sum := sha256.Sum256(src)
	f := &code.File{
		Path: file, Language: l.Name, LOC: srctext.Lines(src), Size: len(src),
		Hash: hex.EncodeToString(sum[:]), Parser: "tree-sitter",
	}
	f.Test = l.TestPath(file)
	if err := l.ReadMetered(f, src, parts, syntax.NewMeter(ctx, len(src))); err != nil {
		return nil, message.Errorf("parse %s: %w", file, err)
	}
	f.Symbols = core.Tidy(f.Symbols, max(f.LOC, 1), parts)
	core.Entries(l, f, src)
	if parts&Hashes == 0 {
		f.Digest = code.Digest{}
	}
	if parts&Bare != 0 { // what was read on the way
		f.Calls, f.Notes, f.Tests = nil, nil, nil
	}
	f.Digest.Path, f.Digest.Hash = f.Path, f.Hash
	return f, nil
}
