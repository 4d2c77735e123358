package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/testsupport/llmtest"
)

// toolResult is the result of tools/call.
type toolResult struct {
	IsError           bool
	Content           []struct{ Text string }
	StructuredContent json.RawMessage
}

// writeTree writes files below a folder.
func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestErrorTableOfTheContract provokes rows 1 to 4 of section 4 of reverse-spec-mcp.md. Row 5,
// an internal error, cannot be provoked from outside; mcp's TestPanicInAToolIsAnInternalError
// checks it on the same server with a tool that panics.
func TestErrorTableOfTheContract(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"go.mod":      "module example.com/shop\n",
		"till/a.go":   till,
		"bad/a.go":    "this is not { valid ][ go code @@@\n%%% (((\n",
		"bad/b.go":    "}}} ((( \n",
		"bad.py":      "%%% ((( @@@ ]]] this is (not python\n}}}{{{ foo(bar\n",
		"bad.ts":      "this is not { valid ][ ts code @@@\n%%% (((\n}}} => => foo(bar",
		"bin.go":      "package a\x00\x01\x02",
		"script.py":   "print('a')\nprint('b')\nprint('c'\n",
		"kept/ok.go":  "package kept\n\n// F is read.\nfunc F() {}\n",
		"kept/bad.go": "]]]]",
	})
	limited := llmtest.Start(llmtest.Reply{Status: 429, Header: llmtest.Header{"Retry-After": "1"}})
	defer limited.Close()
	refusing := llmtest.Start(llmtest.Reply{Status: 401})
	defer refusing.Close()
	key := func(s *llmtest.Server) []string {
		return []string{"ANTHROPIC_API_KEY=sk-ant-test-0123456789abcd", "ANTHROPIC_BASE_URL=" + s.URL}
	}
	const unparsed = "AST 解析失败，建议使用 --deep 模式 (the code cannot be parsed, deep mode gives its text; "
	for _, c := range []struct {
		env             []string
		tool, arguments string
		want            []string // in this order; the text begins with the first
	}{
		{nil, "prepare", `{"targetPath":"src/nonexistent/"}`, []string{"prepare 失败: 目标路径不存在: src/nonexistent/ (no such file or folder)"}},
		{nil, "generate", `{"targetPath":"src/nonexistent/"}`, []string{"generate 失败: 目标路径不存在: src/nonexistent/"}},
		{nil, "batch", `{"projectRoot":"none"}`, []string{"batch 失败: 目标路径不存在: none"}},
		{nil, "diff", `{"specPath":"none.spec.md","sourcePath":"till"}`, []string{"diff 失败: 目标路径不存在: none.spec.md"}},

		{nil, "prepare", `{"targetPath":"bad"}`, []string{"prepare 失败: " + unparsed + "bad/a.go:1: ", "; 2 files, none with a symbol)"}},
		{nil, "prepare", `{"targetPath":"bad.py"}`, []string{"prepare 失败: " + unparsed + "bad.py:1: "}},
		{nil, "prepare", `{"targetPath":"bad.ts"}`, []string{"prepare 失败: " + unparsed + "bad.ts:1: "}},
		{nil, "prepare", `{"targetPath":"bin.go"}`, []string{"prepare 失败: " + unparsed + "bin.go:1: binary file)"}},
		{nil, "generate", `{"targetPath":"bad"}`, []string{"generate 失败: " + unparsed + "bad/a.go:1: "}},

		{key(limited), "generate", `{"targetPath":"till"}`, []string{"generate 失败: Claude API 返回 429: 速率限制 (", "rate limit", "3 attempts)", "is written: specs/till.spec.md"}},
		{key(refusing), "generate", `{"targetPath":"kept"}`, []string{"generate 失败: Claude API 返回 401: 认证失败 (", "is written: specs/kept.spec.md"}},

		{[]string{"REVERSE_SPEC_PROVIDER=anthropic"}, "generate", `{"targetPath":"till"}`, []string{"generate 失败: 未检测到 ANTHROPIC_API_KEY ("}},
		{[]string{"REVERSE_SPEC_PROVIDER=anthropic"}, "batch", `{}`, []string{"batch 失败: 未检测到 ANTHROPIC_API_KEY ("}},
	} {
		r := startServer(t, dir, c.env).call(t, c.tool, c.arguments)
		rest := r.Content[0].Text
		ok := r.IsError && strings.HasPrefix(rest, c.want[0])
		for _, want := range c.want {
			_, after, found := strings.Cut(rest, want)
			rest, ok = after, ok && found
		}
		if !ok {
			t.Errorf("%s %s: %+v", c.tool, c.arguments, r)
		}
	}
	if n := len(limited.Requests()); n != 3 {
		t.Errorf("a service with a rate limit is asked %d times, want 3", n)
	}
	for _, name := range []string{"till", "kept"} {
		text, err := os.ReadFile(filepath.Join(dir, "specs", name+".spec.md"))
		if err != nil || !strings.Contains(string(text), "[LLM UNAVAILABLE") || !strings.Contains(string(text), "func") {
			t.Errorf("the spec of %s: %v %.200s", name, err, text)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "specs", "bad.spec.md")); err == nil {
		t.Error("what cannot be parsed has a spec")
	}
}

// TestWhatIsReadOfBrokenCode: deep mode returns the text of what cannot be parsed, as the
// error suggests. A valid file next to a broken one, and a script with a syntax error, are not
// errors.
func TestWhatIsReadOfBrokenCode(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"bad.ts":      "this is not { valid ][ ts code @@@\n%%% (((\n}}} => => foo(bar",
		"script.py":   "print('a')\nprint('b')\nprint('c'\n",
		"kept/ok.go":  "package kept\n\n// F is read.\nfunc F() {}\n",
		"kept/bad.go": "]]]]",
	})
	s := startServer(t, dir, nil)
	for arguments, want := range map[string]string{
		`{"targetPath":"bad.ts","deep":true}`: `"codeSnippets":["// bad.ts:1\nthis is not { valid ][ ts code @@@`,
		`{"targetPath":"script.py"}`:          `"parseErrors":[{"line":3`,
		`{"targetPath":"kept"}`:               `"signature":"func F()"`,
	} {
		if r := s.call(t, "prepare", arguments); r.IsError || !strings.Contains(r.Content[0].Text, want) {
			t.Errorf("%s: %+v", arguments, r)
		}
	}
}

// TestADegradedResultIsAlsoStructured: programs get the path without parsing text; a batch
// lists the module and writes the others.
func TestADegradedResultIsAlsoStructured(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"go.mod": "module example.com/shop\n", "till/a.go": till, "arms/a.go": "package arms\n\n// Fire fires a weapon.\nfunc Fire() {}\n"})
	model := llmtest.StartFunc(fakeModel)
	defer model.Close()
	s := startServer(t, dir, []string{"ANTHROPIC_API_KEY=sk-ant-test-0123456789abcd", "ANTHROPIC_BASE_URL=" + model.URL})
	r := s.call(t, "generate", `{"targetPath":"arms"}`)
	var made struct {
		SpecPath string
		Degraded bool
	}
	if err := json.Unmarshal(r.StructuredContent, &made); err != nil || !r.IsError || !made.Degraded || made.SpecPath != "specs/arms.spec.md" {
		t.Errorf("%v %+v", err, r)
	}
	r = s.call(t, "batch", `{"force":true}`)
	var all struct{ Successful, Degraded, Failed []json.RawMessage }
	if err := json.Unmarshal(r.StructuredContent, &all); err != nil || r.IsError || len(all.Successful) != 2 || len(all.Failed) != 0 ||
		len(all.Degraded) != 1 || string(all.Degraded[0]) != `"arms"` {
		t.Errorf("%v %+v", err, r)
	}
}

// TestWipeDatabaseTakesTrueAlone: the boolean, not the string.
func TestWipeDatabaseTakesTrueAlone(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"go.mod": "module example.com/shop\n", "a.go": "package shop\n\nfunc F() {}\n"})
	s := startServer(t, dir, nil)
	s.call(t, "index_repository", `{}`)
	for _, confirm := range []string{`"true"`, `"True"`, `1`, `"yes"`, `{}`, `[true]`, `null`, `""`, `false`} {
		r := s.call(t, "wipe_database", `{"confirm":`+confirm+`}`)
		if strings.Contains(r.Content[0].Text, "completely wiped") || confirm != "false" && !r.IsError {
			t.Errorf("%s: %+v", confirm, r)
		}
		if r := s.call(t, "list_projects", `{}`); !strings.Contains(r.Content[0].Text, filepath.Base(dir)) {
			t.Fatalf("after %s: %+v", confirm, r)
		}
	}
	if r := s.call(t, "wipe_database", `{"confirm":true}`); r.IsError || !strings.Contains(r.Content[0].Text, "completely wiped") {
		t.Errorf("true: %+v", r)
	}
	if r := s.call(t, "list_projects", `{}`); strings.Contains(r.Content[0].Text, filepath.Base(dir)) {
		t.Errorf("nothing was wiped: %+v", r)
	}
}
