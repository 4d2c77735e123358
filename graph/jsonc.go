package graph

import (
	"bytes"
	"encoding/json"

	"github.com/tailscale/hujson"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// decodeObject reads a JSON object as TypeScript reads its configurations: with
// comments and trailing commas.
func decodeObject(data []byte) (map[string]any, error) {
	plain, err := hujson.Standardize(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err != nil {
		return nil, message.Errorf("decode JSON: %w", err)
	}
	var object map[string]any
	if err := json.Unmarshal(plain, &object); err != nil {
		return nil, message.Errorf("decode JSON: %w", err)
	}
	return object, nil
}
