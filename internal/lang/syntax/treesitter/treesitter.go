// Package treesitter runs tree-sitter (cgo) and returns its trees as records. The library is library.h, all of it in one file, which
// scripts/grammars writes.
package treesitter

/*
#cgo CFLAGS: -std=gnu11 -O3
#cgo slowparser CFLAGS: -DRS_SLOW=500
#include "parse.h"
*/
import "C"

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/reverse-spec/reverse-spec/internal/x/reuse"
)

// Record is a node of a tree, in pre-order; rs_node in parse.h.
type Record struct {
	Start, End, Parent, Next uint32
	Kind                     uint16
	Field, Flags             uint8
}

// The bits of [Record].Flags.
const (
	Named uint8 = 1 << iota
	Missing
	Extra
	HasError
)

// Language is a grammar of tree-sitter.
type Language struct {
	c    *C.TSLanguage
	idle *sync.Pool // parsers that wait; those that wait long are freed
}

// At returns the language at the address of a TSLanguage, which is never freed.
func At(address unsafe.Pointer) Language {
	l := Language{c: (*C.TSLanguage)(address)}
	l.idle = &sync.Pool{New: func() any {
		p := &Parser{C.rs_parser_new(l.c), l.idle}
		runtime.AddCleanup(p, func(c *C.rs_parser) { C.rs_parser_free(c) }, p.c)
		return p
	}}
	return l
}

// Kinds returns the names of the kinds of nodes, by [Record].Kind.
func (l Language) Kinds() []string {
	var out []string
	for i := range C.rs_kind_count(l.c) {
		out = append(out, C.GoString(C.rs_kind_name(l.c, C.uint16_t(i))))
	}
	return out
}

// Fields returns the names of the fields, by [Record].Field; "" for none.
func (l Language) Fields() []string {
	var out []string
	for i := range C.rs_field_count(l.c) + 1 {
		name := C.rs_field_name(l.c, C.uint16_t(i))
		if name == nil {
			out = append(out, "")
			continue
		}
		out = append(out, C.GoString(name))
	}
	return out
}

// Parser runs one parse at a time. It keeps its memory for the next.
type Parser struct {
	c    *C.rs_parser
	idle *sync.Pool
}

// records are the nodes of trees that were given up.
var records reuse.Pool[Record]

// Free gives up the nodes of a tree.
func Free(nodes []Record) { records.Put(nodes) }

// Parser returns a parser, which is to be given back with [Parser.Put].
func (l Language) Parser() *Parser { return l.idle.Get().(*Parser) }

// Put gives the parser back. [Parser.Stop] must not be called any more.
func (p *Parser) Put() {
	C.rs_parser_clear(p.c)
	p.idle.Put(p)
}

// Stop cancels the parse. It is safe for concurrent use.
func (p *Parser) Stop() { C.rs_stop(p.c) }

// Parse returns the nodes of text, and the number of steps that the parser took. It returns none if the text takes more steps or more bytes of memory
// than the limits, or if the parse was cancelled.
func (p *Parser) Parse(text []byte, steps, memory int) (nodes []Record, taken int) {
	count := C.rs_parse(p.c, (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.uint32_t(len(text)), C.int64_t(steps), C.int64_t(memory))
	taken = int(C.rs_steps(p.c))
	nodes = records.Get(int(count))
	count = C.rs_flatten(p.c, (*C.rs_node)(unsafe.Pointer(unsafe.SliceData(nodes))), count)
	return nodes[:count], taken
}
