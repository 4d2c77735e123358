package clients_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestCodexInstallsThePlugin from its marketplace, and knows how to start the server.
func TestCodexInstallsThePlugin(t *testing.T) {
	c := newClient(t, "CODEX")
	c.run("plugin", "marketplace", "add", pluginDir(t))
	c.run("plugin", "add", "reverse-spec@reverse-spec")
	says(t, c.run("plugin", "list"), "installed, enabled")
	_, list, _ := strings.Cut(c.run("mcp", "list", "--json"), "[\n")
	var servers []struct {
		Name      string `json:"name"`
		Enabled   bool   `json:"enabled"`
		Transport launch `json:"transport"`
	}
	if err := json.Unmarshal([]byte("["+list), &servers); err != nil {
		t.Fatalf("%v: %s", err, list)
	}
	if len(servers) != 1 || servers[0].Name != "reverse-spec" || !servers[0].Enabled {
		t.Fatalf("%+v", servers)
	}
}
