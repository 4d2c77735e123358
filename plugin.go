package reversespec

import (
	_ "embed" // for plugin.json
	"encoding/json"
)

//go:embed plugin.json
var manifest string

// Version returns the version of reverse-spec, as in "2.0.0". Its one home is
// plugin.json; the command, the MCP server and the specs all name this one. It
// is "" only when plugin.json is damaged, which a test rules out.
func Version() string {
	var m struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal([]byte(manifest), &m); err != nil {
		return ""
	}
	return m.Version
}
