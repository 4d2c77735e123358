package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
)

// The grammars can parse a conditional group (C23 6.10.2) if each of its branches is a
// sequence of whole declarations, statements, members or enumerators. If a group cuts through
// one, only one branch is shown to the parser: the first whose condition may hold. The same
// assumption about a condition is used throughout the file, so that a bracket opened in one
// group is closed in another.

// ppBracket is an open bracket. Brackets are linked, so that each branch can start from the
// brackets that were open at the start of its group.
type ppBracket struct {
	kind   byte // '(' '[' '{' for a block or body, 'l' for an initialiser list, 'e' for enumerators
	around int  // index of the enclosing bracket; -1 for none
}

// group is a conditional group.
type group struct {
	scope    int // innermost bracket around it
	previous int // index of the last token shown before it; -1 for none
	unit     int // index of the first token of the declaration or statement around it
	branches []branch
}

// branch is one branch of a group.
type branch struct {
	directive int // index of the directive
	scope     int // innermost bracket open at its end
	first     int // index of the first token after the directive
	last      int // index of its last token that is shown; -1 for none
	unit      int
}

// conditions holds the state of the pass over a file's directives.
type conditions struct {
	*rewriting
	scopes []ppBracket
	scope  int
	groups []group
	hidden []bool // whether each token is hidden
	last   int    // index of the last token shown
	unit   int    // index of the first token of the current declaration or statement
	taken  map[string]bool
}

// chooseBranches hides branches that cut through syntax, and the directives of groups of which one
// branch is shown.
func (c *rewriting) chooseBranches() {
	p := conditions{rewriting: c, scope: -1, last: -1, hidden: make([]bool, len(c.all)), taken: map[string]bool{}}
	for i := range c.all {
		if c.all[i].Kind == Directive {
			p.directive(i)
			continue
		}
		p.token(i)
	}
	c.t = c.all[:0] // in place: the write index never exceeds the read index
	fresh := true
	for i, t := range c.all {
		switch {
		case p.hidden[i]:
			srctext.Blank(c.out[t.Start:t.End])
		case t.Kind == Directive:
			fresh = true
			c.directive(t)
		default:
			t.fresh, fresh = fresh, false
			c.t = append(c.t, t)
		}
	}
	c.all = nil
}

// token tracks the brackets.
func (p *conditions) token(i int) {
	text := p.word(p.all[i])
	ends := false
	if p.all[i].Kind == Punct {
		switch text[0] {
		case '(', '[':
			p.open(text[0])
		case '{':
			kind := p.brace()
			p.open(kind)
			ends = kind == '{'
		case ')', ']', '}':
			ends = p.closed(text[0]) && text[0] == '}'
		case ';':
			ends = !p.inList()
		case ':':
			ends = len(text) == 1 && !p.inList() && p.labels()
		}
	}
	p.last = i
	if ends {
		p.unit = i + 1
	}
}

func (p *conditions) open(kind byte) {
	p.scopes = append(p.scopes, ppBracket{kind, p.scope})
	p.scope = len(p.scopes) - 1
}

// brace returns the kind of an opening brace: a block or body, an initialiser list, or
// enumerators.
func (p *conditions) brace() byte {
	if p.inList() || p.last < 0 {
		if p.kind() == '(' && p.last >= 0 && p.is(p.last, ")", "(", "{", "]") {
			return '{' // a lambda or a statement expression
		}
		if p.last < 0 {
			return '{'
		}
		return 'l'
	}
	if p.is(p.last, "=", ",", "return", "[", "]", "(") {
		return 'l'
	}
	for i := max(p.unit, p.last-8); i <= p.last; i++ {
		if p.all[i].Kind == Word && p.word(p.all[i]) == "enum" {
			return 'e'
		}
	}
	return '{'
}

// kind returns the kind of the innermost bracket; 0 outside all of them.
func (p *conditions) kind() byte {
	if p.scope < 0 {
		return 0
	}
	return p.scopes[p.scope].kind
}

// inList reports whether the innermost bracket contains neither declarations nor statements.
func (p *conditions) inList() bool { return p.kind() != 0 && p.kind() != '{' }

// maxMismatch is the maximum number of open brackets that a bracket of another kind closes.
const maxMismatch = 8

// closed pops the brackets that bracket closes. It reports whether that ended a block or a
// body.
func (p *conditions) closed(bracket byte) bool {
	scope := p.scope
	for range maxMismatch {
		if scope < 0 {
			return false
		}
		s := p.scopes[scope]
		if bracket == '}' && (s.kind == '{' || s.kind == 'l' || s.kind == 'e') ||
			bracket == ')' && s.kind == '(' || bracket == ']' && s.kind == '[' {
			p.scope = s.around
			return s.kind == '{'
		}
		scope = s.around
	}
	return false
}

// labels reports whether a colon after the last token would end a label.
func (p *conditions) labels() bool {
	return p.last == p.unit || p.unit <= p.last && p.is(p.unit, "case", "default", "public", "private", "protected")
}

// is reports whether token i is one of texts.
func (p *conditions) is(i int, texts ...string) bool {
	return slices.Contains(texts, p.word(p.all[i]))
}

// directive handles a directive: it begins, splits or ends a group, or is a single line.
func (p *conditions) directive(i int) {
	switch name, _ := p.split(i); name {
	case "if", "ifdef", "ifndef":
		p.groups = append(p.groups, group{scope: p.scope, previous: p.last, unit: p.unit})
		p.branch(i)
	case "elif", "else", "elifdef", "elifndef":
		if len(p.groups) > 0 {
			p.leave()
			p.branch(i)
		}
	case "endif":
		if len(p.groups) > 0 {
			p.leave()
			p.resolve(i)
		}
	case "define", "undef", "pragma", "include", "error", "warning", "line", "":
		if p.inList() || !p.boundary(p.unit, p.last) && (name != "include" || p.is(p.last, "=", "|", "+", ",")) {
			p.hidden[i] = true
		}
	}
}

// split returns the name and the rest of the directive at i.
func (p *conditions) split(i int) (name, rest string) {
	t := p.all[i]
	return SplitDirective(string(p.text[t.Start:t.End]))
}

// SplitDirective returns the name and the rest of a directive. Comments and line continuations
// are kept.
func SplitDirective(text string) (name, rest string) {
	text = strings.TrimLeft(strings.TrimPrefix(text, "#"), " \t")
	end := 0
	for end < len(text) && srctext.NameByte(text[end]) {
		end++
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// branch begins a branch with the brackets that are open at the start of its group.
func (p *conditions) branch(i int) {
	g := &p.groups[len(p.groups)-1]
	p.scope, p.last, p.unit = g.scope, g.previous, i+1
	if !p.boundary(g.unit, g.previous) {
		p.unit = g.unit
	}
	g.branches = append(g.branches, branch{directive: i, first: i + 1, last: -1})
}

// leave ends the current branch.
func (p *conditions) leave() {
	g := &p.groups[len(p.groups)-1]
	b := &g.branches[len(g.branches)-1]
	b.scope, b.unit = p.scope, p.unit
	if p.last > b.directive {
		b.last = p.last
	}
}

// resolve ends a group: it is left as it is, or one branch is shown.
func (p *conditions) resolve(end int) {
	g := p.groups[len(p.groups)-1]
	p.groups = p.groups[:len(p.groups)-1]
	if !p.cuts(g, end) {
		if p.hideDead(g, end); overlaps(p.lost, p.all[g.branches[0].directive].Start, p.all[end].End) {
			p.hidden[end] = true
			for _, b := range g.branches {
				p.hidden[b.directive] = true
			}
		}
		p.scope, p.last, p.unit = g.scope, g.previous, g.unit
		for _, b := range g.branches {
			if b.last >= 0 {
				p.last, p.unit = b.last, end+1
			}
		}
		return
	}
	chosen := p.choice(g)
	for k, b := range g.branches {
		p.hidden[b.directive] = true
		if k != chosen {
			p.hide(b.first, g.after(k, end))
		}
	}
	p.hidden[end] = true
	p.scope, p.last, p.unit = g.scope, g.previous, g.unit
	if chosen >= 0 {
		b := g.branches[chosen]
		p.scope = b.scope
		if b.last >= 0 {
			p.last, p.unit = b.last, b.unit
		}
	}
}

// after returns the index of the directive that ends branch k.
func (g *group) after(k, end int) int {
	if k+1 < len(g.branches) {
		return g.branches[k+1].directive
	}
	return end
}

func (p *conditions) hide(from, to int) {
	for i := from; i < to; i++ {
		p.hidden[i] = true
	}
}

// hideDead hides text disabled by #if 0, which need not be code.
func (p *conditions) hideDead(g group, end int) {
	if name, rest := p.split(g.branches[0].directive); name == "if" && Condition(rest) == "0" {
		p.hide(g.branches[0].first, g.after(0, end))
		b := &g.branches[0]
		srctext.Blank(p.out[p.all[b.directive].End:p.all[g.after(0, end)].Start])
	}
}

// cuts reports whether a group cuts through a syntactic unit.
func (p *conditions) cuts(g group, end int) bool {
	kind := byte(0)
	if g.scope >= 0 {
		kind = p.scopes[g.scope].kind
	}
	if kind != 0 && kind != '{' && kind != 'e' {
		return true
	}
	shown := false
	for _, b := range g.branches {
		if b.scope != g.scope || b.last >= 0 && p.part(b, kind) {
			return true
		}
		shown = shown || b.last >= 0
	}
	return shown && p.splitsUnit(g, end, kind)
}

// splitsUnit reports whether a group splits the unit around it.
func (p *conditions) splitsUnit(g group, end int, kind byte) bool {
	if kind == 'e' {
		return len(g.branches) == 1 || g.previous >= 0 && !p.is(g.previous, ",", "{")
	}
	next := end + 1
	for next < len(p.all) && p.all[next].Kind == Directive {
		next++
	}
	return !p.boundary(g.unit, g.previous) || next < len(p.all) && p.continues(next)
}

// part reports whether a branch is only part of a unit, in a bracket of the given kind.
func (p *conditions) part(b branch, kind byte) bool {
	first := b.first
	for first < b.last && (p.all[first].Kind == Directive || p.hidden[first]) {
		first++
	}
	if p.continues(first) {
		return true
	}
	if kind == 'e' {
		return !p.is(b.last, ",")
	}
	return !p.boundary(b.unit, b.last)
}

// continues reports whether token i continues the unit before it.
func (p *conditions) continues(i int) bool {
	t := p.all[i]
	if t.Kind == Word {
		return p.is(i, "else", "while") && (p.is(i, "else") || i > 0 && p.is(i-1, "}"))
	}
	return t.Kind == Punct && bytes.IndexByte([]byte(",)]=.?|/%<>^:{;"), p.text[t.Start]) >= 0 && p.word(t) != "::" ||
		t.Kind == Punct && p.is(i, "->", "&&", "||")
}

// boundary reports whether a declaration or statement may begin after the token last of the
// unit.
func (p *conditions) boundary(unit, last int) bool {
	return last < unit || p.macroAlone(unit, last)
}
