package ecma

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// JavaScript says in comments which types it means: @param {T} x, @returns {T},
// @type {T}, @template T, @extends {T}. The types are those of TypeScript; read are
// names with their arguments, lists and unions of them.

// docTag is a tag of a comment, @word {typ} name.
type docTag struct{ word, typ, name string }

// docOf returns the tags of the comment before a declaration, whichever statement it
// stands in; none in TypeScript, whose compiler does not read them.
func (e ecmaFacts) docOf(n syntax.Node) []docTag {
	if e.File.Language != "javascript" {
		return nil
	}
	for {
		if doc := docBefore(n); doc.Ok() {
			return docTags(doc.Text())
		}
		p := n.Parent()
		if !p.Is("variable_declarator", "lexical_declaration", "variable_declaration", "export_statement", "pair", "assignment_expression",
			"expression_statement", "field_definition", "parenthesized_expression") || p.Is("parenthesized_expression") && n.Is("arrow_function") {
			return nil
		}
		n = p
	}
}

// docTags reads the tags with types or names that a comment holds.
func docTags(text string) []docTag {
	var out []docTag
	for {
		i := strings.IndexByte(text, '@')
		if i < 0 {
			return out
		}
		text = text[i+1:]
		end := strings.IndexFunc(text, func(c rune) bool { return c < 'a' || c > 'z' })
		if end <= 0 {
			continue
		}
		tag := docTag{word: text[:end]}
		rest := strings.TrimLeft(text[end:], " \t")
		if strings.HasPrefix(rest, "{") {
			tag.typ, rest = cutBraces(rest)
		}
		rest = strings.TrimLeft(rest, " \t[")
		stop := strings.IndexFunc(rest, func(c rune) bool { return !plainKey(string(c)) })
		if stop < 0 {
			stop = len(rest)
		}
		tag.name, text = rest[:stop], rest[stop:]
		out = append(out, tag)
	}
}

// cutBraces returns what stands in the braces that a text begins with, and the rest.
func cutBraces(text string) (inside, rest string) {
	depth := 0
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[1:i], text[i+1:]
			}
		}
	}
	return "", ""
}

// docType returns the type that the first tag of one of the words says, of that name
// if one is given; 0 for none.
func (e ecmaFacts) docType(tags []docTag, name string, words ...string) code.Ref {
	for _, tag := range tags {
		if tag.typ != "" && (name == "" || tag.name == name) && slices.Contains(words, tag.word) {
			return e.documented(tag.typ)
		}
	}
	return 0
}

// documented is a type that a comment says.
func (e ecmaFacts) documented(text string) code.Ref {
	p := docParser{e, strings.ReplaceAll(text, "*", " ")}
	ref := p.union()
	if p.blank(); ref == 0 || p.text != "" {
		return 0
	}
	return e.Add(code.Expr{Op: code.OpEither, Name: "doc", Args: []code.Ref{ref}})
}

// docParameters binds the type parameters that a comment names.
func (e ecmaFacts) docParameters(tags []docTag) {
	for _, tag := range tags {
		if tag.word == "template" && tag.name != "" {
			e.Define(code.Def{Name: tag.name, Kind: code.DefTypeParam, Type: e.documented(tag.typ), Line: e.Scopes[e.Scope].Line})
		}
	}
}

// docHeritage gives the base of a class the type arguments that a comment says.
func (e ecmaFacts) docHeritage(tags []docTag, scope int32) {
	ref := e.docType(tags, "", "extends", "augments")
	if ref == 0 || len(e.Scopes[scope].Bases) != 1 {
		return
	}
	if said := e.Exprs[e.Exprs[ref].Args[0]]; said.Op == code.OpApply {
		base := &e.Scopes[scope].Bases[0]
		base.Type = e.Group(code.OpApply, base.Type, said.Args)
	}
}

// docCast is a value in brackets before which a comment says its type.
func (e ecmaFacts) docCast(n syntax.Node) code.Ref {
	if e.File.Language != "javascript" {
		return 0
	}
	doc := docBefore(n)
	if !doc.Ok() {
		return 0
	}
	return e.docType(docTags(doc.Text()), "", "type")
}

// docParser reads a type from the text in front of it; 0 is what it does not know.
type docParser struct {
	ecmaFacts
	text string
}

func (p *docParser) blank() { p.text = strings.TrimLeft(p.text, " \t\r\n") }

func (p *docParser) take(mark string) bool {
	p.blank()
	rest, ok := strings.CutPrefix(p.text, mark)
	if ok {
		p.text = rest
	}
	return ok
}

// union reads A | B | C.
func (p *docParser) union() code.Ref {
	var parts []code.Ref
	for {
		parts = append(parts, p.list())
		if !p.take("|") {
			break
		}
	}
	p.take("=") // it may be left out
	return p.Either(parts...)
}

// list reads a type and the brackets behind it.
func (p *docParser) list() code.Ref {
	p.take("?")
	p.take("!")
	ref := p.single()
	for p.take("[]") {
		ref = p.Group(code.OpList, ref, nil)
	}
	return ref
}

// single reads a name with its arguments, or a type in brackets.
func (p *docParser) single() code.Ref {
	if p.take("(") {
		ref := p.union()
		if !p.take(")") {
			p.text = "?" // a function
		}
		return ref
	}
	p.blank()
	end := strings.IndexFunc(p.text, func(c rune) bool { return !plainKey(string(c)) && c != '.' })
	if end < 0 {
		end = len(p.text)
	}
	name := strings.TrimSuffix(p.text[:end], ".") // Array.<T>
	p.text = p.text[end:]
	if name == "" {
		p.text = "?"
		return 0
	}
	args := p.arguments()
	if list := name == "Array" && len(args) == 1; list {
		return p.Group(code.OpList, args[0], nil)
	}
	ref := p.reference(name)
	if len(args) > 0 && ref != 0 {
		return p.Group(code.OpApply, ref, args)
	}
	return ref
}

// arguments reads <A, B>.
func (p *docParser) arguments() []code.Ref {
	if !p.take("<") {
		return nil
	}
	var out []code.Ref
	for {
		out = append(out, p.union())
		if p.take(">") {
			return out
		}
		if !p.take(",") {
			p.text = "?"
			return out
		}
	}
}

// reference is the type that a dotted name means.
func (p *docParser) reference(name string) code.Ref {
	switch name {
	case "null", "undefined", "any", "void", "unknown", "never", "Function", "Object":
		return 0
	}
	if lit := p.predefined(name); lit != 0 {
		return lit
	}
	var ref code.Ref
	for i, part := range strings.Split(name, ".") {
		if i == 0 {
			ref = p.Add(code.Expr{Op: code.OpName, Name: part, Scope: p.Scope, N: 1})
			continue
		}
		ref = p.Add(code.Expr{Op: code.OpSelect, X: ref, Name: part, Scope: p.Scope})
	}
	return ref
}
