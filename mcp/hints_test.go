package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/graphs"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/sqlite"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
	"github.com/reverse-spec/reverse-spec/internal/llm"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/mcp"
	"github.com/reverse-spec/reverse-spec/spec"
)

// busy are arguments with which each tool does the most that it can.
var busy = map[string]string{
	"prepare":               `{"targetPath":"src"}`,
	"generate":              `{"targetPath":"src"}`,
	"batch":                 `{"force":true}`,
	"diff":                  `{"specPath":"specs/src/auth.go.spec.md","sourcePath":"src/auth.go"}`,
	"list_projects":         `{}`,
	"delete_project":        `{"project_name":"project"}`,
	"wipe_database":         `{"confirm":true}`,
	"index_repository":      `{"force":true}`,
	"query_code_graph":      `{"natural_language_query":"the laziest caller of Login"}`,
	"get_code_snippet":      `{"qualified_name":"Login"}`,
	"surgical_replace_code": `{"file_path":"src/auth.go","target_code":"logs in","replacement_code":"logs someone in"}`,
	"read_file":             `{"file_path":"src/auth.go"}`,
	"write_file":            `{"file_path":"src/auth.go","content":"package auth\n"}`,
	"list_directory":        `{}`,
	"ci_graph_rag":          `{"query":"login","rerank":true}`,
	"ci_call_chain":         `{"symbol":"Login"}`,
	"verify":                `{"specPath":"shop.spec.md"}`,
	"review":                `{"base":"HEAD"}`,
	"orient":                `{"task":"log in"}`,
	"verify_claim":          `{"statement":"nobody calls Login"}`,
	"propose":               `{"base":"HEAD","id":"it"}`,
	"adopt":                 `{"path":"docs/rules.md","yes":true,"minConfidence":0.3}`,
}

// allowed are those of a server that may run code of the project.
var allowed = map[string]string{
	"generate": `{"targetPath":"src","check":true}`,
	"batch":    `{"force":true,"check":true}`,
	"verify":   `{"specPath":"shop.spec.md","run":true}`,
}

// hinted is a tool as clients see it.
type hinted struct {
	Name        string
	Annotations struct{ ReadOnlyHint, DestructiveHint, IdempotentHint, OpenWorldHint bool }
}

// listedTools are the tools of a server.
func listedTools(t *testing.T, s *mcp.Server) []hinted {
	t.Helper()
	var list struct{ Result struct{ Tools []hinted } }
	if err := json.Unmarshal([]byte(talk(t, s, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)[0]), &list); err != nil {
		t.Fatal(err)
	}
	return list.Result.Tools
}

// asked is a writer that notes that it was asked.
type asked struct{ atomic.Bool }

func (*asked) Name() string { return "test/asked" }

func (a *asked) Write(context.Context, spec.Task) (spec.Written, error) {
	a.Store(true)
	return spec.Written{}, os.ErrDeadlineExceeded
}

// Complete is asked of models of questions.
func (a *asked) Complete(context.Context, llm.Request) (*llm.Answer, error) {
	a.Store(true)
	return nil, os.ErrDeadlineExceeded
}

// TestHintsAreWhatToolsDo calls every tool of every kind of server twice and holds what
// became of the project's files and of the stored graphs against what clients are told.
func TestHintsAreWhatToolsDo(t *testing.T) {
	for name, o := range map[string]mcp.Options{
		"plain": {}, "read-only": {ReadOnly: true}, "allow-run": {AllowRun: true}, "allow-run and read-only": {AllowRun: true, ReadOnly: true},
		"with a model":               {Writers: func(context.Context, *project.Project) (spec.Writer, []string, error) { return nil, nil, nil }},
		"with a model for questions": {Graphs: graphs.New(graphs.Options{Model: func(context.Context, *project.Project) (llm.Model, []string, error) { return nil, nil, nil }})},
	} {
		for _, tool := range listedTools(t, mcp.New(o)) {
			t.Run(name+"/"+tool.Name, func(t *testing.T) { holdToHints(t, o, tool) })
		}
	}
}

func holdToHints(t *testing.T, o mcp.Options, tool hinted) {
	t.Helper()
	p, model := equipped(t), asked{}
	switch tool.Name {
	case "propose":
		branched(t, p)
	case "adopt":
		ruled(t, p)
	}
	if o.Writers != nil {
		o.Writers = func(context.Context, *project.Project) (spec.Writer, []string, error) { return &model, nil, nil }
	}
	s, err := sqlite.Open(sqlite.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	options := graphs.Options{Store: func() (store.Store, error) { return s, nil }, Shared: true}
	talk(t, mcp.New(mcp.Options{Project: p, Graphs: graphs.New(options)}), fmt.Sprintf(call2, "index_repository", "{}"))
	arguments := busy[tool.Name]
	if arguments == "" {
		t.Fatal("add arguments for it to busy")
	}
	if a := allowed[tool.Name]; a != "" && o.AllowRun && !o.ReadOnly {
		arguments = a
	}
	if o.Graphs.AsksModels() {
		options.Model = func(context.Context, *project.Project) (llm.Model, []string, error) { return &model, nil, nil }
	}
	o.Project, o.Graphs = p, graphs.New(options)
	server := mcp.New(o)
	before, graphs := contents(t, p.Root()), projects(t, s)
	call := func() (after map[string]string, stored int) {
		if m := decode(t, talk(t, server, fmt.Sprintf(call2, tool.Name, arguments))[0]); m.Error != nil {
			t.Fatal(m.Error)
		}
		return contents(t, p.Root()), projects(t, s)
	}
	once, stored := call()
	twice, _ := call()

	hints := tool.Annotations
	harmed := stored < graphs
	for file, text := range before {
		harmed = harmed || once[file] != text
	}
	ran := once["ran"] != ""
	if hints.ReadOnlyHint && !cmp.Equal(before, once) {
		t.Errorf("is read-only, and changed: %s", cmp.Diff(before, once))
	}
	if !hints.ReadOnlyHint && cmp.Equal(before, once) && stored == graphs && tool.Name != "index_repository" { // which writes what is there
		t.Error("is not read-only, and changed nothing")
	}
	if hints.DestructiveHint != (harmed || ran) {
		t.Errorf("destructive: %v; changed what was there: %v, ran tests: %v: %s", hints.DestructiveHint, harmed, ran, cmp.Diff(before, once))
	}
	if hints.IdempotentHint && !cmp.Equal(once, twice) {
		t.Errorf("is idempotent, and the second call did more: %s", cmp.Diff(once, twice))
	}
	if hints.OpenWorldHint != (model.Load() || ran) {
		t.Errorf("open world: %v; asked a model: %v, ran tests: %v", hints.OpenWorldHint, model.Load(), ran)
	}
}

// equipped is a project with a spec of its code, and one whose test runs.
func equipped(t *testing.T) *project.Project {
	t.Helper()
	p := openProject(t)
	talk(t, mcp.New(mcp.Options{Project: p}), fmt.Sprintf(call2, "generate", `{"targetPath":"src/auth.go"}`))
	if err := os.WriteFile(filepath.Join(p.Root(), "shop.spec.md"), []byte(shopSpec), 0o644); err != nil {
		t.Fatal(err)
	}
	withTest(t, p, "src/paid", "Paid")
	t.Setenv("CKB_UNAVAILABLE", "1")
	return p
}

// branched commits the project and adds a module.
func branched(t *testing.T, p *project.Project) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "all"}} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = p.Root()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	const kept = "package kept\n\nimport \"errors\"\n\n// Keep keeps n.\nfunc Keep(n int) error {\n\tif n < 0 {\n\t\treturn errors.New(\"too few\")\n\t}\n\treturn nil\n}\n"
	if err := p.WriteFile("src/kept/kept.go", []byte(kept)); err != nil {
		t.Fatal(err)
	}
}

// ruled adds a spec that a person wrote.
func ruled(t *testing.T, p *project.Project) {
	t.Helper()
	if err := p.WriteFile("docs/rules.md", []byte("# Rules\n\n- R-1: `Login` must log a user in by name.\n")); err != nil {
		t.Fatal(err)
	}
}

// moment is what differs between two reports of the same.
var moment = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// contents are the files below a folder with their texts, without the times in them.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(file)
		rel, _ := filepath.Rel(dir, file)
		files[filepath.ToSlash(rel)] = moment.ReplaceAllString(string(text), "then") + "."
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// projects is how many graphs are stored.
func projects(t *testing.T, s store.Store) int {
	t.Helper()
	list, err := s.Projects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}
