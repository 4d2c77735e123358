package core

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// Shape describes how a language's syntax is normalised, so that texts that differ only in
// formatting have the same hash. Structure is kept; comments, white space, brackets,
// separators, redundant parentheses and the choice of quotes are not.
type Shape struct {
	Transparent Set               // kinds that only group: replaced by their children
	Flat        Set               // kinds whose nesting in themselves has no meaning: a | (b | c)
	Drop        Set               // kinds left out of the hash
	Strings     Set               // kinds of string literals
	Numbers     Set               // kinds of number literals
	Alias       map[string]string // kind -> the kind it is equivalent to
	// Through reports whether a node of another kind only groups, depending on its contents or
	// its parent. Through may be nil.
	Through func(n syntax.Node) bool
	// Special is called first for each node. It drops the node, or returns the text to hash
	// for it, or neither. Special may be nil.
	Special func(n syntax.Node) (drop bool, as string)

	kinds syntax.KindMarks
}

// Set is a set of node kinds.
type Set map[string]bool

// SetOf returns the set of the given kinds.
func SetOf(kinds ...string) Set {
	s := Set{}
	for _, k := range kinds {
		s[k] = true
	}
	return s
}

// Punctuation are the characters of tokens that are not hashed: they are implied by the
// structure, or optional.
const Punctuation = "()[]{},;'\"`"

// Hash returns the hash of n's normalised syntax without the nodes in skip; ""
// for no node.
func (s *Shape) Hash(n syntax.Node, skip ...syntax.Node) string {
	if !n.Ok() {
		return ""
	}
	out := make([]byte, 0, 64+(n.End()-n.Start())*3/2)
	return srctext.ShortHash(s.Append(out, n, skip))
}

// Append appends n's normalised syntax to out. It does not use recursion, since the input
// determines the depth.
func (s *Shape) Append(out []byte, n syntax.Node, skip []syntax.Node) []byte {
	if !n.Ok() {
		return out
	}
	w := shapeWriter{s, s.marks(n), out}
	var ends []int // indexes after the open groups
	left := leftOut(skip)
	n.Outline(func(c syntax.Node) bool {
		for len(ends) > 0 && c.Index() >= ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
			w.out = append(w.out, ')', 0)
		}
		if left(c) {
			return false
		}
		inside, group := w.node(c)
		if group {
			ends = append(ends, c.After())
		}
		return inside
	})
	for range ends {
		w.out = append(w.out, ')', 0)
	}
	return w.out
}

// normalText is the normalised syntax of a file without its imports, and where it has each node.
type normalText struct {
	tree     *syntax.Tree
	out      []byte
	from, to []uint32 // by the index of a node; to is 0 for those that are not in it by themselves
}

// open is a node whose parts are being written.
type open struct {
	index, after int
	group        bool
}

// add appends the normalised syntax of n as [Shape.Append] does, and notes where its nodes are.
func (t *normalText) add(s *Shape, n syntax.Node) {
	w := shapeWriter{s, s.marks(n), t.out}
	var around []open
	leave := func() {
		last := around[len(around)-1]
		around = around[:len(around)-1]
		if last.group {
			w.out = append(w.out, ')', 0)
		}
		t.to[last.index] = uint32(len(w.out))
	}
	n.Outline(func(c syntax.Node) bool {
		for len(around) > 0 && c.Index() >= around[len(around)-1].after {
			leave()
		}
		t.from[c.Index()] = uint32(len(w.out))
		inside, group := w.node(c)
		if inside {
			around = append(around, open{c.Index(), c.After(), group})
			return true
		}
		t.to[c.Index()] = uint32(len(w.out))
		return false
	})
	for len(around) > 0 {
		leave()
	}
	t.out = w.out
}

// The properties of kinds that a [Shape] describes.
const (
	dropped uint8 = 1 << iota
	isString
	isNumber
	isFlat
	isTransparent
)

// marks returns the properties of the kinds of nodes in the tree of n.
func (s *Shape) marks(n syntax.Node) syntax.Marks {
	return s.kinds.Of(n, func(kind string) []bool {
		return []bool{syntax.IsComment(kind) || s.Drop[kind], s.Strings[kind], s.Numbers[kind], s.Flat[kind], s.Transparent[kind]}
	})
}

// fewNodes is the number of nodes up to which a linear search is used.
const fewNodes = 8

// leftOut returns a function that reports whether a node is one of those in skip.
func leftOut(skip []syntax.Node) func(n syntax.Node) bool {
	if len(skip) <= fewNodes {
		return func(n syntax.Node) bool { return slices.Contains(skip, n) }
	}
	all := make(map[syntax.Node]bool, len(skip))
	for _, n := range skip {
		all[n] = true
	}
	return func(n syntax.Node) bool { return all[n] }
}

// shapeWriter writes normalised syntax.
type shapeWriter struct {
	*Shape
	marks syntax.Marks
	out   []byte
}

// node writes what n adds to the normalised syntax. It reports whether the descendants of n
// are to be written, and whether n opens a group.
func (w *shapeWriter) node(n syntax.Node) (inside, group bool) {
	is := w.marks.Of(n)
	if is&dropped != 0 {
		return false, false
	}
	if w.Special != nil {
		drop, as := w.Special(n)
		if drop {
			return false, false
		}
		if as != "" {
			w.write(as)
			return false, false
		}
	}
	switch {
	case is&isString != 0:
		w.out = append(w.out, '\'')
		w.write(StringContent(n))
	case is&isNumber != 0:
		w.write(srctext.CanonicalNumber(n.Text()))
	case !n.Named() && w.marks.Of(n.Parent())&isFlat != 0: // an operator between the parts, such as |
	case n.Leaf():
		w.token(n)
	case w.groups(n, is):
		return true, false
	default:
		kind := n.Kind()
		if as, ok := w.Alias[kind]; ok {
			kind = as
		}
		w.out = append(w.out, '(')
		w.write(kind)
		return true, true
	}
	return false, false
}

func (w *shapeWriter) write(text string) { w.out = append(append(w.out, text...), 0) }

// groups reports whether a node only groups its children.
func (w *shapeWriter) groups(n syntax.Node, is uint8) bool {
	return is&isTransparent != 0 || w.Through != nil && w.Through(n) ||
		is&isFlat != 0 && (n.Parent().Kind() == n.Kind() || len(syntax.NamedChildren(n)) == 1)
}

// longToken is the size in bytes above which a token is represented by its hash. In a
// rewritten text, many tokens may have the same long source.
const longToken = 4096

func (w *shapeWriter) token(n syntax.Node) {
	if n.End()-n.Start() > longToken {
		w.write(srctext.ShortHash([]byte(srctext.OneLine(n.Text()))))
		return
	}
	text := n.Bytes()
	for _, c := range text {
		if c <= ' ' || c >= 0x80 { // there may be white space
			text = []byte(srctext.OneLine(string(text)))
			break
		}
	}
	if n.Named() || len(bytes.Trim(text, Punctuation)) > 0 {
		w.out = append(append(w.out, text...), 0)
	}
}

// StringContent returns a string literal with its prefix but without quotes, and without the
// escapes needed only because of its quotes.
func StringContent(n syntax.Node) string {
	text := n.Text()
	quote := max(0, strings.IndexAny(text, "\"'`"))
	prefix, text := strings.ToLower(text[:quote]), text[quote:]
	for _, q := range []string{`"""`, "'''", `"`, "'", "`"} {
		if len(text) >= 2*len(q) && strings.HasPrefix(text, q) && strings.HasSuffix(text, q) {
			text = text[len(q) : len(text)-len(q)]
			break
		}
	}
	if strings.Contains(text, `\`) {
		text = strings.NewReplacer(`\\`, `\\`, `\"`, `"`, `\'`, `'`).Replace(text)
	}
	return strings.TrimPrefix(prefix, "u") + "'" + text
}
