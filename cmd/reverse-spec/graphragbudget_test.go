package main

import (
	"bufio"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/llm/prompt"
)

// served is a reverse-spec mcp-server in its own process.
type served struct {
	t   *testing.T
	in  io.Writer
	out *bufio.Reader
}

// serve starts a server for a project, which is stopped with the test.
func serve(t *testing.T, dir string) *served {
	t.Helper()
	cmd := exec.Command("reverse-spec", "mcp-server", "--project", dir, "--read-only")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	s := &served{t, in, bufio.NewReader(out)}
	s.ask("initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
	return s
}

// ragResult is the part of a tool result that the tests read.
type ragResult struct {
	Content []struct{ Text string }
	// StructuredContent is the raw JSON; nil for none.
	StructuredContent json.RawMessage
	IsError           bool
}

// ask sends a request and returns the result.
func (s *served) ask(method string, params any) ragResult {
	s.t.Helper()
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.in.Write(append(request, '\n')); err != nil {
		s.t.Fatal(err)
	}
	line, err := s.out.ReadBytes('\n')
	var m struct{ Result ragResult }
	if err != nil || json.Unmarshal(line, &m) != nil {
		s.t.Fatalf("%v: %s", err, line)
	}
	return m.Result
}

// call calls a tool that must succeed, and returns its text and the tokens of the whole
// response.
func (s *served) call(tool string, arguments map[string]any) (text string, tokens int) {
	s.t.Helper()
	r := s.ask("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if r.IsError || len(r.Content) != 1 {
		s.t.Fatalf("%s %v: %+v", tool, arguments, r)
	}
	return r.Content[0].Text, prompt.Tokens(r.Content[0].Text) + prompt.Tokens(string(r.StructuredContent))
}

func TestPromptIsWithinTheBudget(t *testing.T) {
	dir := indexedProject(t)
	s := serve(t, dir)
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		query := make([]string, 1+r.IntN(5))
		for i := range query {
			query[i] = words[r.IntN(len(words)-1)] // the last one is not a word
		}
		question, rerank, depth := strings.Join(query, " "), r.IntN(3) == 0, r.IntN(4)
		for _, budget := range []int{500, 2000, 8000} {
			text, tokens := s.call("ci_graph_rag", map[string]any{"query": question, "budget": budget, "rerank": rerank, "fusion_depth": depth})
			var a answered
			if err := json.Unmarshal([]byte(text), &a); err != nil {
				t.Fatalf("%q: %v", question, err)
			}
			if fault := a.fault(); fault != "" || tokens > budget {
				t.Errorf("%q, budget %d: %d tokens are sent; %s", question, budget, tokens, fault)
			}
			if len(a.Candidates) == 0 && a.Metadata["warning"] == nil || a.Metadata["left_out"].(float64) > 0 && tokens < budget/2 {
				t.Errorf("%q, budget %d: %d candidates, %d tokens", question, budget, len(a.Candidates), tokens)
			}
			line := []string{"graph-rag", "--query", question, "--json", "--no-index", "--budget", strconv.Itoa(budget), "--fusion-depth", strconv.Itoa(depth)}
			printed, a := asked(t, dir, line...)
			if tokens := prompt.Tokens(string(printed)); a.fault() != "" || tokens > budget {
				t.Errorf("%q: %d tokens are printed; %s", line, tokens, a.fault())
			}
		}
	}
}

// With default arguments, ci_graph_rag returns everything that it counts.
func TestTheDefaultAnswerIsWhatItCounts(t *testing.T) {
	s := serve(t, indexedProject(t))
	for _, question := range []string{"how are cookies parsed", "request", "redirect policy of a client", "server mux pattern"} {
		text, _ := s.call("ci_graph_rag", map[string]any{"query": question})
		var a answered
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		if fault := a.fault(); fault != "" || len(a.Candidates) < 10 {
			t.Errorf("%q: %d candidates; %s", question, len(a.Candidates), fault)
		}
	}
}
