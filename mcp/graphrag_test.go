package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/ckb"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// askGraph calls a tool of a server with a store of its own.
func askGraph(t *testing.T, p *project.Project, tool, arguments string) message {
	t.Helper()
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	deeper := ckb.New(ckb.Options{Root: p.Root(), Getenv: os.Getenv})
	defer deeper.Close()
	g := graphs.New(graphs.Options{
		Store: func() (store.Store, error) { return s, nil }, CKB: func(*project.Project) *ckb.Client { return deeper }, Shared: true,
	})
	defer g.Close() // ends what is indexed in the background
	server := mcp.New(mcp.Options{Project: p, Version: "2.0.0", ReadOnly: true, Graphs: g})
	return decode(t, talk(t, server, fmt.Sprintf(call2, tool, arguments))[0])
}

func TestGraphRAGAnswersInJSON(t *testing.T) {
	t.Setenv("CKB_UNAVAILABLE", "1")
	m := askGraph(t, openProject(t), "ci_graph_rag", `{"query":"login","depth":2.0,"budget":500,"min_relevance":0.01}`)
	if m.Result.IsError || m.Result.StructuredContent != nil || len(m.Result.Content) != 1 {
		t.Fatalf("%+v", m.Result)
	}
	var a struct {
		Candidates []struct{ File, Symbol, Source string }
		Metadata   map[string]any
	}
	if err := json.Unmarshal([]byte(m.Result.Content[0].Text), &a); err != nil {
		t.Fatal(err)
	}
	if c := a.Candidates[0]; c.File != "src/auth.go" || c.Source != "embedding" || !strings.HasSuffix(c.Symbol, "auth.Login") {
		t.Errorf("%+v", c)
	}
	for name, want := range map[string]any{
		"ckb_available": false, "ckb_fallback_reason": "disabled", "fallback_mode": "local_graph", "fusion_depth": 1.0,
		"fusion_depth_requested": 1.0, "top_k": 10.0, "depth": 2.0, "budget": 500.0, "min_relevance": 0.01, "include_virtual": false, "reranked": false,
	} {
		if a.Metadata[name] != want {
			t.Errorf("%s is %v, not %v", name, a.Metadata[name], want)
		}
	}
}

func TestCallChainAnswersInTextAndStructure(t *testing.T) {
	m := askGraph(t, openProject(t), "ci_call_chain", `{"symbol":"Login","direction":"callers"}`)
	if m.Result.IsError || m.Result.Content[0].Text != string(m.Result.StructuredContent) {
		t.Fatalf("%+v", m.Result)
	}
	var a struct {
		Target   string `json:"target_symbol"`
		Metadata map[string]any
	}
	if err := json.Unmarshal(m.Result.StructuredContent, &a); err != nil {
		t.Fatal(err)
	}
	if a.Target != "Login" || a.Metadata["ckb_available"] != false || a.Metadata["fusion_depth"] != 0.0 || a.Metadata["ckb_fallback_reason"] == nil {
		t.Errorf("%+v", a)
	}
}

func TestQuestionsWithoutMeaning(t *testing.T) {
	p := openProject(t)
	for _, c := range []struct{ tool, arguments, want string }{
		{"ci_graph_rag", `{}`, "missing argument query"},
		{"ci_graph_rag", `{"query":""}`, "argument query must not be empty"},
		{"ci_graph_rag", `{"query":" "}`, "query must not be empty"},
		{"ci_graph_rag", `{"query":"x","fusion_depth":-1}`, "fusion_depth: expected an integer of at least 0, got number -1"},
		{"ci_graph_rag", `{"query":"x","top_k":1.5}`, "top_k: expected an integer of at least 0"},
		{"ci_graph_rag", `{"query":"x","min_relevance":-0.5}`, "min_relevance: expected a number of at least 0"},
		{"ci_graph_rag", `{"query":"x","min_relevance":"much"}`, "min_relevance: expected a number of at least 0"},
		{"ci_graph_rag", `{"query":"x","min_relevance":7}`, "invalid min-relevance"},
		{"ci_graph_rag", `{"query":"` + strings.Repeat("x", 10_001) + `"}`, "query too long"},
		{"ci_call_chain", `{"symbol":" "}`, "symbol must not be empty"},
		{"ci_call_chain", `{"symbol":"Nothing"}`, "no such symbol"},
		{"ci_call_chain", `{"symbol":"Login","direction":"up"}`, "direction"},
	} {
		m := askGraph(t, p, c.tool, c.arguments)
		if !m.Result.IsError || !strings.HasPrefix(m.Result.Content[0].Text, c.tool+" failed: ") ||
			!strings.Contains(m.Result.Content[0].Text, c.want) {
			t.Errorf("%s %.60s: %+v", c.tool, c.arguments, m.Result)
		}
	}
}
