package ecma

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// newImport returns an import of the module named by a string literal.
func newImport(n, source syntax.Node) code.Import {
	module := strings.Trim(source.Text(), "'\"`")
	return code.Import{
		Module: module, Relative: strings.HasPrefix(module, "."), Kind: code.StaticImport, Line: n.Line(),
	}
}

func (e *Declarations) importStatement(n syntax.Node) {
	source := n.Field("source")
	clause := n.Child("import_clause")
	if required := n.Child("import_require_clause"); required.Ok() { // import x = require("y")
		imp := newImport(n, required.Field("source"))
		imp.Kind, imp.Namespace = code.RequireImport, required.First().Text()
		e.File.Imports = append(e.File.Imports, imp)
		return
	}
	imp := newImport(n, source)
	if n.Has("type") || n.Has("typeof") {
		imp.TypeOnly, imp.Kind = true, code.TypeOnlyImport
	}
	for c := range clause.NamedSeq() {
		switch c.Kind() {
		case "identifier":
			imp.Default = c.Text()
		case "namespace_import":
			imp.Namespace = c.First().Text()
		case "named_imports":
			named(&imp, c)
		}
	}
	e.File.Imports = append(e.File.Imports, imp)
}

// named adds the specifiers of an import or export list.
func named(imp *code.Import, list syntax.Node) {
	for s := range list.NamedSeq() {
		name := strings.Trim(s.Field("name").Text(), `'"`)
		if name == "" {
			continue
		}
		imp.Named = append(imp.Named, name)
		imp.Aliases = append(imp.Aliases, strings.Trim(s.Field("alias").Text(), `'"`))
	}
	if !slices.ContainsFunc(imp.Aliases, func(a string) bool { return a != "" }) {
		imp.Aliases = nil
	}
}

func (e *Declarations) exportStatement(n syntax.Node, s scope) []code.Symbol {
	if source := n.Field("source"); source.Ok() {
		e.reexport(n, source)
		return nil
	}
	s.exported, s.isDef = true, n.Has("default")
	if d := n.Field("declaration"); d.Ok() {
		if d.Is("ambient_declaration") {
			return e.statement(d, s)
		}
		return e.declaration(d, s)
	}
	if list := n.Child("export_clause"); list.Ok() {
		e.explicit = e.explicit || s.owner == ""
		for spec := range list.NamedSeq() {
			name, alias := spec.Field("name").Text(), strings.Trim(spec.Field("alias").Text(), `'"`)
			switch {
			case name == "":
			case s.owner == "":
				e.Exported[name] = append(e.Exported[name], alias)
			default:
				e.listed = append(e.listed, listedName{s.owner, name, alias})
			}
		}
		return nil
	}
	if n.Has("namespace") { // export as namespace X: a global, not an export
		return nil
	}
	return e.exportValue(n, s)
}

// listedName is a name in an export list of a namespace.
type listedName struct{ space, name, alias string }

// exportValue reads export default <expression> and export = <expression>.
func (e *Declarations) exportValue(n syntax.Node, s scope) []code.Symbol {
	if text := strings.TrimSpace(strings.TrimPrefix(n.Text(), "export")); !n.Has("default") && !strings.HasPrefix(text, "=") {
		return nil // broken text
	}
	value := n.Field("value")
	if !value.Ok() {
		value = n.First()
	}
	e.explicit = e.explicit || s.owner == ""
	s.isDef = true
	switch {
	case value.Is("identifier"):
		if !n.Has("default") && s.owner == "" {
			e.offered = value.Text()
		}
		e.Exported[value.Text()] = append(e.Exported[value.Text()], "default")
		return nil
	case value.Is("function_expression", "generator_function", "class"):
		return e.declaration(value, s)
	case !value.Ok():
		return nil
	}
	sym := e.begin(value, syntax.Node{}, code.Variable, s)
	if value.Is("arrow_function") {
		sym.Kind = code.Function
		e.callable(&sym, value)
		e.signature(&sym, value, value.Field("body"))
	} else {
		sym.Signature, sym.Value = "default", core.ShortValue(value)
		sym.BodyHash = e.BodyShapeHash(value)
		sym.Members = e.objectMembers(value, srctext.Join(s.owner, sym.Name))
	}
	return []code.Symbol{sym}
}

func (e *Declarations) reexport(n, source syntax.Node) {
	imp := newImport(n, source)
	imp.Reexport = true
	if n.Has("type") {
		imp.TypeOnly, imp.Kind = true, code.TypeOnlyImport
	}
	switch {
	case n.Child("namespace_export").Ok():
		imp.Namespace = n.Child("namespace_export").First().Text()
	case n.Child("export_clause").Ok():
		named(&imp, n.Child("export_clause"))
	default:
		imp.Named = []string{"*"}
	}
	e.explicit = true
	e.File.Imports = append(e.File.Imports, imp)
}

// applyExports marks the symbols that export lists name. A symbol exported
// under another name appears under that name too. A listed name that was
// imported is a re-export.
func (e *Declarations) applyExports(list []code.Symbol) []code.Symbol {
	for _, l := range e.listed {
		if l.space == e.offered && e.offered != "" { // export = Space offers what Space lists
			e.Exported[l.name] = append(e.Exported[l.name], l.alias)
		}
	}
	known := map[string]bool{}
	for i := range list {
		s := &list[i]
		known[s.Name] = true
		for _, alias := range slices.Compact(slices.Sorted(slices.Values(e.Exported[s.Name]))) { // "" first
			switch alias {
			case "", s.Name:
				s.Exported, s.Visibility = true, code.Public
			case "default":
				if s.Exported && !s.Default { // also under its own name: two exports
					list = append(list, exportedAs(*s, "default"))
					s = &list[i]
					continue
				}
				s.Exported, s.Visibility, s.Default = true, code.Public, true
			default:
				list = append(list, exportedAs(*s, alias))
				s = &list[i]
			}
		}
	}
	e.reexportImported(known)
	return list
}

// exportedAs returns a copy of the symbol with its exported name.
func exportedAs(s code.Symbol, name string) code.Symbol {
	s.Name, s.Exported, s.Visibility, s.Default = name, true, code.Public, name == "default"
	return s
}

// reexportImported turns import {a} from "x"; export {a} into a re-export.
func (e *Declarations) reexportImported(known map[string]bool) {
	for _, imp := range slices.Clone(e.File.Imports) {
		names := localNames(&imp)
		for _, local := range slices.Sorted(maps.Keys(names)) {
			name := names[local]
			if known[local] {
				continue
			}
			for _, alias := range e.Exported[local] {
				re := code.Import{
					Module: imp.Module, Relative: imp.Relative, TypeOnly: imp.TypeOnly, Kind: imp.Kind, Line: imp.Line, Reexport: true,
				}
				if name == "*" {
					re.Namespace = cmp.Or(alias, local)
				} else {
					re.Named, re.Aliases = []string{name}, []string{cmp.Or(alias, local)}
				}
				e.File.Imports = append(e.File.Imports, re)
			}
		}
	}
}

// localNames maps local names to names in the imported module; "*" is the module itself.
func localNames(imp *code.Import) map[string]string {
	out := map[string]string{}
	if imp.Reexport {
		return out
	}
	if imp.Default != "" {
		out[imp.Default] = "default"
	}
	if imp.Namespace != "" {
		out[imp.Namespace] = "*"
	}
	for i, name := range imp.Named {
		local := name
		if i < len(imp.Aliases) {
			local = cmp.Or(imp.Aliases[i], name)
		}
		out[local] = name
	}
	return out
}

// commonJS reads module.exports = …, exports.a = … and module.exports.a = ….
// In a chain of assignments the export is read, wherever it stands.
func (e *Declarations) commonJS(x syntax.Node, s scope) []code.Symbol {
	targets, right := chain(x)
	left := targets[0]
	if i := slices.IndexFunc(targets, isModuleExports); i >= 0 {
		left = targets[i]
	}
	s.exported = true
	name := ""
	switch object, property := left.Field("object").Text(), left.Field("property").Text(); {
	case object == "module" && property == "exports":
		s.isDef = true
		if right.Is("identifier") {
			e.Exported[right.Text()] = append(e.Exported[right.Text()], "default")
			return nil
		}
		e.exportShorthands(right)
	case object == "exports", object == "module.exports":
		name = property
		if right.Is("identifier") {
			e.Exported[right.Text()] = append(e.Exported[right.Text()], name)
			return nil
		}
	default:
		return nil
	}
	sym := e.begin(x, left.Field("property"), code.Variable, s)
	if name == "" {
		sym.Name = "default"
		e.Spans[len(e.Spans)-1].Name = sym.Name
	}
	e.assigned(&sym, x, right, sym.Name)
	return []code.Symbol{sym}
}

// exportShorthands exports the names in module.exports = {a, b: c}.
func (e *Declarations) exportShorthands(object syntax.Node) {
	for p := range object.NamedSeq() {
		switch {
		case p.Is("shorthand_property_identifier"):
			e.Exported[p.Text()] = append(e.Exported[p.Text()], "")
		case p.Is("pair") && p.Field("value").Is("identifier"):
			local := p.Field("value").Text()
			e.Exported[local] = append(e.Exported[local], strings.Trim(p.Field("key").Text(), `'"`))
		}
	}
}
