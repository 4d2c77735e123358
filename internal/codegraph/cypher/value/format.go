package value

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// Format returns a value in Cypher's notation: 'text', 1.0, [1, 2], {a: 1} with sorted keys. Nodes are written as
// (#7), relationships as [:CALLS] and paths as <(#7)-[:CALLS]->(#8)>.
func Format(v Value) string { return string(appendFormat(nil, v, math.MaxInt)) }

// maxBrief is the maximum length of [Brief], in bytes.
const maxBrief = 60

// Brief is like [Format], but shortened for messages.
func Brief(v Value) string {
	b := appendFormat(nil, v, maxBrief)
	if len(b) <= maxBrief {
		return string(b)
	}
	return strings.ToValidUTF8(string(b[:maxBrief]), "") + "…"
}

// Text converts a string, number or boolean to a string, as toString does.
func Text(v Value) (text string, ok bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int64, float64, bool:
		return Format(v), true
	}
	return "", false
}

// appendFormat appends the format of a value. It stops soon after limit.
func appendFormat(b []byte, v Value, limit int) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return formatFloat(b, v)
	case string:
		return quote(b, v, limit)
	case List:
		return formatList(b, v, limit)
	case Map:
		return formatMap(b, v, limit)
	case Node:
		return formatNode(b, v)
	case *Path:
		return formatPath(b, v, limit)
	case Relationship:
		return formatRelationship(b, v)
	}
	return append(b, "null"...)
}

// formatFloat formats a float with a decimal point, and with an exponent if it is very large or small.
func formatFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "NaN"...)
	case math.IsInf(f, 0):
		return append(b, strings.TrimPrefix(strconv.FormatFloat(f, 'f', -1, 64), "+")+"inity"...)
	}
	if size := math.Abs(f); f == 0 || size >= 1e-4 && size < 1e15 {
		text := strconv.FormatFloat(f, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return append(b, text...)
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	if !strings.Contains(digits, ".") {
		digits += ".0"
	}
	sign := strings.TrimSuffix(exponent[:1], "+")
	return append(b, digits+"E"+sign+strings.TrimLeft(exponent[1:], "0")...)
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

func quote(b []byte, s string, limit int) []byte {
	if room := max(limit-len(b), 0); len(s) > room {
		s = s[:room+1]
	}
	return append(append(append(b, '\''), escapes.Replace(s)...), '\'')
}

func formatList(b []byte, l List, limit int) []byte {
	b = append(b, '[')
	for i, v := range l {
		if len(b) > limit {
			return b
		}
		b = appendFormat(separate(b, i), v, limit)
	}
	return append(b, ']')
}

// plain matches names that need no quotes.
var plain = lazyregexp.New(`^[\pL_][\pL\pN_]*$`)

func formatMap(b []byte, m Map, limit int) []byte {
	b = append(b, '{')
	for i, key := range slices.Sorted(maps.Keys(m)) {
		if len(b) > limit {
			return b
		}
		b = separate(b, i)
		if plain.MatchString(key) {
			b = append(b, key...)
		} else {
			b = append(b, "`"+strings.ReplaceAll(key, "`", "``")+"`"...)
		}
		b = appendFormat(append(b, ": "...), m[key], limit)
	}
	return append(b, '}')
}

// separate writes the separator before the i-th element.
func separate(b []byte, i int) []byte {
	if i == 0 {
		return b
	}
	return append(b, ", "...)
}

func formatNode(b []byte, n Node) []byte {
	return append(strconv.AppendUint(append(b, "(#"...), uint64(n), 10), ')')
}

func formatRelationship(b []byte, r Relationship) []byte {
	return append(append(append(b, "[:"...), r.Key().Type...), ']')
}

func formatPath(b []byte, p *Path, limit int) []byte {
	b = append(b, '<')
	for i, n := range p.Nodes {
		if len(b) > limit {
			return b
		}
		if i > 0 {
			b = formatStep(b, p.Nodes[i-1], p.Relationships[i-1])
		}
		b = formatNode(b, n)
	}
	return append(b, '>')
}

// formatStep formats a relationship with an arrow in the direction from a node.
func formatStep(b []byte, from Node, r Relationship) []byte {
	if Node(r.Key().From) == from {
		return append(formatRelationship(append(b, '-'), r), "->"...)
	}
	return append(formatRelationship(append(b, "<-"...), r), '-')
}
