package lang

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// shape says how a language's syntax is normalised, so that texts of one
// meaning hash alike however they are formatted: structure is kept, while
// comments, white space, brackets and separators, redundant parentheses and the
// choice of quotes are not.
type shape struct {
	transparent set               // kinds that only group: their children stand for them
	flat        set               // kinds that nest in themselves without meaning: a | (b | c)
	drop        set               // kinds without meaning
	strings     set               // kinds of string literals
	numbers     set               // kinds of number literals
	alias       map[string]string // kinds of one meaning
	// through tells a node of another kind that only groups, by what is in or
	// around it. It may be nil.
	through func(n syntax.Node) bool
	// special is asked first about each node: drop it with all below it, or
	// hash it as another text. It may be nil.
	special func(n syntax.Node) (drop bool, as string)
}

type set map[string]bool

func setOf(kinds ...string) set {
	s := set{}
	for _, k := range kinds {
		s[k] = true
	}
	return s
}

// punctuation is implied by the structure, or optional.
const punctuation = "()[]{},;'\"`"

// shortHash returns 16 hex digits of SHA-256: enough to compare one symbol with
// its former self.
func shortHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// hash returns the hash of n's normalised syntax without the nodes in skip; ""
// for no node.
func (s *shape) hash(n syntax.Node, skip ...syntax.Node) string {
	if s == nil {
		return ""
	}
	if !n.Ok() {
		return ""
	}
	out := make([]byte, 0, 64+(n.End()-n.Start())*3/2)
	return shortHash(s.append(out, n, skip))
}

// append writes n's normalised syntax. It walks without recursion: depth is the
// text's to choose.
func (s *shape) append(out []byte, n syntax.Node, skip []syntax.Node) []byte {
	if s == nil {
		return out
	}
	var ends []int // where open groups end
	left := leftOut(skip)
	jump := n.Index()
	for c := range n.Within() {
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

// fewNodes is up to how many nodes a list of them is gone through for each other one.
const fewNodes = 8

// leftOut returns what reports whether a node is one of those in skip.
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

// node returns what n adds to the normalised syntax, whether that stands for
// everything below n, and whether n opens a group.
func (s *shape) node(n syntax.Node) (text string, whole, group bool) {
	kind := n.Kind()
	if isComment(kind) || s.drop[kind] {
		return "", true, false
	}
	if s.special != nil {
		drop, as := s.special(n)
		if drop {
			return "", true, false
		}
		if as != "" {
			return as + "\x00", true, false
		}
	}
	switch {
	case s.strings[kind]:
		return "'" + stringContent(n) + "\x00", true, false
	case s.numbers[kind]:
		return number(n.Text()) + "\x00", true, false
	case !n.Named() && s.flat[n.Parent().Kind()]: // the | between the parts
		return "", true, false
	case n.Leaf():
		return s.token(n), true, false
	case s.groups(n, kind):
		return "", false, false
	}
	if as, ok := s.alias[kind]; ok {
		kind = as
	}
	return "(" + kind + "\x00", false, true
}

// groups tells a node that only groups its children.
func (s *shape) groups(n syntax.Node, kind string) bool {
	return s.transparent[kind] || s.through != nil && s.through(n) ||
		s.flat[kind] && (n.Parent().Kind() == kind || len(inner(n)) == 1)
}

// longToken is from how many bytes a token stands for itself by its hash. Where a
// text was shown in another form, many tokens may stand for one long piece of it.
const longToken = 4096

func (s *shape) token(n syntax.Node) string {
	if n.End()-n.Start() > longToken {
		return shortHash([]byte(words(n.Text()))) + "\x00"
	}
	text := words(n.Text())
	if !n.Named() && strings.Trim(text, punctuation) == "" {
		return ""
	}
	return text + "\x00"
}

func isComment(kind string) bool { return strings.HasSuffix(kind, "comment") }

// stringContent returns a literal's content with its prefix but without quotes,
// and without the escapes that only its quotes called for.
func stringContent(n syntax.Node) string {
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

// number returns one spelling of a number literal.
func number(text string) string {
	text = strings.ToLower(text)
	if strings.HasPrefix(text, "0x") || !strings.ContainsAny(text, ".e") {
		return text
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
