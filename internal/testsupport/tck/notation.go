package tck

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/cypher/value"
)

// Graph elements in the TCK's notation: by content, not identity.
type (
	// Node is (:Label {key: 1}).
	Node struct {
		Labels     []string
		Properties value.Map
	}
	// Relationship is [:TYPE {key: 1}].
	Relationship struct {
		Type       string
		Properties value.Map
	}
	// Path is <(:A)-[:T]->(:B)>.
	Path struct {
		Nodes         []Node // one more than Relationships
		Relationships []Relationship
		Backward      []bool // per relationship
	}
)

// Format formats a value so that equal values give equal text. If anyList is set, list elements are sorted.
func Format(v any, anyList bool) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return quote(v)
	case float64:
		return formatFloat(v)
	case value.List:
		items := []string{}
		for _, item := range v {
			items = append(items, Format(item, anyList))
		}
		if anyList {
			slices.Sort(items)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case value.Map:
		return formatMap(v, anyList)
	case Node:
		return "(" + strings.TrimSpace(formatLabels(v.Labels)+formatProperties(v.Properties)) + ")"
	case Relationship:
		return "[:" + v.Type + formatProperties(v.Properties) + "]"
	case Path:
		return formatPath(v)
	}
	return fmt.Sprint(v) // booleans and integers
}

func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(s) + "'"
}

func formatFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strconv.FormatFloat(f, 'f', -1, 64), "+")
	}
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func formatMap(m value.Map, anyList bool) string {
	var items []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		items = append(items, key+": "+Format(m[key], anyList))
	}
	return "{" + strings.Join(items, ", ") + "}"
}

func formatLabels(labels []string) string {
	var b strings.Builder
	for _, label := range slices.Sorted(slices.Values(labels)) {
		b.WriteString(":" + label)
	}
	return b.String()
}

func formatProperties(m value.Map) string {
	if len(m) == 0 {
		return ""
	}
	return " " + formatMap(m, false)
}

func formatPath(p Path) string {
	var b strings.Builder
	b.WriteString("<" + Format(p.Nodes[0], false))
	for i, r := range p.Relationships {
		before, after := "-", "->"
		if p.Backward[i] {
			before, after = "<-", "-"
		}
		b.WriteString(before + Format(r, false) + after + Format(p.Nodes[i+1], false))
	}
	return b.String() + ">"
}

// ParseValue parses a value in the notation that [Format] writes. Lists and maps are those of package value, graph
// elements those of this package.
func ParseValue(text string) (v any, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case misread:
			err = fmt.Errorf("value %q: %s", text, string(fault))
		default:
			panic(fault)
		}
	}()
	p := &notation{rest: text}
	v = p.value()
	if p.space(); p.rest != "" {
		p.fail("the end")
	}
	return v, nil
}

// misread is the panic value for a syntax error within ParseValue.
type misread string

// notation is the rest of a value being parsed.
type notation struct{ rest string }

func (p *notation) fail(wanted string) {
	panic(misread(fmt.Sprintf("expected %s at %q", wanted, p.rest)))
}

func (p *notation) space() { p.rest = strings.TrimLeft(p.rest, " \n") }

// take consumes text if it comes next.
func (p *notation) take(text string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, text)
	if ok {
		p.rest = rest
	}
	return ok
}

func (p *notation) need(text string) {
	if !p.take(text) {
		p.fail(strconv.Quote(text))
	}
}

// until returns the text before any of the characters, or all of it.
func (p *notation) until(chars string) string {
	p.space()
	end := strings.IndexAny(p.rest, chars)
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

func (p *notation) value() any {
	p.space()
	if p.rest == "" {
		p.fail("a value")
	}
	switch {
	case p.rest[0] == '\'':
		return p.text()
	case strings.HasPrefix(p.rest, "[:"):
		return p.relationship()
	case p.rest[0] == '[':
		return p.list()
	case p.rest[0] == '{':
		return p.properties()
	case p.rest[0] == '(':
		return p.node()
	case p.rest[0] == '<':
		return p.path()
	}
	return p.word(strings.TrimSpace(p.until(",]})>|")))
}

// word parses an unquoted value.
func (p *notation) word(word string) any {
	switch word {
	case "null":
		return nil
	case "true", "false":
		return word == "true"
	case "Inf", "-Inf", "NaN":
		f, _ := strconv.ParseFloat(word, 64)
		return f
	}
	if i, err := strconv.ParseInt(word, 10, 64); err == nil {
		return i
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil {
		p.fail("a value instead of " + strconv.Quote(word) + " ")
	}
	return f
}

// text parses a string.
func (p *notation) text() string {
	p.need("'")
	var b strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '\'':
			p.rest = p.rest[i+1:]
			return b.String()
		case c == '\\' && i+1 < len(p.rest):
			i++
			if p.rest[i] == 'n' {
				b.WriteByte('\n')
				continue
			}
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	p.fail("the end of a string")
	return ""
}

func (p *notation) list() value.List {
	p.need("[")
	list := value.List{}
	for !p.take("]") {
		if len(list) > 0 {
			p.need(",")
		}
		list = append(list, p.value())
	}
	return list
}

func (p *notation) properties() value.Map {
	p.need("{")
	m := value.Map{}
	for !p.take("}") {
		if len(m) > 0 {
			p.need(",")
		}
		key := strings.Trim(strings.TrimSpace(p.until(":}")), "`")
		p.need(":")
		m[key] = p.value()
	}
	return m
}

// optional parses properties, if there are any.
func (p *notation) optional() value.Map {
	if p.space(); strings.HasPrefix(p.rest, "{") {
		return p.properties()
	}
	return nil
}

func (p *notation) node() Node {
	p.need("(")
	var n Node
	for p.take(":") {
		n.Labels = append(n.Labels, strings.TrimSpace(p.until(":{) ")))
	}
	n.Properties = p.optional()
	p.need(")")
	return n
}

func (p *notation) relationship() Relationship {
	p.need("[")
	p.need(":")
	r := Relationship{Type: strings.TrimSpace(p.until("{] "))}
	r.Properties = p.optional()
	p.need("]")
	return r
}

func (p *notation) path() Path {
	p.need("<")
	path := Path{Nodes: []Node{p.node()}}
	for !p.take(">") {
		backward := p.take("<-")
		if !backward {
			p.need("-")
		}
		path.Relationships = append(path.Relationships, p.relationship())
		path.Backward = append(path.Backward, backward)
		if backward {
			p.need("-")
		} else {
			p.need("->")
		}
		path.Nodes = append(path.Nodes, p.node())
	}
	return path
}
