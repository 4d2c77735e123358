package mcp_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	messages "github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/internal/progress"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// TestTextAndStructureSayTheSame: of an answer that has both, Claude Code shows the model
// the structure alone, and other clients the text. ci_graph_rag, whose answer has a budget, has the
// text alone.
func TestTextAndStructureSayTheSame(t *testing.T) {
	structured := map[string]bool{}
	for _, arguments := range []map[string]string{busy, {
		"get_code_snippet": `{"qualified_name":"Logn"}`, "query_code_graph": `{"natural_language_query":"what is the weather?"}`,
		"delete_project": `{"project_name":"none"}`, "ci_graph_rag": `{"query":"zzzz"}`, "verify": `{}`, "read_file": `{"file_path":"none"}`,
	}} {
		for tool, given := range arguments {
			p := equipped(t)
			s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			server := mcp.New(mcp.Options{Project: p, Graphs: graphs.New(graphs.Options{Store: func() (store.Store, error) { return s, nil }, Shared: true})})
			talk(t, server, fmt.Sprintf(call2, "index_repository", "{}"))
			m := decode(t, talk(t, server, fmt.Sprintf(call2, tool, given))[0])
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if m.Result.StructuredContent == nil {
				continue
			}
			structured[tool] = true
			var text bytes.Buffer
			if err := json.Compact(&text, []byte(m.Result.Content[0].Text)); err != nil || len(m.Result.Content) != 1 {
				t.Errorf("%s %s: %v", tool, given, err)
			}
			if diff := cmp.Diff(string(m.Result.StructuredContent), text.String()); diff != "" {
				t.Errorf("%s %s: %s", tool, given, diff)
			}
		}
	}
	want := map[string]bool{
		"prepare": true, "generate": true, "batch": true, "diff": true, "list_projects": true, "delete_project": true,
		"query_code_graph": true, "get_code_snippet": true, "ci_call_chain": true, "verify": true, "verify_claim": true,
	}
	if diff := cmp.Diff(want, structured); diff != "" {
		t.Errorf("tools with structured content: %s", diff)
	}
}

// TestDescriptionsAreShownWhole: clients cut them at 2 KB. A parameter whose name says it has none.
func TestDescriptionsAreShownWhole(t *testing.T) {
	for _, lang := range messages.Langs() {
		for _, tool := range mcp.Tools(nil, nil, "") {
			if n := len(tool.Description.In(lang)); n == 0 || n > 2048 {
				t.Errorf("%s is described in %d bytes", tool.Name, n)
			}
			for _, p := range tool.Params {
				if n := len(p.Description.In(lang)); n > 1024 {
					t.Errorf("%s of %s is described in %d bytes", p.Name, tool.Name, n)
				}
			}
		}
	}
}

// TestToolsAreTheSameInBothEras: with a handshake, and without one.
func TestToolsAreTheSameInBothEras(t *testing.T) {
	s := mcp.New(mcp.Options{Project: openProject(t)})
	tools := func(params string) (list json.RawMessage) {
		var answer struct {
			Result struct{ Tools json.RawMessage }
		}
		if err := json.Unmarshal([]byte(talk(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/list"`+params+`}`)[0]), &answer); err != nil {
			t.Fatal(err)
		}
		return answer.Result.Tools
	}
	const stateless = `,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`
	handshake, discovered := tools(""), tools(stateless)
	if diff := cmp.Diff(string(handshake), string(discovered)); diff != "" || len(handshake) < 1000 {
		t.Error(diff, string(handshake))
	}
}

func TestAWrongNameIsAnsweredWithTheNearest(t *testing.T) {
	s := mcp.New(mcp.Options{Project: openProject(t)})
	for call, want := range map[string]string{
		fmt.Sprintf(call2, "read_fil", "{}"):                         "did you mean read_file?",
		fmt.Sprintf(call2, "graph_rag", "{}"):                        "did you mean ci_graph_rag?",
		fmt.Sprintf(call2, "prepare", `{"target_path":"src"}`):       "did you mean targetPath?",
		fmt.Sprintf(call2, "prepare", `{"targetPath":"src/auth.g"}`): "did you mean src/auth.go?",
	} {
		m := decode(t, talk(t, s, call)[0])
		text := ""
		if m.Error != nil {
			text = m.Error.Message
		} else if m.Result.IsError {
			text = m.Result.Content[0].Text
		}
		if !strings.Contains(text, want) {
			t.Errorf("%s: %q", call, text)
		}
	}
}

// TestLongWorkTellsHowFarItIs: the first event says of how much, and the last of each stage
// that it is done. What of these is sent is the reporter's to say.
func TestLongWorkTellsHowFarItIs(t *testing.T) {
	p := equipped(t)
	for i := range 30 {
		file := filepath.Join(p.Root(), fmt.Sprintf("m%02d", i), "m.go")
		if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("package m\n\n// M is m.\nfunc M() {}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	tools := map[string]mcp.Tool{}
	for _, tool := range mcp.Tools(graphs.New(graphs.Options{Store: func() (store.Store, error) { return s, nil }, Shared: true}), nil, "") {
		tools[tool.Name] = tool
	}
	for _, c := range []struct {
		tool      string
		arguments mcp.Arguments
		stages    []string
	}{
		{"batch", mcp.Arguments{"outputDir": "specs"}, []string{"generate", "parse"}},
		{"index_repository", mcp.Arguments{}, []string{"link", "parse"}},
		{"index_repository", mcp.Arguments{"force": true}, []string{"link", "parse"}},
		{"prepare", mcp.Arguments{"targetPath": "."}, []string{"parse"}},
		{"generate", mcp.Arguments{"targetPath": ".", "outputDir": "specs"}, []string{"parse"}},
		{"diff", mcp.Arguments{"specPath": "specs/src/auth.go.spec.md", "sourcePath": "."}, []string{"parse"}},
		{"verify", mcp.Arguments{"specPath": "shop.spec.md", "run": true}, []string{"verify"}},
	} {
		var mu sync.Mutex
		last := map[string]progress.Event{}
		ctx := progress.With(t.Context(), func(e progress.Event) {
			mu.Lock()
			defer mu.Unlock()
			if len(last) == 0 && e.Total == 0 {
				t.Errorf("%s: the first event has no total: %+v", c.tool, e)
			}
			if e.Total > 0 && e.Done >= last[e.Stage].Done {
				last[e.Stage] = e
			}
		})
		if _, err := tools[c.tool].Run(ctx, p, c.arguments); err != nil {
			t.Errorf("%s: %v", c.tool, err)
		}
		if diff := cmp.Diff(c.stages, slices.Sorted(maps.Keys(last))); diff != "" {
			t.Errorf("%s: stages: %s", c.tool, diff)
		}
		for stage, e := range last {
			if e.Done != e.Total {
				t.Errorf("%s ends its stage %s with %+v", c.tool, stage, e)
			}
		}
	}
}
