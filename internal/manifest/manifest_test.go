package manifest_test

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestPackagesComeFromManifests shows by the cases in testdata/packages what
// each kind of manifest says: name, version, dependencies.
func TestPackagesComeFromManifests(t *testing.T) {
	golden.Archives(t, "packages", func(t *testing.T, files map[string][]byte) string {
		var b strings.Builder
		for _, p := range manifests(t, files).Packages() {
			fmt.Fprintf(&b, "== %s %s %q\n", p.Manifest, p.Name, p.Version)
			for _, d := range p.Dependencies {
				fmt.Fprintf(&b, "%s %q", d.Name, d.Version)
				if d.Dev {
					b.WriteString(" dev")
				}
				b.WriteString("\n")
			}
		}
		return b.String()
	})
}

// The other manifests are read, and the error names each broken one.
func TestBrokenManifestDoesNotAffectOthers(t *testing.T) {
	files := map[string]string{
		"go.mod":                      "module example.com/good\n",
		"a/package.json":              `{"name": `,
		"b/Cargo.toml":                "[package\nname = 1",
		"c/pyproject.toml":            "name = \"open",
		"d/pom.xml":                   "<project><version>1</project>",
		"e/tsconfig.json":             `[1]`,
		"node_modules/x/package.json": `{`,
	}
	var paths []string
	for p := range files {
		paths = append(paths, p)
	}
	m, err := manifest.Read(append(paths, "gone/go.mod", "main.go"), func(path string) ([]byte, error) {
		if text, ok := files[path]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	})
	if name, _ := m.Project(); name != "good" {
		t.Errorf("name %q", name)
	}
	if err == nil {
		t.Fatal("no error")
	}
	for _, p := range []string{"a/package.json", "b/Cargo.toml", "c/pyproject.toml", "d/pom.xml", "e/tsconfig.json", "gone/go.mod"} {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("the error does not name %s: %v", p, err)
		}
	}
	if strings.Contains(err.Error(), "node_modules") || strings.Contains(err.Error(), "main.go") {
		t.Errorf("the error names what is no manifest: %v", err)
	}
}

func TestManifestsAreKnownByName(t *testing.T) {
	for path, want := range map[string]bool{
		"go.mod": true, "go.work": true, "a/b/package.json": true, "tsconfig.build.json": true, "jsconfig.json": true,
		"requirements-dev.txt": true, "requirements.txt": true, "Cargo.toml": true, "pom.xml": true, "pnpm-workspace.yaml": true,
		"App.csproj": true, "x.gemspec": true, "gradle/libs.versions.toml": true, "go.sum": false, "package-lock.json": false, "a/node_modules/b/package.json": false, "requirements": false, "main.go": false,
	} {
		if got := manifest.IsManifest(path); got != want {
			t.Errorf("IsManifest(%q) = %t", path, got)
		}
	}
}

func manifests(t *testing.T, files map[string][]byte) *manifest.Manifests {
	t.Helper()
	m, err := manifest.Read(slices.Collect(maps.Keys(files)), func(path string) ([]byte, error) {
		if data, ok := files[path]; ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
