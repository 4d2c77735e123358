package clients_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPluginIsValid(t *testing.T) {
	c := newClaude(t)
	c.run("plugin", "validate", "--strict", pluginDir(t))
	c.run("plugin", "validate", "--strict", "--profile", "directory", pluginDir(t))
}

// TestToolsThroughTheInstalledPlugin: marketplace, install, and calls on public code that
// come back with results, an error as an error.
func TestToolsThroughTheInstalledPlugin(t *testing.T) {
	c := newClaude(t)
	c.install()
	says(t, c.run("mcp", "list"), "Connected")
	m := newModel(t,
		use(tool+"prepare", object{"targetPath": "container/ring"}),
		use(tool+"generate", object{"targetPath": "container/ring"}),
		use(tool+"diff", object{"specPath": "specs/container/ring.spec.md", "sourcePath": "container/ring"}),
		use(tool+"ci_graph_rag", object{"query": "link two rings"}),
		use(tool+"prepare", object{"targetPath": "not/here"}),
		say("done"))
	c.ask(m, "hello", "--allowedTools", strings.TrimSuffix(tool, "__"))
	m.got(
		result{tool + "prepare", false, "func (r *Ring) Link(s *Ring) *Ring"},
		result{tool + "generate", false, "specs/container/ring.spec.md"},
		result{tool + "diff", false, `"totalChanges":0`},
		result{tool + "ci_graph_rag", false, "container/ring/ring.go"},
		result{tool + "prepare", true, "not/here"})
	if _, err := os.Stat(filepath.Join(c.project, "specs/container/ring.spec.md")); err != nil {
		t.Error(err)
	}
}

// TestToolsThroughAZip of the plugin that no marketplace has seen.
func TestToolsThroughAZip(t *testing.T) {
	for name, zip := range bundles(t) {
		t.Run(name, func(t *testing.T) {
			c := newClaude(t)
			m := newModel(t, use(tool+"prepare", object{"targetPath": "container/ring"}), say("done"))
			c.ask(m, "/reverse-spec:spec container/ring", "--plugin-dir", zip)
			says(t, m.told(), "Write the spec of: container/ring")
			m.got(result{tool + "prepare", false, "func (r *Ring) Link(s *Ring) *Ring"})
		})
	}
}
