package mermaid_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/view/mermaid"
)

// wellFormed fails the test if a picture is no XML, or holds what could run or what a
// page's policy forbids.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, svg)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if e.Name.Local == "script" || e.Name.Local == "style" {
			t.Fatalf("a picture holds <%s>", e.Name.Local)
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "style" || a.Name.Local == "href" && strings.HasPrefix(strings.ToLower(a.Value), "javascript:") {
				t.Fatalf("a picture holds %s=%q", a.Name.Local, a.Value)
			}
		}
	}
}

func TestTextIsEscapedAndLinksAreSafe(t *testing.T) {
	g := &mermaid.Graph{
		Title: `<b> & "so on"`,
		Nodes: []mermaid.Node{
			{ID: "a", Label: `<script>alert("1")</script>`, Href: "javascript:alert(1)", Class: `x" onload="y`},
			{ID: "b", Label: "a & b\x00\xff", Href: "/spec?a=1&b=2"},
		},
		Edges: []mermaid.Edge{{From: "a", To: "b", Label: "]]>"}},
	}
	svg, err := g.SVG()
	if err != nil {
		t.Fatal(err)
	}
	wellFormed(t, svg)
	if !strings.Contains(svg, `<a href="/spec?a=1&amp;b=2">`) {
		t.Error("the link is missing")
	}
}
