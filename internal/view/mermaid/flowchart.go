package mermaid

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// directions are the keywords for the direction of edges.
var directions = map[string]layout.Direction{
	"TB": layout.Down, "TD": layout.Down, "BT": layout.Up, "LR": layout.Right, "RL": layout.Left,
	"v": layout.Down, "^": layout.Up, ">": layout.Right, "<": layout.Left,
}

// flowchart parses a flowchart.
type flowchart struct {
	*roster
	open  []*subgraph
	links map[string]bool // ids of edges
}

// subgraph is an open subgraph with the nodes named in it.
type subgraph struct {
	group *node
	named []*node
	line  line
}

func drawFlowchart(s *source) (string, error) {
	f := &flowchart{roster: newRoster(message.Key("flowchart"), s), links: map[string]bool{}}
	lines, err := statements(s.lines)
	if err != nil {
		return "", err
	}
	_, rest := word(lines[0].text)
	direction, rest := word(rest)
	if d, ok := directions[direction]; ok {
		f.p.direction = d
	} else {
		rest = strings.TrimSpace(direction + " " + rest)
	}
	if rest != "" {
		lines[0].text = rest
	} else {
		lines = lines[1:]
	}
	for _, l := range lines {
		if err := f.statement(l); err != nil {
			return "", err
		}
	}
	if len(f.open) > 0 {
		return "", f.open[len(f.open)-1].line.expected(message.New("an end for this subgraph"))
	}
	return f.finish()
}

// statements splits lines at semicolons and joins the lines of a statement that continues in a
// quote, a brace or an edge.
func statements(lines []line) ([]line, error) {
	var out []line
	for len(lines) > 0 {
		whole, n, err := joined(lines)
		if err != nil {
			return nil, err
		}
		for _, part := range splitOutside(whole.text, ';') {
			switch part = strings.TrimSpace(part); {
			case part == "" || strings.HasPrefix(part, "%%"):
			case len(out) > 0 && (endsInLink(out[len(out)-1].text) || startsLink(part)):
				last := &out[len(out)-1]
				if last.text += " " + part; len(last.text) > maxStatement {
					return nil, whole.expected(message.New("the end of this statement soon"))
				}
			default:
				out = append(out, line{whole.n, part})
			}
		}
		lines = lines[n:]
	}
	return out, nil
}

// joined returns the first statement of lines; n is the number of lines it continues over.
func joined(lines []line) (whole line, n int, err error) {
	whole, n = lines[0], 1
	for end := awaited(whole.text); end != "" && n < len(lines); n++ {
		if strings.Count(lines[n].text, end)%2 == 1 {
			end = ""
		}
		if whole.text += "\n" + lines[n].text; len(whole.text) > maxStatement {
			return line{}, 0, lines[0].expected(message.New("the end of this statement soon"))
		}
	}
	if n > 1 && strings.Count(whole.text, `"`)%2 == 1 {
		return line{}, 0, lines[0].expected(message.New("a second quote"))
	}
	return whole, n, nil
}

// maxStatement limits a multi-line statement, in bytes.
const maxStatement = 20000

// awaited returns the delimiter that ends an unfinished statement: a quote, or the brace after
// the description of a node.
func awaited(text string) string {
	if strings.Count(text, `"`)%2 == 1 {
		return `"`
	}
	if i := strings.LastIndex(text, "@{"); i >= 0 && !strings.Contains(text[i:], "}") {
		return "}"
	}
	return ""
}

// splitOutside splits text at a character outside quotes, brackets and entities.
func splitOutside(text string, at byte) []string {
	var out []string
	quoted, depth, start := false, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("[({", c) >= 0:
			depth++
		case strings.IndexByte("])}", c) >= 0:
			depth = max(0, depth-1)
		case c == at && depth == 0 && !entityEnds(text[start:i]):
			out = append(out, text[start:i])
			start = i + 1
		}
	}
	return append(out, text[start:])
}

// statement parses one statement.
func (f *flowchart) statement(l line) error {
	first, rest := word(l.text)
	switch first {
	case "subgraph":
		return f.begin(l, rest)
	case "end":
		return f.end(l)
	case "direction":
		if d, ok := directions[rest]; ok {
			f.turn(d)
			return nil
		}
		return line{l.n, rest}.expected(message.New("TB, BT, LR or RL"))
	}
	if known, err := f.look(l); known {
		return err
	}
	return f.chain(l)
}

// begin parses the start of a subgraph: subgraph id [title], or a title alone.
func (f *flowchart) begin(l line, rest string) error {
	id, title := rest, rest
	if i := strings.IndexByte(rest, '['); i > 0 && strings.HasSuffix(rest, "]") {
		id, title = strings.TrimSpace(rest[:i]), rest[i+1:len(rest)-1]
	}
	id = unquoted(id)
	group := &node{lines: label(unquoted(title)), group: true}
	group.bare = len(group.lines) == 0
	if id != "" {
		if known := f.nodes[id]; known != nil && !known.group {
			*known = *group
			group = known
		} else if known != nil {
			group = known
		}
	}
	if f.ids[group] == "" {
		f.add(id, group)
	}
	f.mention(group)
	f.open = append(f.open, &subgraph{group: group, line: l})
	return nil
}

// end closes the innermost subgraph, which owns the nodes named in it that have no other
// owner.
func (f *flowchart) end(l line) error {
	if len(f.open) == 0 {
		return l.expected(message.New("a statement (there is no subgraph to end)"))
	}
	s := f.open[len(f.open)-1]
	f.open = f.open[:len(f.open)-1]
	for _, n := range s.named {
		if n.parent == nil && n != s.group && !inside(s.group, n) {
			n.parent = s.group
		}
	}
	return nil
}

func (f *flowchart) turn(d layout.Direction) {
	if len(f.open) == 0 {
		f.p.direction = d
		return
	}
	g := f.open[len(f.open)-1].group
	g.direction, g.turned = d, true
}

// mention records a node in the open subgraphs.
func (f *flowchart) mention(n *node) {
	if len(f.open) > 0 {
		s := f.open[len(f.open)-1]
		s.named = append(s.named, n)
	}
}
