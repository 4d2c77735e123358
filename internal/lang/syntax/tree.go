package syntax

import (
	"bytes"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax/treesitter"
)

// errorKind is the kind of an ERROR node: text that could not be parsed.
const errorKind = 0xffff

// Tree is a syntax tree and its source.
type Tree struct {
	Source  []byte
	Steps   int64 // steps taken by the parser, see [ErrGaveUp]
	grammar *tables
	meter   *Meter
	nodes   []treesitter.Record
	lines   []uint32 // offset of the start of each line
}

func newTree(g *Grammar, text []byte, nodes []treesitter.Record) *Tree {
	t := &Tree{grammar: g.tables, meter: g.meter, nodes: nodes}
	t.Restore(text)
	return t
}

// Free gives the memory of the nodes to the next tree. Neither the tree nor a node of it may be used any more.
func (t *Tree) Free() {
	treesitter.Free(t.nodes)
	t.nodes = nil
}

// Restore sets the tree's source to text, of which the parser read a rewritten form of the
// same length.
func (t *Tree) Restore(text []byte) {
	t.Source, t.lines = text, make([]uint32, 1, bytes.Count(text, []byte("\n"))+1)
	for i, c := range text {
		if c == '\n' {
			t.lines = append(t.lines, uint32(i)+1)
		}
	}
}

// Root returns the node of the whole text.
func (t *Tree) Root() Node { return Node{t, 0} }

// At returns the node with an index; the zero Node if index is out of range.
func (t *Tree) At(index int) Node {
	if index < 0 || index >= len(t.nodes) {
		return Node{}
	}
	return Node{t, uint32(index)}
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.nodes) }

// Line returns the 1-based line of the byte at offset.
func (t *Tree) Line(offset int) int {
	return sort.Search(len(t.lines), func(i int) bool { return int(t.lines[i]) > offset })
}

// Column returns the 1-based column, in bytes, of the byte at offset.
func (t *Tree) Column(offset int) int { return offset - int(t.lines[t.Line(offset)-1]) + 1 }

// Node is a node of a [Tree]. The zero Node means no node: it has no kind, text or children,
// so that look-ups can be chained.
type Node struct {
	t *Tree
	i uint32
}

func (n Node) rec() treesitter.Record {
	if n.t == nil {
		return treesitter.Record{}
	}
	return n.t.nodes[n.i]
}

// Ok reports whether n is a node, not the zero Node.
func (n Node) Ok() bool { return n.t != nil }

// Index returns the node's position in pre-order, unique in its tree.
func (n Node) Index() int { return int(n.i) }

// After returns the index of the first node after n and its descendants.
func (n Node) After() int { return int(n.rec().Next) }

// Kind returns the grammar's name of the node: "class_declaration", "(", "ERROR"; "" for the
// zero Node.
func (n Node) Kind() string {
	if n.t == nil {
		return ""
	}
	k := n.rec().Kind
	if k == errorKind {
		return "ERROR"
	}
	if int(k) >= len(n.t.grammar.kinds) {
		return ""
	}
	return n.t.grammar.kinds[k]
}

// Is reports whether the node is of one of the kinds.
func (n Node) Is(kinds ...string) bool { return n.Ok() && slices.Contains(kinds, n.Kind()) }

// FieldName returns the name of the field that n has in its parent, or "".
func (n Node) FieldName() string {
	if n.t == nil {
		return ""
	}
	return n.t.grammar.fields[n.rec().Field]
}

// Named reports whether n is a named rule of the grammar, not a token like "(".
func (n Node) Named() bool { return n.rec().Flags&treesitter.Named != 0 }

// Missing reports whether the parser inserted n to recover from an error.
func (n Node) Missing() bool { return n.rec().Flags&treesitter.Missing != 0 }

// Extra reports whether n may occur anywhere, like a comment.
func (n Node) Extra() bool { return n.rec().Flags&treesitter.Extra != 0 }

// HasError reports whether n contains an error.
func (n Node) HasError() bool { return n.rec().Flags&treesitter.HasError != 0 }

// Start returns the offset of the node's first byte.
func (n Node) Start() int { return int(n.rec().Start) }

// End returns the offset after the node's last byte.
func (n Node) End() int { return int(n.rec().End) }

// Line returns the 1-based line where the node starts.
func (n Node) Line() int {
	if n.t == nil {
		return 0
	}
	return n.t.Line(n.Start())
}

// EndLine returns the 1-based line of the node's last byte.
func (n Node) EndLine() int {
	if n.t == nil {
		return 0
	}
	return n.t.Line(max(n.Start(), n.End()-1))
}

// Column returns the 1-based column where the node starts, in bytes.
func (n Node) Column() int {
	if n.t == nil {
		return 0
	}
	return n.t.Column(n.Start())
}

// Text returns the node's source.
func (n Node) Text() string {
	if n.t == nil {
		return ""
	}
	n.t.meter.Bytes(n.End() - n.Start())
	return string(n.t.Source[n.Start():n.End()])
}

// Bytes returns the node's source. It must not be modified.
func (n Node) Bytes() []byte {
	if n.t == nil {
		return nil
	}
	n.t.meter.Bytes(n.End() - n.Start())
	return n.t.Source[n.Start():n.End()]
}

// TextIs reports whether the node's source is text. Unlike a comparison with [Node.Text], it
// does not copy a longer source.
func (n Node) TextIs(text string) bool {
	return n.End()-n.Start() == len(text) && n.Text() == text
}

// Begins reports whether the node's source begins with text.
func (n Node) Begins(text string) bool { return n.Head(len(text)) == text }

// Ends reports whether the node's source ends with text.
func (n Node) Ends(text string) bool { return n.Tail(len(text)) == text }

// shortText is longer than any keyword.
const shortText = 64

// Short returns the node's source if it is short, else "". It is used to compare with known
// words.
func (n Node) Short() string {
	if n.End()-n.Start() > shortText {
		return ""
	}
	return n.Text()
}

// Head returns at most the first size bytes of the node's source.
func (n Node) Head(size int) string {
	if n.t == nil {
		return ""
	}
	end := min(n.End(), n.Start()+size)
	n.t.meter.Bytes(end - n.Start())
	return string(n.t.Source[n.Start():end])
}

// Tail returns at most the last size bytes of the node's source.
func (n Node) Tail(size int) string {
	if n.t == nil {
		return ""
	}
	start := max(n.Start(), n.End()-size)
	n.t.meter.Bytes(n.End() - start)
	return string(n.t.Source[start:n.End()])
}

// Parent returns the node's parent; the zero Node for the root.
func (n Node) Parent() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	n.t.meter.Add(1)
	return Node{n.t, n.rec().Parent}
}

// Leaf reports whether the node has no children.
func (n Node) Leaf() bool { return n.t == nil || n.rec().Next == n.i+1 }

// Children yields all children, tokens included.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.t == nil {
			return
		}
		for i, end := n.i+1, n.rec().Next; i < end; i = n.t.nodes[i].Next {
			n.t.meter.Add(1)
			if !yield(Node{n.t, i}) {
				return
			}
		}
	}
}

// NamedSeq yields the named children, comments excluded.
func (n Node) NamedSeq() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := range n.Children() {
			if c.Named() && !strings.HasSuffix(c.Kind(), "comment") && !yield(c) {
				return
			}
		}
	}
}

// Descendants yields the node and its descendants in pre-order.
func (n Node) Descendants() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.t == nil {
			return
		}
		for i, end := n.i, n.rec().Next; i < end; i++ {
			n.t.meter.Add(1)
			if !yield(Node{n.t, i}) {
				return
			}
		}
	}
}

// Outline yields the node and its descendants in pre-order, except those of nodes for which
// inside returns false.
func (n Node) Outline(inside func(Node) bool) {
	if n.t == nil {
		return
	}
	for i, end := n.i, n.rec().Next; i < end; {
		n.t.meter.Add(1)
		if c := (Node{n.t, i}); inside(c) {
			i++
		} else {
			i = c.rec().Next
		}
	}
}

// Field returns the first child in the field; the zero Node if there is none.
func (n Node) Field(name string) Node {
	for c := range n.Children() {
		if c.rec().Field != 0 && c.FieldName() == name {
			return c
		}
	}
	return Node{}
}

// Child returns the first child of one of the kinds; the zero Node if there is none.
func (n Node) Child(kinds ...string) Node {
	for c := range n.Children() {
		if slices.Contains(kinds, c.Kind()) {
			return c
		}
	}
	return Node{}
}

// Has reports whether n has a child of the kind, such as a keyword.
func (n Node) Has(kind string) bool { return n.Child(kind).Ok() }

// Ancestor returns the nearest ancestor of one of the kinds; the zero Node if there is none.
func (n Node) Ancestor(kinds ...string) Node {
	for p := n.Parent(); p.Ok(); p = p.Parent() {
		if slices.Contains(kinds, p.Kind()) {
			return p
		}
	}
	return Node{}
}

// First returns the first named child, comments excluded.
func (n Node) First() Node {
	for c := range n.NamedSeq() {
		return c
	}
	return Node{}
}

// Previous returns the previous sibling, tokens included.
func (n Node) Previous() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	parent := n.rec().Parent
	i := n.i - 1
	for i > parent && n.t.nodes[i].Parent != parent {
		n.t.meter.Add(1)
		i = n.t.nodes[i].Parent
	}
	if i <= parent {
		return Node{}
	}
	return Node{n.t, i}
}

// Before returns the node before n in pre-order.
func (n Node) Before() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	return Node{n.t, n.i - 1}
}

// Next returns the next sibling, tokens included.
func (n Node) Next() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	i := n.rec().Next
	if int(i) >= len(n.t.nodes) || n.t.nodes[i].Parent != n.rec().Parent {
		return Node{}
	}
	return Node{n.t, i}
}

// String returns an indented listing of the named nodes in n, for developers.
func (n Node) String() string {
	var b strings.Builder
	n.draw(&b, 0)
	return b.String()
}

func (n Node) draw(b *strings.Builder, depth int) {
	if !n.Named() && n.FieldName() == "" && !n.Missing() {
		return
	}
	b.WriteString(strings.Repeat("  ", depth))
	if f := n.FieldName(); f != "" {
		b.WriteString(f + ": ")
	}
	b.WriteString(n.Kind())
	if n.Missing() {
		b.WriteString(" MISSING")
	}
	if n.Leaf() {
		b.WriteString(" " + strings.ReplaceAll(n.Text(), "\n", "\\n"))
	}
	b.WriteByte('\n')
	for c := range n.Children() {
		c.draw(b, depth+1)
	}
}

// Text returns a tree without nodes, for languages that another parser reads. m may be nil.
func Text(text []byte, m *Meter) *Tree { return newTree(&Grammar{meter: m}, text, nil) }

// Meter returns the meter that counts the operations on the tree, or nil.
func (t *Tree) Meter() *Meter { return t.meter }

// Moved returns the tree with text as its source. at maps an offset of the tree to one in
// text; end is true for the end of a node. Nodes must keep their order.
func (t *Tree) Moved(text []byte, at func(offset int, end bool) int) *Tree {
	for i := range t.nodes {
		n := &t.nodes[i]
		start, end := at(int(n.Start), false), at(int(n.End), true)
		n.Start, n.End = uint32(start), uint32(max(start, end))
	}
	return newTree(&Grammar{t.grammar, t.meter}, text, t.nodes)
}
