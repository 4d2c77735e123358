package mermaid

import (
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// Graph is boxes and the lines between them, to be drawn as flowcharts are.
type Graph struct {
	Title     string // what the picture is, for those who do not see it
	Nodes     []Node
	Edges     []Edge
	Direction Direction
	Lang      message.Lang // of what is said of the picture; "" is English
}

// Node is a box.
type Node struct {
	ID    string // what edges call it
	Label string // the text in it, the ID if there is none; lines end with "\n"
	Class string // a class for style sheets, "" for none
	Href  string // where it leads, "" for nowhere; only pages are linked: http, https or relative
}

// Edge is a line between two nodes.
type Edge struct {
	From, To, Label string
	Class           string // a class for style sheets, "" for none
}

// Direction is where edges lead.
type Direction = layout.Direction

// The directions.
const (
	Down  = layout.Down
	Up    = layout.Up
	Right = layout.Right
	Left  = layout.Left
)

// SVG draws the graph. It is an error if two nodes have one ID, if an edge names a node
// that is not there, or if there is more than is drawn: 3000 nodes, 10000 edges.
func (g *Graph) SVG() (string, error) {
	p := &picture{caption: caption{kind: message.New("graph").In(g.Lang), title: g.Title}, direction: g.Direction}
	nodes := map[string]*node{}
	for _, n := range g.Nodes {
		if nodes[n.ID] != nil {
			return "", message.Errorf("two nodes are called %q", n.ID)
		}
		text := n.Label
		if text == "" {
			text = n.ID
		}
		nodes[n.ID] = &node{lines: plain(text), shape: shapes["rect"], class: n.Class, href: n.Href}
		p.nodes = append(p.nodes, nodes[n.ID])
	}
	for _, e := range g.Edges {
		from, to := nodes[e.From], nodes[e.To]
		if from == nil || to == nil {
			return "", message.Errorf("an edge from %q to %q: there are no such nodes", e.From, e.To)
		}
		p.lines = append(p.lines, &connection{from: from, to: to, lines: plain(e.Label), class: e.Class, head: "arrow", layers: 1})
	}
	return p.svg()
}
