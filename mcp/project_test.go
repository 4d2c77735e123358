package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// project makes a folder with files and a link that leads out of it, and opens it.
func openProject(t *testing.T) *project.Project {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "project")
	for name, text := range map[string]string{
		"src/auth.go":       "package auth\n\n// Login logs in.\nfunc Login(name string) error { return nil }\n",
		"inner/src/util.go": "package util\n\n// Twice doubles.\nfunc Twice(n int) int { return 2 * n }\n",
		"../other/other.go": "package other\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "..", "other"), filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here")
	}
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

// callTool calls a tool of the contract on a real project.
func callTool(t *testing.T, p *project.Project, tool string, arguments map[string]any) message {
	t.Helper()
	b, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	s := mcp.New(mcp.Options{Project: p, Version: "2.0.0"})
	return decode(t, talk(t, s, fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, b))[0])
}

func TestAPathThatIsNotThereIsNamed(t *testing.T) {
	p := openProject(t)
	for tool, arguments := range map[string]map[string]any{
		"prepare":  {"targetPath": "src/nonexistent/"},
		"generate": {"targetPath": "src/nonexistent/"},
		"batch":    {"projectRoot": "src/nonexistent"},
		"diff":     {"specPath": "src/nonexistent", "sourcePath": "src"},
	} {
		m := callTool(t, p, tool, arguments)
		want := tool + " 失败: 目标路径不存在: src/nonexistent"
		if text := m.Result.Content[0].Text; !m.Result.IsError || !strings.HasPrefix(text, want) {
			t.Errorf("%s: %+v", tool, m.Result)
		}
	}
}

func TestPathsMayBeAbsolute(t *testing.T) {
	p := openProject(t)
	relative := callTool(t, p, "prepare", map[string]any{"targetPath": "src"})
	absolute := callTool(t, p, "prepare", map[string]any{"targetPath": filepath.Join(p.Root(), "src")})
	if relative.Result.IsError {
		t.Fatal(relative.Result.Content[0].Text)
	}
	type paths struct{ FilePaths []string }
	var want, got paths
	if err := json.Unmarshal(relative.Result.StructuredContent, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(absolute.Result.StructuredContent, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
