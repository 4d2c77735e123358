package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// indexedProject copies a package of Go's standard library into a project of its own
// with graph-rag.sh and the program on PATH, and returns its folder.
func indexedProject(t *testing.T) string {
	t.Helper()
	from := filepath.Join(runtime.GOROOT(), "src", "net", "http") //nolint:staticcheck // the tests' own toolchain is meant
	if _, err := os.Stat(from); err != nil {
		t.Skip("no sources of Go's standard library here")
	}
	dir := filepath.Join(t.TempDir(), "http")
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module net/http\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ownProgram(t)
	return dir
}

// ownProgram puts graph-rag.sh on PATH, which finds the program there, with nothing set that
// changes what it does.
func ownProgram(t *testing.T) {
	t.Helper()
	bin := t.TempDir()
	script, err := os.ReadFile("../../scripts/graph-rag.sh")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "graph-rag.sh"), script, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("REVERSE_SPEC_HOME", t.TempDir())
	for _, name := range []string{"GRAPH_DB_PATH", "CKB_UNAVAILABLE", "CKB_MOCK_DELAY_MS", "CKB_TIMEOUT", "CKB_COOLDOWN", "CKB_MCP_CLIENT", "GRAPH_RAG_CACHE_ENABLED"} {
		t.Setenv(name, "")
	}
}

// needs skips the test where a program is missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// words are what questions are made of.
var words = []string{"test", "request", "handler", "cookie", "redirect", "how", "is", "a", "header", "parsed", "HTTP/2", "ServeMux", "超时", "connection", "pool", "\xff"}

// randomLine is a command line of graph-rag.
func randomLine(r *rand.Rand) []string {
	query := make([]string, 1+r.IntN(4))
	for i := range query {
		query[i] = words[r.IntN(len(words))]
	}
	line := []string{"graph-rag", "--query", strings.Join(query, " "), "--format", "json", "--no-index"}
	for name, value := range map[string]int{"--top-k": r.IntN(30), "--depth": r.IntN(8), "--budget": r.IntN(12) * r.IntN(1000), "--fusion-depth": r.IntN(12)} {
		if r.IntN(2) == 0 {
			line = append(line, name, strconv.Itoa(value))
		}
	}
	if r.IntN(3) == 0 {
		line = append(line, "--min-relevance", strconv.FormatFloat(r.Float64(), 'f', 3, 64))
	}
	for _, name := range []string{"--include-virtual", "--rerank", "--include-foreign"} {
		if r.IntN(3) == 0 {
			line = append(line, name)
		}
	}
	return line
}

// answered is what the tests read of an answer.
type answered struct {
	Candidates []struct {
		Relevance float64
		Source    string
		Distance  int
		Tokens    int
	}
	Metadata map[string]any
}

// asked runs graph-rag in this process and returns what it printed.
func asked(t *testing.T, dir string, line ...string) ([]byte, answered) {
	t.Helper()
	var out, diagnostics bytes.Buffer
	if code := run(t.Context(), append([]string{"--project", dir}, line...), streams{in: strings.NewReader(""), out: &out, err: &diagnostics}); code != 0 {
		t.Fatalf("%q: exit status %d: %s", line, code, diagnostics.String())
	}
	var a answered
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatalf("%q: %v\n%s", line, err, out.String())
	}
	return out.Bytes(), a
}

// fault tells what is wrong with an answer that no schema sees; "" for nothing.
func (a *answered) fault() string {
	number := func(name string) int { x, _ := a.Metadata[name].(float64); return int(x) }
	by, tokens, last := map[string]int{}, 0, 1.0
	for _, c := range a.Candidates {
		by[c.Source]++
		tokens += c.Tokens
		switch {
		case c.Relevance > last:
			return "the order is not that of relevance"
		case (c.Distance == 0) != (c.Source == "embedding"):
			return "only anchors have the distance 0"
		case by[c.Source] > number("top_k"):
			return "more than top-k of a source"
		case c.Relevance < a.Metadata["min_relevance"].(float64):
			return "less relevant than asked for"
		}
		last = c.Relevance
	}
	switch {
	case number("embedding_candidates") != by["embedding"], number("graph_candidates") != by["graph"], number("virtual_candidates") != by["virtual"],
		number("total_candidates") != len(a.Candidates):
		return "the counts are not those of the candidates"
	case tokens != number("token_count") || tokens > number("budget"):
		return fmt.Sprintf("%d tokens, said to be %d of %d", tokens, number("token_count"), number("budget"))
	case len(a.Candidates) == 0 && a.Metadata["warning"] == nil:
		return "empty without a reason"
	case number("fusion_depth") > min(1, number("fusion_depth_requested")):
		return "deeper than without CKB"
	}
	return ""
}

func TestTwoProcessesAtOnce(t *testing.T) {
	needs(t, "sh")
	dir := indexedProject(t)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			cmd := exec.Command("graph-rag.sh", "--query", "cookie", "--format", "json")
			cmd.Dir = dir
			out, err := cmd.Output()
			var a answered
			if err != nil || json.Unmarshal(out, &a) != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	asked(t, dir, "graph-rag", "--json", "index it") // so that there is an index from before
	wg.Wait()
}

func TestALargerBudgetNeverHoldsLess(t *testing.T) {
	dir := indexedProject(t)
	asked(t, dir, "graph-rag", "--json", "index it")
	tokens := 0
	for budget := 0; budget < 6000; budget += 157 {
		_, a := asked(t, dir, "graph-rag", "--json", "--no-index", "--budget", strconv.Itoa(budget), "how are cookies parsed")
		now := int(a.Metadata["token_count"].(float64))
		if now < tokens || now > budget {
			t.Errorf("budget %d: %d tokens after %d", budget, now, tokens)
		}
		tokens = now
	}
	if tokens == 0 {
		t.Error("nothing was found")
	}
}

func TestTheSameQuestionHasTheSameAnswer(t *testing.T) {
	dir := indexedProject(t)
	t.Setenv("GRAPH_RAG_CACHE_ENABLED", "false")
	asked(t, dir, "graph-rag", "--json", "index it")
	took := regexp.MustCompile(`"query_time_ms": \d+`)
	line := []string{"graph-rag", "--json", "--no-index", "--rerank", "--top-k", "30", "request"}
	first, _ := asked(t, dir, line...)
	for range 5 {
		again, _ := asked(t, dir, line...)
		if diff := gocmp.Diff(string(took.ReplaceAll(first, nil)), string(took.ReplaceAll(again, nil))); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestTheScriptFindsTheProgram(t *testing.T) {
	needs(t, "sh", "dirname", "readlink")
	text, err := os.ReadFile("../../scripts/graph-rag.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	bin, links := filepath.Join(dir, "bin"), filepath.Join(dir, "links")
	for _, folder := range []string{bin, links} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script, link := filepath.Join(bin, "graph-rag.sh"), filepath.Join(links, "graph-rag.sh")
	if err := os.WriteFile(script, text, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../bin/graph-rag.sh", link); err != nil {
		t.Skip("no symbolic links here")
	}
	call := func() (string, int) {
		cmd := exec.Command(link, "a b", "--top-k", "1")
		cmd.Env = []string{"PATH=/usr/bin:/bin"}
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, code := call(); code != ragMissing || !strings.Contains(out, "reverse-spec is neither beside this script nor on PATH") {
		t.Errorf("exit status %d: %s", code, out)
	}
	if err := os.WriteFile(filepath.Join(bin, "reverse-spec"), []byte("#!/bin/sh\nprintf '%s|' \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, code := call(); code != 0 || out != "graph-rag|a b|--top-k|1|" {
		t.Errorf("exit status %d: %s", code, out)
	}
}
