package manifest

import (
	"fmt"

	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// decodeTOML returns tables as map[string]any, []any and string. Numbers, dates and booleans become text, which is
// enough for manifests.
func decodeTOML(data []byte) (map[string]any, error) {
	var root map[string]any
	if err := decode.TOML(data, &root); err != nil {
		return nil, err
	}
	for key, value := range root {
		root[key] = plainTOML(value)
	}
	return root, nil
}

func plainTOML(value any) any {
	switch v := value.(type) {
	case string:
		return v
	case map[string]any:
		for key, inner := range v {
			v[key] = plainTOML(inner)
		}
		return v
	case []map[string]any:
		out := make([]any, 0, len(v))
		for _, inner := range v {
			out = append(out, plainTOML(inner))
		}
		return out
	case []any:
		for i := range v {
			v[i] = plainTOML(v[i])
		}
		return v
	}
	return fmt.Sprint(value)
}
