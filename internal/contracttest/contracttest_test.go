package contracttest_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/oracle"
)

// row is a row of a matrix.
func row(id, kind string, covers ...string) contracttest.Row {
	return contracttest.Row{Test: id, Type: kind, Covers: covers}
}

// TestTheTestsInSpecsOfOthersAreFound reads a hand-written spec and the two specs of the contract.
func TestTheTestsInSpecsOfOthersAreFound(t *testing.T) {
	t.Run("ours", func(t *testing.T) {
		listed(t, filepath.Join("..", "..", "spec", "testdata", "loans.zh.md"), []string{"SC-LOAN-003"}, []contracttest.Row{
			row("CT-LOAN-001", "behavior", "REQ-LOAN-001", "SC-LOAN-001"),
			row("CT-LOAN-002", "schema", "REQ-LOAN-001"),
			row("CT-LOAN-003", "behavior", "REQ-LOAN-002", "SC-LOAN-002"),
		}, "CT-LOAN-003")
	})
	t.Run("the contracts'", func(t *testing.T) {
		dir := oracle.Contracts(t)
		listed(t, filepath.Join(dir, "graph-rag.md"), []string{"SC-GR-006"}, []contracttest.Row{
			row("CT-GR-001", "behavior", "REQ-GR-001", "SC-GR-002"),
			row("CT-GR-002", "behavior", "REQ-GR-001", "SC-GR-001"),
			row("CT-GR-003", "behavior", "REQ-GR-001", "SC-GR-003"),
			row("CT-GR-004", "behavior", "REQ-GR-002", "SC-GR-005"),
			row("CT-GR-005", "schema", "REQ-GR-003"),
			row("CT-GR-006", "behavior", "REQ-GR-004"),
			row("CT-GR-007", "behavior", "REQ-GR-001", "SC-GR-004"),
		}, "")
		listed(t, filepath.Join(dir, "mcp-output.md"), []string{"SC-MCP-001", "SC-MCP-003", "SC-MCP-004"}, []contracttest.Row{
			row("CT-MCP-001", "schema", "REQ-MCP-001"),
			row("CT-MCP-002", "behavior", "REQ-MCP-002", "SC-MCP-002"),
			row("CT-MCP-003", "schema", "REQ-MCP-003"),
			row("CT-MCP-004", "behavior", "SC-MCP-002"),
		}, "CT-MCP-002")
	})
}

// listed holds a spec's matrix, what no test covers, and the tests themselves to what is
// wanted. Of the test that less names, the matrix covers one thing more than the test says.
func listed(t *testing.T, file string, uncovered []string, want []contracttest.Row, less string) {
	t.Helper()
	r, err := contracttest.List(t.Context(), openProject(t, nil), []string{file}, contracttest.Options{Outside: true})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Specs[0]
	if diff := cmp.Diff(want, s.Matrix); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(uncovered, s.Uncovered); diff != "" {
		t.Error(diff)
	}
	var tests []contracttest.Row
	for _, c := range s.Tests {
		tests = append(tests, row(c.ID, c.Type, c.Covers...))
		if c.Script == "" || c.Title == "" {
			t.Errorf("%+v", c)
		}
	}
	for i, w := range want {
		if w.Test == less {
			want[i].Covers = w.Covers[:len(w.Covers)-1]
		}
	}
	if diff := cmp.Diff(want, tests); diff != "" {
		t.Error(diff)
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
