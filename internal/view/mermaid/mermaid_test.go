package mermaid_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/internal/view/mermaid"
)

func TestDiagrams(t *testing.T) {
	golden.Archives(t, "svg", func(t *testing.T, files map[string][]byte) string {
		svg, err := mermaid.SVG(string(files["diagram.mmd"]), message.English)
		if err != nil {
			t.Fatal(err)
		}
		if problem := unsound(svg); problem != "" {
			t.Error(problem)
		}
		return svg
	})
}

// unsound says why a picture is not well-formed XML, or contains scripts or anything that the
// policy forbids.
func unsound(svg string) string {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return ""
		}
		if err != nil {
			return fmt.Sprintf("no XML: %v\n%s", err, svg)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "script" || e.Name.Local == "style" {
			return fmt.Sprintf("it holds <%s>", e.Name.Local)
		}
		for _, a := range e.Attr {
			runs := a.Name.Local == "href" && strings.HasPrefix(strings.ToLower(a.Value), "javascript:")
			if runs || strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" {
				return fmt.Sprintf("it holds %s=%q", a.Name.Local, a.Value)
			}
		}
	}
}

func TestGraphIsEscapedAndItsLinksAreSafe(t *testing.T) {
	g := &mermaid.Graph{
		Title: `<b> & "so on"`,
		Nodes: []mermaid.Node{
			{ID: "a", Label: `<script>alert("1")</script>`, Href: "javascript:alert(1)", Class: `x" onload="y`},
			{ID: "b", Label: "a & b\x00\xff\nbelow", Href: "/spec?a=1&b=2"},
		},
		Edges:     []mermaid.Edge{{From: "a", To: "b", Label: "]]>"}},
		Direction: mermaid.Right,
	}
	svg, err := g.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if problem := unsound(svg); problem != "" {
		t.Error(problem)
	}
	golden.Equal(t, "graph.svg", svg)
}

func TestGraphNamesWhatIsWrong(t *testing.T) {
	twice := &mermaid.Graph{Nodes: []mermaid.Node{{ID: "a"}, {ID: "a"}}}
	lost := &mermaid.Graph{Nodes: []mermaid.Node{{ID: "a"}}, Edges: []mermaid.Edge{{From: "a", To: "b"}}}
	for want, g := range map[string]*mermaid.Graph{
		`two nodes are called "a"`:                         twice,
		`an edge from "a" to "b": there are no such nodes`: lost,
	} {
		if _, err := g.SVG(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestErrorsHaveTheLineAndWhatIsExpected(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   `line 1: expected the kind of the diagram, found the end`,
		"\n%% a comment\ngantt\n":            `line 3: expected a kind of diagram that is drawn: classDiagram, classDiagram-v2, erDiagram, flowchart, flowchart-elk, graph, sequenceDiagram, stateDiagram, stateDiagram-v2, found "gantt"`,
		"graph TD\nA -->":                    `line 2: expected the name of a node, found the end`,
		"graph TD\nA --> B\nA[x --> B":       `line 3: expected the end of the text that begins with [, found "[x --> B"`,
		"graph TD\nA B":                      `line 2: expected a line such as --> between nodes, or the end of the statement, found "B"`,
		"graph TD\nsubgraph x\nA":            `line 2: expected an end for this subgraph, found "subgraph x"`,
		"graph TD\nA\nend":                   `line 3: expected a statement (there is no subgraph to end), found "end"`,
		"graph TD\nA[\"x]\nB":                `line 2: expected a second quote, found "A[\"x]"`,
		"graph TD\ndirection up":             `line 2: expected TB, BT, LR or RL, found "up"`,
		"graph TD\nsubgraph x\nA --> x\nend": `line 3: expected a line between nodes of which none holds the other, found "A - x"`,
		"classDiagram\nclass A {\n+x":        `line 3: expected } before the end, found the end`,
		"classDiagram\nA <> B":               `line 2: expected a class, a member, or a relation such as <|-- between classes, found "A <> B"`,
		"stateDiagram-v2\nstate A {\nB":      `line 2: expected a } for this state, found "state A {"`,
		"stateDiagram-v2\nA -> B":            `line 2: expected a state, a transition such as A --> B, or a note, found "A -> B"`,
		"sequenceDiagram\nloop x\nA->>B: y":  `line 2: expected an end for this block, found "loop x"`,
		"sequenceDiagram\nA and B":           `line 2: expected a message such as A->>B: text, a note, or a block such as loop, found "A and B"`,
		"erDiagram\nA {\nx\n}":               `line 3: expected the type and the name of an attribute, found "x"`,
	} {
		_, err := mermaid.SVG(text, message.English)
		var syntax *mermaid.SyntaxError
		if !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

func TestTooLargeDiagramsAreRejected(t *testing.T) {
	many := func(line string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line+"\n", i)
		}
		return b.String()
	}
	for want, text := range map[string]string{
		"bytes are more than":          strings.Repeat("graph TD\n", mermaid.MaxText),
		"3001 nodes are more than":     "graph TD\n" + many("n%d", 3001),
		"groups are more than 40 deep": "graph TD\n" + many("subgraph s%d", 60) + "A\n" + strings.Repeat("end\n", 60),
		"no more lines":                "graph TD\n" + strings.Repeat("A & ", 5000) + "A --> " + strings.Repeat("B & ", 5000) + "B",
		"no more: that is more":        "sequenceDiagram\n" + many("participant p%d", 300),
		"less deep in each other":      "sequenceDiagram\n" + many("loop %d", 60),
	} {
		if _, err := mermaid.SVG(text, message.English); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want one with %q", err, want)
		}
	}
}

func FuzzSVG(f *testing.F) {
	for _, text := range golden.Files(f, "svg") {
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		svg, err := mermaid.SVG(text, message.English)
		if err != nil {
			return
		}
		if problem := unsound(svg); problem != "" {
			t.Error(problem)
		}
		if again, _ := mermaid.SVG(text, message.English); again != svg {
			t.Error("the same diagram is drawn in two ways")
		}
	})
}

// BenchmarkLarge draws a flowchart of 2000 nodes and 3000 edges.
func BenchmarkLarge(b *testing.B) {
	var text strings.Builder
	text.WriteString("flowchart TD\n")
	for i := 1; i < 2000; i++ {
		fmt.Fprintf(&text, "n%d --> n%d\n", i*7919%i, i)
		if i%2 == 0 {
			fmt.Fprintf(&text, "n%d -- text --> n%d\n", i*104729%i, i)
		}
	}
	for b.Loop() {
		if _, err := mermaid.SVG(text.String(), message.English); err != nil {
			b.Fatal(err)
		}
	}
}
