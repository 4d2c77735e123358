package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/ckb"
)

// TestRealCKBDeepensAnswers is run by scripts/ckb.sh, with a project that the real
// CKB has indexed: cobra.
func TestRealCKBDeepensAnswers(t *testing.T) {
	program, dir := os.Getenv("REAL_CKB"), os.Getenv("REAL_CKB_PROJECT")
	if program == "" || dir == "" {
		t.Skip("make truth fetches CKB, and says where it is by REAL_CKB and REAL_CKB_PROJECT")
	}
	for _, name := range []string{"GRAPH_DB_PATH", "CKB_UNAVAILABLE", "CKB_MOCK_DELAY_MS", "CKB_TIMEOUT", "CKB_COOLDOWN", "CKB_MCP_CLIENT"} {
		t.Setenv(name, "")
	}
	t.Setenv("REVERSE_SPEC_HOME", t.TempDir())
	path := filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")
	ask := func(depth string) map[string]any {
		t.Helper()
		text, a := asked(t, dir, "graph-rag", "--query", "execute a command", "--format", "json", "--fusion-depth", depth)
		fitsMetadata(t, text)
		return a.Metadata
	}

	alone := ask("3")
	t.Setenv("PATH", path)
	for depth, want := range map[string]float64{"0": 0, "1": 1, "2": 2, "3": 3, "5": 5, "9": 5} {
		m := ask(depth)
		if m["ckb_available"] != true || m["ckb_fallback_reason"] != nil || m["fallback_mode"] != nil || m["fusion_depth"] != want {
			t.Errorf("depth %s: %v", depth, m)
		}
		if depth != "0" && m["total_candidates"].(float64) < 1.5*m["embedding_candidates"].(float64) {
			t.Errorf("depth %s: %v candidates, of the search alone %v", depth, m["total_candidates"], m["embedding_candidates"])
		}
	}
	if alone["ckb_available"] != false || alone["fusion_depth"] != 1.0 {
		t.Errorf("without CKB: %v", alone)
	}

	// By the configuration of the user, in place of PATH.
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("PATH", filepath.Dir(filepath.Dir(program))+string(os.PathListSeparator)+"/usr/bin:/bin")
	config := `{"mcpServers":{"ckb":{"command":"` + program + `","args":["mcp","--repo","` + dir + `"]}}}`
	if err := os.WriteFile(filepath.Join(home, ".kode.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	if m := ask("2"); m["ckb_available"] != true || m["fusion_depth"] != 2.0 {
		t.Errorf("as configured: %v", m)
	}
	text, _ := asked(t, dir, "call-chain", "ExecuteC", "--json", "--depth", "2")
	fitsMetadata(t, text)
}

// fitsMetadata holds the metadata of an answer to the schema of package ckb.
func fitsMetadata(t *testing.T, answer []byte) {
	t.Helper()
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(ckb.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://example.com/metadata", schema); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.MustCompile("https://example.com/metadata").Validate(doc.(map[string]any)["metadata"]); err != nil {
		t.Error(err)
	}
}
