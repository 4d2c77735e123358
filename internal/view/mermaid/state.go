package mermaid

import (
	"regexp"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// stateReader parses a state diagram line by line.
type stateReader struct {
	*roster
	open []*scope
	note *node // the note whose lines are being read
	text []string
}

// scope is the diagram or a composite state.
type scope struct {
	state      *node // nil for the diagram
	region     *node // the current region, if it has several
	start, end *node
	line       line
}

// stateSyntax has the patterns of lines.
type stateSyntax struct{ titled, state, transition, note, described *regexp.Regexp }

var stateForms = sync.OnceValue(func() *stateSyntax {
	const name = `(\[\*\]|[^\s:{}"<>]+?)`
	return &stateSyntax{
		titled:     regexp.MustCompile(`^state\s+"([^"]*)"\s+as\s+` + name + `(?::::(\S+))?\s*(\{)?$`),
		state:      regexp.MustCompile(`^state\s+` + name + `(?::::([^\s{]+))?\s*(?:(?:<<|\[\[)(\w+)(?:>>|\]\]))?\s*(\{)?\s*(\})?$`),
		transition: regexp.MustCompile(`^` + name + `(?::::([^\s]+?))?\s*-->\s*` + name + `(?::::([^\s:]+))?\s*(?::\s*(.*))?$`),
		note:       regexp.MustCompile(`^note\s+(left|right)\s+of\s+` + name + `\s*(?::\s*(.*))?$`),
		described:  regexp.MustCompile(`^` + name + `\s*(?::::(\S+)|:\s*(.*))?$`),
	}
})

func drawStates(s *source) (string, error) {
	r := &stateReader{roster: newRoster(message.Key("state diagram"), s), open: []*scope{{}}}
	for _, l := range s.lines[1:] {
		if err := r.line(l); err != nil {
			return "", err
		}
	}
	if at := r.open[len(r.open)-1]; at.state != nil {
		return "", at.line.expected(message.New("a } for this state"))
	}
	return r.finish()
}

func (r *stateReader) scope() *scope { return r.open[len(r.open)-1] }

// inner returns the node that contains new states.
func (s *scope) inner() *node {
	if s.region != nil {
		return s.region
	}
	return s.state
}

// line parses a line.
func (r *stateReader) line(l line) error {
	if r.note != nil {
		r.noteLine(l)
		return nil
	}
	before, _, _ := strings.Cut(l.text, " %%")
	l.text = ended(before)
	first, rest := word(l.text)
	switch {
	case first == "hide" || l.text == "":
		return nil
	case first == "direction":
		return r.turn(l, rest)
	case l.text == "--" && r.scope().state != nil:
		r.part()
		return nil
	case l.text == "}" && len(r.open) > 1:
		r.open = r.open[:len(r.open)-1]
		return nil
	}
	return r.statement(l)
}

func (r *stateReader) turn(l line, rest string) error {
	d, ok := directions[rest]
	if !ok {
		return line{l.n, rest}.expected(message.New("TB, BT, LR or RL"))
	}
	if s := r.scope(); s.state != nil {
		s.state.direction, s.state.turned = d, true
	} else {
		r.p.direction = d
	}
	return nil
}

// statement parses a line that describes states.
func (r *stateReader) statement(l line) error {
	f := stateForms()
	if m := f.titled.FindStringSubmatch(l.text); m != nil {
		n := r.named(m[2], false)
		n.lines = label(m[1])
		r.dressed(m[2], m[3])
		r.begin(l, n, m[4] != "")
		return nil
	}
	if m := f.state.FindStringSubmatch(l.text); m != nil {
		n := r.named(m[1], false)
		r.dressed(m[1], m[2])
		r.kind(n, m[3])
		r.begin(l, n, m[4] != "" && m[5] == "")
		return nil
	}
	if m := f.transition.FindStringSubmatch(l.text); m != nil {
		from, to := r.named(m[1], false), r.named(m[3], true)
		r.dressed(m[1], m[2])
		r.dressed(m[3], m[4])
		r.p.lines = append(r.p.lines, &connection{from: from, to: to, lines: label(m[5]), head: "arrow", layers: 1, n: l.n})
		return nil
	}
	if known, err := r.look(l); known {
		return err
	}
	if m := f.note.FindStringSubmatch(l.text); m != nil {
		r.beginNote(l, m)
		return nil
	}
	if m := f.described.FindStringSubmatch(l.text); m != nil {
		r.describe(m)
		return nil
	}
	return l.expected(message.New("a state, a transition such as A --> B, or a note"))
}

// named returns the state with a name, creating it if needed; [*] is the start or end of its
// scope.
func (r *stateReader) named(id string, end bool) *node {
	s := r.scope()
	if id == "[*]" {
		at, shape := &s.start, "start"
		if end {
			at, shape = &s.end, "end"
		}
		if *at == nil {
			*at = r.add("", &node{shape: shapes[shape], parent: s.inner()})
		}
		return *at
	}
	if n := r.nodes[id]; n != nil {
		return n
	}
	return r.add(id, &node{lines: label(id), shape: shapes["rounded"], parent: s.inner()})
}

// kind gives a state one of the special shapes.
func (r *stateReader) kind(n *node, kind string) {
	switch kind {
	case "fork", "join":
		n.shape = shapes["bar"]
		if r.p.direction == Right || r.p.direction == Left {
			n.shape = shapes["upright bar"]
		}
	case "choice":
		n.shape = shapes["choice"]
	}
}

// begin opens a composite state.
func (r *stateReader) begin(l line, n *node, opened bool) {
	if opened {
		n.group = true
		r.open = append(r.open, &scope{state: n, line: l})
	}
}

// part begins a new region of a state.
func (r *stateReader) part() {
	s := r.scope()
	if s.region == nil {
		first := &node{group: true, bare: true, parent: s.state}
		for _, n := range r.p.nodes {
			if n.parent == s.state {
				n.parent = first
			}
		}
		r.add("", first)
	}
	s.region = r.add("", &node{group: true, bare: true, parent: s.state})
	s.start, s.end = nil, nil
}

// describe parses the label of a state.
func (r *stateReader) describe(m []string) {
	_, known := r.nodes[m[1]]
	n := r.named(m[1], false)
	r.dressed(m[1], m[2])
	switch text := label(m[3]); {
	case len(text) == 0:
	case known && first(n.lines) != m[1]:
		n.lines = append(n.lines, text...)
	default:
		n.lines = text
	}
}

// beginNote parses a note, or its first line.
func (r *stateReader) beginNote(l line, m []string) {
	of := r.named(m[2], false)
	n := r.add("", &node{lines: label(m[3]), shape: shapes["note"], parent: of.parent})
	c := &connection{from: of, to: n, look: "dotted", layers: 1, n: l.n}
	if m[1] == "left" {
		c.from, c.to = n, of
	}
	r.p.lines = append(r.p.lines, c)
	if m[3] == "" {
		r.note = n
	}
}

func (r *stateReader) noteLine(l line) {
	if l.text != "end note" {
		r.text = append(r.text, l.text)
		return
	}
	r.note.lines = label(strings.Join(r.text, "\n"))
	r.note, r.text = nil, nil
}
