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

// docBytes limits the documentation of one declaration in a context.
const docBytes = 600

// declarations returns the exported declarations with place and documentation, and a short
// form of each. Declarations outside the given lines have only the short form.
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

// outline returns a declaration as a code block under a heading with its place.
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

// valueRow returns a constant or variable as one line.
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
