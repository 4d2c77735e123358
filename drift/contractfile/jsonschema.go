package contractfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/reverse-spec/reverse-spec/internal/decode"
	"github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// schemaKey is the key by which a JSON Schema is known; documents that follow a schema name another one.
var schemaKey = lazyregexp.New(`(?m)["']?\$schema["']?\s*:\s*["']?https?://json-schema\.org/`)

func isJSONSchema(_ string, text []byte) bool { return schemaKey.Match(text[:min(len(text), 1<<16)]) }

// Whom a change of a JSON Schema breaks.
var breaksData = message.New("data that was valid is refused now")

// compareJSONSchema compares schemas file by file.
func compareJSONSchema(c *comparison) {
	for _, name := range c.changed {
		before, after := read(c.old, name), read(c.now, name)
		if before == nil || after == nil {
			effect, breaks := Added, message.Text{}
			if after == nil {
				effect, breaks = Removed, message.New("who checks data against the schema no longer finds it")
			}
			c.changes = append(c.changes, schemaDocument(name, effect, breaks))
			continue
		}
		was, err := yamlTree(before)
		if err != nil {
			c.fail(name, err)
			continue
		}
		is, err := yamlTree(after)
		if err != nil {
			c.fail(name, err)
			continue
		}
		s := &schemas{comparison: c, file: name, roots: [2]*yaml.Node{was, is}, seen: map[[2]*yaml.Node]bool{}}
		s.compare("#", was, is)
	}
}

func schemaDocument(name string, effect Effect, breaks message.Text) Change {
	ch := wholeDocument(name, effect, breaks)
	ch.Rule = strings.Replace(ch.Rule, "openapi-document", "jsonschema-schema", 1)
	ch.Words = message.New("%s `%s` was added", "JSON Schema", name)
	if effect == Removed {
		ch.Words = message.New("%s `%s` was removed", "JSON Schema", name)
	}
	return ch
}

// yamlTree parses JSON or YAML. Tabs that indent JSON are not YAML.
func yamlTree(text []byte) (*yaml.Node, error) {
	if t := bytes.TrimSpace(text); len(t) > 0 && t[0] == '{' {
		text = bytes.ReplaceAll(text, []byte("\t"), []byte(" "))
	}
	var doc yaml.Node
	if err := decode.YAML(text, &doc); err != nil {
		return nil, err
	}
	if len(doc.Content) == 0 {
		return &doc, nil
	}
	return doc.Content[0], nil
}

// jsonOf writes a tree of YAML as JSON.
func jsonOf(tree any) ([]byte, error) { return json.Marshal(stringKeys(tree)) }

func stringKeys(v any) any {
	switch v := v.(type) {
	case map[any]any:
		out := map[string]any{}
		for k, x := range v {
			out[fmt.Sprint(k)] = stringKeys(x)
		}
		return out
	case map[string]any:
		for k, x := range v {
			v[k] = stringKeys(x)
		}
	case []any:
		for i := range v {
			v[i] = stringKeys(v[i])
		}
	}
	return v
}

// schemas compares two versions of a schema.
type schemas struct {
	*comparison
	file  string
	roots [2]*yaml.Node
	seen  map[[2]*yaml.Node]bool
	here  *yaml.Node // the schema that is compared
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// get returns the value of a key; nil if there is none.
func get(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// resolve follows the references of a schema within its file.
func resolve(root, n *yaml.Node) *yaml.Node {
	for range 20 {
		ref := get(n, "$ref")
		if ref == nil || !strings.HasPrefix(ref.Value, "#") {
			return n
		}
		to := root
		for part := range strings.SplitSeq(strings.Trim(strings.TrimPrefix(ref.Value, "#"), "/"), "/") {
			if part != "" {
				to = get(to, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
			}
		}
		if to == nil {
			return n
		}
		n = to
	}
	return n
}

// text shows a value on one line.
func textOf(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return n.Value
	}
	if s, ok := v.(string); ok {
		return s
	}
	data, err := jsonOf(v)
	if err != nil {
		return n.Value
	}
	return string(data)
}

func (s *schemas) add(rule, at string, effect Effect, o outcome, n *yaml.Node, term, was, is string) {
	line, gone := s.roots[1].Line, false
	if n != nil {
		line = n.Line
	}
	words := message.New("%s of %s `%s` changed: `%s` → `%s`", term, "schema", at, orNone(was), orNone(is))
	switch effect {
	case Added:
		words = message.New("%s `%s` was added", term, at)
	case Removed:
		words, gone = message.New("%s `%s` was removed", term, at), true
	case Altered:
	}
	s.changes = append(s.changes, Change{
		Rule: "jsonschema-" + rule, Effect: effect, Symbol: at, Words: words, Breaks: o.breaks, Risky: o.risky, Old: was, New: is, File: s.file, Line: max(line, 1), Gone: gone,
	})
}

// keyword reports a keyword whose value changed.
func (s *schemas) keyword(at, key string, o outcome, was, is *yaml.Node) {
	n := is
	if n == nil {
		n = s.here
	}
	s.add(key+"-changed", at, Altered, o, n, key, textOf(was), textOf(is))
}

func number64(n *yaml.Node) (float64, bool) {
	if n == nil {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Value, 64)
	return f, err == nil
}
