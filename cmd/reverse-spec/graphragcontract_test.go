package main

import (
	"bytes"
	"cmp"
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
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
)

// contractPath returns the path of a contract document of graph-rag. They are next to the
// repository, or in REVERSE_SPEC_CONTRACTS.
func contractPath(name string) (string, error) {
	return filepath.Abs(filepath.Join(cmp.Or(os.Getenv("REVERSE_SPEC_CONTRACTS"), "../../../shared/contract"), name))
}

// indexedProject copies a package of Go's standard library into a project, with graph-rag.sh
// and the program on PATH, and returns its folder.
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

// ownProgram puts graph-rag.sh, which looks for the program next to it, on PATH and clears the
// environment.
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

// needs skips the test if a program is missing.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// document reads a contract document.
func document(t *testing.T, name string) []byte {
	t.Helper()
	path, err := contractPath(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the contract is not here: %v", err)
	}
	return text
}

func TestTheContractsOwnTestsPass(t *testing.T) {
	dir := indexedProject(t)
	for name, ckb := range map[string]string{
		"without CKB": "",
		"with a CKB":  `echo '{"nodes":[{"id":"1","file":"server.go","line":3000},{"id":"2","file":"client.go","line":600}],"edges":[{"source":"1","target":"2","type":"calls"}]}'`,
	} {
		t.Run(name, func(t *testing.T) {
			if ckb != "" {
				client := filepath.Join(t.TempDir(), "ckb.sh")
				if err := os.WriteFile(client, []byte("#!/bin/sh\n"+ckb+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
				t.Setenv("CKB_MCP_CLIENT", client)
			}
			holdToTheContracts(t, dir, ckb != "")
		})
	}
}

// holdToTheContracts runs the eleven tests of both documents, in both orders, in a project
// with or without CKB. If CKB is present every question must find it, except in tests that
// remove it.
func holdToTheContracts(t *testing.T, dir string, available bool) {
	t.Helper()
	needs(t, "bash", "jq", "bc")
	log := loggedScript(t)
	for _, names := range [][]string{{"graph-rag.md", "mcp-output.md"}, {"mcp-output.md", "graph-rag.md"}} {
		line := []string{"--project", dir, "verify", "--json", "--no-update"}
		for _, name := range names {
			document(t, name)
			path, err := contractPath(name)
			if err != nil {
				t.Fatal(err)
			}
			line = append(line, path)
		}
		if err := os.WriteFile(log, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		var out, diagnostics bytes.Buffer
		code := run(t.Context(), line, streams{in: strings.NewReader(""), out: &out, err: &diagnostics})
		var got contracttest.Report
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s", err, diagnostics.String())
		}
		if code != 0 || got.Passed != 11 || got.Total != 11 || len(got.Specs[0].Matrix)+len(got.Specs[1].Matrix) != 11 {
			t.Errorf("%s first: exit status %d: %s", names[0], code, out.String())
		}
		reasons, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"disabled": 2, "connection_timeout": 1, "null": 10}
		if !available {
			want = map[string]int{"disabled": 2, "connection_timeout": 1, "health_check_failed": 10}
		}
		found := map[string]int{}
		for reason := range strings.FieldsSeq(string(reasons)) {
			found[reason]++
		}
		if diff := gocmp.Diff(want, found); diff != "" {
			t.Errorf("%s first: why CKB was not there: %s", names[0], diff)
		}
	}
}

// loggedScript puts a wrapper of graph-rag.sh on PATH that records why CKB was unavailable,
// "null" if it was available. It returns the log file.
func loggedScript(t *testing.T) string {
	t.Helper()
	script, err := exec.LookPath("graph-rag.sh")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	text := fmt.Sprintf("#!/bin/sh\nanswer=$('%s' \"$@\")\ncode=$?\nprintf '%%s' \"$answer\" | jq -r .metadata.ckb_fallback_reason >>'%s'\nprintf '%%s\\n' \"$answer\"\nexit $code\n", script, log)
	if err := os.WriteFile(filepath.Join(bin, "graph-rag.sh"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return log
}

// schemaBlock matches the JSON Schemas of a document.
var schemaBlock = regexp.MustCompile("(?s)```json\n(\\{\n  \"\\$schema\".*?)```")

func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	found := schemaBlock.FindSubmatch(document(t, name))
	if found == nil {
		t.Fatalf("%s has no schema", name)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://example.com/"+name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("https://example.com/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// words are the words of random questions.
var words = []string{"test", "request", "handler", "cookie", "redirect", "how", "is", "a", "header", "parsed", "HTTP/2", "ServeMux", "超时", "connection", "pool", "\xff"}

// randomLine returns a random command line of graph-rag.
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

// answered is the part of an answer that the tests read.
type answered struct {
	Candidates []struct {
		Relevance float64
		Source    string
		Distance  int
		Tokens    int
	}
	Metadata map[string]any
}

// asked runs graph-rag in this process and returns its output.
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

func TestEveryAnswerFitsTheSchemas(t *testing.T) {
	whole, metadata := schemaOf(t, "graph-rag.md"), schemaOf(t, "mcp-output.md")
	dir := indexedProject(t)
	asked(t, dir, "graph-rag", "--json", "index it")
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		t.Setenv("CKB_UNAVAILABLE", []string{"", "1", "true", "0"}[r.IntN(4)])
		t.Setenv("CKB_MOCK_DELAY_MS", []string{"", "1", "60"}[r.IntN(3)])
		t.Setenv("CKB_TIMEOUT", "0.03")
		line := randomLine(r)
		text, a := asked(t, dir, line...)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := whole.Validate(doc); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if err := metadata.Validate(doc.(map[string]any)["metadata"]); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if fault := a.fault(); fault != "" {
			t.Fatalf("%q: %s\n%s", line, fault, text)
		}
	}
}

// fault reports errors in an answer that a schema cannot express; "" for none.
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
	asked(t, dir, "graph-rag", "--json", "index it") // so that there is a previous index
	wg.Wait()
}

func TestALargerBudgetNeverReturnsLess(t *testing.T) {
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
