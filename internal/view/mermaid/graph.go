package mermaid

import (
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/view/mermaid/layout"
)

// Graph is a graph of boxes and edges to be drawn in the style of a flowchart.
type Graph struct {
	Title     string // accessible name of the picture
	Nodes     []Node
	Edges     []Edge
	Direction Direction
	Lang      message.Lang // of the accessible texts; "" is English
}

// Node is a box.
type Node struct {
	ID    string // used by edges
	Label string // text, separated by "\n"; the ID if empty
	Class string // class for style sheets; "" for none
	Href  string // link; "" for none; only http, https and relative links are written
}

// Edge is an edge between two nodes.
type Edge struct {
	From, To, Label string
	Class           string // class for style sheets; "" for none
}

// Direction is the direction of edges.
type Direction = layout.Direction

// Directions.
const (
	Down  = layout.Down
	Up    = layout.Up
	Right = layout.Right
	Left  = layout.Left
)

// SVG draws the graph. It fails if two nodes have the same ID, an edge names an unknown node,
// or the graph exceeds 3000 nodes or 10000 edges.
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
