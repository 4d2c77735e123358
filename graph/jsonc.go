package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// decodeObject reads a JSON object as TypeScript reads its configurations: with
// comments and trailing commas.
func decodeObject(data []byte) (map[string]any, error) {
	var object map[string]any
	if err := json.Unmarshal(plainJSON(data), &object); err != nil {
		return nil, fmt.Errorf("decode JSON: %w", err)
	}
	return object, nil
}

// plainJSON blanks comments, trailing commas and a byte order mark.
func plainJSON(data []byte) []byte {
	out := bytes.Clone(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	comma := -1 // an unquoted comma after which only blanks came
	for i := 0; i < len(out); {
		n := 1
		switch c := out[i]; {
		case c == '"':
			n, comma = stringLength(out[i:]), -1
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			n = commentLength(out[i:])
			copy(out[i:i+n], bytes.Repeat([]byte{' '}, n))
		case c == ',':
			comma = i
		case c == '}' || c == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			comma = -1
		}
		i += n
	}
	return out
}

// stringLength returns the length of the JSON string that text begins with.
func stringLength(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// commentLength returns the length of the comment that text begins with.
func commentLength(text []byte) int {
	end := []byte("\n")
	if text[1] == '*' {
		end = []byte("*/")
	}
	if i := bytes.Index(text[2:], end); i >= 0 {
		return 2 + i + len(end)
	}
	return len(text)
}

// The getters below take a decoded object apart. Manifests in the wild have
// every kind of value in every place: what has another kind than it should is
// taken as absent.

func text(object map[string]any, key string) string {
	s, _ := object[key].(string)
	return s
}

func object(from map[string]any, path ...string) map[string]any {
	for _, key := range path {
		from, _ = from[key].(map[string]any)
	}
	return from
}

// list returns the strings of an array, or the one string in its place.
func list(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// local tells whether a specifier is a path beside the file that holds it.
func local(spec string) bool {
	return spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../")
}
