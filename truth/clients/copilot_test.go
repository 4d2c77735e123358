package clients_test

import "testing"

// TestCopilotInstallsThePlugin from its marketplace.
func TestCopilotInstallsThePlugin(t *testing.T) {
	c := newClient(t, "COPILOT")
	c.run("plugin", "marketplace", "add", pluginDir(t))
	says(t, c.run("plugin", "install", "reverse-spec@reverse-spec"), "Installed 3 skills")
	says(t, c.run("plugin", "list"), "reverse-spec@reverse-spec", "(enabled)")
	says(t, c.run("mcp", "list"), "reverse-spec (local)")
}
