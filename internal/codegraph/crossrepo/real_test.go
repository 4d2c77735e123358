package crossrepo_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/codegraph/crossrepo"
	"github.com/reverse-spec/reverse-spec/internal/codegraph/store"
)

// moduleDir returns the folder of a module in the module cache, at the version that
// this module's go.mod says.
func moduleDir(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Env = append(os.Environ(), "GOPROXY=off")
	out, err := cmd.Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		t.Skipf("%s is not in the module cache: %v", module, err)
	}
	return dir
}

// npmDir returns the folder of a package that `make truth` installs.
func npmDir(t *testing.T, name string) string {
	t.Helper()
	cache := os.Getenv("TRUTH_CACHE")
	if cache == "" {
		home, err := os.UserCacheDir()
		check(t, err)
		cache = filepath.Join(home, "reverse-spec", "truth")
	}
	dir := filepath.Join(cache, "node_modules", name)
	if _, err := os.Stat(filepath.Join(dir, "package.json")); err != nil {
		t.Skipf("npm's %s is not installed: make truth does that", name)
	}
	return dir
}

// federation writes a configuration of folders by name.
func federation(t *testing.T, folders ...string) string {
	t.Helper()
	text := "federation:\n  repositories:\n"
	for i := 0; i < len(folders); i += 2 {
		text += fmt.Sprintf("    - {name: %q, path: %q}\n", folders[i], folders[i+1])
	}
	path := filepath.Join(t.TempDir(), "federation.yaml")
	check(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestAGoModuleAndItsImporter: cobra calls pflag in as many places as go/types says.
func TestAGoModuleAndItsImporter(t *testing.T) {
	path := federation(t, "pflag", moduleDir(t, "github.com/spf13/pflag"), "cobra", moduleDir(t, "github.com/spf13/cobra"))
	s := openStore(t)
	r := run(t, s, path)
	want := map[string]map[string]int{"go": {"high": 309}}
	if diff := cmp.Diff(want, r.Repositories[1].Out); diff != "" {
		t.Errorf("edges of cobra: -want +got\n%s", diff)
	}
	calls := 0
	for _, e := range r.Edges {
		if e.SourceRepo != "cobra" || e.TargetRepo != "pflag" {
			t.Errorf("an edge the wrong way: %s", crossrepo.Explain(e))
		}
		if e.Type == store.VirtualCalls {
			calls++
		}
	}
	if calls != 228 { // pairs of a function and what it calls, by go/types, tests too
		t.Errorf("%d calls", calls)
	}
	if diff := cmp.Diff(r.Edges, stored(t, s, r.Repositories[1].Path, nil)); diff != "" {
		t.Errorf("stored with cobra: -want +got\n%s", diff)
	}
	execute := slices.IndexFunc(r.Edges, func(e store.VirtualEdge) bool {
		return strings.HasSuffix(e.SourceSymbol, ".command.Command.ParseFlags") && strings.HasSuffix(e.TargetSymbol, ".flag.FlagSet.Parse")
	})
	if execute < 0 {
		t.Fatal("Command.ParseFlags does not call FlagSet.Parse")
	}
	e := r.Edges[execute]
	if of := stored(t, s, r.Repositories[1].Path, []string{e.SourceSymbol}); !slices.Contains(of, e) || len(of) == len(r.Edges) {
		t.Errorf("of %s: %+v", e.SourceSymbol, of)
	}
	if e.File() != "pflag://flag.go" || e.Signature != "func (f *FlagSet) Parse(arguments []string) error" || e.Rule != "calls:returned" || e.Confidence != 0.994 {
		t.Errorf("%+v", e)
	}
}

// stored returns the virtual edges that are stored with a project.
func stored(t *testing.T, s store.Store, root string, symbols []string) []store.VirtualEdge {
	t.Helper()
	g, err := s.Open(t.Context(), root)
	check(t, err)
	edges, err := g.Virtual(t.Context(), symbols)
	check(t, err)
	check(t, g.Close())
	return edges
}

// TestAnNPMPackageWithDeclarationsAndItsUser: what rxjs imports from tslib by name is
// found, and nothing else.
func TestAnNPMPackageWithDeclarationsAndItsUser(t *testing.T) {
	rxjs := npmDir(t, "rxjs")
	r := run(t, openStore(t), federation(t, "tslib", npmDir(t, "tslib"), "rxjs", rxjs))
	got := map[string]bool{}
	for _, e := range r.Edges {
		if e.SourceRepo != "rxjs" || e.Contract != "typescript" || e.Level != "high" {
			t.Errorf("edge %s", crossrepo.Explain(e))
		}
		if name := e.TargetSymbol[strings.LastIndexByte(e.TargetSymbol, '.')+1:]; strings.HasPrefix(name, "__") {
			got[e.SourceFile+" "+name] = true
		}
	}
	if diff := cmp.Diff(imported(t, rxjs), slices.Sorted(maps.Keys(got))); diff != "" {
		t.Errorf("uses of tslib: -want +got\n%s", diff)
	}
}

// imported returns what the files below a folder import from tslib, by their text.
func imported(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	line := regexp.MustCompile(`(?m)^import \{ (.+) \} from "tslib";$`)
	check(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".js" {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range line.FindAllSubmatch(data, -1) {
			rel, _ := filepath.Rel(root, path)
			for name := range strings.SplitSeq(string(m[1]), ", ") {
				out = append(out, filepath.ToSlash(rel)+" "+name)
			}
		}
		return err
	}))
	slices.Sort(out)
	return out
}
