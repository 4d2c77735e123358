package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/mcp"
)

// TestContractTestsAreCheckedOnlyWhereTheyMayRun: what a spec's tests run is the
// project's, so that nobody has it run who was not allowed to.
func TestContractTestsAreCheckedOnlyWhereTheyMayRun(t *testing.T) {
	for _, c := range []struct {
		o         mcp.Options
		tool      string
		arguments string
		want      string // beginning of the answer
		checked   bool
	}{
		{mcp.Options{}, "generate", `{"targetPath":"a.go","check":true}`, "generate 失败: this server was started without --allow-run", false},
		{mcp.Options{}, "batch", `{"check":true}`, "batch 失败: this server was started without --allow-run", false},
		{mcp.Options{}, "generate", `{"targetPath":"a.go"}`, `{"specPath":"specs/a.go.spec.md"`, false},
		{mcp.Options{AllowRun: true}, "generate", `{"targetPath":"a.go"}`, `{"specPath":"specs/a.go.spec.md"`, false},
		{mcp.Options{AllowRun: true}, "generate", `{"targetPath":"a.go","check":true}`, `{"specPath":"specs/a.go.spec.md"`, true},
		{mcp.Options{AllowRun: true}, "batch", `{"check":true}`, `{"totalModules":`, true},
	} {
		c.o.Project, c.o.Version = openProject(t), "2.0.0"
		bin := t.TempDir() // a stand-in for the program that the tests call, and for jq
		for name, script := range map[string]string{"reverse-spec": "#!/bin/sh\ntouch ran\n", "jq": "#!/bin/sh\ncat\n"} {
			if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		write := filepath.Join(c.o.Project.Root(), "a.go")
		if err := os.WriteFile(write, []byte("package a\n\nfunc A() {}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		line := talk(t, mcp.New(c.o), fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.tool, c.arguments))[0]
		if text := decode(t, line).Result.Content[0].Text; !strings.HasPrefix(text, c.want) {
			t.Errorf("%s %s: %s", c.tool, c.arguments, text)
		}
		if _, err := os.Stat(filepath.Join(c.o.Project.Root(), "ran")); (err == nil) != c.checked {
			t.Errorf("%s %s: its tests ran: %v", c.tool, c.arguments, err == nil)
		}
	}
}
