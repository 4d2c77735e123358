package contractfile

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// compare compares two schemas at a place. What is narrower breaks who writes data; what is wider, nobody.
func (s *schemas) compare(at string, was, is *yaml.Node) {
	if was == nil || is == nil {
		return
	}
	was, is = resolve(s.roots[0], was), resolve(s.roots[1], is)
	pair := [2]*yaml.Node{was, is}
	if s.seen[pair] {
		return
	}
	s.seen[pair] = true
	outer := s.here
	defer func() { s.here = outer }()
	s.here = is
	s.types(at, get(was, "type"), get(is, "type"))
	s.values(at, was, is)
	s.limits(at, was, is)
	s.exact(at, was, is)
	s.required(at, get(was, "required"), get(is, "required"))
	s.properties(at, was, is)
	for _, key := range []string{"items", "contains", "propertyNames", "not", "if", "then", "else"} {
		s.compare(at+"/"+key, get(was, key), get(is, key))
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		s.branches(at, key, get(was, key), get(is, key))
	}
	for _, key := range []string{"$defs", "definitions", "patternProperties"} {
		a, b := get(was, key), get(is, key)
		for _, name := range keysOf(a) {
			s.compare(at+"/"+key+"/"+name, get(a, name), get(b, name))
		}
	}
}

func keysOf(n *yaml.Node) []string {
	var out []string
	if n != nil && n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			out = append(out, n.Content[i].Value)
		}
	}
	return out
}

// listOf returns the texts of a list, or the text of one value.
func listOf(n *yaml.Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return []string{textOf(n)}
	}
	var out []string
	for _, c := range n.Content {
		out = append(out, textOf(c))
	}
	return out
}

// types compares the types that are allowed. Integers are numbers.
func (s *schemas) types(at string, was, is *yaml.Node) {
	a, b := listOf(was), listOf(is)
	allows := func(list []string, t string) bool {
		return len(list) == 0 || slices.Contains(list, t) || t == "integer" && slices.Contains(list, "number")
	}
	narrower, wider := len(a) == 0 && len(b) > 0, len(b) == 0 && len(a) > 0
	for _, t := range a {
		narrower = narrower || !allows(b, t)
	}
	for _, t := range b {
		wider = wider || !allows(a, t)
	}
	switch {
	case narrower:
		s.keyword(at, "type", breaking(breaksData), was, is)
	case wider:
		s.keyword(at, "type", surprise, was, is)
	}
}

// values compares what enum and const allow.
func (s *schemas) values(at string, was, is *yaml.Node) {
	allowed := func(n *yaml.Node) (list []string, limited bool, key *yaml.Node) {
		if c := get(n, "const"); c != nil {
			return []string{textOf(c)}, true, c
		}
		e := get(n, "enum")
		return listOf(e), e != nil, e
	}
	a, before, was := allowed(was)
	b, now, is := allowed(is)
	switch {
	case !before && !now:
	case !before || now && slices.ContainsFunc(a, func(v string) bool { return !slices.Contains(b, v) }):
		s.keyword(at, "enum", breaking(breaksData), was, is)
	case !now || slices.ContainsFunc(b, func(v string) bool { return !slices.Contains(a, v) }):
		s.keyword(at, "enum", surprise, was, is)
	}
}

// upper and lower are the keywords that are limits.
var (
	upper = []string{"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"}
	lower = []string{"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"}
)

func (s *schemas) limits(at string, was, is *yaml.Node) {
	for _, key := range slices.Concat(upper, lower) {
		a, b := get(was, key), get(is, key)
		if textOf(a) == textOf(b) {
			continue
		}
		x, before := number64(a)
		y, now := number64(b)
		tighter := now && (!before || slices.Contains(upper, key) && y < x || slices.Contains(lower, key) && y > x)
		if tighter {
			s.keyword(at, key, breaking(breaksData), a, b)
		} else {
			s.keyword(at, key, harmless, a, b)
		}
	}
}

// exact compares keywords whose other value is another rule.
func (s *schemas) exact(at string, was, is *yaml.Node) {
	for _, key := range []string{"pattern", "multipleOf", "uniqueItems", "$ref"} {
		a, b := get(was, key), get(is, key)
		if textOf(a) == textOf(b) || key == "$ref" && (a == nil || b == nil || a.Value[0] == '#' || b.Value[0] == '#') {
			continue
		}
		if b == nil || textOf(b) == "false" || key == "multipleOf" && divides(a, b) {
			s.keyword(at, key, harmless, a, b)
			continue
		}
		s.keyword(at, key, breaking(breaksData), a, b)
	}
	for _, key := range []string{"format", "default"} {
		if a, b := get(was, key), get(is, key); textOf(a) != textOf(b) {
			s.keyword(at, key, surprise, a, b)
		}
	}
	if a, b := get(was, "deprecated"), get(is, "deprecated"); textOf(a) != textOf(b) {
		s.keyword(at, "deprecated", harmless, a, b)
	}
}

// divides reports whether multiples of the one number are multiples of the other.
func divides(was, is *yaml.Node) bool {
	x, before := number64(was)
	y, now := number64(is)
	return before && now && y != 0 && x/y == float64(int64(x/y))
}

func (s *schemas) required(at string, was, is *yaml.Node) {
	a, b := listOf(was), listOf(is)
	for _, name := range b {
		if !slices.Contains(a, name) {
			s.add("property-required", at+"/"+name, Altered, breaking(breaksData), is, "requirement", "optional", "required")
		}
	}
	for _, name := range a {
		if !slices.Contains(b, name) {
			n := is
			if n == nil {
				n = s.here
			}
			s.add("property-optional", at+"/"+name, Altered, surprise, n, "requirement", "required", "optional")
		}
	}
}

// closed reports whether a schema refuses properties that it does not describe.
func closed(n *yaml.Node) bool {
	return textOf(get(n, "additionalProperties")) == "false" || textOf(get(n, "unevaluatedProperties")) == "false"
}

func (s *schemas) properties(at string, was, is *yaml.Node) {
	a, b := get(was, "properties"), get(is, "properties")
	for _, name := range keysOf(a) {
		old, now := get(a, name), get(b, name)
		switch {
		case now != nil:
			s.compare(at+"/"+name, old, now)
		case closed(is):
			s.add("property-removed", at+"/"+name, Removed, breaking(breaksData), old, "property", textOf(old), "")
		default:
			s.add("property-removed", at+"/"+name, Removed, surprise, old, "property", textOf(old), "")
		}
	}
	for _, name := range keysOf(b) {
		if get(a, name) == nil {
			s.add("property-added", at+"/"+name, Added, harmless, get(b, name), "property", "", textOf(get(b, name)))
		}
	}
	x, y := get(was, "additionalProperties"), get(is, "additionalProperties")
	switch {
	case closed(is) && !closed(was):
		s.keyword(at, "additionalProperties", breaking(breaksData), x, y)
	case closed(was) && !closed(is):
		s.keyword(at, "additionalProperties", harmless, x, y)
	default:
		s.compare(at+"/additionalProperties", x, y)
	}
}

// branches compares schemas of which one, or all, must hold.
func (s *schemas) branches(at, key string, was, is *yaml.Node) {
	if was == nil && is == nil || textOf(was) == textOf(is) && key != "prefixItems" {
		if was != nil && is != nil && len(was.Content) == len(is.Content) {
			s.each(at, key, was, is)
		}
		return
	}
	a, b := len(listOf(was)), len(listOf(is))
	switch {
	case a == b:
		s.each(at, key, was, is)
	case a > 0 && b > 0 && (a > b) == (key == "allOf"), b == 0:
		s.keyword(at, key, surprise, was, is)
	default:
		s.keyword(at, key, breaking(breaksData), was, is)
	}
}

func (s *schemas) each(at, key string, was, is *yaml.Node) {
	for i := range min(len(was.Content), len(is.Content)) {
		s.compare(at+"/"+key+"/"+strconv.Itoa(i), was.Content[i], is.Content[i])
	}
}
