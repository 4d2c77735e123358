package mermaid

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// roster is the nodes of a diagram by their names, and what the diagram says of how
// they look.
type roster struct {
	p       *picture
	nodes   map[string]*node
	ids     map[*node]string
	classes map[string]paint
	classOf map[string][]string // by node
}

func newRoster(kind string, s *source) *roster {
	return &roster{
		p:     &picture{caption: s.caption(kind)},
		nodes: map[string]*node{}, ids: map[*node]string{}, classes: map[string]paint{}, classOf: map[string][]string{},
	}
}

// add takes a node into the picture; one without a name is not found again.
func (r *roster) add(id string, n *node) *node {
	r.p.nodes = append(r.p.nodes, n)
	r.ids[n] = id
	if id != "" {
		r.nodes[id] = n
	}
	return n
}

// look reads a statement about how nodes look, or where they lead, and says whether it
// is one.
func (r *roster) look(l line) (known bool, err error) {
	first, rest := word(l.text)
	switch first {
	case "classDef":
		names, properties := word(rest)
		for name := range strings.SplitSeq(names, ",") {
			p := r.classes[name]
			p.read(properties)
			r.classes[name] = p
		}
	case "class", "cssClass":
		nodes, class := word(strings.ReplaceAll(rest, ", ", ","))
		for id := range strings.SplitSeq(strings.Trim(nodes, `"`), ",") {
			r.classOf[id] = append(r.classOf[id], strings.Fields(class)...)
		}
	case "style":
		return true, r.style(l, rest)
	case "click", "link":
		r.click(rest)
	case "linkStyle", "callback", "scale":
	default:
		return false, nil
	}
	return true, nil
}

// style reads colours of nodes.
func (r *roster) style(l line, rest string) error {
	ids, properties := word(rest)
	if properties == "" {
		return l.expected(message.New("style, a node and its properties"))
	}
	for id := range strings.SplitSeq(ids, ",") {
		p := r.classes[styleOf+id]
		p.read(properties)
		r.classes[styleOf+id] = p
		r.classOf[id] = append(r.classOf[id], styleOf+id)
	}
	return nil
}

// styleOf marks, before the name of a node, the class of its own style.
const styleOf = " "

// click reads the link of a node: click id "url", click id href "url".
func (r *roster) click(rest string) {
	id, what := word(rest)
	what = strings.TrimSpace(strings.TrimPrefix(what, "href"))
	if n := r.nodes[id]; n != nil && strings.HasPrefix(what, `"`) {
		if url, _, ok := strings.Cut(what[1:], `"`); ok {
			n.href = url
		}
	}
}

// finish gives nodes the colours of their classes, and draws the picture.
func (r *roster) finish() (string, error) {
	for _, n := range r.p.nodes {
		names := r.classOf[r.ids[n]]
		if _, ok := r.classes["default"]; ok && !n.group {
			names = append([]string{"default"}, names...)
		}
		for _, name := range names {
			n.paint.add(r.classes[name])
		}
	}
	return r.p.svg()
}

// dressed notes the class of a node, if it has one.
func (r *roster) dressed(id, class string) {
	if class != "" {
		r.classOf[id] = append(r.classOf[id], class)
	}
}
