package graph

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tailscale/hujson"
)

// decodeObject reads a JSON object as TypeScript reads its configurations: with
// comments and trailing commas.
func decodeObject(data []byte) (map[string]any, error) {
	plain, err := hujson.Standardize(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err != nil {
		return nil, fmt.Errorf("decode JSON: %w", err)
	}
	var object map[string]any
	if err := json.Unmarshal(plain, &object); err != nil {
		return nil, fmt.Errorf("decode JSON: %w", err)
	}
	return object, nil
}
