package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/rag"
)

// TestRealCKBDeepensAnswers is run by scripts/ckb.sh with cobra, indexed by the real CKB.
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

	// Through the user's configuration instead of PATH.
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

// TestRealCKBPassesTheContracts runs the contracts' own tests with the real CKB. The failure
// provoked by CT-MCP-004 must not make CKB unavailable for CT-GR-006.
func TestRealCKBPassesTheContracts(t *testing.T) {
	program, dir := os.Getenv("REAL_CKB"), os.Getenv("REAL_CKB_PROJECT")
	if program == "" || dir == "" {
		t.Skip("make truth fetches CKB, and says where it is by REAL_CKB and REAL_CKB_PROJECT")
	}
	ownProgram(t)
	t.Run("without it", func(t *testing.T) { holdToSpecs(t, dir, false) })
	t.Run("with it", func(t *testing.T) {
		t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(program))
		holdToSpecs(t, dir, true)
	})
}

// TestRealCKBMultipliesCandidates checks REQ-GR-004 with questions of all kinds.
func TestRealCKBMultipliesCandidates(t *testing.T) {
	program, dir := os.Getenv("REAL_CKB"), os.Getenv("REAL_CKB_PROJECT")
	if program == "" || dir == "" {
		t.Skip("make truth fetches CKB, and says where it is by REAL_CKB and REAL_CKB_PROJECT")
	}
	ownProgram(t)
	t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(program))
	for _, question := range []string{
		"test", "execute a command", "where are flags parsed", "shell completion for bash", "help template", "usage of a command",
		"persistent flags", "which arguments are valid", "generate markdown documentation", "deprecated command", "suggestions for typos", "ExecuteC",
	} {
		var counts [2]float64
		for depth := range counts {
			_, a := asked(t, dir, "graph-rag", "--query", question, "--format", "json", "--fusion-depth", strconv.Itoa(depth))
			if a.Metadata["ckb_available"] != true {
				t.Fatalf("%s: %v", question, a.Metadata)
			}
			counts[depth] = a.Metadata["total_candidates"].(float64)
		}
		t.Logf("%s: %v by the search alone, %v with the graph", question, counts[0], counts[1])
		if counts[0] == 0 || counts[1] < 1.5*counts[0] {
			t.Errorf("%s: %v candidates, and %v with the graph", question, counts[0], counts[1])
		}
	}
}

// TestRealCKBAddsToCallChains: a call chain includes calls that only CKB knows, with their
// source.
func TestRealCKBAddsToCallChains(t *testing.T) {
	program, dir := os.Getenv("REAL_CKB"), os.Getenv("REAL_CKB_PROJECT")
	if program == "" || dir == "" {
		t.Skip("make truth fetches CKB, and says where it is by REAL_CKB and REAL_CKB_PROJECT")
	}
	ownProgram(t)
	alone := chainSources(t, dir)
	t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(program))
	with := chainSources(t, dir)
	if alone["ckb"]+alone["both"] > 0 || alone["local"] == 0 || with["ckb"] == 0 || with["both"] == 0 {
		t.Errorf("without CKB %v, with it %v", alone, with)
	}
}

// chainSources counts the calls of a chain by source, over MCP, and checks that its depth is
// that of its deepest hop.
func chainSources(t *testing.T, dir string) map[string]int {
	t.Helper()
	text, _ := serve(t, dir).call("ci_call_chain", map[string]any{"symbol": "Command.ExecuteC", "depth": 3})
	var c rag.Chain
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	sources, deepest := map[string]int{}, 0
	var count func(hops []*rag.Hop)
	count = func(hops []*rag.Hop) {
		for _, h := range hops {
			sources[string(h.Call.Source)]++
			deepest = max(deepest, h.Depth)
			count(h.Callers)
			count(h.Callees)
		}
	}
	count(c.Chain[0].Callers)
	count(c.Chain[0].Callees)
	m := c.Metadata
	if m.FusionDepth < deepest || m.Available != (sources["ckb"]+sources["both"] > 0) || m.Available == (m.Reason != "") {
		t.Errorf("%d deep: %+v", deepest, m)
	}
	return sources
}

// fitsMetadata validates the metadata of an answer against the schema of package ckb.
func fitsMetadata(t *testing.T, answer []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled(t, []byte(ckb.Schema)).Validate(doc.(map[string]any)["metadata"]); err != nil {
		t.Error(err)
	}
}
