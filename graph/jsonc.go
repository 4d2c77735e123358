package graph

import (
	"encoding/json"

	"github.com/reverse-spec/reverse-spec/internal/jsonc"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// decodeObject reads a JSON object as TypeScript reads its configurations: with
// comments and trailing commas.
func decodeObject(data []byte) (map[string]any, error) {
	plain, err := jsonc.Standardize(data)
	if err != nil {
		return nil, message.Errorf("decode JSON: %w", err)
	}
	var object map[string]any
	if err := json.Unmarshal(plain, &object); err != nil {
		return nil, message.Errorf("decode JSON: %w", err)
	}
	return object, nil
}
