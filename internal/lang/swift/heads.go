package swift

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// declarationHead is the head of a declaration: everything before its body. Parts are
// token indexes, 0 if missing.
type declarationHead struct {
	first     int // first token: an attribute, modifier or the keyword
	written   int // first token that is not an attribute
	keyword   int
	end       int         // index after the last token
	word      string      // the keyword
	modifiers core.Set    // including private(set)
	marks     []core.Span // attributes: index of the first token, and after the last one
	generics  core.Span   // between the angle brackets
	params    core.Span   // between the parentheses
	colon     int         // before bases, or before the type of an associated type
	arrow     int         // before the result
	where     int
	assign    int // the = sign
	async     bool
}

// keywords are the keywords of declarations.
var keywords = core.SetOf(
	"import", "struct", "class", "enum", "extension", "protocol", "actor", "func", "init", "deinit", "subscript", "macro", "var", "let",
	"typealias", "associatedtype", "case", "operator", "precedencegroup",
)

// tokenAt returns the index of the first token that ends after offset.
func tokenAt(t *repair.SourceText, offset int) int {
	return sort.Search(len(t.Tokens), func(i int) bool { return t.Tokens[i].End() > offset })
}

// head reads the head of the declaration n.
func (s *symbolReader) head(n syntax.Node) declarationHead {
	t := s.text
	h := declarationHead{first: tokenAt(t, n.Start()), modifiers: core.Set{}}
	if n.Is("init_declaration") && t.Word(h.first-1) == "func" {
		h.first-- // without a body, see rewriter.bodyless
	}
	limit := min(s.afterNode(n), len(t.Tokens))
	i := h.first
	for i < limit {
		switch word := t.Word(i); {
		case t.Mark(i) == '@':
			end := t.AttributeEnd(i) + 1
			h.marks = append(h.marks, core.Span{Start: i, End: end})
			i = end
			continue
		case t.Tokens[i].Kind == repair.Directive:
			i++
			continue
		case keywords[word] && (word != "class" || !repair.MemberWords[t.Word(i+1)]):
			h.keyword, h.word = i, word
		case word == "":
			limit = i
		default:
			h.modifiers[word] = true
			if t.Mark(i+1) == '(' && t.Match(i+1) > i {
				delete(h.modifiers, word)
				h.modifiers[word+"("+t.Text(i+2)+")"] = true
				i = t.Match(i + 1)
			}
		}
		if h.word != "" {
			break
		}
		i++
	}
	h.written = h.start(t)
	h.end = min(i, limit)
	if h.word != "" {
		h.parts(t, i+1, limit)
	}
	return h
}

// afterNode returns the first token after n and after the blanked text that follows it.
func (s *symbolReader) afterNode(n syntax.Node) int {
	i := tokenAt(s.text, n.End()-1) + 1
	for i < len(s.text.Tokens) {
		tok := s.text.Tokens[i]
		if tok.End() > len(s.Rewritten) || strings.TrimSpace(string(s.Rewritten[tok.Start():tok.End()])) != "" {
			break
		}
		i++
	}
	return i
}

// start returns the first token that is not an attribute.
func (h *declarationHead) start(t *repair.SourceText) int {
	at := h.first
	for _, m := range h.marks {
		if m.Start == at || at < len(t.Tokens) && t.Tokens[at].Kind == repair.Directive {
			at = m.End
		}
	}
	for at < h.keyword && t.Tokens[at].Kind == repair.Directive {
		at++
	}
	return at
}

// parts finds the parts after the keyword, from token i on. The head ends at the body's
// brace or at the next statement.
func (h *declarationHead) parts(t *repair.SourceText, i, limit int) {
	name := i // the name or operator is skipped; init, deinit and subscript have none
	if h.word == "init" || h.word == "deinit" || h.word == "subscript" {
		name = -1
	}
	limit = min(limit, len(t.Tokens))
	for ; i < limit && !h.ends(t, i, name); i++ {
		switch text := t.Text(i); {
		case i == name && h.word != "extension":
			i = h.nameEnd(t, i, text)
		case text == "<" && !h.within() && h.generics.Start == 0:
			i = h.angles(t, i)
		case text == "<":
			i = t.Closing(i)
		case text == "(" || text == "[":
			i = h.brackets(t, i, text)
		default:
			h.part(i, text)
		}
	}
	h.end = min(i, limit)
}

// brackets skips the brackets that begin at token i and returns the closing one. The
// first parentheses are the parameters.
func (h *declarationHead) brackets(t *repair.SourceText, i int, text string) int {
	if text == "(" && h.params.Start == 0 && !h.within() {
		h.params = core.Span{Start: i + 1, End: max(i+1, t.Match(i))}
	}
	return max(i, t.Match(i))
}

// nameEnd returns the last token of the name at token i, which may be an operator with
// type parameters: func ==<T>(…).
func (h *declarationHead) nameEnd(t *repair.SourceText, i int, text string) int {
	if strings.HasSuffix(text, "<") && len(text) > 1 && t.Mark(i+1) != '(' {
		return h.angles(t, i)
	}
	return i
}

// ends reports whether a head ends before token i: at the body's brace or at the next
// statement.
func (h *declarationHead) ends(t *repair.SourceText, i, name int) bool {
	if mark := t.Mark(i); mark == '{' || mark == ';' || mark == '}' {
		return true
	}
	return t.Tokens[i].Newline && i > name && i > h.keyword+1 && h.word != "case" && t.Begins(i)
}

// within reports whether the name and the parameters have been read.
func (h *declarationHead) within() bool {
	return h.arrow > 0 || h.colon > 0 || h.assign > 0 || h.where > 0
}

// part records a sign or keyword that begins a part of a head.
func (h *declarationHead) part(i int, text string) {
	switch text {
	case "->":
		if h.arrow == 0 && h.assign == 0 {
			h.arrow = i
		}
	case ":":
		if h.colon == 0 && h.assign == 0 && h.where == 0 && h.params.Start == 0 {
			h.colon = i
		}
	case "where":
		h.where = cmp.Or(h.where, i)
	case "=":
		h.assign = cmp.Or(h.assign, i)
	case "async", "reasync":
		h.async = h.async || h.arrow == 0
	}
}

// angles records the type parameters that begin at token i, and returns the closing
// token.
func (h *declarationHead) angles(t *repair.SourceText, i int) int {
	end := t.Closing(i)
	h.generics = core.Span{Start: i + 1, End: end}
	return end
}

// list splits the tokens [from, to) at the commas between items.
func list(t *repair.SourceText, from, to int) []core.Span {
	var out []core.Span
	to = min(to, len(t.Tokens))
	depth, begin, value := 0, from, false
	for k := from; k < to; k++ {
		switch text := t.Text(k); {
		case t.Match(k) > k:
			k = t.Match(k)
		case text == "=" && depth <= 0:
			value = true
		case text == "," && depth <= 0:
			out = append(out, core.Span{Start: begin, End: k})
			depth, begin, value = 0, k+1, false
		case !value || opensTypes(t, k) || depth > 0:
			depth += t.Angle(k)
		}
	}
	if begin < to {
		out = append(out, core.Span{Start: begin, End: to})
	}
	return out
}

// opensTypes reports whether token k is a < directly after a type name.
func opensTypes(t *repair.SourceText, k int) bool {
	return t.Text(k) == "<" && !t.Tokens[k].Spaced && repair.Upper(t.Word(k-1))
}

// slice returns the text of the tokens [from, to).
func slice(t *repair.SourceText, from, to int) string {
	if from >= to || from < 0 || to > len(t.Tokens) {
		return ""
	}
	return string(t.Src[t.Tokens[from].Start():t.Tokens[to-1].End()])
}

// items returns the texts of the items of a list, each on one line.
func items(t *repair.SourceText, from, to int) []string {
	var out []string
	for _, item := range list(t, from, to) {
		if text := srctext.OneLine(slice(t, item.Start, item.End)); text != "" {
			out = append(out, text)
		}
	}
	return out
}

// dottedPath returns the names of a dotted path, including a keyword before it.
func dottedPath(t *repair.SourceText, from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		if t.Mark(i) == '.' || t.Mark(i) == ':' {
			continue
		}
		out = append(out, strings.Trim(t.Text(i), "`"))
	}
	return out
}

// attributes returns the attributes of a declaration as written.
func (h *declarationHead) attributes(t *repair.SourceText) []string {
	var out []string
	for _, m := range h.marks {
		out = append(out, srctext.OneLine(slice(t, m.Start, m.End)))
	}
	return out
}

// bases returns the superclass and protocols of a type.
func (h *declarationHead) bases(t *repair.SourceText) []string {
	if h.colon == 0 {
		return nil
	}
	to := h.end
	if h.where > 0 {
		to = h.where
	} else if h.assign > 0 {
		to = h.assign
	}
	return items(t, h.colon+1, to)
}

// result returns the result type of a function.
func (h *declarationHead) result(t *repair.SourceText) string {
	if h.arrow == 0 {
		return ""
	}
	to := h.end
	for _, part := range []int{h.where, h.assign} {
		if part > h.arrow {
			to = min(to, part)
		}
	}
	return srctext.OneLine(slice(t, h.arrow+1, to))
}

// parameters reads a parameter list. Name is the argument label or, for an argument
// without a label, the parameter name with Mode "positional". Subscript parameters have
// a label only if one is written; function parameters have one unless it is "_".
func (h *declarationHead) parameters(t *repair.SourceText) []code.Param {
	var out []code.Param
	for _, item := range list(t, h.params.Start, h.params.End) {
		i := item.Start
		for t.Mark(i) == '@' {
			i = t.AttributeEnd(i) + 1
		}
		p := code.Param{Mode: "keyword"}
		colon := colonIn(t, i, item.End)
		switch {
		case colon < 0:
			p.Mode = "positional" // an associated value of an enum case
			colon = i - 1
		case t.Text(i) == "_" || h.word == "subscript" && colon == i+1:
			p.Mode = "positional"
			p.Name = strings.Trim(t.Text(colon-1), "`")
		default:
			p.Name = strings.Trim(t.Text(i), "`")
		}
		if p.Name == "_" {
			p.Name = ""
		}
		to := item.End
		if assign := assignIn(t, colon+1, item.End); assign > 0 {
			to = assign
			p.Optional = true
			p.Default = srctext.OneLine(slice(t, assign+1, item.End))
		}
		p.Type = srctext.OneLine(slice(t, colon+1, to))
		p.Type, p.Variadic = strings.CutSuffix(p.Type, "...")
		out = append(out, p)
	}
	return out
}

// colonIn returns the colon after the names of a parameter, or -1.
func colonIn(t *repair.SourceText, from, to int) int {
	for i := from; i < min(to, from+3); i++ {
		if t.Mark(i) == ':' {
			return i
		}
		if t.Tokens[i].Kind != repair.Word {
			return -1
		}
	}
	return -1
}

// assignIn returns the = before a default value, or 0.
func assignIn(t *repair.SourceText, from, to int) int {
	for i := from; i < to; i++ {
		if t.Tokens[i].Kind == repair.Operator && (t.Text(i) == "=" || strings.HasSuffix(t.Text(i), "=") && strings.Trim(t.Text(i), ">?!=") == "") {
			return i
		}
		i = max(i, t.Match(i))
	}
	return 0
}

// wrote reports whether the head has one of the modifiers.
func (h *declarationHead) wrote(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return h.modifiers[w] })
}
