package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/reverse-spec/reverse-spec/internal/contracttest"
	"github.com/reverse-spec/reverse-spec/mcp"
)

// shopSpec is a spec whose one test leaves a file behind.
const shopSpec = "---\nhealth: unverified\n---\n\n## 4. Contract tests\n\n### CT-1: it runs\n\n" +
	"**Type**: behavior\n\n**Covers**: REQ-1\n\n**Script**:\n```bash\ntouch ran\n```\n"

// verifying calls verify on a project with shopSpec; ran reports whether its test ran.
func verifying(t *testing.T, o mcp.Options, arguments string) (answer message, ran bool, file string) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	o.Project, o.Version = openProject(t), "2.0.0"
	at := filepath.Join(o.Project.Root(), "shop.spec.md")
	if err := os.WriteFile(at, []byte(shopSpec), 0o644); err != nil {
		t.Fatal(err)
	}
	line := talk(t, mcp.New(o), fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"verify","arguments":%s}}`, arguments))[0]
	_, err := os.Stat(filepath.Join(o.Project.Root(), "ran"))
	text, _ := os.ReadFile(at)
	return decode(t, line), err == nil, string(text)
}

func TestVerifyRunsOnlyWhereItMayAndWasAsked(t *testing.T) {
	for _, c := range []struct {
		o         mcp.Options
		arguments string
		runs      bool
		refused   string
	}{
		{mcp.Options{}, `{}`, false, ""},
		{mcp.Options{}, `{"run":true}`, false, "verify failed: this server lists contract tests and runs none"},
		{mcp.Options{AllowRun: true, ReadOnly: true}, `{"run":true}`, false, "verify failed: this server lists contract tests and runs none"},
		{mcp.Options{AllowRun: true}, `{"specPath":"shop.spec.md"}`, false, ""},
		{mcp.Options{AllowRun: true}, `{"specPath":"shop.spec.md","run":true,"only":"CT-1","timeout":60}`, true, ""},
		{mcp.Options{AllowRun: true}, `{"specPath":"../x.spec.md","run":true}`, false, "verify failed: "},
		{mcp.Options{AllowRun: true}, `{"only":"CT-2","run":true}`, false, "verify failed: no spec has the contract test CT-2\ndid you mean CT-1?"},
	} {
		m, ran, file := verifying(t, c.o, c.arguments)
		if ran != c.runs || (file != shopSpec) != c.runs {
			t.Errorf("%+v %s: ran: %v, file %q", c.o, c.arguments, ran, file)
		}
		text := m.Result.Content[0].Text
		if m.Result.IsError != (c.refused != "") || !strings.HasPrefix(text, c.refused) {
			t.Errorf("%+v %s: %s", c.o, c.arguments, text)
		}
		if c.refused != "" {
			continue
		}
		var got contracttest.Report
		if err := json.Unmarshal(m.Result.StructuredContent, &got); err != nil {
			t.Fatal(err)
		}
		for i := range got.Specs[0].Tests {
			got.Specs[0].Tests[i].Millis = 0
		}
		want := contracttest.Report{Total: 1, Specs: []contracttest.Spec{{
			Path: "shop.spec.md", Health: "unverified", Matrix: []contracttest.Row{}, Uncovered: []string{},
			Tests: []contracttest.Test{{ID: "CT-1", Title: "it runs", Type: "behavior", Covers: []string{"REQ-1"}, Script: "touch ran"}},
		}}}
		if c.runs {
			want.Specs[0].Items = []contracttest.Item{{ID: "REQ-1", Outcome: contracttest.Passed, Tests: 1}}
			want.Passed, want.Specs[0].Health, want.Specs[0].Updated, want.Specs[0].Tests[0].Outcome = 1, "active", true, contracttest.Passed
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(contracttest.Test{})); diff != "" {
			t.Errorf("%+v %s:\n%s", c.o, c.arguments, diff)
		}
	}
}

func TestAServerThatMayRunSaysSo(t *testing.T) {
	for _, c := range []struct {
		o    mcp.Options
		want string
	}{
		{mcp.Options{AllowRun: true}, `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}`},
		{mcp.Options{}, `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`},
		{mcp.Options{AllowRun: true, ReadOnly: true}, `{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}`},
	} {
		var list struct {
			Result struct {
				Tools []struct {
					Name        string
					Annotations json.RawMessage
				}
			}
		}
		line := talk(t, mcp.New(c.o), `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)[0]
		if err := json.Unmarshal([]byte(line), &list); err != nil {
			t.Fatal(err)
		}
		last := list.Result.Tools[len(list.Result.Tools)-1]
		if last.Name != "verify" || string(last.Annotations) != c.want {
			t.Errorf("%s: %s", last.Name, last.Annotations)
		}
	}
}
