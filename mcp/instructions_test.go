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
	for _, tool := range mcp.Tools(nil, nil, "") {
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
	for _, tool := range mcp.Tools(nil, nil, "") {
		if tool.Meta["anthropic/alwaysLoad"] == true {
			got = append(got, tool.Name)
		}
	}
	if diff := cmp.Diff([]string{"prepare", "generate", "batch", "diff"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestOnlyTheToolsThatAreNamed are offered, and spoken of.
func TestOnlyTheToolsThatAreNamed(t *testing.T) {
	server := mcp.New(mcp.Options{Project: openProject(t), Only: []string{"orient", "review"}})
	var list struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(talk(t, server, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)[0]), &list); err != nil {
		t.Fatal(err)
	}
	if got := list.Result.Tools; len(got) != 2 || got[0].Name != "orient" || got[1].Name != "review" {
		t.Errorf("tools are %v", got)
	}
	if said := instructions(t, mcp.Options{Project: openProject(t), Only: []string{"orient", "review"}}); strings.Contains(said, "prepare") || !strings.Contains(said, "orient") {
		t.Error(said)
	}
	if err := mcp.UnknownTool([]string{"orient", "reviw"}); err == nil || !strings.Contains(err.Error(), "did you mean review") {
		t.Error(err)
	}
	if err := mcp.UnknownTool([]string{"orient", "review"}); err != nil {
		t.Error(err)
	}
}

// TestDefinitionsSayWhen a tool is used, and what to use instead where it is not. Those of the contract have its words.
func TestDefinitionsSayWhen(t *testing.T) {
	for _, tool := range mcp.Tools(nil, nil, "") {
		var when, not string
		switch tool.Name {
		case "orient":
			when, not = "every task", "Not for"
		case "review":
			when, not = "Use it after edits", "for one spec use diff"
		case "verify_claim":
			when, not = "Use it before", "not for questions"
		case "propose":
			when, not = "Use it when", "only in a project with openspec/"
		case "adopt":
			when, not = "requirements that people wrote", "not for specs of generate"
		case "verify":
			when, not = "Use it after edits", "for other tests"
		case "ci_graph_rag":
			when, not = "Use it when", "not for a name"
		case "ci_call_chain":
			when, not = "Use it before", "to find one, orient"
		case "index_repository":
			when, not = "use it to have it done before", "Questions do so by themselves"
		default:
			continue
		}
		if text := tool.Description.In(messages.English); !strings.Contains(text, when) || !strings.Contains(text, not) {
			t.Errorf("%s: %s", tool.Name, text)
		}
	}
}
