package contractfile

import (
	"path"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// maxTokens limits how much of a schema of GraphQL is parsed.
const maxTokens = 2_000_000

// isGraphQL reports whether a text has declarations of a schema; other documents have operations.
func isGraphQL(name string, text []byte) bool {
	d, err := parser.ParseSchemaWithLimit(&ast.Source{Name: name, Input: string(text)}, maxTokens)
	if err == nil {
		return len(d.Definitions)+len(d.Extensions)+len(d.Schema)+len(d.SchemaExtension)+len(d.Directives) > 0
	}
	_, other := parser.ParseQueryWithTokenLimit(&ast.Source{Name: name, Input: string(text)}, maxTokens)
	return other != nil // it is neither: compareGraphQL says what is wrong
}

// compareGraphQL compares schemas. The files of a folder are one schema, as tools read them.
func compareGraphQL(c *comparison) {
	folders := map[string][]string{}
	for _, name := range c.changed {
		folders[path.Dir(name)] = append(folders[path.Dir(name)], name)
	}
	var sides [2][]*node
	for i, s := range []Side{c.old, c.now} {
		for _, dir := range sorted(folders) {
			r := &graphqlReader{types: map[string]*node{}, folder: dir}
			for _, name := range folders[dir] {
				text := read(s, name)
				if text == nil {
					continue
				}
				d, err := parser.ParseSchemaWithLimit(&ast.Source{Name: name, Input: string(text)}, maxTokens)
				if err != nil {
					c.fail(name, err)
					return
				}
				r.document(name, d)
			}
			sides[i] = append(sides[i], r.roots...)
		}
	}
	c.trees(&policy{name: "graphql", removed: graphqlRemoved, added: graphqlAdded, altered: graphqlAltered}, sides[0], sides[1])
}

// graphqlReader reads the documents of a schema.
type graphqlReader struct {
	folder string
	types  map[string]*node
	roots  []*node
}

// node returns the node of a name, which may have been declared or extended before.
func (r *graphqlReader) node(kind, name, file string, at *ast.Position) *node {
	n := r.types[name]
	if n == nil {
		n = &node{kind: kind, key: r.folder + " " + name, name: name, file: file, line: lineOf(at)}
		r.types[name] = n
		r.roots = append(r.roots, n)
	}
	return n
}

func lineOf(at *ast.Position) int {
	if at == nil {
		return 1
	}
	return at.Line
}

func (r *graphqlReader) document(file string, d *ast.SchemaDocument) {
	for _, s := range slices.Concat(d.Schema, d.SchemaExtension) {
		n := r.node("schema", "schema", file, s.Position)
		for _, o := range s.OperationTypes {
			n.set(string(o.Operation)+" type", o.Type)
		}
	}
	for _, t := range slices.Concat(d.Definitions, d.Extensions) {
		r.definition(file, t)
	}
	for _, x := range d.Directives {
		n := r.node("directive", "@"+x.Name, file, x.Position)
		n.set("repeatability", map[bool]string{true: "repeatable"}[x.IsRepeatable])
		for _, l := range x.Locations {
			n.children = append(n.children, &node{kind: "directive location", key: string(l), name: n.name + " on " + string(l), file: file, line: n.line})
		}
		n.children = append(n.children, arguments(n, "directive argument", file, x.Arguments)...)
	}
}

// kindsOfTypes are the words for the kinds of types.
var kindsOfTypes = map[ast.DefinitionKind]string{
	ast.Object: "object", ast.Interface: "interface", ast.Union: "union", ast.Enum: "enum", ast.InputObject: "input", ast.Scalar: "scalar",
}

func (r *graphqlReader) definition(file string, t *ast.Definition) {
	n := r.node("type", t.Name, file, t.Position)
	if n.get("kind") == "" {
		n.set("kind", kindsOfTypes[t.Kind])
	}
	add := func(kind, name string, at *ast.Position) *node {
		m := &node{kind: kind, key: name, name: t.Name + "." + name, file: file, line: lineOf(at)}
		n.children = append(n.children, m)
		return m
	}
	for _, i := range t.Interfaces {
		add("implemented interface", i, t.Position)
	}
	for _, m := range t.Types {
		add("union member", m, t.Position)
	}
	for _, v := range t.EnumValues {
		add("enum value", v.Name, v.Position).set("deprecation", deprecation(v.Directives))
	}
	kind := "field"
	if t.Kind == ast.InputObject {
		kind = "input field"
	}
	for _, f := range t.Fields {
		m := add(kind, f.Name, f.Position)
		m.set("type", f.Type.String())
		m.set("default value", valueOf(f.DefaultValue))
		m.set("deprecation", deprecation(f.Directives))
		m.children = arguments(m, "argument", file, f.Arguments)
	}
}

func arguments(owner *node, kind, file string, list ast.ArgumentDefinitionList) []*node {
	var out []*node
	for _, a := range list {
		n := &node{kind: kind, key: a.Name, name: owner.name + "(" + a.Name + ":)", file: file, line: lineOf(a.Position)}
		n.set("type", a.Type.String())
		n.set("default value", valueOf(a.DefaultValue))
		n.set("deprecation", deprecation(a.Directives))
		out = append(out, n)
	}
	return out
}

// valueOf returns a value as written; "" for none.
func valueOf(v *ast.Value) string {
	if v == nil {
		return ""
	}
	return v.String()
}

// deprecation returns the reason for which something is deprecated; "" if it is not.
func deprecation(list ast.DirectiveList) string {
	d := list.ForName("deprecated")
	if d == nil {
		return ""
	}
	if a := d.Arguments.ForName("reason"); a != nil {
		return a.Value.Raw
	}
	return "deprecated"
}

// Whom a change of a schema of GraphQL breaks.
var (
	breaksQuery   = message.New("queries that use it are refused")
	breaksInput   = message.New("queries that send what was accepted before are refused")
	breaksResult  = message.New("clients that read it get what they do not expect")
	breaksServers = message.New("schemas that use the directive there are refused")
)

func graphqlRemoved(n *node, _ *tree) outcome {
	switch n.kind {
	case "directive", "directive location", "directive argument":
		return breaking(breaksServers)
	}
	return breaking(breaksQuery)
}

func graphqlAdded(n *node, in *tree) outcome {
	required := strings.HasSuffix(n.get("type"), "!") && n.get("default value") == ""
	switch n.kind {
	case "argument", "input field", "directive argument":
		if required {
			return breaking(breaksInput)
		}
		return outcome{risky: n.kind == "argument" || n.get("default value") != ""}
	case "union member", "implemented interface":
		return surprise
	case "enum value":
		owner, _, _ := strings.Cut(n.name, ".")
		return outcome{risky: !onlyInput(in, owner)}
	}
	return harmless
}

// onlyInput reports whether values of an enumeration are never results.
func onlyInput(in *tree, enum string) bool {
	used := false
	for _, n := range in.all {
		if strings.Trim(n.get("type"), "[]!") != enum {
			continue
		}
		if n.kind == "field" {
			return false
		}
		used = true
	}
	return used
}

func graphqlAltered(_, now *node, term, was, is string) outcome {
	switch {
	case term == "file":
		return nothing
	case term == "kind":
		return breaking(breaksQuery)
	case term == "type" && now.kind == "field":
		if safeResult(was, is) {
			return harmless
		}
		return breaking(breaksResult)
	case term == "type":
		if safeInput(was, is) {
			return harmless
		}
		return breaking(breaksInput)
	case term == "default value", term == "repeatability" && is == "":
		return surprise
	case now.kind == "schema" && was != "":
		return breaking(breaksQuery)
	}
	return harmless
}

// safeResult reports whether who reads values of a type can read those of another one: it may be null less often.
func safeResult(was, is string) bool {
	switch {
	case was == is:
		return true
	case strings.HasSuffix(is, "!"):
		return safeResult(strings.TrimSuffix(was, "!"), strings.TrimSuffix(is, "!"))
	case strings.HasSuffix(was, "!"):
		return false
	case isList(was) && isList(is):
		return safeResult(was[1:len(was)-1], is[1:len(is)-1])
	}
	return false
}

// safeInput reports whether a type takes every value of another one: it may take null, too.
func safeInput(was, is string) bool {
	switch {
	case was == is:
		return true
	case strings.HasSuffix(was, "!"):
		return safeInput(strings.TrimSuffix(was, "!"), strings.TrimSuffix(is, "!"))
	case strings.HasSuffix(is, "!"):
		return false
	case isList(was) && isList(is):
		return safeInput(was[1:len(was)-1], is[1:len(is)-1])
	}
	return false
}

func isList(text string) bool { return strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") }
