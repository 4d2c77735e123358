package mcp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	messages "github.com/reverse-spec/reverse-spec/internal/message"
	"github.com/reverse-spec/reverse-spec/mcp"
)

const discover = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

func instructions(t *testing.T, o mcp.Options) string {
	t.Helper()
	var answer struct{ Result struct{ Instructions string } }
	if err := json.Unmarshal([]byte(talk(t, mcp.New(o), discover)[0]), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Result.Instructions
}

// TestInstructionsAreShownWhole: clients cut them at 4,096 characters, some at 2 KB, and
// of a cut text the end is lost.
func TestInstructionsAreShownWhole(t *testing.T) {
	for _, lang := range messages.Langs() {
		if n := len(instructions(t, mcp.Options{Project: openProject(t), Lang: lang})); n == 0 || n > 2048 {
			t.Errorf("%s: instructions of %d bytes", lang, n)
		}
	}
}

func TestInstructionsSpeakOfToolsThatAreThere(t *testing.T) {
	got := instructions(t, mcp.Options{Project: openProject(t), ReadOnly: true})
	named := []string{}
	for _, tool := range mcp.Tools(nil, nil) {
		if strings.Contains(got, tool.Name) {
			named = append(named, tool.Name)
		}
	}
	if diff := cmp.Diff([]string{"prepare", "diff", "query_code_graph", "ci_graph_rag", "ci_call_chain", "orient", "verify"}, named); diff != "" {
		t.Error(diff)
	}
}

// TestToolsOfTheContractAreUpFront: the others are looked for by the model.
func TestToolsOfTheContractAreUpFront(t *testing.T) {
	got := []string{}
	for _, tool := range mcp.Tools(nil, nil) {
		if tool.Meta["anthropic/alwaysLoad"] == true {
			got = append(got, tool.Name)
		}
	}
	if diff := cmp.Diff([]string{"prepare", "generate", "batch", "diff"}, got); diff != "" {
		t.Error(diff)
	}
}
