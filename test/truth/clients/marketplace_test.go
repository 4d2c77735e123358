package clients_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMarketplaceThatAsksTheProgram: somebody's own marketplace may name a command that
// prints the folder of the plugin.
func TestMarketplaceThatAsksTheProgram(t *testing.T) {
	c := newClaude(t)
	c.env = append(c.env, "PATH="+filepath.Join(repository(t), "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	team := t.TempDir()
	if err := os.Mkdir(filepath.Join(team, ".claude-plugin"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(team, ".claude-plugin", "marketplace.json"), `{
		"name": "team", "description": "What we use", "owner": {"name": "us"},
		"plugins": [{"name": "reverse-spec", "source": {"source": "command", "command": "reverse-spec plugin-dir"}}]
	}`)
	c.run("plugin", "marketplace", "add", team)
	c.run("plugin", "install", "reverse-spec@team", "-y")
	says(t, c.run("mcp", "list"), "plugin:reverse-spec:reverse-spec", "Connected")
}
