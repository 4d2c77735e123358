package swift

import (
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/swift/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// signature sets the text and hash of a head without attributes, and the hash of the
// body.
func (s *symbolReader) signature(sym *code.Symbol, h declarationHead, body syntax.Node) {
	sym.Signature = s.signatureText(h.written, h.end)
	sym.SignatureHash = s.tokensHash(&h, core.Span{Start: h.keyword, End: h.end})
	sym.BodyHash = s.BodyHash(body)
	sym.StartLine = s.Line(s.text.Tokens[h.written].Start())
	sym.EndLine = max(sym.EndLine, s.Line(s.text.Tokens[max(h.written, h.end-1)].End()-1))
}

// signatureText returns the text of the tokens [from, to) without directives and
// attributes.
func (s *symbolReader) signatureText(from, to int) string {
	t := s.text
	if from >= to {
		return ""
	}
	var b strings.Builder
	at := from
	for i := from; i < to; i++ {
		if t.Tokens[i].Kind != repair.Directive {
			continue
		}
		b.WriteString(slice(t, at, i))
		b.WriteByte(' ')
		at = i + 1
	}
	b.WriteString(slice(t, at, to))
	return s.Dedent(strings.TrimSpace(b.String()), t.Tokens[from].Start())
}

// function reads functions, initialisers, subscripts and macros. The grammar may parse
// a function without a body as an initialiser; the keyword decides.
func (s *symbolReader) function(n syntax.Node, scope symbolScope) code.Symbol {
	h := s.head(n)
	name, kind := h.word, code.Method
	switch h.word {
	case "func":
		name = s.functionName(&h)
		if scope.of == "" {
			kind = code.Function
		}
	case "init":
		kind = code.Constructor
	case "macro":
		name, kind = s.macroName(&h), code.Macro
	case "deinit", "subscript":
	default:
		return code.Symbol{}
	}
	sym := s.begin(h, name, kind, scope)
	if h.word == "deinit" {
		sym.Visibility, sym.Exported = code.Private, false // not callable
	}
	sym.TypeParameters = items(s.text, h.generics.Start, h.generics.End)
	sym.Params = h.parameters(s.text)
	sym.Returns = h.result(s.text)
	sym.Async = h.async
	s.Place(&sym, n, scope.owner)
	body := n.Field("body")
	if !body.Ok() {
		body = n.Child("computed_property", "macro_definition")
	}
	if sym.Abstract && h.word == "subscript" {
		h.end, body = tokenAt(s.text, n.End()-1)+1, syntax.Node{}
	}
	if h.word == "macro" && h.assign > 0 {
		h.end = h.assign
	}
	s.signature(&sym, h, body)
	s.accessors(&sym, n, h)
	return sym
}

// macroName returns a macro's name as it is used: #stringify or @Observable.
func (s *symbolReader) macroName(h *declarationHead) string {
	name := strings.Trim(s.text.Text(h.keyword+1), "`")
	for _, a := range h.attributes(s.text) {
		if strings.HasPrefix(a, "@attached") {
			return "@" + name
		}
	}
	return "#" + name
}

// functionName returns a function's name, or the characters of an operator.
func (s *symbolReader) functionName(h *declarationHead) string {
	name := strings.Trim(s.text.Text(h.keyword+1), "`")
	if h.generics.Start == h.keyword+2 && len(name) > 1 { // func ==<T>
		name = strings.TrimSuffix(name, "<")
	}
	return name
}

// accessors applies the accessors of a property or subscript: without a setter it is
// read-only, and its getter may be async.
func (s *symbolReader) accessors(sym *code.Symbol, n syntax.Node, h declarationHead) {
	block := n.Child("computed_property", "protocol_property_requirements")
	if !block.Ok() {
		return
	}
	sym.Readonly = true
	for c := range block.Descendants() {
		if c.Parent() != block && c.Parent().Parent() != block {
			continue
		}
		if c.Is("computed_setter", "computed_modify", "setter_specifier", "modify_specifier") {
			sym.Readonly = false
		}
		if c.Is("getter_specifier") && strings.Contains(" "+srctext.OneLine(c.Text())+" ", " async ") {
			sym.Async = true
		}
	}
	s.hiddenSetter(sym, &h)
}

// hiddenSetter marks a property with a restricted setter, such as private(set), as
// read-only.
func (s *symbolReader) hiddenSetter(sym *code.Symbol, h *declarationHead) {
	if h.wrote("private(set)", "fileprivate(set)", "internal(set)", "package(set)") {
		sym.Readonly = true
	}
}

// properties reads a variable declaration and returns one symbol per variable.
func (s *symbolReader) properties(n syntax.Node, scope symbolScope) []code.Symbol {
	h := s.head(n)
	if h.word == "deinit" { // as the grammar is rewritten one without a body
		return core.NamedSymbol(s.function(n, scope))
	}
	if h.word != "var" && h.word != "let" {
		return nil
	}
	bindings := s.bindings(n)
	var out []code.Symbol
	for i, b := range bindings {
		for _, name := range b.names {
			sym := s.begin(h, name, code.Property, scope)
			switch {
			case scope.of == "" && h.word == "let":
				sym.Kind = code.Const
			case scope.of == "":
				sym.Kind = code.Variable
			}
			s.binding(&sym, h, b, bindings, i)
			s.Place(&sym, n, scope.owner)
			sym.StartLine = s.Line(s.text.Tokens[h.written].Start())
			if len(bindings) > 1 {
				sym.StartLine, sym.EndLine = s.Line(b.start), s.Line(max(b.start, b.end-1))
			}
			sym.Readonly = h.word == "let"
			s.hiddenSetter(&sym, &h)
			s.accessors(&sym, n, h)
			out = append(out, sym)
		}
	}
	return out
}

// patternBinding is one pattern of a variable declaration with its type and value.
type patternBinding struct {
	names      []string
	start, end int
	kind       string    // type as written
	types      core.Span // tokens of the type
	value      syntax.Node
	blocks     []syntax.Node // blocks of accessors and observers
}

// runs reports whether the value contains a block of code: a closure, an if or a
// switch.
func (b *patternBinding) runs() bool {
	for n := range b.value.Descendants() {
		if n.Is("lambda_literal", "if_statement", "switch_statement") {
			return true
		}
	}
	return false
}

// bindings returns the patterns of a variable declaration.
func (s *symbolReader) bindings(n syntax.Node) []patternBinding {
	var out []patternBinding
	for c := range n.Children() {
		if c.Is("pattern") {
			out = append(out, patternBinding{names: s.boundNames(c), start: c.Start()})
		}
		if len(out) == 0 || syntax.IsComment(c.Kind()) || c.Is(",") {
			continue
		}
		b := &out[len(out)-1]
		b.end = c.End()
		switch {
		case c.Is("type_annotation"):
			end := s.rewrittenEnd(c.End())
			b.kind = srctext.OneLine(string(s.Source[c.Start()+1 : end]))
			b.types = core.Span{Start: tokenAt(s.text, c.Start()), End: tokenAt(s.text, end-1) + 1}
		case c.Is("computed_property", "willset_didset_block", "protocol_property_requirements"):
			b.blocks = append(b.blocks, c)
		case c.FieldName() == "value":
			b.value = c
		}
	}
	return out
}

// rewrittenEnd returns the end of the text at offset, including blanked text directly
// after it.
func (s *symbolReader) rewrittenEnd(offset int) int {
	for offset < min(len(s.Source), len(s.Rewritten)) && s.Source[offset] != s.Rewritten[offset] && s.Rewritten[offset] == ' ' {
		offset++
	}
	return offset
}

// boundNames returns the names that a pattern binds.
func (s *symbolReader) boundNames(pattern syntax.Node) []string {
	var out []string
	for c := range pattern.Descendants() {
		if !c.Is("simple_identifier") || c.Next().Is(":") {
			continue
		}
		if name := strings.Trim(c.Text(), "`"); name != "_" {
			out = append(out, name)
		}
	}
	return out
}

// binding sets the type, value and signature of a variable: the words that all
// variables of n share, and its own.
func (s *symbolReader) binding(sym *code.Symbol, h declarationHead, b patternBinding, all []patternBinding, at int) {
	sym.Returns = b.kind
	for next := at + 1; sym.Returns == "" && !b.value.Ok() && next < len(all); next++ {
		sym.Returns = all[next].kind // let x, y: Int
	}
	if !b.runs() {
		sym.Value = core.PlainValue(b.value)
	}
	parts := []core.Span{{Start: h.keyword, End: h.keyword + 1}, b.types}
	end, required := b.end, false
	sum := s.BodyHash(b.value)
	for _, block := range b.blocks {
		sum = joinedHash(sum, s.BodyHash(block))
		if required = block.Is("protocol_property_requirements"); required {
			parts = append(parts, core.Span{Start: tokenAt(s.text, block.Start()), End: tokenAt(s.text, block.End()-1)})
		} else {
			end = min(end, block.Start())
		}
	}
	sym.BodyHash = sum
	sym.SignatureHash = srctext.ShortHash([]byte(s.tokensHash(&h, parts...) + sym.Name))
	if b.value.Ok() && sym.Value == "" {
		end = min(end, b.value.Start())
	}
	end = s.rewrittenEnd(end)
	from := s.text.Tokens[h.written].Start()
	switch {
	case at > 0: // var a = 1, b = 2
		sym.Signature = slice(s.text, h.written, h.keyword+1) + " " + s.Head(b.start, end, "{ =")
	case required:
		sym.Signature = s.Head(from, end, "")
	default:
		sym.Signature = s.Head(from, end, "{ =")
	}
}

// joinedHash returns the hash of two parts. Either may be empty.
func joinedHash(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return srctext.ShortHash([]byte(a + " " + b))
}

// enumCases reads a case declaration and returns one symbol per case.
func (s *symbolReader) enumCases(n syntax.Node, scope symbolScope) []code.Symbol {
	h := s.head(n)
	if h.word != "case" {
		return nil
	}
	t := s.text
	cases := list(t, h.keyword+1, tokenAt(t, n.End()-1)+1)
	var out []code.Symbol
	for _, c := range cases {
		if t.Mark(c.End-1) == ';' {
			c.End--
		}
		sym := s.begin(h, strings.Trim(t.Text(c.Start), "`"), code.EnumMember, scope)
		sym.Visibility, sym.Exported = scope.around, scope.around != code.Private
		own := declarationHead{word: "case", keyword: c.Start - 1}
		own.parts(t, c.Start, c.End)
		sym.Params = own.parameters(t)
		if own.assign > 0 {
			sym.Value = srctext.OneLine(slice(t, own.assign+1, c.End))
		}
		s.Place(&sym, n, scope.owner)
		from := h.written
		if len(cases) > 1 {
			sym.Signature = slice(t, from, h.keyword+1) + " " + s.signatureText(c.Start, c.End)
			sym.StartLine, sym.EndLine = s.Line(t.Tokens[c.Start].Start()), s.Line(t.Tokens[c.End-1].End()-1)
		} else {
			sym.Signature = s.signatureText(from, c.End)
			sym.StartLine = s.Line(t.Tokens[from].Start())
		}
		sym.SignatureHash = s.tokensHash(&h, core.Span{Start: h.keyword, End: h.keyword + 1}, c)
		out = append(out, sym)
	}
	return out
}

// tokensHash returns the hash of a head's modifiers, in alphabetical order, and of some
// of its tokens, independent of layout.
func (s *symbolReader) tokensHash(h *declarationHead, parts ...core.Span) string {
	var b strings.Builder
	for _, word := range slices.Sorted(maps.Keys(h.modifiers)) {
		b.WriteString(word + " ")
	}
	t := s.text
	apart := false // a word after the last token needs a blank
	for _, part := range parts {
		for i := part.Start; i < min(part.End, len(t.Tokens)); i++ {
			text := t.Text(i)
			if text == "," && i+1 < len(t.Tokens) && strings.ContainsAny(t.Text(i + 1)[:1], ")]>{") || t.Tokens[i].Kind == repair.Directive {
				continue
			}
			wordy := t.Tokens[i].Kind != repair.Mark && t.Tokens[i].Kind != repair.Operator
			if wordy && apart {
				b.WriteByte(0)
			}
			b.WriteString(text)
			apart = wordy
		}
	}
	return srctext.ShortHash([]byte(b.String()))
}

// alias reads a type alias or an associated type.
func (s *symbolReader) alias(n syntax.Node, scope symbolScope) code.Symbol {
	h := s.head(n)
	if h.word != "typealias" && h.word != "associatedtype" {
		return code.Symbol{}
	}
	sym := s.begin(h, strings.Trim(s.text.Text(h.keyword+1), "`"), code.TypeDef, scope)
	sym.Abstract = h.word == "associatedtype"
	sym.TypeParameters = items(s.text, h.generics.Start, h.generics.End)
	sym.Bases = h.bases(s.text)
	if h.assign > 0 {
		to := h.end
		if h.where > h.assign {
			to = h.where
		}
		sym.Value = srctext.OneLine(slice(s.text, h.assign+1, to))
	}
	s.Place(&sym, n, scope.owner)
	s.signature(&sym, h, syntax.Node{})
	return sym
}

// operator reads the declaration of an operator, whose name is a function's, or of a
// precedence group.
func (s *symbolReader) operator(n syntax.Node, scope symbolScope) code.Symbol {
	h := s.head(n)
	kind := code.Function
	if h.word == "precedencegroup" {
		kind = code.TypeDef
	} else if h.word != "operator" {
		return code.Symbol{}
	}
	sym := s.begin(h, s.text.Text(h.keyword+1), kind, scope)
	sym.Visibility, sym.Exported = code.Public, true // visible in all files that import the module
	s.Place(&sym, n, scope.owner)
	body := n.Child("precedence_group_attributes")
	s.signature(&sym, h, body)
	return sym
}
