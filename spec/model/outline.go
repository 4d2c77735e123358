package model

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/spec/api"
	"github.com/reverse-spec/reverse-spec/spec/markdown"
)

// docBytes is how much of a declaration's documentation a context holds.
const docBytes = 600

// declarations are the exported declarations, each with its place and documentation, and
// without them where it has to be short. Of those that begin outside the lines only the
// short form is given.
func (m *Module) declarations(ctx context.Context, lines Chunk) []item {
	out := []item{{full: m.Intent}}
	for i := range m.Merged.Exports {
		if ctx.Err() != nil {
			break
		}
		s := &m.Merged.Exports[i]
		it := item{full: m.outline(s, true), bare: m.outline(s, false)}
		if !lines.holds(s.StartLine) {
			it.full = it.bare
		}
		out = append(out, it)
	}
	return out
}

// outline is a declaration as a block of code below its place.
func (m *Module) outline(s *code.Symbol, whole bool) string {
	if s.Kind == code.Const || s.Kind == code.Variable {
		return m.valueRow(s, whole)
	}
	language := m.languageOf(s.File)
	text := api.Declaration(s, language)
	doc := markdown.Clip(s.Doc, docBytes)
	if !whole {
		text, _, _ = strings.Cut(s.Signature, "\n")
		doc = ""
	}
	head := fmt.Sprintf("### %s %s (%s)", s.Kind, s.Name, api.Place(s))
	if doc != "" {
		head += "\n\n" + markdown.Quoted(doc)
	}
	if text == "" {
		return head
	}
	return head + "\n\n" + markdown.Fenced(language, text)
}

// valueRow is a constant or variable on a line.
func (m *Module) valueRow(s *code.Symbol, whole bool) string {
	row := fmt.Sprintf("- %s (%s)", markdown.Code(markdown.Clip(api.Declaration(s, m.languageOf(s.File)), docBytes)), api.Place(s))
	if first, _ := markdown.Sentence(s.Doc, markdown.TitleBytes); whole && first != "" {
		row += ": " + strings.ReplaceAll(markdown.Quoted(first), "\n", " ")
	}
	return row
}

// languageOf returns the language of a file of the module.
func (m *Module) languageOf(file string) string {
	return cmp.Or(api.LanguageOf(m.Tree.Files, file), m.Merged.Language)
}
