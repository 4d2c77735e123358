package codegraph_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/lang"
)

// TestExportListsAreTheCompilers compares what each module of two published
// packages exports with TypeScript's own list: nothing missing, nothing extra.
// make truth fetches the packages and names their folder in TRUTH_CACHE.
func TestExportListsAreTheCompilers(t *testing.T) {
	modules := filepath.Join(os.Getenv("TRUTH_CACHE"), "node_modules")
	if _, err := os.Stat(filepath.Join(modules, "typescript")); err != nil {
		t.Skip("the packages were not fetched: run make truth where npm and its registry are")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	for _, pkg := range []string{"rxjs", "zod"} {
		t.Run(pkg, func(t *testing.T) {
			root := t.TempDir()
			if err := os.CopyFS(filepath.Join(root, "src"), os.DirFS(filepath.Join(modules, pkg, "src"))); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), node, filepath.Join("..", "..", "test", "truth", "exports.mjs"), root, filepath.Join(root, "src"))
			cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("exports.mjs: %v", err)
			}
			want, got := listed(t, out), exported(t, root)
			names := 0
			for _, list := range want {
				names += len(list)
			}
			t.Logf("%d modules, %d names", len(want), names)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-tsc +ours):\n%s", diff)
			}
		})
	}
}

// listed reads the lines that exports.mjs writes.
func listed(t *testing.T, out []byte) map[string][]string {
	t.Helper()
	lists := map[string][]string{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var l struct {
			File  string
			Names []string
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		lists[filepath.ToSlash(l.File)] = l.Names
	}
	return lists
}

// exported lists what the modules below a folder export, as we see it.
func exported(t *testing.T, root string) map[string][]string {
	t.Helper()
	var files []*code.File
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ts") || strings.HasSuffix(path, ".d.ts") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f, err := lang.Parse(t.Context(), filepath.ToSlash(rel), text)
		files = append(files, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	m, err := codegraph.ReadManifests(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string][]string{}
	for file, list := range codegraph.Exports(files, codegraph.Resolve(files, m)) {
		for _, x := range list {
			lists[file] = append(lists[file], x.Name)
		}
	}
	return lists
}
