package core

import (
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
	if s == nil {
		return ""
	}
	if !n.Ok() {
		return ""
	}
	out := make([]byte, 0, 64+(n.End()-n.Start())*3/2)
	return srctext.ShortHash(s.Append(out, n, skip))
}

// Append appends n's normalised syntax to out. It does not use recursion, since the input
// determines the depth.
func (s *Shape) Append(out []byte, n syntax.Node, skip []syntax.Node) []byte {
	if s == nil {
		return out
	}
	var ends []int // indexes after the open groups
	left := leftOut(skip)
	jump := n.Index()
	for c := range n.Descendants() {
		if c.Index() < jump {
			continue
		}
		for len(ends) > 0 && c.Index() >= ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
			out = append(out, ')', 0)
		}
		if left(c) {
			jump = c.After()
			continue
		}
		text, whole, group := s.node(c)
		out = append(out, text...)
		switch {
		case whole:
			jump = c.After()
		case group:
			ends = append(ends, c.After())
		}
	}
	for range ends {
		out = append(out, ')', 0)
	}
	return out
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

// node returns the text that n adds to the normalised syntax, whether that covers all
// descendants of n, and whether n opens a group.
func (s *Shape) node(n syntax.Node) (text string, whole, group bool) {
	kind := n.Kind()
	if syntax.IsComment(kind) || s.Drop[kind] {
		return "", true, false
	}
	if s.Special != nil {
		drop, as := s.Special(n)
		if drop {
			return "", true, false
		}
		if as != "" {
			return as + "\x00", true, false
		}
	}
	switch {
	case s.Strings[kind]:
		return "'" + StringContent(n) + "\x00", true, false
	case s.Numbers[kind]:
		return srctext.CanonicalNumber(n.Text()) + "\x00", true, false
	case !n.Named() && s.Flat[n.Parent().Kind()]: // an operator between the parts, such as |
		return "", true, false
	case n.Leaf():
		return s.token(n), true, false
	case s.groups(n, kind):
		return "", false, false
	}
	if as, ok := s.Alias[kind]; ok {
		kind = as
	}
	return "(" + kind + "\x00", false, true
}

// groups reports whether a node only groups its children.
func (s *Shape) groups(n syntax.Node, kind string) bool {
	return s.Transparent[kind] || s.Through != nil && s.Through(n) ||
		s.Flat[kind] && (n.Parent().Kind() == kind || len(syntax.NamedChildren(n)) == 1)
}

// longToken is the size in bytes above which a token is represented by its hash. In a
// rewritten text, many tokens may have the same long source.
const longToken = 4096

func (s *Shape) token(n syntax.Node) string {
	if n.End()-n.Start() > longToken {
		return srctext.ShortHash([]byte(srctext.OneLine(n.Text()))) + "\x00"
	}
	text := srctext.OneLine(n.Text())
	if !n.Named() && strings.Trim(text, Punctuation) == "" {
		return ""
	}
	return text + "\x00"
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
