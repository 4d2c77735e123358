package mermaid

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// chain parses nodes and the edges between them: A & B --> C -- why --> D.
func (f *flowchart) chain(l line) error {
	rest := l.text
	if id, properties, found := strings.Cut(rest, "@{"); found && f.links[id] && strings.HasSuffix(properties, "}") {
		return nil // style of an edge
	}
	from, rest, err := f.group(l, rest)
	if err != nil {
		return err
	}
	for rest != "" && !strings.HasPrefix(rest, "%%") {
		if i := idLength(rest); i > 0 && i < len(rest) && rest[i] == '@' { // id of the edge
			f.links[rest[:i]] = true
			rest = rest[i+1:]
		}
		link, after, ok := readLink(rest)
		if !ok {
			return line{l.n, rest}.expected(message.New("a line such as --> between nodes, or the end of the statement"))
		}
		to, after, err := f.group(l, after)
		if err != nil {
			return err
		}
		if len(f.p.lines)+len(from)*len(to) > maxLines {
			return line{l.n, rest}.expected(message.New("no more lines: there are more than are drawn"))
		}
		for _, a := range from {
			for _, b := range to {
				c := *link
				c.from, c.to, c.n = a, b, l.n
				f.p.lines = append(f.p.lines, &c)
			}
		}
		from, rest = to, after
	}
	return nil
}

// group parses nodes joined by &.
func (f *flowchart) group(l line, text string) (nodes []*node, rest string, err error) {
	for {
		n, rest, err := f.node(l, strings.TrimSpace(text))
		if err != nil {
			return nil, "", err
		}
		nodes = append(nodes, n)
		rest = strings.TrimSpace(rest)
		if !strings.HasPrefix(rest, "&") {
			return nodes, rest, nil
		}
		text = rest[1:]
	}
}

// brackets are the delimiters of a node's text and the shape that they select.
var brackets = []struct{ open, close, shape string }{
	{"(((", ")))", "double"},
	{"((", "))", "circle"},
	{"([", "])", "stadium"},
	{"(", ")", "rounded"},
	{"[[", "]]", "subroutine"},
	{"[(", ")]", "cylinder"},
	{"[/", "/]", "lean right"},
	{"[/", `\]`, "trapezoid"},
	{`[\`, `\]`, "lean left"},
	{`[\`, "/]", "trapezoid upside down"},
	{"[", "]", "rect"},
	{"{{", "}}", "hexagon"},
	{"{", "}", "diamond"},
	{">", "]", "flag"},
}

// node parses a node: its id, then shape, text and class.
func (f *flowchart) node(l line, text string) (*node, string, error) {
	size := idLength(text)
	if size == 0 {
		return nil, "", line{l.n, text}.expected(message.New("the name of a node"))
	}
	id, rest := text[:size], text[size:]
	n := f.nodes[id]
	if n == nil {
		n = &node{lines: label(id), shape: shapes["rect"]}
		f.add(id, n)
	}
	f.mention(n)
	rest, err := f.shape(l, n, rest)
	if err != nil {
		return nil, "", err
	}
	if after, ok := strings.CutPrefix(rest, ":::"); ok {
		size := idLength(after)
		f.dressed(id, after[:size])
		rest = after[size:]
	}
	return n, rest, nil
}

// idLength returns the length of the node id at the start of text.
func idLength(text string) int {
	for i, r := range text {
		next := byte(' ')
		if k := i + utf8.RuneLen(r); k > i && k < len(text) {
			next = text[k]
		}
		if !inName(r, next) && (r != ':' || i == 0 || text[i-1] == ':' || next == ':') {
			return i
		}
	}
	return len(text)
}

// inName reports whether a character is part of a node id, given the next one: a dash is only
// if no edge can start there.
func inName(r rune, next byte) bool {
	switch r {
	case '-':
		return strings.IndexByte(">-.", next) < 0
	case '=':
		return next != '='
	}
	return strings.ContainsRune(`_/$%!#'*+?\.`, r) || unicode.IsLetter(r) || unicode.IsDigit(r) || r > 0x2000
}

// shape parses the shape and text of a node, if present.
func (f *flowchart) shape(l line, n *node, rest string) (string, error) {
	if inner, ok := strings.CutPrefix(rest, "@{"); ok {
		properties, after, _ := strings.Cut(inner, "}")
		f.describe(n, properties)
		return after, nil
	}
	opened := ""
	for _, b := range brackets {
		inner, ok := strings.CutPrefix(rest, b.open)
		if !ok || opened != "" && opened != b.open && !slash(opened) {
			continue
		}
		opened = b.open
		text, after, ok := enclosed(inner, b.close)
		if !ok {
			continue
		}
		if !n.group {
			n.shape = shapes[b.shape]
		}
		n.lines = label(text)
		return after, nil
	}
	if opened != "" {
		return "", line{l.n, rest}.expected(message.New("the end of the text that begins with %s", opened))
	}
	return rest, nil
}

// enclosed returns text up to a closing bracket, which may occur in quotes.
func enclosed(inner, end string) (text, after string, ok bool) {
	inner = strings.TrimLeft(inner, " ")
	if quoted, found := strings.CutPrefix(inner, `"`); found {
		text, after, _ = strings.Cut(quoted, `"`)
		after, ok = strings.CutPrefix(strings.TrimLeft(after, " "), end)
		return text, after, ok
	}
	i := strings.Index(inner, end)
	if i < 0 {
		return "", "", false
	}
	for i+len(end) < len(inner) && inner[i+1:i+1+len(end)] == end && inner[i+len(end)] == end[0] {
		i++ // several closing brackets: a(f(x)) ends with the second
		break
	}
	text = inner[:i]
	if strings.ContainsAny(text, "[]{}") && end != "]]" && end != "}}" {
		return "", "", false
	}
	return text, inner[i+len(end):], true
}

// slash reports whether a bracket may be followed by text that begins with a slash: [/home].
func slash(open string) bool { return open == "[/" || open == `[\` }

// shapeNames maps names in @{shape: ...} to shapes.
var shapeNames = map[string]string{
	"rounded": "rounded", "event": "rounded", "stadium": "stadium", "pill": "stadium", "terminal": "stadium",
	"subproc": "subroutine", "fr-rect": "subroutine", "subprocess": "subroutine", "subroutine": "subroutine",
	"cyl": "cylinder", "cylinder": "cylinder", "db": "cylinder", "database": "cylinder", "circle": "circle", "circ": "circle",
	"dbl-circ": "double", "double-circle": "double", "diam": "diamond", "diamond": "diamond", "decision": "diamond",
	"question": "diamond", "hex": "hexagon", "hexagon": "hexagon", "prepare": "hexagon", "odd": "flag",
	"lean-r": "lean right", "in-out": "lean right", "lean-l": "lean left", "out-in": "lean left",
	"trap-b": "trapezoid", "priority": "trapezoid", "trap-t": "trapezoid upside down", "manual": "trapezoid upside down",
	"sm-circ": "start", "start": "start", "fr-circ": "end", "stop": "end", "fork": "bar", "join": "bar",
	"text": "text", "notch-rect": "note", "card": "note",
}

// describe parses the attributes of a node: shape: diam, label: "text".
func (f *flowchart) describe(n *node, properties string) {
	for _, property := range splitOutside(strings.ReplaceAll(properties, "\n", ","), ',') {
		key, value, _ := strings.Cut(property, ":")
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		switch strings.TrimSpace(key) {
		case "label":
			n.lines = label(value)
		case "shape":
			if s := shapes[shapeNames[value]]; s != nil && !n.group {
				n.shape = s
			}
		}
	}
}

// linkKinds are the kinds of edges: the start and end of an inner label, and the look.
var linkKinds = []struct{ start, end, look string }{
	{"--", "--", ""},
	{"==", "==", "thick"},
	{"-.", ".-", "dotted"},
	{"~~", "", unseen},
}

// ends are the characters at the ends of edges.
var ends = map[byte]string{'<': "arrow", '>': "arrow", 'o': "circle", 'x': "cross"}

// readLink parses an edge with its label.
func readLink(text string) (link *connection, rest string, ok bool) {
	link = &connection{}
	if len(text) > 2 && strings.IndexByte("<ox", text[0]) >= 0 && startsLink(text[1:]) {
		link.tail, text = ends[text[0]], text[1:]
	}
	for _, k := range linkKinds {
		if !strings.HasPrefix(text, k.start) {
			continue
		}
		link.look = k.look
		if rest, ok = link.stroke(text); !ok && k.end != "" {
			rest, ok = link.inner(text[len(k.start):], k.end)
		}
		if !ok {
			return nil, "", false
		}
		rest = strings.TrimSpace(rest)
		if inner, labelled := strings.CutPrefix(rest, "|"); labelled {
			var text string
			if text, rest, ok = strings.Cut(inner, "|"); !ok {
				return nil, "", false
			}
			link.lines = label(unquoted(text))
		}
		return link, strings.TrimSpace(rest), true
	}
	return nil, "", false
}

// endsInLink reports whether a text ends in an edge, with or without a label.
func endsInLink(text string) bool {
	if rest, ok := strings.CutSuffix(text, "|"); ok {
		if i := strings.LastIndexByte(rest, '|'); i >= 0 {
			text = strings.TrimSpace(rest[:i])
		}
	}
	for _, end := range []string{"-->", "---", "==>", "===", ".->", ".-", "~~~", " --x", " --o"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

func startsLink(text string) bool {
	for _, k := range linkKinds {
		if strings.HasPrefix(text, k.start) {
			return true
		}
	}
	return false
}

// stroke parses the end of an edge from its last stroke: -->, ---, -.->, ==x, ~~~. Each
// additional stroke makes it span another layer.
func (l *connection) stroke(text string) (rest string, ok bool) {
	n := 0
	for n < len(text) && strings.IndexByte("-=.~", text[n]) >= 0 {
		n++
	}
	body := text[:n]
	headed := n < len(text) && strings.IndexByte(">ox", text[n]) >= 0 && body[0] != '~'
	least, extra := 3, n-3
	switch {
	case strings.HasPrefix(body, "-.") || strings.HasPrefix(body, "."):
		extra = strings.Count(body, ".") - 1
		if !strings.HasSuffix(body, ".-") {
			return "", false
		}
		least = 2
	case headed:
		least, extra = 2, n-2
	}
	if n < least {
		return "", false
	}
	l.layers = 1 + min(max(extra, 0), 10)
	if headed {
		l.head = ends[text[n]]
		n++
	}
	return text[n:], true
}

// inner parses a label within an edge, and the rest of the edge.
func (l *connection) inner(text, end string) (rest string, ok bool) {
	from := 0
	if t := strings.TrimLeft(text, " "); strings.HasPrefix(t, `"`) { // a quoted label may contain strokes
		if i := strings.IndexByte(t[1:], '"'); i >= 0 {
			from = len(text) - len(t) + i + 2
		}
	}
	i := strings.Index(text[from:], end)
	if i < 0 {
		return "", false
	}
	i += from
	l.lines = label(unquoted(text[:i]))
	return l.stroke(text[i:])
}
