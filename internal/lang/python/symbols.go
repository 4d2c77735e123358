package python

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/python/repair"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// reader reads the symbols of one Python file.
type reader struct {
	*core.Reader
	listed map[string]bool      // names in __all__
	hasAll bool                 // the file sets __all__
	kinds  map[string]code.Kind // classes of this file that are enums or interfaces
	broken bool                 // the text has syntax errors
}

// symbolScope is the scope of a statement.
type symbolScope struct {
	owner string    // qualified name of the enclosing class, or ""
	class code.Kind // kind of that class; "" at module level
}

func readModule(r *core.Reader) {
	p := &reader{
		Reader: r, listed: map[string]bool{}, kinds: map[string]code.Kind{}, broken: r.Root().HasError(),
	}
	r.Patched = nil // specialForm hashes what the parser did not see
	r.File.Doc = docstring(r.Root())
	p.allNames(r.Root())
	p.imports()
	entries(r)
	r.File.Symbols = mergeSymbols(p.block(r.Root(), symbolScope{}))
}

// block reads the statements of a module, a class, or a branch in them.
func (p *reader) block(body syntax.Node, s symbolScope) []code.Symbol {
	var out []code.Symbol
	column, line := 1, 0
	if body.Is("block") {
		column = body.First().Column()
	}
	for n := range body.NamedSeq() {
		// After a syntax error the grammar may assign statements to the wrong level.
		// Their indentation decides.
		if p.broken && n.Column() != column && n.Line() != line && !n.Is("ERROR") {
			continue
		}
		if !n.Is("ERROR") {
			line = n.EndLine()
		}
		out = append(out, p.statement(n, s)...)
	}
	return out
}

// statement reads the declarations of a statement. Conditional definitions count as
// definitions of the module or class.
func (p *reader) statement(n syntax.Node, s symbolScope) []code.Symbol {
	switch n.Kind() {
	case "decorated_definition":
		return p.definition(n.Field("definition"), syntax.ChildrenOf(n, "decorator"), s)
	case "function_definition", "class_definition":
		return p.definition(n, nil, s)
	case "type_alias_statement":
		return core.NamedSymbol(p.typeAlias(n, s))
	case "expression_statement":
		if a := n.First(); a.Is("assignment") {
			return p.assignment(n, a, s)
		}
	case "if_statement", "try_statement", "with_statement":
		if !repair.MaskedHead(n) {
			return p.branches(n, s)
		}
	case "ERROR":
		return p.errorStatements(n, s)
	}
	return nil
}

// branches reads the blocks of a compound statement.
func (p *reader) branches(n syntax.Node, s symbolScope) []code.Symbol {
	var out []code.Symbol
	for c := range n.NamedSeq() {
		switch c.Kind() {
		case "block":
			out = append(out, p.block(c, s)...)
		case "elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause":
			out = append(out, p.branches(c, s)...)
		}
	}
	return out
}

// errorStatements reads the complete statements inside an ERROR node that have the
// indentation of the enclosing block.
func (p *reader) errorStatements(n syntax.Node, s symbolScope) []code.Symbol {
	column := 1
	if b := n.Ancestor("block"); b.Ok() {
		column = b.First().Column()
	}
	var out []code.Symbol
	for c := range n.NamedSeq() {
		if c.Column() == column {
			out = append(out, p.statement(c, s)...)
		}
	}
	return out
}

func (p *reader) definition(n syntax.Node, decorators []syntax.Node, s symbolScope) []code.Symbol {
	if n.Is("class_definition") {
		return core.NamedSymbol(p.class(n, decorators, s))
	}
	return core.NamedSymbol(p.function(n, decorators, s))
}

// begin returns a new symbol for the declaration n.
func (p *reader) begin(n syntax.Node, name string, kind code.Kind, s symbolScope) code.Symbol {
	if slices.Contains(keywords, name) { // a syntax error can make a keyword look like a name
		return code.Symbol{}
	}
	sym := code.Symbol{Name: name, Kind: kind, Visibility: code.Public}
	hidden := strings.HasPrefix(name, "_")
	if s.class == "" && p.listed[name] || isDunder(name) && (kind == code.Method || kind == code.Constructor) {
		hidden = false // callers write x.__call__ as x()
	}
	if hidden {
		sym.Visibility = code.Private
	}
	sym.Exported = !hidden
	p.Place(&sym, n, s.owner)
	sym.EndLine = p.lastLine(n)
	return sym
}

// lastLine returns the line of n's last token. The grammar includes trailing comments
// in a body.
func (p *reader) lastLine(n syntax.Node) int {
	for i := n.After() - 1; i > n.Index(); i-- {
		if c := p.At(i); !syntax.IsComment(c.Kind()) && c.End() > c.Start() {
			return c.EndLine()
		}
	}
	return n.EndLine()
}

// keywords are the reserved words. Soft keywords are not included.
var keywords = []string{
	"and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except",
	"finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
	"return", "try", "while", "with", "yield", "True", "False", "None", "",
}

func isDunder(name string) bool {
	return len(name) > 4 && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
}

// header sets the signature of a definition: its text up to the colon.
func (p *reader) header(sym *code.Symbol, n, body syntax.Node, owner string) {
	end := body.Start()
	for c := range n.Children() {
		if c.Kind() == ":" {
			end = c.Start()
		}
	}
	sym.Signature = p.Head(n.Start(), end, "")
	if brokenHead(n, body) {
		sym.Signature = readable(sym.Signature)
	}
	if !body.First().Ok() {
		p.File.ParseErrors = append(p.File.ParseErrors, code.ParseError{
			Line: n.Line(), Column: n.Column(), Message: "missing body", Affected: []string{srctext.Join(owner, sym.Name)},
		})
	}
	sym.SignatureHash = p.Lang.Shape.Hash(n, body)
	sym.Doc = docstring(body)
	sym.TypeParameters = typeParametersOf(n.Field("type_parameters"))
}

// brokenHead reports whether a definition has a syntax error before its body.
func brokenHead(n, body syntax.Node) bool {
	if !n.HasError() {
		return false
	}
	for c := range n.Children() {
		if c != body && (c.HasError() || c.Is("ERROR") || c.Missing()) {
			return true
		}
	}
	return false
}

// readable returns the lines of a broken signature up to the one that ends with a
// colon. An unclosed bracket may have absorbed more.
func readable(signature string) string {
	rows := strings.Split(signature, "\n")
	for i, row := range rows {
		if row, ended := strings.CutSuffix(strings.TrimSpace(row), ":"); ended {
			return strings.Join(append(rows[:i:i], row), "\n")
		}
	}
	return signature
}

func (p *reader) function(n syntax.Node, decorators []syntax.Node, s symbolScope) code.Symbol {
	name, body := n.Field("name").Text(), n.Field("body")
	kind := code.Function
	if s.class != "" {
		kind = code.Method
		if name == "__init__" {
			kind = code.Constructor
		}
	}
	sym := p.begin(n, name, kind, s)
	if sym.Name == "" {
		return sym
	}
	decorate(&sym, decorators, s)
	p.header(&sym, n, body, s.owner)
	sym.BodyHash = p.BodyShapeHash(body)
	sym.Async = n.Has("async")
	sym.Returns = inOneLine(n.Field("return_type"))
	if at := strings.LastIndex(sym.Signature, "->"); at >= 0 && brokenHead(n, body) {
		sym.Returns = strings.TrimSpace(sym.Signature[at+len("->"):])
	}
	list := n.Field("parameters")
	sym.Params = paramsOf(list, s.class != "" && !slices.ContainsFunc(decorators, isStaticMethod))
	p.defaults(list, s)
	return sym
}

// defaults attributes the calls in default values to the enclosing scope, because they
// run when the function is defined.
func (p *reader) defaults(list syntax.Node, s symbolScope) {
	if !list.Ok() || list.HasError() {
		return // the error belongs to the function
	}
	for n := range list.Descendants() {
		if n.Is("call") {
			p.Spans = append(p.Spans, core.Span{Start: list.Start(), End: list.End(), Name: s.owner})
			return
		}
	}
}

func (p *reader) class(n syntax.Node, decorators []syntax.Node, s symbolScope) code.Symbol {
	body := n.Field("body")
	sym := p.begin(n, n.Field("name").Text(), code.Class, s)
	if sym.Name == "" {
		return sym
	}
	decorate(&sym, decorators, s)
	for c := range n.Field("superclasses").NamedSeq() {
		if c.Is("line_continuation") {
			continue
		}
		sym.Bases = append(sym.Bases, c.Text())
		sym.Kind = p.kindBy(sym.Kind, c)
		if base := lastName(c); base == "ABC" || base == "ABCMeta" {
			sym.Abstract = true
		}
	}
	p.header(&sym, n, body, s.owner)
	if sym.Kind != code.Class {
		p.kinds[sym.Name] = sym.Kind
	}
	if !core.TooDeep(s.owner) {
		sym.Members = mergeSymbols(p.block(body, symbolScope{owner: srctext.Join(s.owner, sym.Name), class: sym.Kind}))
	}
	return sym
}

// kindBy returns the kind of a class after adding a base. kind is the kind so far.
func (p *reader) kindBy(kind code.Kind, base syntax.Node) code.Kind {
	name := lastName(base)
	switch name {
	case "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "ReprEnum", "EnumMeta", "EnumType", "TextChoices", "IntegerChoices":
		if name != "EnumMeta" && name != "EnumType" || base.Is("keyword_argument") {
			return code.Enum
		}
	case "Protocol":
		if p.isTyping(base) {
			return code.Interface
		}
	}
	if base.Is("identifier") && p.kinds[name] == code.Enum {
		return code.Enum // a class derived from a protocol is a class
	}
	return kind
}

// isTyping reports whether base is a name of module typing, not one of another module
// with the same name, such as asyncio.Protocol.
func (p *reader) isTyping(base syntax.Node) bool {
	if base.Is("subscript") {
		base = base.Field("value")
	}
	name := base.Text()
	module, last := "", name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		module, last = name[:i], name[i+1:]
	}
	for i := range p.File.Imports {
		imp := &p.File.Imports[i]
		if strings.HasPrefix(imp.Module, "typing") {
			continue
		}
		if module != "" && imp.Namespace == module || module == "" && slices.Contains(importedNames(imp), last) ||
			module != "" && slices.Contains(importedNames(imp), module) {
			return false
		}
	}
	return true
}

// lastName returns the last name of a base: "Protocol" of typing.Protocol[T], "ABCMeta"
// of metaclass=abc.ABCMeta.
func lastName(base syntax.Node) string {
	if base.Is("keyword_argument") {
		if !base.Field("name").TextIs("metaclass") {
			return ""
		}
		base = base.Field("value")
	}
	if base.Is("subscript") {
		base = base.Field("value")
	}
	if base.Is("attribute") {
		base = base.Field("attribute")
	}
	if !base.Is("identifier") {
		return ""
	}
	return base.Text()
}

func (p *reader) typeAlias(n syntax.Node, s symbolScope) code.Symbol {
	var name, value syntax.Node
	for c := range n.NamedSeq() {
		switch {
		case !c.Is("type"):
		case !name.Ok():
			name = c.First()
		default:
			value = c
		}
	}
	parameters := syntax.Node{}
	if name.Is("generic_type") {
		parameters, name = name.Child("type_parameter"), name.First()
	}
	if !name.Is("identifier") {
		return code.Symbol{}
	}
	sym := p.begin(n, name.Text(), code.TypeDef, s)
	sym.Signature = p.Head(n.Start(), n.End(), ";")
	sym.SignatureHash = p.Lang.Shape.Hash(n)
	sym.TypeParameters = typeParametersOf(parameters)
	sym.Value = value.Text()
	sym.Doc = p.docAfter(n)
	return sym
}
