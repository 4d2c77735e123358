package truth_test

import (
	"encoding/json"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"
)

// releases are pairs of versions of modules with few dependencies: some that promise
// compatibility, some with many breaking changes.
var releases = []struct {
	module, old, new string
}{
	{"github.com/BurntSushi/toml", "v0.4.1", "v1.0.0"},
	{"github.com/google/uuid", "v1.3.1", "v1.4.0"},
	{"github.com/mark3labs/mcp-go", "v0.13.0", "v0.20.0"},
	{"github.com/yuin/goldmark", "v1.4.15", "v1.5.0"},
}

// TestGoBreaksAsApidiffSeesThem generates the specs of one release, installs the next one, and
// compares the breaking changes of diff with apidiff's.
func TestGoBreaksAsApidiffSeesThem(t *testing.T) {
	for _, r := range releases {
		t.Run(r.module+" "+r.new, func(t *testing.T) {
			before, after := release(t, r.module, r.old), release(t, r.module, r.new)
			truth := breaks(t, before, after)
			got := driftBreaks(t, before, after)
			if len(truth)+len(got) == 0 {
				t.Log("both say that nothing breaks")
				return
			}
			if len(truth) == 0 || len(got) == 0 {
				t.Fatalf("apidiff sees %v break, the diff %v", truth, got)
			}
			// If apidiff takes a type to be renamed, it omits functions with parameters of that
			// type; we report them.
			compare(t, truth, got, floor{0.9, 1})
		})
	}
}

// release returns a copy of a released module.
func release(t *testing.T, module, version string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), needs(t, "go"), "mod", "download", "-json", module+"@"+version)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	var result struct{ Dir, Error string }
	if json.Unmarshal(out, &result) != nil || err != nil || result.Error != "" {
		t.Skipf("%s %s cannot be fetched: %v %s", module, version, err, result.Error)
	}
	dir := t.TempDir()
	copyTree(t, result.Dir, dir)
	needed := exec.CommandContext(t.Context(), "go", "mod", "download")
	needed.Dir = dir
	if out, err := needed.CombinedOutput(); err != nil {
		t.Skipf("what %s %s needs cannot be fetched: %v %s", module, version, err, out)
	}
	return dir
}

// breaks returns the package and symbol of every incompatible change.
func breaks(t *testing.T, before, after string) []string {
	t.Helper()
	old, now := exported(t, before), exported(t, after)
	var found []string
	for dir, p := range old {
		q, ok := now[dir]
		if !ok {
			t.Logf("package %s was removed; left out", dir)
			continue
		}
		for _, c := range apidiff.Changes(p, q).Changes {
			if !c.Compatible {
				symbol, _, _ := strings.Cut(c.Message, ": ")
				found = append(found, dir+" "+plain(symbol))
			}
		}
	}
	return found
}

// plain converts apidiff's "(*T).M" to "T.M", and "./sub.F" to "F".
func plain(symbol string) string {
	symbol = regexp.MustCompile(`^\(\*?([^)]+)\)`).ReplaceAllString(symbol, "$1")
	return regexp.MustCompile(`^\./[^.]*\.`).ReplaceAllString(symbol, "")
}

// exported returns a module's library packages by folder.
func exported(t *testing.T, dir string) map[string]*types.Package {
	t.Helper()
	pkgs := map[string]*types.Package{}
	for _, p := range load(t, dir, "./...") {
		if p.Name == "main" || internal(p) {
			continue
		}
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors[0])
		}
		pkgs[slashRel(t, dir, filepath.Dir(p.GoFiles[0]))] = p.Types
	}
	return pkgs
}

func internal(p *packages.Package) bool {
	return len(p.GoFiles) == 0 || strings.Contains("/"+p.PkgPath+"/", "/internal/")
}

// driftBreaks returns the package and symbol of every change that reverse-spec reports as
// breaking.
func driftBreaks(t *testing.T, before, after string) []string {
	t.Helper()
	project := t.TempDir()
	dirs := exported(t, before)
	later := exported(t, after)
	copyTree(t, before, project)
	specs := map[string]string{}
	for dir := range dirs {
		var result struct{ SpecPath string }
		if err := json.Unmarshal(command(t, project, nil, "generate", dir, "--json"), &result); err != nil {
			t.Fatal(err)
		}
		specs[dir] = result.SpecPath
	}
	replace(t, project, after)
	var found []string
	for dir := range dirs {
		if _, ok := later[dir]; !ok {
			continue
		}
		var report struct {
			Items []struct {
				Breaking   bool   `json:"breaking"`
				SymbolName string `json:"symbolName"`
				Location   string `json:"location"`
			} `json:"items"`
		}
		out := command(t, project, []int{3}, "diff", specs[dir], dir, "--json", "--no-report")
		if err := json.Unmarshal(out, &report); err != nil {
			t.Fatal(err)
		}
		for _, item := range report.Items {
			if item.Breaking && filepath.ToSlash(filepath.Dir(item.Location)) == dir {
				found = append(found, dir+" "+item.SymbolName)
			}
		}
	}
	return found
}

// replace installs another release in a project; its specs stay.
func replace(t *testing.T, project, release string) {
	t.Helper()
	entries, err := os.ReadDir(project)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "specs" {
			continue
		}
		if err := os.RemoveAll(filepath.Join(project, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	copyTree(t, release, project)
}
