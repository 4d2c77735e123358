package clients_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// TestCopilotUsesThePlugin: it installs it from its marketplace, finds the skills, and
// calls tools. It starts the server in the plugin's folder and never says in which one it
// works, so that a path has to say it once.
func TestCopilotUsesThePlugin(t *testing.T) {
	c := newClient(t, "COPILOT")
	c.run("plugin", "marketplace", "add", pluginDir(t))
	says(t, c.run("plugin", "install", "reverse-spec@reverse-spec"), "Installed 3 skills")
	says(t, c.run("plugin", "list"), "reverse-spec@reverse-spec", "(enabled)")
	says(t, c.run("mcp", "list"), "reverse-spec (local)")
	const prepare = "reverse-spec-prepare"
	m := newModel(t,
		use(prepare, object{"targetPath": "container/ring"}),
		use(prepare, object{"targetPath": filepath.Join(c.project, "container/ring")}),
		use(prepare, object{"targetPath": "text/tabwriter"}),
		say("done"))
	c.env = append(c.env, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_TYPE=anthropic", "COPILOT_PROVIDER_BASE_URL="+m.URL,
		"COPILOT_PROVIDER_API_KEY=none", "COPILOT_MODEL=claude-sonnet-4.5", "TMPDIR="+c.home) // for long results
	c.run("-p", "hello", "--allow-all-tools")
	m.got(
		result{prepare, false, "give an absolute path once"}, // which Copilot tells the model in words
		result{prepare, false, `"filePath":"container/ring/example_test.go"`},
		result{prepare, false, `"filePath":"text/tabwriter/example_test.go"`})
}

// TestCopilotTakesWhatInitWrites: for the user, and in a project once its folder is trusted.
func TestCopilotTakesWhatInitWrites(t *testing.T) {
	c := newClient(t, "COPILOT")
	c.initialize("--global", "--target", "copilot")
	says(t, c.run("mcp", "list"), "User servers", "reverse-spec (local)")
	c.initialize("--target", "copilot")
	settings := filepath.Join(c.home, ".copilot")
	if err := os.MkdirAll(settings, 0o700); err != nil {
		t.Fatal(err)
	}
	trusted, err := json.Marshal(object{"trustedFolders": []string{c.project}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(settings, "config.json"), string(trusted))
	says(t, c.run("mcp", "list"), "Workspace servers", "reverse-spec (local)")
}
