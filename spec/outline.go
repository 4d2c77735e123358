package spec

import (
	"context"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// docBytes is how much of a declaration's documentation a context holds.
const docBytes = 600

// declarations are the exported declarations, each with its place and documentation, and
// without them where it has to be short. Of those that begin outside the lines only the
// short form is given.
func (m *material) declarations(ctx context.Context, lines Chunk) []item {
	out := []item{{full: m.intent()}}
	for i := range m.merged.Exports {
		if ctx.Err() != nil {
			break
		}
		s := &m.merged.Exports[i]
		it := item{full: m.outline(s, true), bare: m.outline(s, false)}
		if !lines.holds(s.StartLine) {
			it.full = it.bare
		}
		out = append(out, it)
	}
	return out
}

// outline is a declaration as a block of code below its place.
func (m *material) outline(s *code.Symbol, whole bool) string {
	if s.Kind == code.Const || s.Kind == code.Variable {
		return m.valueRow(s, whole)
	}
	language := m.languageOf(s.File)
	text := declaration(s, language)
	doc := markdown.Clip(s.Doc, docBytes)
	if !whole {
		text, _, _ = strings.Cut(s.Signature, "\n")
		doc = ""
	}
	head := fmt.Sprintf("### %s %s (%s)", s.Kind, s.Name, place(s))
	if doc != "" {
		head += "\n\n" + markdown.Quoted(doc)
	}
	if text == "" {
		return head
	}
	return head + "\n\n" + markdown.Fenced(language, text)
}

// valueRow is a constant or variable on a line.
func (m *material) valueRow(s *code.Symbol, whole bool) string {
	row := fmt.Sprintf("- %s (%s)", markdown.Code(markdown.Clip(declaration(s, m.languageOf(s.File)), docBytes)), place(s))
	if first, _ := markdown.Sentence(s.Doc, titleBytes); whole && first != "" {
		row += ": " + strings.ReplaceAll(markdown.Quoted(first), "\n", " ")
	}
	return row
}
