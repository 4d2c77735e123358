package syntax

import (
	"bytes"
	"iter"
	"slices"
	"sort"
	"strings"
)

// record is rs_node of walk.h.
type record struct {
	start, end, parent, next uint32
	kind                     uint16
	field, flags             uint8
}

const (
	named uint8 = 1 << iota
	missing
	extra
	hasError
)

// errorKind is the kind of a node made of text the grammar could not read.
const errorKind = 0xffff

// Tree is a parsed text.
type Tree struct {
	Source  []byte
	Steps   int64 // that the parse took, see [ErrGaveUp]
	grammar *tables
	meter   *Meter
	nodes   []record
	lines   []uint32 // where each line starts, in bytes
}

func newTree(g *Grammar, text []byte, nodes []record) *Tree {
	t := &Tree{grammar: g.tables, meter: g.meter, nodes: nodes}
	t.Restore(text)
	return t
}

// Restore takes text as the tree's source: what was written, of the length of
// what the parser was shown in its place. Lines are those of text.
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

// At returns the node with an index; no node past the last one.
func (t *Tree) At(index int) Node {
	if index < 0 || index >= len(t.nodes) {
		return Node{}
	}
	return Node{t, uint32(index)}
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.nodes) }

// Line returns the 1-based line that holds the byte at offset.
func (t *Tree) Line(offset int) int {
	return sort.Search(len(t.lines), func(i int) bool { return int(t.lines[i]) > offset })
}

// Column returns the 1-based column, in bytes, of the byte at offset.
func (t *Tree) Column(offset int) int { return offset - int(t.lines[t.Line(offset)-1]) + 1 }

// Node is a place in a [Tree]. The zero Node is no node: it has no kind, no text
// and no children, so that look-ups can be chained.
type Node struct {
	t *Tree
	i uint32
}

func (n Node) rec() record {
	if n.t == nil {
		return record{}
	}
	return n.t.nodes[n.i]
}

// Ok reports whether there is a node.
func (n Node) Ok() bool { return n.t != nil }

// Index is the node's place in pre-order, unique in its tree.
func (n Node) Index() int { return int(n.i) }

// After is the index of the first node after n and all below it.
func (n Node) After() int { return int(n.rec().next) }

// Kind is the grammar's name: "class_declaration", "(", "ERROR"; "" for no node.
func (n Node) Kind() string {
	if n.t == nil {
		return ""
	}
	k := n.rec().kind
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

// FieldName is the field under which the node stands in its parent, or "".
func (n Node) FieldName() string {
	if n.t == nil {
		return ""
	}
	return n.t.grammar.fields[n.rec().field]
}

// Named tells a rule of the grammar from a token like "(".
func (n Node) Named() bool { return n.rec().flags&named != 0 }

// Missing reports whether the parser put the node in to go on.
func (n Node) Missing() bool { return n.rec().flags&missing != 0 }

// Extra reports whether the node may stand anywhere, as comments do.
func (n Node) Extra() bool { return n.rec().flags&extra != 0 }

// HasError reports whether an error lies in the node.
func (n Node) HasError() bool { return n.rec().flags&hasError != 0 }

// Start and End are the node's span in bytes.
func (n Node) Start() int { return int(n.rec().start) }

// End is the byte after the node.
func (n Node) End() int { return int(n.rec().end) }

// Line is the 1-based line where the node starts.
func (n Node) Line() int {
	if n.t == nil {
		return 0
	}
	return n.t.Line(n.Start())
}

// EndLine is the line of the node's last byte.
func (n Node) EndLine() int {
	if n.t == nil {
		return 0
	}
	return n.t.Line(max(n.Start(), n.End()-1))
}

// Column is 1-based, in bytes.
func (n Node) Column() int {
	if n.t == nil {
		return 0
	}
	return n.t.Column(n.Start())
}

// Text is the node's source.
func (n Node) Text() string {
	if n.t == nil {
		return ""
	}
	n.t.meter.Bytes(n.End() - n.Start())
	return string(n.t.Source[n.Start():n.End()])
}

// Says reports whether the node's source is text. Unlike a comparison of
// [Node.Text], it does not copy what may be long.
func (n Node) Says(text string) bool {
	return n.End()-n.Start() == len(text) && n.Text() == text
}

// Begins reports whether the node's source begins with text.
func (n Node) Begins(text string) bool { return n.Head(len(text)) == text }

// Ends reports whether the node's source ends with text.
func (n Node) Ends(text string) bool { return n.Tail(len(text)) == text }

// shortText is more than any word that has a meaning of its own.
const shortText = 64

// Short is the node's source where that is short, else "": what is compared with
// known words.
func (n Node) Short() string {
	if n.End()-n.Start() > shortText {
		return ""
	}
	return n.Text()
}

// Head is the start of the node's source: at most size bytes.
func (n Node) Head(size int) string {
	if n.t == nil {
		return ""
	}
	end := min(n.End(), n.Start()+size)
	n.t.meter.Bytes(end - n.Start())
	return string(n.t.Source[n.Start():end])
}

// Tail is the end of the node's source: at most the last size bytes of it, or
// all where it is shorter.
func (n Node) Tail(size int) string {
	if n.t == nil {
		return ""
	}
	start := max(n.Start(), n.End()-size)
	n.t.meter.Bytes(n.End() - start)
	return string(n.t.Source[start:n.End()])
}

// Parent returns the node around; no node for the root.
func (n Node) Parent() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	n.t.meter.Add(1)
	return Node{n.t, n.rec().parent}
}

// Leaf reports whether the node has no children.
func (n Node) Leaf() bool { return n.t == nil || n.rec().next == n.i+1 }

// Children yields every child, tokens too.
func (n Node) Children() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.t == nil {
			return
		}
		for i, end := n.i+1, n.rec().next; i < end; i = n.t.nodes[i].next {
			n.t.meter.Add(1)
			if !yield(Node{n.t, i}) {
				return
			}
		}
	}
}

// Inner yields the named children that are not comments.
func (n Node) Inner() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for c := range n.Children() {
			if c.Named() && !strings.HasSuffix(c.Kind(), "comment") && !yield(c) {
				return
			}
		}
	}
}

// Within yields the node and all below it, in pre-order.
func (n Node) Within() iter.Seq[Node] {
	return func(yield func(Node) bool) {
		if n.t == nil {
			return
		}
		for i, end := n.i, n.rec().next; i < end; i++ {
			n.t.meter.Add(1)
			if !yield(Node{n.t, i}) {
				return
			}
		}
	}
}

// Field returns the first child in the field.
func (n Node) Field(name string) Node {
	for c := range n.Children() {
		if c.rec().field != 0 && c.FieldName() == name {
			return c
		}
	}
	return Node{}
}

// Child returns the first child of one of the kinds.
func (n Node) Child(kinds ...string) Node {
	for c := range n.Children() {
		if slices.Contains(kinds, c.Kind()) {
			return c
		}
	}
	return Node{}
}

// Has reports whether a child is of the kind: a keyword, most often.
func (n Node) Has(kind string) bool { return n.Child(kind).Ok() }

// Around returns the nearest node around n of one of the kinds.
func (n Node) Around(kinds ...string) Node {
	for p := n.Parent(); p.Ok(); p = p.Parent() {
		if slices.Contains(kinds, p.Kind()) {
			return p
		}
	}
	return Node{}
}

// First returns the first named child.
func (n Node) First() Node {
	for c := range n.Inner() {
		return c
	}
	return Node{}
}

// Previous returns the sibling before n, tokens too.
func (n Node) Previous() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	parent := n.rec().parent
	i := n.i - 1
	for i > parent && n.t.nodes[i].parent != parent {
		n.t.meter.Add(1)
		i = n.t.nodes[i].parent
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

// Next returns the sibling after n, tokens too.
func (n Node) Next() Node {
	if n.t == nil || n.i == 0 {
		return Node{}
	}
	i := n.rec().next
	if int(i) >= len(n.t.nodes) || n.t.nodes[i].parent != n.rec().parent {
		return Node{}
	}
	return Node{n.t, i}
}

// String draws the named nodes below n, for people who write extractors.
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

// Text returns a tree of text alone, without nodes: for languages that another
// parser reads. The meter may be nil.
func Text(text []byte, m *Meter) *Tree { return newTree(&Grammar{meter: m}, text, nil) }

// Meter returns what counts the operations on the tree, or nil.
func (t *Tree) Meter() *Meter { return t.meter }

// Moved returns the tree as one of another text, of which its own was a form: at
// tells where a byte offset stands in that text, as the start or as the end of a
// node. Nodes must keep their order.
func (t *Tree) Moved(text []byte, at func(offset int, end bool) int) *Tree {
	for i := range t.nodes {
		n := &t.nodes[i]
		start, end := at(int(n.start), false), at(int(n.end), true)
		n.start, n.end = uint32(start), uint32(max(start, end))
	}
	return newTree(&Grammar{t.grammar, t.meter}, text, t.nodes)
}
