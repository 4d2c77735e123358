package rust

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// usePath is one name that a use declaration imports.
type usePath struct {
	module, name, alias string // name is "*" for all, "self" for the module itself
}

// usePaths flattens a use tree: a::{b, c::*} becomes a::b and a::c::*.
func usePaths(n syntax.Node, prefix string) []usePath {
	if strings.Count(prefix, "::") > core.MaxNesting {
		return nil
	}
	switch n.Kind() {
	case "scoped_use_list":
		return usePaths(n.Field("list"), joinPath(prefix, n.Field("path"), n))
	case "use_list":
		var out []usePath
		for c := range n.NamedSeq() {
			out = append(out, usePaths(c, prefix)...)
		}
		return out
	case "use_wildcard":
		return []usePath{{module: joinPath(prefix, n.First(), n), name: "*"}}
	case "use_as_clause":
		out := usePaths(n.Field("path"), prefix)
		for i := range out {
			out[i].alias = n.Field("alias").Text()
		}
		return out
	case "scoped_identifier":
		return []usePath{{module: joinPath(prefix, n.Field("path"), n), name: n.Field("name").Text()}}
	case "identifier", "self", "crate", "super", "metavariable":
		return []usePath{{module: prefix, name: n.Text()}}
	}
	return nil
}

// joinPath appends a path to prefix. A node that begins with "::" is a path from the
// crates.
func joinPath(prefix string, path, in syntax.Node) string {
	text := strings.Join(strings.Fields(path.Text()), "")
	switch {
	case prefix == "" && text == "" && in.Begins("::"):
		return "::"
	case prefix == "":
		return text
	case text == "":
		return prefix
	}
	return strings.TrimSuffix(prefix, "::") + "::" + text
}

// use reads a use declaration and adds one import per module.
func (r *reader) use(n syntax.Node, s scope) {
	if s.test {
		return
	}
	reexport := n.Child("visibility_modifier").TextIs("pub")
	var list []code.Import
	for _, p := range usePaths(n.Field("argument"), "") {
		module, name := s.fromFile(p.module), p.name
		if module == "" && p.module != "" { // a module in this file
			continue
		}
		namespace := ""
		switch {
		case name == "self" && module != "":
			namespace = lastPath(module)
		case module == "", module == "::":
			module, namespace = module+name, name
		}
		if namespace != "" && p.alias != "" {
			namespace = p.alias
		}
		i := slices.IndexFunc(list, func(m code.Import) bool { return m.Module == module })
		if i < 0 {
			list = append(list, code.Import{
				Module: module, Relative: isRelative(module), Kind: code.StaticImport, Line: n.Line(), Reexport: reexport,
			})
			i = len(list) - 1
		}
		if namespace != "" {
			list[i].Namespace = namespace
			continue
		}
		list[i].Named = append(list[i].Named, name)
		list[i].Aliases = append(list[i].Aliases, p.alias)
	}
	for i := range list {
		if !slices.ContainsFunc(list[i].Aliases, func(a string) bool { return a != "" }) {
			list[i].Aliases = nil
		}
	}
	r.File.Imports = append(r.File.Imports, list...)
}

func lastPath(module string) string { return module[strings.LastIndexByte(module, ':')+1:] }

func isRelative(module string) bool {
	first, _, _ := strings.Cut(module, "::")
	return first == "crate" || first == "self" || first == "super"
}

// fromFile converts a path written inside a module of this file to a path from the
// file's own module. It returns "" if the path leads to a module of this file.
func (s scope) fromFile(module string) string {
	depth := s.depth
	if depth == 0 || !isRelative(module) || strings.HasPrefix(module, "crate") {
		return module
	}
	parts := strings.Split(module, "::")
	for len(parts) > 0 && depth > 0 && (parts[0] == "super" || parts[0] == "self") {
		if parts[0] == "super" {
			depth--
		}
		parts = parts[1:]
	}
	switch {
	case depth > 0 || len(parts) == 0:
		return ""
	case parts[0] == "super":
		return strings.Join(parts, "::")
	}
	return "self::" + strings.Join(parts, "::")
}

// moduleFile reads mod x;, whose module is another file.
func (r *reader) moduleFile(n syntax.Node, s scope) {
	name := n.Field("name").Text()
	if s.test || name == "" {
		return
	}
	module := "self::"
	if s.owner != "" {
		module += strings.ReplaceAll(s.owner, ".", "::") + "::"
	}
	r.File.Imports = append(r.File.Imports, code.Import{
		Module: module + name, Namespace: name, Relative: true, Kind: code.StaticImport, Line: n.Line(),
		Reexport: n.Child("visibility_modifier").TextIs("pub"),
	})
}

func (r *reader) externCrate(n syntax.Node, s scope) {
	name := n.Field("name").Text()
	if s.test || name == "" {
		return
	}
	imp := code.Import{
		Module: name, Namespace: name, Kind: code.StaticImport, Line: n.Line(),
		Reexport: n.Child("visibility_modifier").TextIs("pub"),
	}
	if alias := n.Field("alias").Text(); alias != "" {
		imp.Namespace = alias
	}
	r.File.Imports = append(r.File.Imports, imp)
}

// isOrdered reports whether the order of n among its neighbours has no meaning.
func isOrdered(n syntax.Node) bool {
	switch n.Kind() {
	case "mod_item":
		if n.Field("body").Ok() {
			return false
		}
	case "use_declaration", "extern_crate_declaration":
	default:
		return false
	}
	return !slices.ContainsFunc(attributesOf(n), func(a string) bool { return attributeName(a) == "macro_use" })
}

// orderedBefore returns the previous declaration in the same sorted group, if there is
// one.
func orderedBefore(item syntax.Node) syntax.Node {
	p := item.Previous()
	for syntax.IsComment(p.Kind()) || p.Is("attribute_item") {
		p = p.Previous()
	}
	if p.Kind() != item.Kind() || !isOrdered(p) {
		return syntax.Node{}
	}
	return p
}

// isHashed reports whether a declaration is hashed at its position. At the top level of
// a file use and extern crate are imports, which are hashed separately unless they have
// attributes.
func isHashed(item syntax.Node) bool {
	return item.Is("mod_item") || !item.Parent().Is("source_file") || len(attributesOf(item)) > 0
}

// orderedFrom returns the texts, sorted, of item and the following declarations in the
// same group.
func orderedFrom(item syntax.Node) []string {
	var entries []string
	for n := item; n.Ok(); n = n.Next() {
		if syntax.IsComment(n.Kind()) || n.Is("attribute_item") {
			continue
		}
		if n.Kind() != item.Kind() || !isOrdered(n) {
			break
		}
		if !isHashed(n) {
			continue
		}
		attributes := attributesOf(n)
		for i, a := range attributes {
			attributes[i] = strings.ReplaceAll(strings.Join(strings.Fields(a), ""), ",)", ")")
		}
		entries = append(entries, strings.Join(append(attributes, orderedText(n)...), "\x02"))
	}
	slices.Sort(entries)
	return entries
}

// firstAttribute returns the first attribute on n, or n.
func firstAttribute(n syntax.Node) syntax.Node {
	first := n
	for p := n.Previous(); p.Is("attribute_item") || syntax.IsComment(p.Kind()); p = p.Previous() {
		if p.Is("attribute_item") {
			first = p
		}
	}
	return first
}

// orderedText returns the parts of a declaration without their order and brackets.
func orderedText(n syntax.Node) []string {
	if !n.Is("use_declaration") {
		return []string{srctext.OneLine(n.Text())}
	}
	var out []string
	for _, p := range usePaths(n.Field("argument"), "") {
		out = append(out, visibilityText(n.Child("visibility_modifier"))+" "+p.module+"::"+p.name+" "+p.alias)
	}
	slices.Sort(out)
	return out
}
