package python

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// imports reads import statements at any level, and calls that import a module named by
// a literal.
func (p *reader) imports() {
	for n := range p.Root().Descendants() {
		switch n.Kind() {
		case "import_statement":
			for name := range n.NamedSeq() {
				if name.FieldName() != "name" {
					continue
				}
				imp := moduleImport(name)
				if name.Is("aliased_import") && imp.Namespace == imp.Module {
					p.listed[imp.Module] = true // import a as a exports a
				}
				p.addImport(n, imp)
			}
		case "import_from_statement", "future_import_statement":
			p.addImport(n, fromImport(n))
		case "call":
			if imp, ok := calledImport(n); ok {
				p.addImport(n, imp)
			}
		}
	}
	for _, imp := range p.File.Imports {
		p.reexport(imp)
	}
}

func (p *reader) addImport(n syntax.Node, imp code.Import) {
	if imp.Module == "" {
		return
	}
	imp.Line = n.Line()
	imp.Relative = strings.HasPrefix(imp.Module, ".")
	if imp.Kind == "" {
		imp.Kind = code.StaticImport
	}
	if forTypes(n) {
		imp.TypeOnly, imp.Kind = true, code.TypeOnlyImport
	}
	p.File.Imports = append(p.File.Imports, imp)
}

// forTypes reports whether n is executed by type checkers only, that is inside if
// TYPE_CHECKING.
func forTypes(n syntax.Node) bool {
	for b := n.Ancestor("block"); b.Ok(); b = b.Ancestor("block") {
		switch b.Parent().Field("condition").Short() {
		case "TYPE_CHECKING", "typing.TYPE_CHECKING", "t.TYPE_CHECKING":
			return b.Parent().Is("if_statement", "elif_clause") && b.FieldName() == "consequence"
		}
	}
	return false
}

// moduleImport reads a.b or a.b as c. Without "as" only the first name is bound.
func moduleImport(name syntax.Node) code.Import {
	if name.Is("aliased_import") {
		return code.Import{Module: dotted(name.Field("name")), Namespace: name.Field("alias").Text()}
	}
	module := dotted(name)
	first, _, _ := strings.Cut(module, ".")
	return code.Import{Module: module, Namespace: first}
}

// dotted returns the text of a module name without the white space around its dots.
func dotted(n syntax.Node) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(n.Text(), "\\", " ")), "")
}

func fromImport(n syntax.Node) code.Import {
	imp := code.Import{Module: dotted(n.Field("module_name"))}
	if n.Is("future_import_statement") {
		imp.Module = "__future__"
	}
	renamed := false
	for c := range n.NamedSeq() {
		name, alias := "", ""
		switch {
		case c.Is("wildcard_import"):
			name = "*"
		case c.FieldName() != "name":
			continue
		case c.Is("aliased_import"):
			name, alias = c.Field("name").Text(), c.Field("alias").Text()
		default:
			name = c.Text()
		}
		if name == "" {
			continue
		}
		renamed = renamed || alias != ""
		imp.Named, imp.Aliases = append(imp.Named, name), append(imp.Aliases, alias)
	}
	if !renamed {
		imp.Aliases = nil
	}
	return imp
}

// calledImport reads importlib.import_module("x") and __import__("x").
func calledImport(n syntax.Node) (code.Import, bool) {
	switch n.Field("function").Short() {
	case "importlib.import_module", "import_module", "__import__":
	default:
		return code.Import{}, false
	}
	name := n.Field("arguments").First()
	if !name.Is("string") || !plainText(name) {
		return code.Import{}, false
	}
	imp := code.Import{Module: stringValue(name), Kind: code.DynamicImport}
	if a := n.Parent(); a.Is("assignment") && a.Field("left").Is("identifier") {
		imp.Namespace = a.Field("left").Text()
	}
	return imp, true
}

// reexport adds the names of an import that this file exports.
func (p *reader) reexport(imp code.Import) {
	re := code.Import{
		Module: imp.Module, Relative: imp.Relative, TypeOnly: imp.TypeOnly, Kind: imp.Kind, Line: imp.Line, Reexport: true,
	}
	if p.listed[imp.Namespace] && !strings.HasPrefix(imp.Module, imp.Namespace+".") {
		re.Namespace = imp.Namespace
	}
	for i, name := range imp.Named {
		alias := ""
		if i < len(imp.Aliases) {
			alias = imp.Aliases[i]
		}
		local := cmp.Or(alias, name)
		if !p.isReexported(&imp, name, alias, local) {
			continue
		}
		if name == "*" {
			local = ""
		}
		re.Named, re.Aliases = append(re.Named, name), append(re.Aliases, local)
	}
	if !slices.ContainsFunc(re.Aliases, func(a string) bool { return a != "" }) {
		re.Aliases = nil
	}
	if re.Namespace != "" || len(re.Named) > 0 {
		p.File.Imports = append(p.File.Imports, re)
	}
}

// isReexported reports whether the file exports an imported name: a name in __all__, a
// name imported under its own name (a as a), or, in an __init__ without __all__, a name
// from the package's own modules.
func (p *reader) isReexported(imp *code.Import, name, alias, local string) bool {
	base := path.Base(p.File.Path)
	facade := strings.TrimSuffix(base, path.Ext(base)) == "__init__"
	switch {
	case name == "*":
		return facade || path.Ext(base) == ".pyi"
	case p.listed[local]:
		return true
	case strings.HasPrefix(local, "_"):
		return false
	}
	return alias == name || facade && imp.Relative && !p.hasAll
}

// allNames collects the names that literals assign, add or extend __all__ with.
func (p *reader) allNames(body syntax.Node) {
	for n := range body.NamedSeq() {
		switch n.Kind() {
		case "if_statement", "try_statement", "with_statement", "block",
			"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause":
			p.allNames(n)
		case "expression_statement":
			x := n.First()
			switch {
			case x.Is("assignment", "augmented_assignment") && x.Field("left").TextIs("__all__"):
				p.hasAll = true
				p.list(x.Field("right"), core.MaxNesting)
			case x.Is("call") && x.Field("function").Field("object").TextIs("__all__"):
				p.list(x.Field("arguments"), core.MaxNesting)
			}
		}
	}
}

// list adds the literals in a list expression.
func (p *reader) list(x syntax.Node, depth int) {
	if depth == 0 {
		return
	}
	switch x.Kind() {
	case "string", "concatenated_string":
		if plainText(x) {
			p.listed[stringValue(x)] = true
		}
	case "list", "tuple", "expression_list", "parenthesized_expression", "argument_list", "binary_operator":
		for c := range x.NamedSeq() {
			p.list(c, depth-1)
		}
	}
}
