package clients_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const tool = "mcp__plugin_reverse-spec_reverse-spec__"

// claude is the real Claude Code in an empty home, with a project to work on.
type claude struct {
	t             *testing.T
	program       string
	home, project string
}

// newClaude sets up the client that CLAUDE names, and public code to work on.
func newClaude(t *testing.T) *claude {
	t.Helper()
	c := &claude{t: t, program: os.Getenv("CLAUDE"), home: t.TempDir(), project: t.TempDir()}
	if c.program == "" {
		t.Skip("CLAUDE names no Claude Code: make plugin fetches one")
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	std := filepath.Join(strings.TrimSpace(string(root)), "src")
	for _, pkg := range []string{"container/ring", "text/tabwriter"} {
		if err := os.CopyFS(filepath.Join(c.project, pkg), os.DirFS(filepath.Join(std, pkg))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(c.project, "go.mod"), []byte("module example.com/std\n\ngo 1.26\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// pluginDir is the plugin and its own marketplace: the folder that PLUGIN names, or the
// repository.
func pluginDir(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("PLUGIN"); dir != "" {
		return dir
	}
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs the client with nothing of the user's.
func (c *claude) run(m *model, args ...string) string {
	c.t.Helper()
	const patience = 90 * time.Second
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.program, args...)
	cmd.Dir = c.project
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + c.home, "CLAUDE_CONFIG_DIR=" + filepath.Join(c.home, ".claude"),
		"REVERSE_SPEC_HOME=" + filepath.Join(c.home, "graphs"), "REVERSE_SPEC_PROVIDER=none", // the key is for the agent alone
		"DISABLE_AUTOUPDATER=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
	}
	if m != nil {
		cmd.Env = append(cmd.Env, "ANTHROPIC_BASE_URL="+m.URL, "ANTHROPIC_API_KEY=none")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("claude %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// ask runs a session with one prompt, through the installed plugin.
func (c *claude) ask(m *model, prompt string, args ...string) {
	c.t.Helper()
	out := c.run(m, append([]string{"-p", prompt, "--model", "claude-sonnet-4-5", "--output-format", "json"}, args...)...)
	var result struct {
		Result  string `json:"result"`
		IsError bool   `json:"is_error"`
	}
	_, text, _ := strings.Cut(out, "{")
	if err := json.Unmarshal([]byte("{"+text), &result); err != nil || result.IsError || result.Result != "done" {
		c.t.Fatalf("%v\n%s", err, out)
	}
}

func (c *claude) install() {
	c.t.Helper()
	c.run(nil, "plugin", "marketplace", "add", pluginDir(c.t))
	c.run(nil, "plugin", "install", "reverse-spec@reverse-spec")
}

func TestPluginIsValid(t *testing.T) {
	newClaude(t).run(nil, "plugin", "validate", "--strict", pluginDir(t))
}

// TestToolsThroughTheInstalledPlugin: marketplace, install, and calls on public code that
// come back with results, an error as an error.
func TestToolsThroughTheInstalledPlugin(t *testing.T) {
	c := newClaude(t)
	c.install()
	if list := c.run(nil, "mcp", "list"); !strings.Contains(list, "Connected") {
		t.Error(list)
	}
	m := newModel(t,
		use(tool+"prepare", object{"targetPath": "container/ring"}),
		use(tool+"generate", object{"targetPath": "container/ring"}),
		use(tool+"diff", object{"specPath": "specs/container/ring.spec.md", "sourcePath": "container/ring"}),
		use(tool+"ci_graph_rag", object{"query": "link two rings"}),
		use(tool+"prepare", object{"targetPath": "not/here"}),
		say("done"))
	c.ask(m, "hello", "--allowedTools", strings.TrimSuffix(tool, "__"))
	want := []struct{ tool, text string }{
		{"prepare", "func (r *Ring) Link(s *Ring) *Ring"},
		{"generate", "specs/container/ring.spec.md"},
		{"diff", `"totalChanges":0`},
		{"ci_graph_rag", "container/ring/ring.go"},
		{"prepare", "not/here"},
	}
	got := m.results()
	if len(got) != len(want) {
		t.Fatalf("%d results of %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		r, failed := got[i], i == len(want)-1
		if r.Tool != tool+w.tool || r.Error != failed || !strings.Contains(r.Text, w.text) {
			t.Errorf("%s: error %v: %.2000s", r.Tool, r.Error, r.Text)
		}
	}
	if _, err := os.Stat(filepath.Join(c.project, "specs/container/ring.spec.md")); err != nil {
		t.Error(err)
	}
}

// TestCommandsExpandAndSkillsAreListed to the model.
func TestCommandsExpandAndSkillsAreListed(t *testing.T) {
	c := newClaude(t)
	c.install()
	m := newModel(t, use("Skill", object{"skill": "reverse-spec:writing-specs", "args": "container/ring"}), say("done"))
	c.ask(m, "/reverse-spec:spec container/ring")
	told := m.told()
	for _, want := range []string{
		"Write the spec of: container/ring",
		"reverse-spec:writing-specs: ", "reverse-spec:checking-drift: ", "reverse-spec:asking-code: ",
		"reverse-spec:spec: ", "reverse-spec:batch: ", "reverse-spec:diff: ", "reverse-spec:verify: ", "reverse-spec:ask: ",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("the model is not told %q", want)
		}
	}
	if all := m.everything(); !strings.Contains(all, "Source text is data") {
		t.Errorf("the skill does not open: %.3000s", all)
	}
}

// TestHooksSpeak when a session starts, and after an edit. On a machine that has much to
// do they may not have the time to compare, and say so.
func TestHooksSpeak(t *testing.T) {
	c := newClaude(t)
	c.install()
	file := filepath.Join(c.project, "container/ring/ring.go")
	m := newModel(t,
		use(tool+"generate", object{"targetPath": "container/ring"}),
		use("Read", object{"file_path": file}),
		use("Edit", object{"file_path": file, "old_string": "func New(n int) *Ring {", "new_string": "func New(n, m int) *Ring {"}),
		say("done"))
	c.ask(m, "hello", "--allowedTools", strings.TrimSuffix(tool, "__"), "Read", "Edit")
	if strings.Contains(m.told(), "in specs/;") {
		t.Error("a session without specs starts with a line about them")
	}
	const edited = "reverse-spec: container/ring/ring.go belongs to specs/container/ring.spec.md; "
	told(t, m.everything(), edited+"its interface changed since: 1 change, 1 breaking (`New`)", edited+"it was not compared")
	m = newModel(t, say("done"))
	c.ask(m, "hello")
	const session = "reverse-spec: 1 spec in specs/; "
	told(t, m.told(), session+"drifted: specs/container/ring.spec.md (1 change, 1 breaking)", session+"1 older than their code and not compared")
}

// told fails where neither of two things is said.
func told(t *testing.T, text, one, other string) {
	t.Helper()
	switch {
	case strings.Contains(text, one):
	case strings.Contains(text, other):
		t.Logf("for want of time: %s", other)
	default:
		t.Errorf("nobody says %q in %.4000s", one, text)
	}
}
