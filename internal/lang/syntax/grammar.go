// Package syntax is the parser runtime: text in, a flat syntax tree out.
//
// The runtime is tree-sitter through cgo. It stays behind [Grammar] and [Tree],
// so that another one can take its place; the border is crossed four times a
// parse, whatever the size of the text.
package syntax

/*
#cgo slowparser CFLAGS: -DRS_SLOW=500
#include "walk.h"
extern const TSLanguage *tree_sitter_c(void);
extern const TSLanguage *tree_sitter_c_sharp(void);
extern const TSLanguage *tree_sitter_cpp(void);
extern const TSLanguage *tree_sitter_java(void);
extern const TSLanguage *tree_sitter_javascript(void);
extern const TSLanguage *tree_sitter_kotlin(void);
extern const TSLanguage *tree_sitter_php(void);
extern const TSLanguage *tree_sitter_python(void);
extern const TSLanguage *tree_sitter_ruby(void);
extern const TSLanguage *tree_sitter_rust(void);
extern const TSLanguage *tree_sitter_scala(void);
extern const TSLanguage *tree_sitter_swift(void);
extern const TSLanguage *tree_sitter_tsx(void);
extern const TSLanguage *tree_sitter_typescript(void);
*/
import "C"

import (
	"sync"
	"unsafe"

	// The grammars are linked in by their packages and used by their C names.
	_ "github.com/smacker/go-tree-sitter"
	_ "github.com/smacker/go-tree-sitter/c"
	_ "github.com/smacker/go-tree-sitter/cpp"
	_ "github.com/smacker/go-tree-sitter/csharp"
	_ "github.com/smacker/go-tree-sitter/java"
	_ "github.com/smacker/go-tree-sitter/javascript"
	_ "github.com/smacker/go-tree-sitter/kotlin"
	_ "github.com/smacker/go-tree-sitter/php"
	_ "github.com/smacker/go-tree-sitter/python"
	_ "github.com/smacker/go-tree-sitter/ruby"
	_ "github.com/smacker/go-tree-sitter/rust"
	_ "github.com/smacker/go-tree-sitter/scala"
	_ "github.com/smacker/go-tree-sitter/swift"
	_ "github.com/smacker/go-tree-sitter/typescript/tsx"
	_ "github.com/smacker/go-tree-sitter/typescript/typescript"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Grammars with much ambiguity can go on without end on broken text, however short.
// A step of a parser is 256 bytes of memory that it asks for, or as much text that it
// reads: some half a microsecond. 3,400 files of public code in 13 languages take 0.1 to
// 2 steps a byte; one of broken C takes 250.
const (
	leastSteps   = 400_000
	stepsPerByte = 6
)

// steps bounds the parse of a text.
func steps(text []byte) int { return leastSteps + len(text)*stepsPerByte }

// What a parser holds grows with the tokens of a text and with errors in it: ten
// to thirty times a text's size, up to eighty where a program wrote it without
// blanks. What needs more than this is no text of the language.
const (
	leastMemory   = 8 << 20
	memoryPerByte = 120
)

// memory bounds what the parser may hold, in bytes.
func memory(text []byte) int { return leastMemory + len(text)*memoryPerByte }

// ErrGaveUp is returned by [Grammar.Parse] when a text took too many steps or too much
// memory, 8 MiB and 120 times its size.
var ErrGaveUp = message.Errorf("the parser gave up: the text is too ambiguous to read")

// Grammar reads one language. It may be used by several goroutines, unless it is
// [Grammar.Metered].
type Grammar struct {
	*tables
	meter *Meter
}

// tables are what all uses of a grammar share.
type tables struct {
	load   func() *C.TSLanguage
	once   sync.Once
	lang   *C.TSLanguage
	kinds  []string
	fields []string
}

// The grammars linked in.
var (
	C          = grammar(func() *C.TSLanguage { return C.tree_sitter_c() })
	CPP        = grammar(func() *C.TSLanguage { return C.tree_sitter_cpp() })
	CSharp     = grammar(func() *C.TSLanguage { return C.tree_sitter_c_sharp() })
	Java       = grammar(func() *C.TSLanguage { return C.tree_sitter_java() })
	JavaScript = grammar(func() *C.TSLanguage { return C.tree_sitter_javascript() })
	Kotlin     = grammar(func() *C.TSLanguage { return C.tree_sitter_kotlin() })
	PHP        = grammar(func() *C.TSLanguage { return C.tree_sitter_php() })
	Python     = grammar(func() *C.TSLanguage { return C.tree_sitter_python() })
	Ruby       = grammar(func() *C.TSLanguage { return C.tree_sitter_ruby() })
	Rust       = grammar(func() *C.TSLanguage { return C.tree_sitter_rust() })
	Scala      = grammar(func() *C.TSLanguage { return C.tree_sitter_scala() })
	Swift      = grammar(func() *C.TSLanguage { return C.tree_sitter_swift() })
	TSX        = grammar(func() *C.TSLanguage { return C.tree_sitter_tsx() })
	TypeScript = grammar(func() *C.TSLanguage { return C.tree_sitter_typescript() })
)

func grammar(load func() *C.TSLanguage) *Grammar { return &Grammar{tables: &tables{load: load}} }

// Metered returns the grammar for one file: its parses end with the meter's
// context, and walks of its trees are counted.
func (g *Grammar) Metered(m *Meter) *Grammar { return &Grammar{g.tables, m} }

// names reads the grammar's tables, once.
func (g *tables) names() {
	g.lang = g.load()
	for i := range C.rs_kind_count(g.lang) {
		g.kinds = append(g.kinds, C.GoString(C.rs_kind_name(g.lang, C.uint16_t(i))))
	}
	for i := range C.rs_field_count(g.lang) + 1 {
		name := C.rs_field_name(g.lang, C.uint16_t(i))
		if name == nil {
			g.fields = append(g.fields, "")
			continue
		}
		g.fields = append(g.fields, C.GoString(name))
	}
}

// Parse reads text, broken or not. The only error is [ErrGaveUp];
// that the context of its meter ended is a panic, see [Meter]. The tree keeps text and does not copy it.
func (g *Grammar) Parse(text []byte) (*Tree, error) {
	g.once.Do(g.names)
	g.meter.Bytes(len(text))
	flag := C.rs_flag_new()
	defer C.rs_flag_free(flag)
	defer g.meter.atEnd(func() { C.rs_flag_set(flag) })()
	limits := C.rs_limits{steps: C.int64_t(steps(text)), bytes: C.int64_t(memory(text))}
	var taken C.int64_t
	tree := C.rs_parse(g.lang, (*C.char)(unsafe.Pointer(unsafe.SliceData(text))), C.uint32_t(len(text)), limits, flag, &taken)
	if tree == nil {
		g.meter.look()
		return nil, ErrGaveUp
	}
	defer C.rs_tree_free(tree)
	nodes := make([]record, C.rs_count(tree))
	count := C.rs_flatten(tree, (*C.rs_node)(unsafe.Pointer(unsafe.SliceData(nodes))), C.uint32_t(len(nodes)), flag)
	g.meter.look()
	t := newTree(g, text, nodes[:count])
	t.Steps = int64(taken)
	return t, nil
}
