package reversespec

import (
	"embed"
	"encoding/json"
	"io/fs"
)

//go:embed .claude-plugin plugin.json mcp.json gemini-extension.json
//go:embed bin/reverse-spec bin/reverse-spec.cmd commands hooks skills LICENSE README.md
var plugin embed.FS

// Plugin returns the files of the plugin as in the repository, without native programs.
// The caller must make the script bin/reverse-spec executable.
func Plugin() fs.FS { return plugin }

// Version returns the version of reverse-spec, as in "2.0.0", from plugin.json. The command,
// the MCP server and specs use it. It is "" only if plugin.json is invalid, which a test
// rules out.
func Version() string {
	text, err := plugin.ReadFile("plugin.json")
	if err != nil {
		return ""
	}
	var m struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return ""
	}
	return m.Version
}
