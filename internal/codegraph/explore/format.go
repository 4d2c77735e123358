package explore

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// Formats returns the names of the output formats of a subgraph.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

var formats = map[string]func(w io.Writer, s *Subgraph, now time.Time) error{
	"json": writeJSON, "dot": writeDOT, "mermaid": writeMermaid, "graphml": writeGraphML,
}

// Write writes a subgraph in one of [Formats].
func (s *Subgraph) Write(w io.Writer, format string, now time.Time) error {
	write := formats[format]
	if write == nil {
		return suggest.Choice(message.Errorf("no such format: %s (%s)", format, strings.Join(Formats(), ", ")), format, Formats()...)
	}
	b := &buffer{w: w}
	if err := write(b, s, now); err != nil {
		return err
	}
	return b.err
}

// buffer is a writer that remembers its first error.
type buffer struct {
	w   io.Writer
	err error
}

func (b *buffer) Write(p []byte) (int, error) {
	if b.err == nil {
		_, b.err = b.w.Write(p)
	}
	return len(p), nil
}

// writeJSON writes the format of code-graph-rag's export.
func writeJSON(w io.Writer, s *Subgraph, now time.Time) error {
	type node struct {
		ID         codegraph.ID      `json:"node_id"`
		Labels     []codegraph.Label `json:"labels"`
		Properties map[string]any    `json:"properties"`
	}
	type relationship struct {
		From       codegraph.ID           `json:"from_id"`
		To         codegraph.ID           `json:"to_id"`
		Type       codegraph.Relationship `json:"type"`
		Properties map[string]any         `json:"properties"`
	}
	out := struct {
		Nodes         []node         `json:"nodes"`
		Relationships []relationship `json:"relationships"`
		Metadata      map[string]any `json:"metadata"`
	}{Nodes: []node{}, Relationships: []relationship{}, Metadata: map[string]any{
		"total_nodes": len(s.Nodes), "total_relationships": len(s.Edges), "exported_at": now.UTC().Format(time.RFC3339),
	}}
	if s.Dropped > 0 {
		out.Metadata["nodes_omitted"] = s.Dropped
	}
	for _, n := range s.Nodes {
		p, err := properties(n, "id", "label")
		if err != nil {
			return err
		}
		out.Nodes = append(out.Nodes, node{n.ID, []codegraph.Label{n.Label}, p})
	}
	for _, e := range s.Edges {
		p, err := properties(e, "from", "to", "type")
		if err != nil {
			return err
		}
		out.Relationships = append(out.Relationships, relationship{e.From, e.To, e.Type, p})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

// properties returns the fields of a node or edge by their JSON names, without the given ones.
func properties(v any, without ...string) (map[string]any, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	out := map[string]any{}
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, err
	}
	for _, name := range without {
		delete(out, name)
	}
	return out, nil
}

// title returns the label of a node in a diagram.
func title(n codegraph.Node) string { return n.Name + "\n" + string(n.Label) }

func writeDOT(w io.Writer, s *Subgraph, _ time.Time) error {
	fmt.Fprintf(w, "digraph %s {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n", strconv.Quote(s.Project))
	for _, n := range s.Nodes {
		fmt.Fprintf(w, "  n%d [label=%s, tooltip=%s];\n", n.ID, strconv.Quote(title(n)), strconv.Quote(n.QualifiedName))
	}
	for _, e := range s.Edges {
		style := ""
		if e.Confidence > 0 && e.Confidence < dashedBelow {
			style = ", style=dashed"
		}
		fmt.Fprintf(w, "  n%d -> n%d [label=%s%s];\n", e.From, e.To, strconv.Quote(string(e.Type)), style)
	}
	fmt.Fprintln(w, "}")
	return nil
}

// dashedBelow is the confidence below which an edge is dashed.
const dashedBelow = 0.9

// mermaidEscapes escapes the characters that are special in Mermaid's labels.
var mermaidEscapes = strings.NewReplacer(`"`, "#quot;", "\n", "<br/>", "<", "#lt;", ">", "#gt;")

func writeMermaid(w io.Writer, s *Subgraph, _ time.Time) error {
	fmt.Fprintln(w, "flowchart LR")
	for _, n := range s.Nodes {
		name, label, _ := strings.Cut(title(n), "\n")
		fmt.Fprintf(w, "  n%d[\"%s<br/>%s\"]\n", n.ID, mermaidEscapes.Replace(name), label)
	}
	for _, e := range s.Edges {
		arrow := "-->"
		if e.Confidence > 0 && e.Confidence < dashedBelow {
			arrow = "-.->"
		}
		fmt.Fprintf(w, "  n%d %s|%s| n%d\n", e.From, arrow, e.Type, e.To)
	}
	return nil
}

// writeGraphML writes GraphML 1.0 (graphml.graphdrawing.org).
func writeGraphML(w io.Writer, s *Subgraph, _ time.Time) error {
	type data struct {
		Key  string `xml:"key,attr"`
		Text string `xml:",chardata"`
	}
	keys := [][2]string{{"node", "label"}, {"node", "name"}, {"node", "qualified_name"}, {"node", "path"}, {"node", "start_line"}, {"edge", "type"}, {"edge", "rule"}, {"edge", "confidence"}}
	fmt.Fprint(w, xml.Header+"<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n")
	for _, k := range keys {
		fmt.Fprintf(w, "  <key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"string\"/>\n", k[1], k[0], k[1])
	}
	fmt.Fprintln(w, `  <graph edgedefault="directed">`)
	enc := xml.NewEncoder(w)
	enc.Indent("    ", "  ")
	for _, n := range s.Nodes {
		err := enc.Encode(struct {
			XMLName xml.Name `xml:"node"`
			ID      string   `xml:"id,attr"`
			Data    []data   `xml:"data"`
		}{ID: fmt.Sprintf("n%d", n.ID), Data: []data{
			{"label", string(n.Label)}, {"name", n.Name}, {"qualified_name", n.QualifiedName}, {"path", n.Path}, {"start_line", strconv.Itoa(n.StartLine)},
		}})
		if err != nil {
			return err
		}
	}
	for _, e := range s.Edges {
		err := enc.Encode(struct {
			XMLName xml.Name `xml:"edge"`
			Source  string   `xml:"source,attr"`
			Target  string   `xml:"target,attr"`
			Data    []data   `xml:"data"`
		}{Source: fmt.Sprintf("n%d", e.From), Target: fmt.Sprintf("n%d", e.To), Data: []data{
			{"type", string(e.Type)}, {"rule", e.Rule}, {"confidence", fmt.Sprintf("%.2f", e.Confidence)},
		}})
		if err != nil {
			return err
		}
	}
	fmt.Fprint(w, "\n  </graph>\n</graphml>\n")
	return nil
}
