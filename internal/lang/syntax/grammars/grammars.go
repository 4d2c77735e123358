// Package grammars has the parsers of tree-sitter's grammars, each a file of C and perhaps a scanner, without their large tables: these are
// compressed, a tenth of their size, and unpacked when a grammar is first used. scripts/grammars writes all of it from the module that has the parser
// library.
package grammars

// #include "grammars.h"
import "C"

import (
	"embed"
	"encoding/binary"
	"fmt"
	"unsafe"

	// The scanners call its memory functions.
	_ "github.com/reverse-spec/reverse-spec/internal/lang/syntax/treesitter"

	"github.com/klauspost/compress/zstd"
)

// packed are the tables of each parser; see scripts/grammars.
//
//go:embed tables
var packed embed.FS

// count is the number of tables of a parser.
const count = 6

// entries return the languages, whose memory is C's, given their tables.
var entries = map[string]func(tables *unsafe.Pointer) *C.TSLanguage{
	"c":          func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_c(t) },
	"c_sharp":    func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_c_sharp(t) },
	"cpp":        func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_cpp(t) },
	"go":         func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_go(t) },
	"java":       func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_java(t) },
	"javascript": func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_javascript(t) },
	"kotlin":     func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_kotlin(t) },
	"php":        func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_php(t) },
	"python":     func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_python(t) },
	"ruby":       func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_ruby(t) },
	"rust":       func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_rust(t) },
	"scala":      func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_scala(t) },
	"swift":      func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_swift(t) },
	"tsx":        func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_tsx(t) },
	"typescript": func(t *unsafe.Pointer) *C.TSLanguage { return C.tree_sitter_typescript(t) },
}

// Load unpacks the tables of a language and returns it as a *TSLanguage, which is never freed. A language must be loaded once. It panics for an unknown
// name, and for tables that are damaged.
func Load(name string) unsafe.Pointer {
	data, err := packed.ReadFile("tables/" + name + ".zst")
	if err != nil {
		panic(err)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	defer r.Close()
	raw, err := r.DecodeAll(data, nil)
	if err != nil {
		panic(fmt.Errorf("the tables of the %s parser: %w", name, err))
	}
	var tables [count]unsafe.Pointer
	for i := range tables {
		size := binary.LittleEndian.Uint32(raw)
		tables[i] = C.CBytes(raw[4 : 4+size])
		raw = raw[4+size:]
	}
	return unsafe.Pointer(entries[name](&tables[0]))
}
