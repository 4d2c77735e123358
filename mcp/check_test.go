package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/project"
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
		withTest(t, c.o.Project, "a", "A")
		line := talk(t, mcp.New(c.o), fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.tool, c.arguments))[0]
		if text := decode(t, line).Result.Content[0].Text; !strings.HasPrefix(text, c.want) {
			t.Errorf("%s %s: %s", c.tool, c.arguments, text)
		}
		if _, err := os.Stat(filepath.Join(c.o.Project.Root(), "ran")); (err == nil) != c.checked {
			t.Errorf("%s %s: its tests ran: %v", c.tool, c.arguments, err == nil)
		}
	}
}

// withTest writes a file of the package auth with a function, and its test, into a project, and puts a stand-in for go on
// the path, which leaves the file "ran" behind and says that the test passed.
func withTest(t *testing.T, p *project.Project, name, function string) {
	t.Helper()
	bin := t.TempDir()
	for file, text := range map[string]string{
		filepath.Join(p.Root(), "go.mod"):        "module example.com/project\n\ngo 1.24\n",
		filepath.Join(p.Root(), name+".go"):      "package auth\n\nfunc " + function + "() int { return 1 }\n",
		filepath.Join(p.Root(), name+"_test.go"): "package auth\n\nimport \"testing\"\n\nfunc Test" + function + "(t *testing.T) {\n\tif " + function + "() != 1 {\n\t\tt.Error()\n\t}\n}\n",
		filepath.Join(bin, "go"):                 "#!/bin/sh\necho yes >ran\necho '--- PASS: Test" + function + " (0.00s)'\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}
