package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// TestFiles has each archive's project worked on by the calls in its file
// "calls", a tool and its arguments a line, one after the other. What they
// answer is indented, an error marked; the files that are there at the end
// follow.
func TestFiles(t *testing.T) {
	golden.Archives(t, "files", func(t *testing.T, files map[string][]byte) string {
		dir := t.TempDir()
		for name, text := range files {
			if name == "calls" || name == "want" {
				continue
			}
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		p, err := project.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		s := mcp.New(mcp.Options{Project: p, Version: "2.0.0"})
		var b strings.Builder
		for line := range strings.Lines(string(files["calls"])) {
			tool, arguments, _ := strings.Cut(strings.TrimSpace(line), " ")
			answer := decode(t, talk(t, s, fmt.Sprintf(
				`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))[0])
			mark := "    "
			if answer.Result.IsError {
				mark = "  ! "
			}
			text := strings.ReplaceAll(answer.Result.Content[0].Text, p.Root(), "$ROOT")
			fmt.Fprintf(&b, "%s%s%s\n", line, mark, strings.ReplaceAll(strings.ReplaceAll(text, "\r", "\\r"), "\n", "\n"+mark))
		}
		return b.String() + tree(t, dir)
	})
}

// tree is every file below dir and how its text begins, quoted.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, file)
		var text []byte
		if d.Type().IsRegular() {
			text, err = os.ReadFile(file)
		}
		fmt.Fprintf(&b, "%s: %.80q\n", filepath.ToSlash(rel), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextIsSentAsItIs(t *testing.T) {
	p := openProject(t)
	const text = "{\"a\": 1}\r\n<b> & \"c\"\n"
	if err := p.WriteFile("x.json", []byte(text)); err != nil {
		t.Fatal(err)
	}
	m := callTool(t, p, "read_file", map[string]any{"file_path": "x.json"})
	if m.Result.IsError || m.Result.StructuredContent != nil || len(m.Result.Content) != 1 {
		t.Fatalf("%+v", m.Result)
	}
	if diff := cmp.Diff(text, m.Result.Content[0].Text); diff != "" {
		t.Error(diff)
	}
}

// A server that may not write has only tools that do not, names the others when
// they are called, and its diff leaves no report.
func TestAReadOnlyServerWritesNothing(t *testing.T) {
	p := openProject(t)
	if m := callTool(t, p, "generate", map[string]any{"targetPath": "src"}); m.Result.IsError {
		t.Fatal(m.Result.Content[0].Text)
	}
	before := tree(t, p.Root())
	s := mcp.New(mcp.Options{Project: p, Version: "2.0.0", ReadOnly: true})
	list := talk(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)[0]
	if strings.Contains(list, `"readOnlyHint":false`) || strings.Contains(list, `"destructiveHint":true`) {
		t.Errorf("a tool that writes is listed: %s", list)
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"write_file", `{"file_path":"a","content":"x"}`, "tool write_file writes, and the server was started with --read-only; its tools are prepare, diff, list_projects, index_repository, query_code_graph, get_code_snippet, read_file, list_directory, ci_graph_rag, ci_call_chain, orient, review, verify_claim, adopt, verify"},
		{"surgical_replace_code", `{"file_path":"src/auth.go","target_code":"auth","replacement_code":"b"}`, "tool surgical_replace_code writes"},
		{"generate", `{"targetPath":"src"}`, "tool generate writes"},
		{"batch", `{}`, "tool batch writes"},
	} {
		m := decode(t, talk(t, s, fmt.Sprintf(call2, c.tool, c.arguments))[0])
		if m.Error == nil || m.Error.Code != -32602 || !strings.HasPrefix(m.Error.Message, c.want) {
			t.Errorf("%s: %+v", c.tool, m)
		}
	}
	for tool, arguments := range map[string]string{
		"diff":           `{"specPath":"specs/src.spec.md","sourcePath":"src"}`,
		"prepare":        `{"targetPath":"src"}`,
		"read_file":      `{"file_path":"src/auth.go"}`,
		"list_directory": `{}`,
	} {
		if m := decode(t, talk(t, s, fmt.Sprintf(call2, tool, arguments))[0]); m.Result == nil || m.Result.IsError {
			t.Errorf("%s: %+v", tool, m.Result)
		}
	}
	if diff := cmp.Diff(before, tree(t, p.Root())); diff != "" {
		t.Error(diff)
	}
}

const call2 = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`
