package php

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// useDeclaration reads use A\B, use A\{B, C as D}, use function A\f and use const A\C.
// It adds one import per name.
func (p *reader) useDeclaration(n syntax.Node) {
	prefix := ""
	clauses := syntax.ChildrenOf(n, "namespace_use_clause")
	if group := n.Child("namespace_use_group"); group.Ok() {
		prefix = nameText(n.Child("namespace_name")) + `\`
		clauses = syntax.ChildrenOf(group, "namespace_use_group_clause")
	}
	for _, c := range clauses {
		module := ""
		if name := c.Child("qualified_name", "namespace_name", "name"); name.Ok() && !name.HasError() {
			module = prefix + nameText(name)
		}
		if module == "" {
			continue
		}
		imp := code.Import{Module: module, Kind: code.StaticImport, Line: c.Line()}
		imp.Named = []string{module[strings.LastIndexByte(module, '\\')+1:]}
		if alias := c.Child("namespace_aliasing_clause").First().Text(); alias != "" {
			imp.Aliases = []string{alias}
		}
		p.File.Imports = append(p.File.Imports, imp)
	}
}

// includes are the kinds of expressions that include another file.
var includes = core.SetOf("include_expression", "include_once_expression", "require_expression", "require_once_expression")

// sweep finds what may appear anywhere in a file: includes, and constants declared with
// define().
func (p *reader) sweep() {
	for n := range p.Root().Descendants() {
		switch {
		case includes[n.Kind()]:
			p.include(n)
		case n.Is("function_call_expression"):
			p.define(n)
		}
	}
	slices.SortStableFunc(p.File.Imports, func(a, b code.Import) int { return cmp.Compare(a.Line, b.Line) })
}

// include reads require 'x.php' and require __DIR__ . '/x.php'.
func (p *reader) include(n syntax.Node) {
	imp := code.Import{Kind: code.RequireImport, Line: n.Line()}
	file := unbracketed(n.First())
	if text, ok := literal(file); ok {
		imp.Module, imp.Relative = text, strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")
	} else if file.Is("binary_expression") && file.Field("operator").TextIs(".") {
		folder := ownFolder(unbracketed(file.Field("left")))
		text, ok := literal(unbracketed(file.Field("right")))
		if folder == "" || !ok || !strings.HasPrefix(text, "/") {
			return
		}
		imp.Relative, imp.Module = true, path.Join(folder, text)
		if !strings.HasPrefix(imp.Module, "../") {
			imp.Module = "./" + imp.Module
		}
	}
	if imp.Module != "" {
		p.File.Imports = append(p.File.Imports, imp)
	}
}

func unbracketed(n syntax.Node) syntax.Node {
	for n.Is("parenthesized_expression") {
		n = n.First()
	}
	return n
}

// ownFolder returns the folder that __DIR__, dirname(__FILE__) or dirname(__DIR__, 2)
// evaluates to, relative to the file's folder. It returns "" for other expressions.
func ownFolder(n syntax.Node) string {
	up := 0
	for ; n.Is("function_call_expression"); n = unbracketed(n.Field("arguments").Child("argument").First()) {
		if strings.TrimPrefix(n.Field("function").Text(), `\`) != "dirname" || up > core.MaxNesting {
			return ""
		}
		levels := 1
		if all := syntax.NamedChildren(n.Field("arguments")); len(all) == 2 {
			levels, _ = strconv.Atoi(all[1].Text())
		}
		up += min(levels, core.MaxNesting)
	}
	switch strings.ToUpper(n.Text()) {
	case "__FILE__":
		up--
	case "__DIR__":
	default:
		return ""
	}
	if up < 0 {
		return ""
	}
	return path.Join(".", strings.Repeat("../", up))
}

// literal returns the text of a string literal that has no escapes or expressions.
func literal(n syntax.Node) (string, bool) {
	if !n.Is("string", "encapsed_string") {
		return "", false
	}
	for c := range n.NamedSeq() {
		if !c.Is("string_content", "string_value") {
			return "", false
		}
	}
	text := strings.TrimPrefix(n.Text(), "b")
	if len(text) < 2 || strings.Contains(text, `\`) && !strings.HasPrefix(text, "'") {
		return "", false
	}
	text = strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(text[1 : len(text)-1])
	return text, text != ""
}

// define reads define('NAME', value), which declares a constant wherever it is called.
func (p *reader) define(n syntax.Node) {
	if !strings.EqualFold(strings.TrimPrefix(n.Field("function").Short(), `\`), "define") {
		return
	}
	arguments := syntax.ChildrenOf(n.Field("arguments"), "argument")
	if len(arguments) < 2 {
		return
	}
	name, ok := literal(arguments[0].First())
	if !ok || !isConstantName(name) {
		return
	}
	value := arguments[1].First()
	if p.File.Package != "" {
		name = strings.TrimPrefix(name, p.File.Package+`\`)
	}
	sym := code.Symbol{
		Name: strings.TrimPrefix(name, `\`), Kind: code.Const, Visibility: code.Public, Exported: true,
		Value: valueText(value), StartLine: n.Line(), EndLine: n.EndLine(),
		SignatureHash: p.Hash(n, value), BodyHash: p.BodyHash(value),
	}
	if n.Parent().Is("expression_statement") {
		sym.Doc = docOf(n.Parent())
	}
	end := n.End()
	if sym.Value == "" {
		end = value.Start()
	}
	sym.Signature = p.Head(n.Start(), end, ",")
	p.File.Symbols = append(p.File.Symbols, sym)
}

// isConstantName reports whether text is a valid constant name, optionally with a
// namespace.
func isConstantName(text string) bool {
	for i := range len(text) {
		if text[i] != '\\' && !srctext.NameByte(text[i]) {
			return false
		}
	}
	return text != ""
}

// sortCalls sorts calls by line.
func sortCalls(calls []code.Call) {
	slices.SortStableFunc(calls, func(a, b code.Call) int { return cmp.Compare(a.Line, b.Line) })
}

func sameText(a, b []byte) bool { return bytes.Equal(a, b) }
