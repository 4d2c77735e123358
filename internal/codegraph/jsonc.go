package codegraph

import (
	"github.com/reverse-spec/reverse-spec/internal/decode"
)

// decodeObject reads a JSON object as TypeScript reads its configurations: with
// comments and trailing commas.
func decodeObject(data []byte) (map[string]any, error) {
	var object map[string]any
	err := decode.JSON(data, &object)
	return object, err
}
