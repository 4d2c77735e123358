package releases_test

import (
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/exp/apidiff"
	"golang.org/x/tools/go/packages"
)

func TestGoNextToApidiff(t *testing.T) {
	cache(t)
	measure(t, "Go", pairs(t, "golang.txt"), 0.98, func(t *testing.T, p pair) (score, bool) {
		t.Helper()
		old, err := module(t, p.name, p.old)
		if err != nil {
			t.Logf("%s: skipped: %v", p.name, err)
			return score{}, false
		}
		now, err := module(t, p.name, p.now)
		if err != nil {
			t.Logf("%s: skipped: %v", p.name, err)
			return score{}, false
		}
		truth, ok := cached(t, "go", p, func() ([]change, error) { return apidiffs(t, p.name, old, now) })
		if !ok {
			return score{}, false
		}
		return agree(t, p, truth, diff(t, repository(t, old, now)), sameInGo), true
	})
}

var (
	receiver = regexp.MustCompile(`^\(\*?([^)]+)\)`)
	promoted = regexp.MustCompile(`^(?:.*\.)?\(?\*?(\w+)\)?\.(\w+), method set of \*?(\w+)$`)
)

// namesInGo returns the names that an item about a change may have. A promoted method has that of the type that declares it
// and that of the type that has it.
func namesInGo(symbol string) []string {
	if m := promoted.FindStringSubmatch(symbol); m != nil {
		return []string{m[3] + "." + m[2], m[1] + "." + m[2]}
	}
	return []string{receiver.ReplaceAllString(symbol, "$1")}
}

// sameInGo reports whether an item is about a change. An item about a package has all changes of it.
func sameInGo(c *change, i *item) bool {
	if i.Rule == "module-removed" {
		return i.Symbol == c.Package
	}
	file, _, _ := strings.Cut(i.Location, ":")
	return path.Dir(file) == c.Package && slices.ContainsFunc(namesInGo(c.Symbol), func(name string) bool { return nested(i.Symbol, name) })
}

// module returns the folder of a release in the module cache.
func module(t *testing.T, name, version string) (string, error) {
	t.Helper()
	out, err := try(t, t.TempDir(), "go", "mod", "download", "-json", name+"@"+version)
	var result struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &result)
	}
	return result.Dir, err
}

// apidiffs returns the changes that apidiff sees between the packages of two releases.
func apidiffs(t *testing.T, name, before, after string) ([]change, error) {
	t.Helper()
	old, err := typed(t, name, before)
	if err != nil {
		return nil, err
	}
	now, err := typed(t, name, after)
	if err != nil {
		return nil, err
	}
	stdout := os.Stdout
	os.Stdout = os.Stderr // apidiff prints there what it does
	defer func() { os.Stdout = stdout }()
	out := []change{}
	for dir, p := range old {
		if now[dir] == nil {
			out = append(out, change{dir, "", true, "package " + dir + ": removed"})
			continue
		}
		for _, c := range apidiff.Changes(p, now[dir]).Changes {
			symbol, _, _ := strings.Cut(c.Message, ": ")
			out = append(out, change{dir, symbol, !c.Compatible, c.Message})
		}
	}
	return out, nil
}

// typed returns the packages of a release that others can import, by folder.
func typed(t *testing.T, name, release string) (map[string]*types.Package, error) {
	t.Helper()
	dir := t.TempDir()
	unpack(t, release, dir)
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module "+name+"\n\ngo 1.16\n"), 0o600); err != nil {
			return nil, err
		}
	}
	list, err := packages.Load(&packages.Config{
		Context: t.Context(), Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedModule | packages.NeedTypesSizes | packages.NeedExportFile |
			packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedCompiledGoFiles,
		Env: append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "CGO_ENABLED=0", "GOWORK=off"),
	}, "./...")
	if err != nil {
		return nil, err
	}
	out := map[string]*types.Package{}
	for _, p := range list {
		if p.Name == "main" || p.Module == nil || strings.Contains("/"+p.PkgPath+"/", "/internal/") {
			continue
		}
		if p.Types == nil {
			return nil, fmt.Errorf("load %s: %v", p.PkgPath, p.Errors)
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(p.PkgPath, p.Module.Path), "/")
		out[path.Clean(rel)] = p.Types
	}
	return out, nil
}
