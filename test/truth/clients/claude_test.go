package clients_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tool is how Claude Code calls the tools of the plugin, before their names.
const tool = "mcp__plugin_reverse-spec_reverse-spec__"

// claude is the real Claude Code.
type claude struct {
	*client
	sessions int
}

func newClaude(t *testing.T) *claude {
	t.Helper()
	c := &claude{client: newClient(t, "CLAUDE")}
	c.env = append(c.env, "CLAUDE_CONFIG_DIR="+filepath.Join(c.home, ".claude"), "DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1")
	return c
}

// install installs the plugin from its marketplace.
func (c *claude) install() {
	c.t.Helper()
	c.run("plugin", "marketplace", "add", pluginDir(c.t))
	c.run("plugin", "install", "reverse-spec@reverse-spec")
}

// ask runs a session with one prompt. Nothing that its log says of the plugin may be a
// complaint.
func (c *claude) ask(m *model, prompt string, args ...string) {
	c.t.Helper()
	c.sessions++
	log := filepath.Join(c.home, fmt.Sprintf("session%d.log", c.sessions))
	env := c.env
	c.env = append(slices.Clip(env), "ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_API_KEY=none")
	out := c.run(append([]string{"-p", prompt, "--model", "claude-sonnet-4-5", "--output-format", "json", "--debug-file", log}, args...)...)
	c.env = env
	var result struct {
		Result  string `json:"result"`
		IsError bool   `json:"is_error"`
	}
	_, text, _ := strings.Cut(out, "{")
	if err := json.Unmarshal([]byte("{"+text), &result); err != nil || result.IsError || result.Result != "done" {
		c.t.Fatalf("%v\n%s", err, out)
	}
	c.content(log)
}

// quiet is what Claude Code says of a server and of hooks that are as it likes them. On a busy machine it follows SIGINT with
// SIGTERM before a server had its turn; that an interrupt ends a command soon is a test of its own.
var quiet = regexp.MustCompile(`Starting connection|Successfully connected|no auto-opened subscriptions|` +
	`Connection established|Calling MCP tool|completed successfully|connected with subscribe|finished with status 0 |` +
	`Sending SIGINT|SIGINT failed, sending SIGTERM|connection closed after \d+s \(cleanly\)|exited cleanly|Received ListRoots request|Cleared connection cache for reconnection|prepare 失败: 目标路径不存在: not/here`)

// content reads a log and fails for each line in it that may be a complaint.
func (c *claude) content(log string) {
	c.t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		c.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		ours := strings.Contains(line, "plugin:reverse-spec:reverse-spec") || strings.Contains(line, "plugin reverse-spec@reverse-spec")
		if ours && !quiet.MatchString(line) {
			c.t.Errorf("the client complains: %.1000s", line)
		}
	}
}
