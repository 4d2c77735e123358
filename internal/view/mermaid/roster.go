package mermaid

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// roster has the nodes of a diagram by id, and their styles.
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

// add adds a node to the picture; one without an id cannot be looked up.
func (r *roster) add(id string, n *node) *node {
	r.p.nodes = append(r.p.nodes, n)
	r.ids[n] = id
	if id != "" {
		r.nodes[id] = n
	}
	return n
}

// look parses a statement about styles or links of nodes; known is false for other statements.
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

// style parses colours of nodes.
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

// styleOf is the prefix of the class for a node's own style.
const styleOf = " "

// click parses the link of a node: click id "url", click id href "url".
func (r *roster) click(rest string) {
	id, what := word(rest)
	what = strings.TrimSpace(strings.TrimPrefix(what, "href"))
	if n := r.nodes[id]; n != nil && strings.HasPrefix(what, `"`) {
		if url, _, ok := strings.Cut(what[1:], `"`); ok {
			n.href = url
		}
	}
}

// finish applies the colours of classes and draws the picture.
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

// dressed records the class of a node, if any.
func (r *roster) dressed(id, class string) {
	if class != "" {
		r.classOf[id] = append(r.classOf[id], class)
	}
}
