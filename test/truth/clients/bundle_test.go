package clients_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBundleForDesktops: the zip of the plugin is an MCP bundle, whose server starts as its
// manifest says.
func TestBundleForDesktops(t *testing.T) {
	for name, zip := range bundles(t) {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, "MCPB")
			bundle, dir := filepath.Join(c.home, "reverse-spec.mcpb"), filepath.Join(c.home, "unpacked")
			if err := os.Symlink(zip, bundle); err != nil {
				t.Fatal(err)
			}
			says(t, c.run("info", bundle), "reverse-spec.mcpb")
			c.run("unpack", bundle, dir)
			c.run("validate", filepath.Join(dir, "manifest.json"))
			text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
			if err != nil {
				t.Fatal(err)
			}
			var manifest struct {
				Server struct {
					Config launch `json:"mcp_config"`
				} `json:"server"`
			}
			filled := strings.NewReplacer("${__dirname}", dir, "${user_config.project}", c.project).Replace(string(text))
			if err := json.Unmarshal([]byte(filled), &manifest); err != nil {
				t.Fatal(err)
			}
			manifest.Server.Config.answers(t, "container/ring")
		})
	}
}
