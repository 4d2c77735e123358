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
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// useDeclaration reads use A\B, use A\{B, C as D}, use function A\f and use
// const A\C: an import for each name.
func (p *phpReader) useDeclaration(n syntax.Node) {
	prefix := ""
	clauses := core.ChildrenOf(n, "namespace_use_clause")
	if group := n.Child("namespace_use_group"); group.Ok() {
		prefix = phpName(n.Child("namespace_name")) + `\`
		clauses = core.ChildrenOf(group, "namespace_use_group_clause")
	}
	for _, c := range clauses {
		module := ""
		if name := c.Child("qualified_name", "namespace_name", "name"); name.Ok() && !name.HasError() {
			module = prefix + phpName(name)
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

// phpIncludes are the kinds of expressions that run another file.
var phpIncludes = core.SetOf("include_expression", "include_once_expression", "require_expression", "require_once_expression")

// sweep finds what may stand anywhere: files that are included, and constants
// that define() makes.
func (p *phpReader) sweep() {
	for n := range p.Root().Within() {
		switch {
		case phpIncludes[n.Kind()]:
			p.include(n)
		case n.Is("function_call_expression"):
			p.define(n)
		}
	}
	slices.SortStableFunc(p.File.Imports, func(a, b code.Import) int { return cmp.Compare(a.Line, b.Line) })
}

// include reads require 'x.php' and require __DIR__ . '/x.php'.
func (p *phpReader) include(n syntax.Node) {
	imp := code.Import{Kind: code.RequireImport, Line: n.Line()}
	file := unbracketed(n.First())
	if text, ok := literal(file); ok {
		imp.Module, imp.Relative = text, strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../")
	} else if file.Is("binary_expression") && file.Field("operator").Says(".") {
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

// ownFolder returns the folder that __DIR__, dirname(__FILE__) or dirname(__DIR__,
// 2) mean, relative to that of the file; "" for anything else.
func ownFolder(n syntax.Node) string {
	up := 0
	for ; n.Is("function_call_expression"); n = unbracketed(n.Field("arguments").Child("argument").First()) {
		if strings.TrimPrefix(n.Field("function").Text(), `\`) != "dirname" || up > core.MaxNesting {
			return ""
		}
		levels := 1
		if all := core.NamedChildren(n.Field("arguments")); len(all) == 2 {
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

// literal returns the text of a string literal without escapes or expressions in
// it.
func literal(n syntax.Node) (string, bool) {
	if !n.Is("string", "encapsed_string") {
		return "", false
	}
	for c := range n.Inner() {
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

// define reads define('NAME', value): a constant wherever the call stands.
func (p *phpReader) define(n syntax.Node) {
	if !strings.EqualFold(strings.TrimPrefix(n.Field("function").Short(), `\`), "define") {
		return
	}
	arguments := core.ChildrenOf(n.Field("arguments"), "argument")
	if len(arguments) < 2 {
		return
	}
	name, ok := literal(arguments[0].First())
	if !ok || !isPHPName(name) {
		return
	}
	value := arguments[1].First()
	if p.File.Package != "" {
		name = strings.TrimPrefix(name, p.File.Package+`\`)
	}
	sym := code.Symbol{
		Name: strings.TrimPrefix(name, `\`), Kind: code.Const, Visibility: code.Public, Exported: true,
		Value: phpValue(value), StartLine: n.Line(), EndLine: n.EndLine(),
		SignatureHash: p.Hash(n, value), BodyHash: p.Hash(value),
	}
	if n.Parent().Is("expression_statement") {
		sym.Doc = phpDoc(n.Parent())
	}
	end := n.End()
	if sym.Value == "" {
		end = value.Start()
	}
	sym.Signature = p.Head(n.Start(), end, ",")
	p.File.Symbols = append(p.File.Symbols, sym)
}

// isPHPName tells a text that may be a constant's name, its namespace before it.
func isPHPName(text string) bool {
	for i := range len(text) {
		if text[i] != '\\' && !core.NameByte(text[i]) {
			return false
		}
	}
	return text != ""
}

// sortCalls puts calls in the order of their lines.
func sortCalls(calls []code.Call) {
	slices.SortStableFunc(calls, func(a, b code.Call) int { return cmp.Compare(a.Line, b.Line) })
}

func sameText(a, b []byte) bool { return bytes.Equal(a, b) }
