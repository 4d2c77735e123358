package ecma

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// JavaScript declares types in comments: @param {T} x, @returns {T}, @type {T}, @template T,
// @extends {T}. The types are TypeScript types; names with type arguments, lists and unions
// are read.

// docTag is a tag of a comment: @word {typ} name.
type docTag struct{ word, typ, name string }

// docOf returns the tags of the comment before a declaration or the statement around it; none
// in TypeScript, whose compiler ignores them.
func (e factReader) docOf(n syntax.Node) []docTag {
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

// docTags returns the tags with types or names in a comment.
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

// cutBraces returns the text in the braces at the start of a text, and the rest.
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

// docType returns the type of the first tag with one of the words, and with that name if it is
// not ""; 0 for none.
func (e factReader) docType(tags []docTag, name string, words ...string) code.Ref {
	for _, tag := range tags {
		if tag.typ != "" && (name == "" || tag.name == name) && slices.Contains(words, tag.word) {
			return e.documented(tag.typ)
		}
	}
	return 0
}

// documented returns the type with the given text.
func (e factReader) documented(text string) code.Ref {
	p := docParser{e, strings.ReplaceAll(text, "*", " ")}
	ref := p.union()
	if p.blank(); ref == 0 || p.text != "" {
		return 0
	}
	return e.Add(code.Expr{Op: code.OpEither, Name: "doc", Args: []code.Ref{ref}})
}

// docParameters binds the type parameters declared in a comment.
func (e factReader) docParameters(tags []docTag) {
	for _, tag := range tags {
		if tag.word == "template" && tag.name != "" {
			e.Define(code.Def{Name: tag.name, Kind: code.DefTypeParam, Type: e.documented(tag.typ), Line: e.Scopes[e.Scope].Line})
		}
	}
}

// docHeritage adds the type arguments declared in a comment to the base of a class.
func (e factReader) docHeritage(tags []docTag, scope int32) {
	ref := e.docType(tags, "", "extends", "augments")
	if ref == 0 || len(e.Scopes[scope].Bases) != 1 {
		return
	}
	if said := e.Exprs[e.Exprs[ref].Args[0]]; said.Op == code.OpApply {
		base := &e.Scopes[scope].Bases[0]
		base.Type = e.Group(code.OpApply, base.Type, said.Args)
	}
}

// docCast returns a value in parentheses whose type is declared in the comment before it.
func (e factReader) docCast(n syntax.Node) code.Ref {
	if e.File.Language != "javascript" {
		return 0
	}
	doc := docBefore(n)
	if !doc.Ok() {
		return 0
	}
	return e.docType(docTags(doc.Text()), "", "type")
}

// docParser parses a type from the start of text. Types that it does not know are 0.
type docParser struct {
	factReader
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
	p.take("=") // it is optional
	return p.Either(parts...)
}

// list parses a type and the brackets after it.
func (p *docParser) list() code.Ref {
	p.take("?")
	p.take("!")
	ref := p.single()
	for p.take("[]") {
		ref = p.Group(code.OpList, ref, nil)
	}
	return ref
}

// single parses a name with type arguments, or a type in parentheses.
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

// arguments parses <A, B>.
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

// reference returns the type of a dotted name.
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
