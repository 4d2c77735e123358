package repair

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
)

// The grammars read a conditional group (C23 6.10.2) where each of its branches
// is a row of whole declarations, statements, members or enumerators. A group
// that cuts through one is shown by one branch: the first whose condition may
// hold. What one condition was taken for, it is taken for all through the file,
// so that a bracket opened in one group is closed in another.

// ppBracket is an open bracket; they are chained, so that a branch can begin with
// those that were open before the one above it.
type ppBracket struct {
	kind   byte // '(' '[' '{' a block or a body, 'l' a list of values, 'e' enumerators
	around int  // index of the scope around; -1 for none
}

// cGroup is a conditional group being read.
type cGroup struct {
	scope    int // that it stands in
	previous int // the token shown before it; -1 for none
	unit     int // the token that begins what it stands in
	branches []cBranch
}

// cBranch is one branch of a group.
type cBranch struct {
	directive int // index of the token
	scope     int // that it leaves open
	first     int // index of the first token after the directive
	last      int // the last token of it that is shown; -1 for none
	unit      int
}

// conditions is the state of the pass over a file's directives.
type conditions struct {
	*cText
	scopes []ppBracket
	scope  int
	groups []cGroup
	hidden []bool // for each token
	last   int    // the last token shown
	unit   int    // the token that begins the declaration or statement
	taken  map[string]bool
}

// choose hides what cuts through syntax: branches, and the directives of the
// groups shown by one branch.
func (c *cText) choose() {
	p := conditions{cText: c, scope: -1, last: -1, hidden: make([]bool, len(c.all)), taken: map[string]bool{}}
	for i := range c.all {
		if c.all[i].Kind == Directive {
			p.directive(i)
			continue
		}
		p.token(i)
	}
	c.t = c.all[:0] // each goes to its place or before it
	fresh := true
	for i, t := range c.all {
		switch {
		case p.hidden[i]:
			core.Blank(c.out[t.Start:t.End])
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

// token follows the brackets.
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

// brace tells what an opening brace begins: a block or body, a list of values, or
// a list of enumerators.
func (p *conditions) brace() byte {
	if p.inList() || p.last < 0 {
		if p.kind() == '(' && p.last >= 0 && p.is(p.last, ")", "(", "{", "]") {
			return '{' // of a lambda or a statement expression
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

// kind is that of the innermost scope; 0 outside of all.
func (p *conditions) kind() byte {
	if p.scope < 0 {
		return 0
	}
	return p.scopes[p.scope].kind
}

// inList reports whether the innermost bracket holds no declarations or statements.
func (p *conditions) inList() bool { return p.kind() != 0 && p.kind() != '{' }

// maxMismatch is how many brackets one of another kind closes.
const maxMismatch = 8

// closed leaves the scope that a bracket closes; it reports whether that was a
// block or a body.
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

// labels reports whether the colon after the last token ends a label.
func (p *conditions) labels() bool {
	return p.last == p.unit || p.unit <= p.last && p.is(p.unit, "case", "default", "public", "private", "protected")
}

// is reports whether a token is one of the texts.
func (p *conditions) is(i int, texts ...string) bool {
	return slices.Contains(texts, p.word(p.all[i]))
}

// directive takes a directive: it opens, parts or closes a group, or stands for
// itself.
func (p *conditions) directive(i int) {
	switch name, _ := p.split(i); name {
	case "if", "ifdef", "ifndef":
		p.groups = append(p.groups, cGroup{scope: p.scope, previous: p.last, unit: p.unit})
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

// split returns the name and the rest of a directive.
func (p *conditions) split(i int) (name, rest string) {
	t := p.all[i]
	return SplitDirective(string(p.text[t.Start:t.End]))
}

// SplitDirective returns the name and the rest of a directive, comments and
// joined lines in it as written.
func SplitDirective(text string) (name, rest string) {
	text = strings.TrimLeft(strings.TrimPrefix(text, "#"), " \t")
	end := 0
	for end < len(text) && core.NameByte(text[end]) {
		end++
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// branch begins a branch where its group stands.
func (p *conditions) branch(i int) {
	g := &p.groups[len(p.groups)-1]
	p.scope, p.last, p.unit = g.scope, g.previous, i+1
	if !p.boundary(g.unit, g.previous) {
		p.unit = g.unit
	}
	g.branches = append(g.branches, cBranch{directive: i, first: i + 1, last: -1})
}

// leave ends the branch being read.
func (p *conditions) leave() {
	g := &p.groups[len(p.groups)-1]
	b := &g.branches[len(g.branches)-1]
	b.scope, b.unit = p.scope, p.unit
	if p.last > b.directive {
		b.last = p.last
	}
}

// resolve ends a group: it is left to the grammar, or shown by one branch.
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

// after returns the index of the directive that ends a branch.
func (g *cGroup) after(k, end int) int {
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

// hideDead hides what #if 0 leaves out: it need not be code.
func (p *conditions) hideDead(g cGroup, end int) {
	if name, rest := p.split(g.branches[0].directive); name == "if" && Condition(rest) == "0" {
		p.hide(g.branches[0].first, g.after(0, end))
		b := &g.branches[0]
		core.Blank(p.out[p.all[b.directive].End:p.all[g.after(0, end)].Start])
	}
}

// cuts reports whether a group cuts through something.
func (p *conditions) cuts(g cGroup, end int) bool {
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
	return shown && p.parted(g, end, kind)
}

// parted reports whether what stands around a group is parted by it.
func (p *conditions) parted(g cGroup, end int, kind byte) bool {
	if kind == 'e' {
		return len(g.branches) == 1 || g.previous >= 0 && !p.is(g.previous, ",", "{")
	}
	next := end + 1
	for next < len(p.all) && p.all[next].Kind == Directive {
		next++
	}
	return !p.boundary(g.unit, g.previous) || next < len(p.all) && p.continues(next)
}

// part reports whether a branch is a part of something, in a scope of a kind.
func (p *conditions) part(b cBranch, kind byte) bool {
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

// continues reports whether a token goes on with what stands before it.
func (p *conditions) continues(i int) bool {
	t := p.all[i]
	if t.Kind == Word {
		return p.is(i, "else", "while") && (p.is(i, "else") || i > 0 && p.is(i-1, "}"))
	}
	return t.Kind == Punct && bytes.IndexByte([]byte(",)]=.?|/%<>^:{;"), p.text[t.Start]) >= 0 && p.word(t) != "::" ||
		t.Kind == Punct && p.is(i, "->", "&&", "||")
}

// boundary reports whether a declaration or statement may begin after a token, with
// the unit that the token is in.
func (p *conditions) boundary(unit, last int) bool {
	return last < unit || p.macroAlone(unit, last)
}
