package clients_test

import "testing"

// TestOpencodeTakesWhatInitWrites: opencode has no plugins of ours, and reads a project's configuration and skills. It starts the
// server and lists the skills.
func TestOpencodeTakesWhatInitWrites(t *testing.T) {
	c := newClient(t, "OPENCODE")
	c.initialize("--target", "opencode")
	says(t, c.run("mcp", "list"), "reverse-spec", "connected")
	says(t, c.run("debug", "skill"), "asking-code", "checking-drift", "writing-specs")
}
