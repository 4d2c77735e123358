package cypher

import (
	"maps"
	stdpath "path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// nodeProperty is a property of the nodes of a code graph.
type nodeProperty struct {
	field []codegraph.Field // fields to read for it
	of    func(c *code, n *codegraph.Node) value.Value
}

// properties are the properties of the nodes of a code graph.
var properties = map[string]nodeProperty{
	"name":           {[]codegraph.Field{codegraph.FieldName}, func(_ *code, n *codegraph.Node) value.Value { return text(n.Name) }},
	"qualified_name": {[]codegraph.Field{codegraph.FieldQualifiedName}, func(_ *code, n *codegraph.Node) value.Value { return text(n.QualifiedName) }},
	"kind":           {[]codegraph.Field{codegraph.FieldKind}, func(_ *code, n *codegraph.Node) value.Value { return text(n.Kind) }},
	"path":           {[]codegraph.Field{codegraph.FieldPath}, func(_ *code, n *codegraph.Node) value.Value { return text(n.Path) }},
	"signature":      {[]codegraph.Field{codegraph.FieldSignature}, func(_ *code, n *codegraph.Node) value.Value { return text(n.Signature) }},
	"docstring":      {[]codegraph.Field{codegraph.FieldDoc}, func(_ *code, n *codegraph.Node) value.Value { return text(n.Doc) }},
	"language":       {[]codegraph.Field{codegraph.FieldLanguage}, func(_ *code, n *codegraph.Node) value.Value { return text(n.Language) }},
	"version_spec":   {[]codegraph.Field{codegraph.FieldVersion}, func(_ *code, n *codegraph.Node) value.Value { return text(n.Version) }},
	"start_line":     {nil, func(_ *code, n *codegraph.Node) value.Value { return line(n.StartLine) }},
	"end_line":       {nil, func(_ *code, n *codegraph.Node) value.Value { return line(n.EndLine) }},
	"is_exported":    {nil, func(_ *code, n *codegraph.Node) value.Value { return ofCode(n, n.Exported) }},
	"is_test":        {nil, func(_ *code, n *codegraph.Node) value.Value { return ofCode(n, n.Test) }},
	"decorators":     {[]codegraph.Field{codegraph.FieldDecorators}, decorators},
	"decorator_text": {[]codegraph.Field{codegraph.FieldDecorators}, decoratorText},
	"extension":      {[]codegraph.Field{codegraph.FieldPath}, extension},
	"mentions": {
		[]codegraph.Field{codegraph.FieldName, codegraph.FieldQualifiedName, codegraph.FieldPath}, mentions,
	},
	"absolute_path": {[]codegraph.Field{codegraph.FieldPath}, absolutePath},
}

func propertyNames() []string { return slices.Sorted(maps.Keys(properties)) }

func text(s string) value.Value {
	if s == "" {
		return nil
	}
	return s
}

func line(n int) value.Value {
	if n == 0 {
		return nil
	}
	return int64(n)
}

// isCode reports whether a node is a declaration or a module.
func isCode(n *codegraph.Node) bool {
	switch n.Label {
	case codegraph.LabelProject, codegraph.LabelPackage, codegraph.LabelFolder, codegraph.LabelFile, codegraph.LabelExternalPackage,
		codegraph.LabelExternalType, codegraph.LabelExternalMethod:
		return false
	default:
		return true
	}
}

func ofCode(n *codegraph.Node, is bool) value.Value {
	if !isCode(n) {
		return nil
	}
	return is
}

func decorators(_ *code, n *codegraph.Node) value.Value {
	if !isCode(n) || n.Label == codegraph.LabelModule {
		return nil
	}
	list := make(value.List, len(n.Decorators))
	for i, d := range n.Decorators {
		list[i] = decoratorName(d)
	}
	return list
}

// decoratorName removes the punctuation and arguments of a decorator, annotation or attribute, so that 'task' IN
// n.decorators also matches @task(retries=3).
func decoratorName(written string) string {
	name := strings.TrimLeft(written, "@#![ \t\n")
	if end := strings.IndexAny(name, "([{<=] \t\n"); end > 0 {
		name = name[:end]
	}
	return name
}

// decoratorText returns decorators as written; nil if there are none.
func decoratorText(_ *code, n *codegraph.Node) value.Value {
	if len(n.Decorators) == 0 {
		return nil
	}
	list := make(value.List, len(n.Decorators))
	for i, d := range n.Decorators {
		list[i] = d
	}
	return list
}

func extension(_ *code, n *codegraph.Node) value.Value {
	if n.Label != codegraph.LabelFile {
		return nil
	}
	return stdpath.Ext(n.Path)
}

// mentions returns how many other declarations and files have the name of one in their text; nil if it is not known.
func mentions(c *code, n *codegraph.Node) value.Value {
	reader, ok := c.reader.(interface {
		Mentions(n *codegraph.Node) (int, error)
	})
	if !ok || !isCode(n) || n.Label == codegraph.LabelModule {
		return nil
	}
	count, err := reader.Mentions(n)
	if err != nil {
		return nil
	}
	return int64(count)
}

func absolutePath(c *code, n *codegraph.Node) value.Value {
	if c.root == "" || n.Path == "" && n.Label != codegraph.LabelProject {
		return nil
	}
	return filepath.Join(c.root, filepath.FromSlash(n.Path))
}

// edge is an edge of a code graph as a relationship.
type edge codegraph.Edge

// Key returns the identity of the edge.
func (e *edge) Key() value.Key { return value.Key{From: e.From, To: e.To, Type: string(e.Type)} }

// Property returns a property of the edge.
func (e *edge) Property(name string) value.Value {
	switch name {
	case "line":
		return line(e.Line)
	case "count":
		return line(e.Count)
	case "rule":
		return text(e.Rule)
	case "confidence":
		if e.Confidence == 0 {
			return nil
		}
		return rounded(e.Confidence)
	}
	return nil
}

// Properties returns the names of the edge's properties.
func (e *edge) Properties() []string {
	var names []string
	for _, name := range edgeProperties {
		if e.Property(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

// edgeProperties are the properties of edges, sorted.
var edgeProperties = []string{"confidence", "count", "line", "rule"}

// rounded returns a float32 in its shortest form: 0.9, not 0.8999999761581421.
func rounded(f float32) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	if err != nil {
		return float64(f)
	}
	return v
}
