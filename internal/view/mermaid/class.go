package mermaid

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// classReader parses a class diagram line by line.
type classReader struct {
	*roster
	members map[*node]*members
	open    []*node // enclosing namespaces
	body    *node   // the class whose members are being read
}

// members are the members of a class.
type members struct{ fields, methods []row }

// classSyntax has the patterns of lines.
type classSyntax struct{ class, relation, annotation, member, note, name *regexp.Regexp }

var classForms = sync.OnceValue(func() *classSyntax {
	const name = "(`[^`]+`|[\\p{L}\\p{N}_$]+(?:(?:[-.]|::)[\\p{L}\\p{N}_$]+)*)(~[^\"\\s]*~)?"
	return &classSyntax{
		class: regexp.MustCompile(`^class\s+` + name + `\s*(?:\[\s*"([^"]*)"\s*\])?\s*(?:<<\s*([^<>]*?)\s*>>)?\s*(?::::(\S+?))?\s*(\{)?\s*(\})?$`),
		relation: regexp.MustCompile(`^` + name + `\s*(?:"([^"]*)")?(?:\s*(<\||\*|<|\(\))|\s+(o))?\s*(--|\.\.)(?:(\|>|\*|>|\(\))|(o)\s)?\s*` +
			`(?:"([^"]*)")?\s*` + name + `(?:\s*:::\S+)?\s*(?::\s*(.*))?$`),
		annotation: regexp.MustCompile(`^<<\s*([^<>]*?)\s*>>\s*(.*)$`),
		member:     regexp.MustCompile(`^` + name + `\s*:([^:].*)$`),
		note:       regexp.MustCompile(`^note\s+(?:for\s+` + name + `\s+)?"([^"]*)"$`),
		name:       regexp.MustCompile(`^` + name + `(?:\s*\["([^"]*)"\])?(?::::(\S+))?$`),
	}
})

func drawClasses(s *source) (string, error) {
	r := &classReader{roster: newRoster(message.Key("class diagram"), s), members: map[*node]*members{}}
	last := s.lines[0]
	for _, l := range s.lines[1:] {
		if err := r.line(l); err != nil {
			return "", err
		}
		last = l
	}
	if r.body != nil || len(r.open) > 0 {
		return "", &SyntaxError{last.n, message.New("} before the end"), ""}
	}
	for _, n := range r.p.nodes {
		if m := r.members[n]; m != nil {
			for _, part := range [][]row{m.fields, m.methods} {
				if len(part) > 0 {
					n.parts = append(n.parts, part)
				}
			}
		}
	}
	return r.finish()
}

// line parses a line.
func (r *classReader) line(l line) error {
	if r.body != nil {
		if l.text == "}" {
			r.body = nil
			return nil
		}
		r.member(r.body, ended(l.text))
		return nil
	}
	l.text = ended(l.text)
	first, rest := word(l.text)
	switch {
	case first == "direction" && len(r.open) > 0: // of a namespace
		return nil
	case first == "direction":
		d, ok := directions[rest]
		if !ok {
			return line{l.n, rest}.expected(message.New("TB, BT, LR or RL"))
		}
		r.p.direction = d
		return nil
	case first == "namespace":
		return r.namespace(l, rest)
	case l.text == "}" && len(r.open) > 0:
		r.open = r.open[:len(r.open)-1]
		return nil
	}
	return r.statement(l)
}

func (r *classReader) namespace(l line, rest string) error {
	name, ok := strings.CutSuffix(rest, "{")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return l.expected(message.New("namespace, its name and {"))
	}
	if m := classForms().name.FindStringSubmatch(name); m != nil && m[3] != "" {
		name = m[3]
	}
	g := &node{lines: label(strings.Trim(name, "`")), group: true}
	if len(r.open) > 0 {
		g.parent = r.open[len(r.open)-1]
	}
	r.open = append(r.open, r.add("", g))
	return nil
}

// statement parses a line outside a class body.
func (r *classReader) statement(l line) error {
	f := classForms()
	if m := f.class.FindStringSubmatch(l.text); m != nil {
		r.class(m)
		return nil
	}
	if known, err := r.look(l); known {
		return err
	}
	if m := f.note.FindStringSubmatch(l.text); m != nil {
		r.note(l, m)
		return nil
	}
	if m := f.annotation.FindStringSubmatch(l.text); m != nil && m[2] != "" {
		r.named(m[2], "").note = "«" + m[1] + "»"
		return nil
	}
	if m := f.relation.FindStringSubmatch(l.text); m != nil {
		r.relation(l, m)
		return nil
	}
	if m := f.member.FindStringSubmatch(l.text); m != nil {
		r.member(r.named(m[1], m[2]), strings.TrimSpace(m[3]))
		return nil
	}
	if m := f.name.FindStringSubmatch(l.text); m != nil {
		r.titled(r.named(m[1], m[2]), m[3])
		return nil
	}
	return l.expected(message.New("a class, a member, or a relation such as <|-- between classes"))
}

// class parses class Name["title"]:::style {, where only the name is required.
func (r *classReader) class(m []string) {
	n := r.named(m[1], m[2])
	r.titled(n, m[3])
	if m[4] != "" {
		n.note = "«" + m[4] + "»"
	}
	r.dressed(r.ids[n], m[5])
	if len(r.open) > 0 {
		n.parent = r.open[len(r.open)-1]
	}
	if m[6] != "" && m[7] == "" {
		r.body = n
	}
}

func (r *classReader) titled(n *node, title string) {
	if title != "" {
		n.lines = label(title)
	}
}

// named returns the class with a name, creating it if needed.
func (r *classReader) named(name, generic string) *node {
	name = strings.Trim(name, "`")
	n := r.nodes[name]
	if n == nil {
		n = r.add(name, &node{lines: label(name), shape: shapes["rect"], parts: [][]row{}})
		r.members[n] = &members{}
	}
	if generic != "" {
		n.lines = []string{name + angled(generic)}
	}
	return n
}

// angled returns a text with generics in angle brackets: List<int> for List~int~.
func angled(s string) string {
	var b strings.Builder
	depth := 0
	for i := range len(s) {
		if s[i] != '~' {
			b.WriteByte(s[i])
			continue
		}
		ends := i+1 == len(s) || strings.IndexByte("~), ]>:[&*", s[i+1]) >= 0
		switch {
		case ends && depth > 0:
			depth--
			b.WriteByte('>')
		case !ends && strings.IndexByte(s[i+1:], '~') >= 0:
			depth++
			b.WriteByte('<')
		default:
			b.WriteByte('~')
		}
	}
	return b.String()
}

// memberMost limits a displayed member, in characters.
const memberMost = 90

// member parses a field, a method, or an annotation.
func (r *classReader) member(n *node, text string) {
	if m := classForms().annotation.FindStringSubmatch(text); m != nil {
		n.note = "«" + m[1] + "»"
		return
	}
	access := ""
	if text != "" && strings.IndexByte("+-#~", text[0]) >= 0 {
		access, text = text[:1], strings.TrimSpace(text[1:])
	}
	var s style
	mark := func() {
		switch {
		case strings.HasSuffix(text, "$"):
			s, text = style{"text-decoration", "underline"}, strings.TrimSuffix(text, "$")
		case strings.HasSuffix(text, "*"):
			s, text = style{"font-style", "italic"}, strings.TrimSuffix(text, "*")
		}
	}
	mark()
	closing := strings.LastIndexByte(text, ')')
	if closing > 0 && strings.IndexByte(text, '(') >= 0 {
		result := text[closing+1:]
		for _, c := range []string{"$", "*"} { // the mark may precede the result
			if after, ok := strings.CutPrefix(result, c); ok {
				text = text[:closing+1] + c
				mark()
				result = after
			}
		}
		text = text[:closing+1]
		if result = strings.TrimSpace(strings.TrimLeft(result, " :")); result != "" {
			text += " : " + result
		}
	}
	shown := row{cells: []string{shortened(access+angled(text), memberMost)}, style: s}
	if m := r.members[n]; closing > 0 || text == "..." && len(m.methods) > 0 {
		m.methods = append(m.methods, shown)
	} else {
		m.fields = append(m.fields, shown)
	}
}

// classEnds maps the ends of relations to heads.
var classEnds = map[string]string{
	"<|": "triangle", "|>": "triangle", "*": "composition", "o": "aggregation", "<": "open", ">": "open", "()": "lollipop",
}

// relation parses a relation between classes.
func (r *classReader) relation(l line, m []string) {
	c := &connection{
		from: r.named(m[1], m[2]), to: r.named(m[10], m[11]), tail: classEnds[m[4]+m[5]], head: classEnds[m[7]+m[8]],
		tailText: m[3], headText: m[9], lines: label(m[12]), layers: 1, n: l.n,
	}
	if m[6] == ".." {
		c.look = "dashed"
	}
	r.p.lines = append(r.p.lines, c)
}

// note parses a note, free or for a class.
func (r *classReader) note(l line, m []string) {
	n := r.add("", &node{lines: label(m[3]), shape: shapes["note"]})
	if m[1] == "" {
		return
	}
	of := r.named(m[1], m[2])
	n.parent = of.parent
	r.p.lines = append(r.p.lines, &connection{from: of, to: n, look: "dotted", layers: 1, n: l.n})
}
