package clients_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// newCodex sets up the real Codex, which knows a project by its .git.
func newCodex(t *testing.T) *client {
	t.Helper()
	c := newClient(t, "CODEX")
	c.env = append(c.env, "CODEX_HOME="+filepath.Join(c.home, ".codex"), "MODEL_KEY=none")
	for _, dir := range []string{filepath.Join(c.project, ".git"), filepath.Join(c.home, ".codex")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// TestCodexUsesThePlugin: it installs it, lists its server, and calls a tool, which works
// in the folder that Codex works in, though the server is in the plugin's.
func TestCodexUsesThePlugin(t *testing.T) {
	c := newCodex(t)
	c.run("plugin", "marketplace", "add", pluginDir(t))
	c.run("plugin", "add", "reverse-spec@reverse-spec")
	says(t, c.run("plugin", "list"), "installed, enabled")
	says(t, c.run("mcp", "list"), "reverse-spec", "enabled")
	url, result := responses(t, "prepare", object{"targetPath": "container/ring"})
	out := c.run("exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-5",
		"-c", "model_provider=script",
		"-c", `model_providers.script={name="script",base_url=`+strconv.Quote(url)+`,env_key="MODEL_KEY",wire_api="responses"}`,
		"hello")
	says(t, result()+out, "func (r *Ring) Link(s *Ring) *Ring")
}
