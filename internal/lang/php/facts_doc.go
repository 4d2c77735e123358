package php

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// docFacts are the types in a docblock (PSR-5).
type docFacts struct {
	b    *core.FactBuilder
	at   int
	tags []tag
}

// tag is one tag of a docblock.
type tag struct {
	word string // for example "param": without "@" and the prefix of an analyser
	text string // the text after the word
}

// docFactsOf reads the docblock of a declaration.
func docFactsOf(b *core.FactBuilder, n syntax.Node) docFacts {
	text := docOf(n)
	d := docFacts{b: b, at: n.Start()}
	if strings.Contains(text, "@") {
		d.tags = tagsIn(text)
	}
	return d
}

// tagsIn returns the tags in the text of a docblock.
func tagsIn(text string) []tag {
	var out []tag
	for row := range strings.Lines(text) {
		row = strings.TrimSpace(row)
		if !strings.HasPrefix(row, "@") {
			if len(out) > 0 && strings.Count(out[len(out)-1].text, "<") > strings.Count(out[len(out)-1].text, ">") {
				out[len(out)-1].text += " " + row // a type over several lines
			}
			continue
		}
		word, rest, _ := strings.Cut(row[1:], " ")
		word = strings.TrimPrefix(strings.TrimPrefix(word, "phpstan-"), "psalm-")
		out = append(out, tag{word, strings.TrimSpace(rest)})
	}
	return out
}

// typed returns the type in the first tag with the given word and variable. An empty
// variable selects tags about the declaration itself.
func (d docFacts) typed(word, variable string) code.Ref {
	for _, t := range d.tags {
		if t.word != word {
			continue
		}
		typ, rest := cutDocType(t.text)
		name, _, _ := strings.Cut(strings.TrimLeft(rest, "&. "), " ")
		if variable == "" || name == variable {
			if ref := d.ref(typ); ref != 0 {
				return documented(d.b, ref)
			}
		}
	}
	return 0
}

// documented marks typ as coming from a comment.
func documented(b *core.FactBuilder, typ code.Ref) code.Ref {
	if typ == 0 {
		return 0
	}
	return b.Add(code.Expr{Op: code.OpEither, Name: "doc", Args: []code.Ref{typ}})
}

func (d docFacts) variable(name string) code.Ref  { return d.typed("var", name) }
func (d docFacts) parameter(name string) code.Ref { return d.typed("param", name) }
func (d docFacts) result() code.Ref               { return d.typed("return", "") }

// templates binds the type parameters of a function or class.
func (d docFacts) templates() {
	for _, t := range d.tags {
		if !strings.HasPrefix(t.word, "template") {
			continue
		}
		name, rest, _ := strings.Cut(t.text, " ")
		def := code.Def{Name: name, Kind: code.DefTypeParam, Line: int32(d.b.Line(d.at))}
		if bound, ok := strings.CutPrefix(strings.TrimSpace(rest), "of "); ok {
			typ, _ := cutDocType(bound)
			def.Type = d.ref(typ)
		}
		if isConstantName(name) {
			d.b.Define(def)
		}
	}
}

// globals binds the global variables that a function uses.
func (d docFacts) globals() {
	for _, t := range d.tags {
		typ, rest := cutDocType(t.text)
		name, _, _ := strings.Cut(rest, " ")
		if t.word == "global" && strings.HasPrefix(name, "$") {
			d.b.Define(code.Def{Name: name, Kind: code.DefVar, Type: documented(d.b, d.ref(typ)), Line: int32(d.b.Line(d.at))})
		}
	}
}

// documentedFacts binds the type parameters and properties in the docblock of a class.
func documentedFacts(b *core.FactBuilder, n syntax.Node) {
	d := docFactsOf(b, n)
	d.templates()
	for _, t := range d.tags {
		if t.word != "property" && t.word != "property-read" && t.word != "property-write" {
			continue
		}
		typ, rest := cutDocType(t.text)
		name, _, _ := strings.Cut(rest, " ")
		if ref := d.ref(typ); ref != 0 && strings.HasPrefix(name, "$") {
			b.Define(code.Def{Name: name, Kind: code.DefField, Type: documented(b, ref), Line: int32(n.Line()), Exported: true})
		}
	}
}

// cutDocType splits text after its leading type.
func cutDocType(text string) (typ, rest string) {
	depth := 0
	for i, c := range text {
		switch c {
		case '<', '(', '{', '[':
			depth++
		case '>', ')', '}', ']':
			depth--
		case ' ', '\t':
			if depth <= 0 && !strings.HasSuffix(text[:i], ":") && !strings.HasSuffix(text[:i], ",") {
				return text[:i], strings.TrimSpace(text[i:])
			}
		}
	}
	return text, ""
}

// ref returns the type written as text in a docblock, or 0 if it is not tracked.
func (d docFacts) ref(text string) code.Ref {
	text = strings.TrimSpace(text)
	if parts := splitDocType(text, '|'); len(parts) > 1 {
		return d.either(parts)
	}
	text = strings.TrimPrefix(text, "?")
	if parts := splitDocType(text, '&'); len(parts) > 1 {
		return d.either(parts)
	}
	if strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		return d.ref(text[1 : len(text)-1])
	}
	if element, ok := strings.CutSuffix(text, "[]"); ok {
		return d.list(d.ref(element))
	}
	if name, rest, ok := strings.Cut(text, "<"); ok && strings.HasSuffix(rest, ">") {
		return d.generic(name, splitDocType(rest[:len(rest)-1], ','))
	}
	if text == "$this" {
		text = "static"
	}
	if !isConstantName(text) {
		return 0
	}
	return namedType(d.b, text, d.at)
}

func (d docFacts) either(parts []string) code.Ref {
	var out []code.Ref
	for _, p := range parts {
		out = append(out, d.ref(p))
	}
	return d.b.Either(out...)
}

func (d docFacts) list(element code.Ref) code.Ref {
	if element == 0 {
		return 0
	}
	return d.b.Group(code.OpList, element, nil)
}

// lists are the names of list types in docblocks.
var lists = core.SetOf("array", "list", "iterable", "non-empty-array", "non-empty-list")

func (d docFacts) generic(name string, args []string) code.Ref {
	last := args[len(args)-1]
	if lists[strings.ToLower(name)] {
		return d.list(d.ref(last))
	}
	of := d.ref(name)
	if of == 0 {
		return 0
	}
	refs := make([]code.Ref, len(args))
	for i, a := range args {
		refs[i] = d.ref(a)
	}
	return d.b.Group(code.OpApply, of, refs)
}

// splitDocType splits a type at each sign outside brackets.
func splitDocType(text string, sign rune) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case strings.ContainsRune("<({[", c):
			depth++
		case strings.ContainsRune(">)}]", c):
			depth--
		case c == sign && depth == 0:
			out, from = append(out, text[from:i]), i+1
		}
	}
	return append(out, text[from:])
}
