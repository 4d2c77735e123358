package manifest

import "github.com/reverse-spec/reverse-spec/internal/decode"

// decodeObject decodes a JSON object with comments and trailing commas, as TypeScript allows in its configurations.
func decodeObject(data []byte) (map[string]any, error) {
	var object map[string]any
	err := decode.JSON(data, &object)
	return object, err
}
