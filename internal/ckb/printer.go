package ckb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/jsonrpc"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/procgroup"
)

// hello is the input of a program that may be an MCP server or may just print a
// graph: the first message of MCP, and then the end. A server answers it, or just
// ends; other programs need not read it.
func hello() ([]byte, error) {
	return jsonrpc.Encode(jsonrpc.Request{ID: jsonrpc.NumberID(1), Method: "initialize", Params: map[string]any{
		"protocolVersion": "2024-11-05", "capabilities": struct{}{}, "clientInfo": map[string]string{"name": "reverse-spec", "version": "2"},
	}})
}

// reachPrinter runs the program of CKB_MCP_CLIENT once. If it prints a graph,
// that is CKB's result; if it speaks MCP, or succeeds without output, it is started
// again, as a server.
func (c *Client) reachPrinter(ctx context.Context, command []string) (*Access, error) {
	g, err := c.run(ctx, command)
	switch {
	case err != nil:
		return nil, err
	case g == nil:
		return c.reachServer(ctx, target{connect: c.start(command[0], command[1:]...), index: readIndex(c.options.Root)})
	}
	c.failures.end()
	return &Access{status: Status{Available: true}, graph: g}, nil
}

// run runs a program and decodes its output; nil for a program that is an MCP server.
func (c *Client) run(ctx context.Context, command []string) (*printed, error) {
	var out, words bytes.Buffer
	input, err := hello()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.options.Root, bytes.NewReader(append(input, '\n')), &out, &words
	cmd.WaitDelay = 100 * time.Millisecond // for children that hold the output
	procgroup.OwnKilled(cmd)
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, message.Errorf("%s: %w%s", command[0], err, lastLine(words.String()))
	}
	text := bytes.TrimSpace(out.Bytes())
	if len(text) == 0 {
		return nil, nil // nil is a server
	}
	var g printed
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&g); err != nil {
		return nil, message.Errorf("%s: the output is not a JSON object: %.80q", command[0], text)
	}
	switch {
	case g.Version != "":
		return nil, nil // nil is a server
	case g.Nodes == nil && g.Expanded == nil:
		return nil, message.Errorf("%s: the output has neither nodes nor expanded_nodes", command[0])
	}
	g.client = c
	return &g, nil
}

// lastLine is the last line of a program's standard error, as the end of a message.
func lastLine(words string) string {
	lines := strings.Split(strings.TrimSpace(words), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return fmt.Sprintf(": %.200s", last)
	}
	return ""
}

// printed is a graph that a program printed.
type printed struct {
	Version  string        `json:"jsonrpc"` // set in MCP messages
	Nodes    []printedNode `json:"nodes"`
	Edges    []printedEdge `json:"edges"`
	Expanded []printedNode `json:"expanded_nodes"`
	client   *Client       // that ran it
}

// printedNode is a symbol, in any of the forms that are in use.
type printedNode struct {
	ID        string `json:"id"`
	Symbol    string `json:"symbol"`
	Name      string `json:"name"`
	File      string `json:"file"`
	FilePath  string `json:"file_path"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	StartLine int    `json:"start_line"`
	Depth     int    `json:"depth"`
	Distance  int    `json:"distance"`
}

// printedEdge is a call, or another use, between ids.
type printedEdge struct {
	Source string `json:"source"`
	Target string `json:"target"`
	From   string `json:"from"`
	To     string `json:"to"`
	Type   string `json:"type"`
}

// place is the location of a node. Names may be qualified or not, and ids may be
// anything: if there is a file, they matter less.
func (p *printed) place(n printedNode) Place {
	name := cmp.Or(n.Symbol, n.Name)
	file := p.client.file(cmp.Or(n.File, n.FilePath, n.Path))
	if file == "" {
		return Place{Name: cmp.Or(name, n.ID)}
	}
	return Place{Name: name[strings.LastIndexAny(name, "./#:")+1:], File: file, Line: cmp.Or(n.Line, n.StartLine)}
}

// expand returns the edges, and an edge from the first anchor to each node without
// one: the program does not know the question, so its nodes belong to that anchor.
func (p *printed) expand(anchors []Anchor) []Edge {
	places := map[string]Place{}
	for _, n := range p.Nodes {
		places[n.ID] = p.place(n)
	}
	var edges []Edge
	joined := map[string]bool{}
	for _, e := range p.Edges {
		from, to := cmp.Or(e.Source, e.From), cmp.Or(e.Target, e.To)
		joined[from], joined[to] = true, true
		edges = append(edges, Edge{
			From: placed(places, from), To: placed(places, to), Call: strings.Contains(strings.ToLower(e.Type), "call"),
			Distance: 1, Confidence: confidence,
		})
	}
	if len(anchors) == 0 {
		return edges
	}
	first := Place{anchors[0].Name, anchors[0].File, anchors[0].Start}
	for _, n := range slices.Concat(p.Nodes, p.Expanded) {
		if !joined[n.ID] || n.ID == "" {
			edges = append(edges, Edge{From: first, To: p.place(n), Distance: max(1, n.Depth, n.Distance), Confidence: confidence})
		}
	}
	return edges
}

// placed is the place of a node's id, or of a name if no node has the id.
func placed(places map[string]Place, id string) Place {
	if p, known := places[id]; known {
		return p
	}
	return Place{Name: id}
}
