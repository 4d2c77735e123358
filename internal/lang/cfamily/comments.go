package cfamily

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// comment is a run of adjacent comments.
type comment struct {
	nodes []syntax.Node // in source order
	doxy  bool          // a Doxygen comment: /**, /*!, ///, //!
}

// doxygen reports whether a comment is a Doxygen comment.
func doxygen(text string) bool {
	switch {
	case strings.HasPrefix(text, "/**"):
		return text != "/**/" && !strings.HasPrefix(text, "/***")
	case strings.HasPrefix(text, "///"):
		return !strings.HasPrefix(text, "////")
	}
	return strings.HasPrefix(text, "/*!") || strings.HasPrefix(text, "//!")
}

// isTrailing reports whether a comment documents the declaration before it.
func isTrailing(text string) bool {
	for _, mark := range []string{"/**<", "/*!<", "///<", "//!<"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// doc returns the documentation of the declaration n: the Doxygen comment before it, else the
// comment directly above it or after it on the same line.
func (c *reader) doc(n syntax.Node) string { return c.docOf(n, n) }

// docOf returns the documentation of the declarator n in the declaration outer.
func (c *reader) docOf(outer, n syntax.Node) string {
	own, marked := c.trailingDoc(n)
	if own == "" && n != outer {
		own, marked = c.trailingDoc(outer)
	}
	if marked {
		return own
	}
	if text := c.docBefore(outer); text != "" {
		return text
	}
	return own
}

// docBefore returns the documentation in the comments before a declaration.
func (c *reader) docBefore(n syntax.Node) string {
	line := n.Line()
	plain := ""
	for p := n.Previous(); syntax.IsComment(p.Kind()); {
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

// run returns the comment p and those of the same form on the lines before it.
func (c *reader) run(p syntax.Node) comment {
	text := p.Text()
	r := comment{nodes: []syntax.Node{p}, doxy: doxygen(text)}
	if !strings.HasPrefix(text, "//") {
		return r
	}
	for q := p.Previous(); syntax.IsComment(q.Kind()); q = q.Previous() {
		text := q.Text()
		if !strings.HasPrefix(text, "//") || doxygen(text) != r.doxy || q.EndLine()+1 != p.Line() || !c.ownLine(q) || isTrailing(text) {
			break
		}
		r.nodes = append(r.nodes, q)
		p = q
	}
	slices.Reverse(r.nodes)
	return r
}

// ownLine reports whether a comment is the first text on its line.
func (c *reader) ownLine(n syntax.Node) bool {
	for i := n.Start() - 1; i >= 0 && c.Source[i] != '\n'; i-- {
		if c.Source[i] != ' ' && c.Source[i] != '\t' {
			return false
		}
	}
	return true
}

// commentText returns the text of a run of comments without the comment delimiters.
func (c *reader) commentText(r comment) string {
	var rows []string
	for _, n := range r.nodes {
		rows = append(rows, commentWords(n.Text()))
	}
	return strings.TrimSpace(strings.Join(rows, "\n"))
}

func commentWords(text string) string {
	if !strings.HasPrefix(text, "//") {
		return strings.TrimSpace(strings.TrimPrefix(srctext.BlockComment(text), "<"))
	}
	text = strings.TrimRight(text, " \t\r\n")
	for _, mark := range []string{"///<", "//!<", "///", "//!", "//"} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimPrefix(rest, " ")
		}
	}
	return text
}

// trailingDoc returns the comment after a declaration on the same line, and whether it is marked
// as documenting what precedes it.
func (c *reader) trailingDoc(n syntax.Node) (text string, marked bool) {
	if !n.Is("field_declaration", "enumerator", "declaration", "field_identifier", "pointer_declarator", "array_declarator", "identifier", "type_definition") {
		return "", false
	}
	end := n.Next()
	for end.Is(",", ";", "bitfield_clause") {
		end = end.Next()
	}
	if !syntax.IsComment(end.Kind()) || end.Line() != n.EndLine() {
		return "", false
	}
	rows := []string{commentWords(end.Text())}
	marked = isTrailing(end.Text())
	for p := end.Next(); syntax.IsComment(p.Kind()) && p.Line() == end.EndLine()+1 && p.Begins("//") && isTrailing(p.Text()) == marked; p = p.Next() {
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

// hasWords reports whether a comment contains words, not only a line of stars.
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

// licence reports whether a comment is a copyright or licence notice.
func licence(text string) bool {
	return strings.Contains(text, "Copyright") || strings.Contains(text, "SPDX-License-Identifier") || strings.Contains(text, "(C) 20")
}

// fileDoc returns the documentation of the file: the comment with Doxygen's \file, else the
// first comment up to the licence notice.
func (c *reader) fileDoc() string {
	text := ""
	for n := range c.Root().Children() {
		if !syntax.IsComment(n.Kind()) {
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
			text = beforeLicence(words)
		}
	}
	return text
}

// runFrom returns the comment p and those of the same form on the lines after it.
func (c *reader) runFrom(p syntax.Node) comment {
	r := comment{nodes: []syntax.Node{p}}
	for q := p.Next(); syntax.IsComment(q.Kind()) && q.Begins("//") && q.Line() == p.EndLine()+1; q = q.Next() {
		r.nodes = append(r.nodes, q)
		p = q
	}
	return r
}

// beforeLicence returns the part of a file's first comment before the licence notice.
func beforeLicence(text string) string {
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
