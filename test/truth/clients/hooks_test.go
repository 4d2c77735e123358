package clients_test

import (
	"path/filepath"
	"strings"
	"testing"
)

const (
	session = "reverse-spec: 1 spec in specs/; "
	edited  = "reverse-spec: container/ring/ring.go belongs to specs/container/ring.spec.md; "
)

// edit is a session that changes what a spec says.
func (c *claude) edit(from, to string, before ...turn) *model {
	c.t.Helper()
	file := filepath.Join(c.project, "container/ring/ring.go")
	m := newModel(c.t, append(before,
		use("Read", object{"file_path": file}),
		use("Edit", object{"file_path": file, "old_string": from, "new_string": to}),
		say("done"))...)
	c.ask(m, "hello", "--allowedTools", strings.TrimSuffix(tool, "__"), "Read", "Edit")
	return m
}

// TestHooksSpeak when a session starts, and after an edit. On a machine that has much to
// do they may not have the time to compare, and say so.
func TestHooksSpeak(t *testing.T) {
	c := newClaude(t)
	c.install()
	m := c.edit("func New(n int) *Ring {", "func New(n, m int) *Ring {", use(tool+"generate", object{"targetPath": "container/ring"}))
	if strings.Contains(m.told(), "in specs/;") {
		t.Error("a session without specs starts with a line about them")
	}
	told(t, m.everything(), edited+"its interface changed since: 1 change, 1 breaking (`New`)", edited+"it was not compared")
	m = newModel(t, say("done"))
	c.ask(m, "hello")
	told(t, m.told(), session+"drifted: specs/container/ring.spec.md (1 change, 1 breaking)", session+"1 with newer code, not compared in time")
}

// TestHooksAreSilent when they are turned off, and when something is wrong.
func TestHooksAreSilent(t *testing.T) {
	c := newClaude(t)
	c.install()
	c.ask(newModel(t, use(tool+"generate", object{"targetPath": "container/ring"}), say("done")), "hello", "--allowedTools", strings.TrimSuffix(tool, "__"))
	settings := filepath.Join(c.project, ".reverse-spec.yaml")
	var m *model
	silent := func(why string) {
		t.Helper()
		for _, hook := range []string{session, edited} {
			if strings.Contains(m.told()+m.everything(), hook) {
				t.Errorf("a hook says %q in spite of %s", hook, why)
			}
		}
	}
	write(t, settings, "hooks: false\n")
	m = c.edit("func New(n int) *Ring {", "func New(n, m int) *Ring {")
	silent("the setting")
	write(t, settings, "hooks: [\n")
	m = c.edit("func New(n, m int) *Ring {", "func New(n, m, o int) *Ring {")
	silent("settings that are wrong")
	write(t, settings, "")
	write(t, filepath.Join(c.project, "specs/container/ring.spec.md"), "---\nid: [\n---\n")
	m = c.edit("func New(n, m, o int) *Ring {", "func New(n int) *Ring {")
	silent("a spec that is damaged")
}

// told fails where neither of two things is said.
func told(t *testing.T, text, one, other string) {
	t.Helper()
	switch {
	case strings.Contains(text, one):
	case strings.Contains(text, other):
		t.Logf("for want of time: %s", other)
	default:
		t.Errorf("nobody says %q in … %s", one, end(text))
	}
}
