package clients_test

import "testing"

// TestGeminiInstallsTheExtension, finds its skills, and connects to the server.
func TestGeminiInstallsTheExtension(t *testing.T) {
	c := newClient(t, "GEMINI")
	c.run("extensions", "validate", pluginDir(t))
	c.stdin = "y\n" // the folder is trusted
	c.run("extensions", "install", "--consent", "--skip-settings", pluginDir(t))
	says(t, c.run("extensions", "list"), "✓ reverse-spec", "writing-specs: ", "checking-drift: ", "asking-code: ")
	says(t, c.run("mcp", "list"), "✓ reverse-spec", "Connected")
}
