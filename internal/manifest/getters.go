package manifest

import "strings"

// The getters below read decoded objects. Manifests contain values of any type anywhere: a value of the wrong type
// counts as absent.

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

// list returns the strings of an array, or a single string as a list.
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

// Local reports whether a specifier is a path relative to the file that holds it.
func Local(spec string) bool {
	return spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../")
}
