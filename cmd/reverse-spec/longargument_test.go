package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/x/suggest"
)

// program runs this test's binary as the program, with its own home.
func program(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "reverse-spec") // the name by which testscript.Main selects the command
	if err := os.Symlink(self, link); err != nil {
		t.Skipf("no links here: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), link, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REVERSE_SPEC_HOME="+filepath.Join(dir, ".graphs"), "HOME="+dir, "ANTHROPIC_API_KEY=", "OPENAI_API_KEY=",
		"GRAPH_DB_PATH=", "CKB_UNAVAILABLE=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	return cmd
}

// smallProject returns a folder with one function.
func smallProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/shop\n", "cart.go": "// Package shop sells.\npackage shop\n\n// Add adds two prices.\nfunc Add(a, b int) int { return a + b }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// mcpTool is a tool in the result of tools/list.
type mcpTool struct {
	Name        string
	InputSchema struct {
		Properties map[string]struct {
			Type    string
			Enum    []string
			Default any
		}
		Required []string
	}
}

// mcpAnswers sends requests to a project's server and returns the responses, one per line.
func mcpAnswers(t *testing.T, dir string, requests ...any) []string {
	t.Helper()
	var in bytes.Buffer
	for _, r := range requests {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		in.Write(append(text, '\n'))
	}
	cmd := program(t, dir, "mcp-server", "--allow-run")
	cmd.Stdin = &in
	cmd.Stderr = nil
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 64<<20)
	for s.Scan() {
		lines = append(lines, s.Text())
	}
	return lines
}

func call(id int, tool string, args map[string]any) any {
	return map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}}
}

// tools returns the server's tools.
func tools(t *testing.T, dir string) []mcpTool {
	t.Helper()
	var list struct{ Result struct{ Tools []mcpTool } }
	answers := mcpAnswers(t, dir, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
	if err := json.Unmarshal([]byte(answers[0]), &list); err != nil || len(list.Result.Tools) < 10 {
		t.Fatal(err, answers)
	}
	return list.Result.Tools
}

// longRun matches more of an argument than an answer may quote.
var longRun = regexp.MustCompile(`(x{201}|(x/){101})`)

// TestALongArgumentIsQuotedInPart: an argument of 1 MB is quoted neither completely nor twice,
// whatever the error.
func TestALongArgumentIsQuotedInPart(t *testing.T) {
	dir := smallProject(t)
	values := map[string]string{"of 1 MB": strings.Repeat("x", 1<<20), "that is a path": strings.Repeat("x/", 2000) + "x"}
	var requests []any
	var names []string
	add := func(name, tool string, args map[string]any) {
		requests, names = append(requests, call(len(requests), tool, args)), append(names, name)
	}
	for kind, long := range values {
		add("unknown tool", long, nil)
		for _, tool := range tools(t, dir) {
			add(tool.Name+" with an unknown argument "+kind, tool.Name, map[string]any{long: 1})
			for param := range tool.InputSchema.Properties {
				args := map[string]any{}
				for _, name := range tool.InputSchema.Required {
					args[name] = map[string]any{"string": "cart.go", "boolean": false, "integer": 1, "number": 1}[tool.InputSchema.Properties[name].Type]
				}
				args[param] = long
				if tool.Name == "write_file" && param == "content" || len(long) < 1<<20 && param == "outputDir" { // it may write these
					continue
				}
				add(tool.Name+"."+param+" "+kind, tool.Name, args)
			}
		}
	}
	answers := mcpAnswers(t, dir, requests...)
	if len(answers) != len(requests) {
		t.Fatalf("%d answers to %d requests", len(answers), len(requests))
	}
	for _, answer := range answers {
		var reply struct {
			ID     int
			Result struct {
				IsError bool
				Content []struct{ Text string }
			}
		}
		if err := json.Unmarshal([]byte(answer), &reply); err != nil {
			t.Fatal(err)
		}
		if len(answer) > 4<<10 && strings.Contains(names[reply.ID], "of 1 MB") {
			t.Errorf("%s: %d bytes: %.300s", names[reply.ID], len(answer), answer)
		} else if reply.Result.IsError && longRun.MatchString(answer) {
			t.Errorf("%s: %d bytes, quotes %d: %.200s", names[reply.ID], len(answer), strings.Count(answer, "x"), answer)
		}
	}
}

// TestALongArgumentOfTheCommandLine is quoted in part, even by the library that parses flags.
func TestALongArgumentOfTheCommandLine(t *testing.T) {
	dir, long := smallProject(t), strings.Repeat("x", 100_000) // Linux limits one argument to 128 KiB
	for _, args := range [][]string{
		{long},
		{"--" + long},
		{"-" + long},
		{"--" + long + "=1"},
		{"--project", long, "status"},
		{"generate", long},
		{"generate", ".", "--lang", long},
		{"batch", "--jobs", long},
		{"batch", "--jobs=" + long},
		{"diff", long},
		{"diff", ".", "--format", long},
		{"diff", ".", "--fail-on", long},
		{"diff", ".", "--base", long},
		{"verify", long},
		{"snippet", long},
		{"graph", long},
		{"impact", long},
		{"query", long},
		{"graph-rag", "--fusion-depth", long, "q"},
		{"call-chain", long},
		{"read-file", long},
		{"read-file", "cart.go", "--offset", long},
		{"replace", "cart.go", long, "y"},
		{"list", long},
		{"delete-project", long},
		{"init", long},
		{"mcp", long},
		{"mcp", "remove", long},
		{"federate", "--config", long},
		{"index", "--scip", long},
		{"generate", ".", "--provider", long},
		{"auth", "--provider=" + long},
		{"hook", long},
		{"view", "--addr", long},
	} {
		out, err := program(t, dir, args...).CombinedOutput()
		if err == nil && len(out) < 4<<10 {
			continue
		}
		name := suggest.Quote(strings.Join(args, " "))
		if len(out) > 4<<10 || longRun.Match(out) {
			t.Errorf("%.40s: %d bytes: %.300s", name, len(out), out)
		}
	}
}
