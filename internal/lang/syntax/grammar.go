// Package syntax parses source text into flat syntax trees. It wraps tree-sitter behind [Grammar.Parse], [Tree] and [Node], so that the parser can be
// replaced.
package syntax

import (
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax/grammars"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax/treesitter"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Ambiguous grammars can take unbounded time on broken text, however short. A parser step is
// 256 bytes of memory allocated, or as much text read: about half a microsecond. 3,400 files
// of public code in 13 languages take 0.1 to 2 steps per byte; a broken C file takes 250.
const (
	leastSteps   = 400_000
	stepsPerByte = 6
)

// steps returns the maximum number of steps to parse text.
func steps(text []byte) int { return leastSteps + len(text)*stepsPerByte }

// A parser's memory grows with the tokens and errors of a text: 10 to 30 times the size of the
// text, up to 80 times for minified code. Text that needs more than this is not text of the
// language.
const (
	leastMemory   = 8 << 20
	memoryPerByte = 120
)

// memory returns the maximum memory to parse text, in bytes.
func memory(text []byte) int { return leastMemory + len(text)*memoryPerByte }

// ErrGaveUp is returned by [Grammar.Parse] if a text takes more than its number of steps or
// more memory than 8 MiB plus 120 times its size.
var ErrGaveUp = message.Errorf("the parser gave up: the text is too ambiguous to read")

// Grammar parses one language. It is safe for concurrent use, except for the result of
// [Grammar.Metered].
type Grammar struct {
	*tables
	meter *Meter
}

// tables are shared by all copies of a grammar.
type tables struct {
	name   string // in package grammars
	once   sync.Once
	lang   treesitter.Language
	kinds  []string
	fields []string
}

// The supported grammars.
var (
	C          = grammar("c")
	CPP        = grammar("cpp")
	CSharp     = grammar("c_sharp")
	Go         = grammar("go") // for mutations; the reader is go/parser
	Java       = grammar("java")
	JavaScript = grammar("javascript")
	Kotlin     = grammar("kotlin")
	PHP        = grammar("php")
	Python     = grammar("python")
	Ruby       = grammar("ruby")
	Rust       = grammar("rust")
	Scala      = grammar("scala")
	Swift      = grammar("swift")
	TSX        = grammar("tsx")
	TypeScript = grammar("typescript")
)

func grammar(name string) *Grammar { return &Grammar{tables: &tables{name: name}} }

// Metered returns a copy of the grammar for one file. Its parses are cancelled by the meter's
// context, and operations on its trees are counted.
func (g *Grammar) Metered(m *Meter) *Grammar { return &Grammar{g.tables, m} }

// load loads the grammar, with its kind and field names.
func (g *tables) load() {
	g.lang = treesitter.At(grammars.Load(g.name))
	g.kinds, g.fields = g.lang.Kinds(), g.lang.Fields()
}

// Parse parses text, which may have syntax errors. The only error is [ErrGaveUp]. If the
// meter's context ends, Parse panics with [Stopped]. The tree refers to text and does not copy
// it.
func (g *Grammar) Parse(text []byte) (*Tree, error) {
	g.once.Do(g.load)
	g.meter.Bytes(len(text))
	p := g.lang.Parser()
	defer p.Put()
	defer g.meter.atEnd(p.Stop)()
	nodes, taken := p.Parse(text, steps(text), memory(text))
	g.meter.look()
	if len(nodes) == 0 {
		return nil, ErrGaveUp
	}
	t := newTree(g, text, nodes)
	t.Steps = int64(taken)
	return t, nil
}
