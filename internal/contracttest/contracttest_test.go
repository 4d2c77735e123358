package contracttest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
)

// TestTheContractsOwnTestsAreFound lists the tests of the contract's two hand-written specs.
func TestTheContractsOwnTestsAreFound(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "contract")
	var paths []string
	for _, name := range []string{"graph-rag.md", "mcp-output.md"} {
		paths = append(paths, filepath.Join(dir, name))
		if _, err := os.Stat(paths[len(paths)-1]); err != nil {
			t.Skipf("the contract does not stand beside this checkout: %v", err)
		}
	}
	r, err := contracttest.List(openProject(t, nil), paths, contracttest.Options{Outside: true})
	if err != nil {
		t.Fatal(err)
	}
	row := func(id, kind string, covers ...string) contracttest.Row {
		return contracttest.Row{Test: id, Type: kind, Covers: covers}
	}
	want := [][]contracttest.Row{{
		row("CT-GR-001", "behavior", "REQ-GR-001", "SC-GR-002"),
		row("CT-GR-002", "behavior", "REQ-GR-001", "SC-GR-001"),
		row("CT-GR-003", "behavior", "REQ-GR-001", "SC-GR-003"),
		row("CT-GR-004", "behavior", "REQ-GR-002", "SC-GR-005"),
		row("CT-GR-005", "schema", "REQ-GR-003"),
		row("CT-GR-006", "behavior", "REQ-GR-004"),
		row("CT-GR-007", "behavior", "REQ-GR-001", "SC-GR-004"),
	}, {
		row("CT-MCP-001", "schema", "REQ-MCP-001"),
		row("CT-MCP-002", "behavior", "REQ-MCP-002", "SC-MCP-002"),
		row("CT-MCP-003", "schema", "REQ-MCP-003"),
		row("CT-MCP-004", "behavior", "SC-MCP-002"),
	}}
	uncovered := [][]string{{"SC-GR-006"}, {"SC-MCP-001", "SC-MCP-003", "SC-MCP-004"}}
	for i, s := range r.Specs {
		if diff := cmp.Diff(want[i], s.Matrix); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(uncovered[i], s.Uncovered); diff != "" {
			t.Error(diff)
		}
		var tests []contracttest.Row
		for _, c := range s.Tests {
			tests = append(tests, row(c.ID, c.Type, c.Covers...))
			if c.Script == "" || c.Title == "" {
				t.Errorf("%+v", c)
			}
		}
		if i == 1 {
			want[i][1].Covers = []string{"REQ-MCP-002"} // the matrix covers more than the test says
		}
		if diff := cmp.Diff(want[i], tests); diff != "" {
			t.Error(diff)
		}
	}
}

func TestStamp(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "---\nlast_verified: 2026-01-18\nhealth: active\n---\nhealth: x\n", "---\nlast_verified: 2026-11-21\nhealth: failing\n---\nhealth: x\n"},
		{"quoted, with remarks", "---\nhealth: 'a # b' # why\nlast_verified: \"\"   # x\n---\n", "---\nhealth: 'failing' # why\nlast_verified: \"2026-11-21\"   # x\n---\n"},
		{"Windows lines", "\ufeff---\r\nhealth: active\r\n---\r\n", "\ufeff---\r\nhealth: failing\r\n---\r\n"},
		{"empty values", "---\nhealth:\nlast_verified: # no\n---\n", "---\nhealth: failing\nlast_verified: 2026-11-21 # no\n---\n"},
		{"nested keys are others", "---\nx:\n  health: active\n---\n", ""},
		{"no fields", "---\ntype: x\n---\nhealth: a\n", ""},
		{"no front matter", "health: a\n---\nhealth: a\n", ""},
	} {
		got, has := contracttest.Stamp(c.text, "failing", "2026-11-21")
		if !has && got == c.text {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
