package cfamily

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// cComment is a run of comments that stand together.
type cComment struct {
	nodes []syntax.Node // in source order
	doxy  bool          // marked for Doxygen: /**, /*!, ///, //!
}

// doxygen tells the comments that are marked as documentation.
func doxygen(text string) bool {
	switch {
	case strings.HasPrefix(text, "/**"):
		return text != "/**/" && !strings.HasPrefix(text, "/***")
	case strings.HasPrefix(text, "///"):
		return !strings.HasPrefix(text, "////")
	}
	return strings.HasPrefix(text, "/*!") || strings.HasPrefix(text, "//!")
}

// behind tells the comments that document what stands before them.
func behind(text string) bool {
	for _, mark := range []string{"/**<", "/*!<", "///<", "//!<"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// doc returns the documentation of the declaration n: the Doxygen comment before
// it, else the comment directly above it or behind it on its line.
func (c *cReader) doc(n syntax.Node) string { return c.docOf(n, n) }

// docOf returns the documentation of the declarator n in the declaration outer.
func (c *cReader) docOf(outer, n syntax.Node) string {
	own, marked := c.docBehind(n)
	if own == "" && n != outer {
		own, marked = c.docBehind(outer)
	}
	if marked {
		return own
	}
	if text := c.docBefore(outer); text != "" {
		return text
	}
	return own
}

// docBefore reads the comments before a declaration.
func (c *cReader) docBefore(n syntax.Node) string {
	line := n.Line()
	plain := ""
	for p := n.Previous(); core.IsComment(p.Kind()); {
		run := c.run(p)
		first := run.nodes[0]
		gap := line - run.nodes[len(run.nodes)-1].EndLine()
		if gap > 2 || !c.ownLine(first) {
			break
		}
		text := c.commentText(run)
		if run.doxy && !isFileComment(text) && !licence(text) {
			return text
		}
		if gap > 1 || licence(text) || !hasWords(text) || run.doxy {
			break
		}
		if plain == "" {
			plain = text
		}
		line, p = first.Line(), first.Previous()
	}
	return plain
}

// run returns the comment p with those of its form on the lines before it.
func (c *cReader) run(p syntax.Node) cComment {
	text := p.Text()
	r := cComment{nodes: []syntax.Node{p}, doxy: doxygen(text)}
	if !strings.HasPrefix(text, "//") {
		return r
	}
	for q := p.Previous(); core.IsComment(q.Kind()); q = q.Previous() {
		text := q.Text()
		if !strings.HasPrefix(text, "//") || doxygen(text) != r.doxy || q.EndLine()+1 != p.Line() || !c.ownLine(q) || behind(text) {
			break
		}
		r.nodes = append(r.nodes, q)
		p = q
	}
	slices.Reverse(r.nodes)
	return r
}

// ownLine reports whether nothing stands before a comment on its line.
func (c *cReader) ownLine(n syntax.Node) bool {
	for i := n.Start() - 1; i >= 0 && c.Source[i] != '\n'; i-- {
		if c.Source[i] != ' ' && c.Source[i] != '\t' {
			return false
		}
	}
	return true
}

// commentText returns the words of a run of comments without their frames.
func (c *cReader) commentText(r cComment) string {
	var rows []string
	for _, n := range r.nodes {
		rows = append(rows, commentWords(n.Text()))
	}
	return strings.TrimSpace(strings.Join(rows, "\n"))
}

func commentWords(text string) string {
	if !strings.HasPrefix(text, "//") {
		return strings.TrimSpace(strings.TrimPrefix(core.BlockComment(text), "<"))
	}
	text = strings.TrimRight(text, " \t\r\n")
	for _, mark := range []string{"///<", "//!<", "///", "//!", "//"} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimPrefix(rest, " ")
		}
	}
	return text
}

// docBehind reads the comment behind a declaration on its line, and whether it is
// marked as documentation of what stands before it.
func (c *cReader) docBehind(n syntax.Node) (text string, marked bool) {
	if !n.Is("field_declaration", "enumerator", "declaration", "field_identifier", "pointer_declarator", "array_declarator", "identifier", "type_definition") {
		return "", false
	}
	end := n.Next()
	for end.Is(",", ";", "bitfield_clause") {
		end = end.Next()
	}
	if !core.IsComment(end.Kind()) || end.Line() != n.EndLine() {
		return "", false
	}
	rows := []string{commentWords(end.Text())}
	marked = behind(end.Text())
	for p := end.Next(); core.IsComment(p.Kind()) && p.Line() == end.EndLine()+1 && p.Begins("//") && behind(p.Text()) == marked; p = p.Next() {
		if !marked && p.Column() != end.Column() {
			break
		}
		rows = append(rows, commentWords(p.Text()))
		end = p
	}
	text = strings.TrimSpace(strings.Join(rows, "\n"))
	if !hasWords(text) {
		return "", false
	}
	return text, marked
}

// hasWords tells a comment that says something from a line of stars.
func hasWords(text string) bool {
	letters := 0
	for _, r := range text {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 {
			letters++
		}
	}
	return letters > 1
}

func isFileComment(text string) bool {
	return strings.Contains(text, "@file") || strings.Contains(text, `\file`)
}

// licence tells a comment about the rights in a file.
func licence(text string) bool {
	return strings.Contains(text, "Copyright") || strings.Contains(text, "SPDX-License-Identifier") || strings.Contains(text, "(C) 20")
}

// fileDoc returns what the file says of itself: the comment with Doxygen's \file,
// else the comment that it starts with, up to the notice about rights.
func (c *cReader) fileDoc() string {
	text := ""
	for n := range c.Root().Children() {
		if !core.IsComment(n.Kind()) {
			if n.Is("preproc_include", "preproc_call", "preproc_def") {
				continue
			}
			break
		}
		words := c.commentText(c.runFrom(n))
		if isFileComment(words) {
			return words
		}
		if text == "" && n.Line() < 3 {
			text = beforeNotice(words)
		}
	}
	return text
}

// runFrom returns the comment p with those of its form on the lines after it.
func (c *cReader) runFrom(p syntax.Node) cComment {
	r := cComment{nodes: []syntax.Node{p}}
	for q := p.Next(); core.IsComment(q.Kind()) && q.Begins("//") && q.Line() == p.EndLine()+1; q = q.Next() {
		r.nodes = append(r.nodes, q)
		p = q
	}
	return r
}

// beforeNotice returns the part of a file's first comment before what it says
// about rights.
func beforeNotice(text string) string {
	var rows []string
	for row := range strings.Lines(text) {
		row = strings.TrimRight(row, "\r\n")
		if licence(row) || strings.Contains(strings.ToLower(row), "license") {
			break
		}
		rows = append(rows, row)
	}
	text = strings.TrimSpace(strings.Join(rows, "\n"))
	if !hasWords(text) || strings.Contains(text, "-*-") && !strings.Contains(text, "\n") {
		return ""
	}
	return text
}
