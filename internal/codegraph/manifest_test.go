package codegraph_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/testsupport/golden"
)

// TestTechnologiesComeFromManifests shows by the cases in testdata/technologies
// what projects are built with.
func TestTechnologiesComeFromManifests(t *testing.T) {
	golden.Archives(t, "technologies", func(t *testing.T, files map[string][]byte) string {
		parsed, m, r := project(t, files)
		var b strings.Builder
		name, description := m.Project()
		fmt.Fprintf(&b, "%s: %s\n", name, description)
		for _, x := range codegraph.Technologies(parsed, r, m) {
			fmt.Fprintf(&b, "%s %s %q files=%d %s\n", x.Kind, x.Name, x.Version, x.Files, x.Manifest)
		}
		return b.String()
	})
}

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
	m, err := codegraph.ReadManifests(append(paths, "gone/go.mod", "main.go"), func(path string) ([]byte, error) {
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
		if got := codegraph.IsManifest(path); got != want {
			t.Errorf("IsManifest(%q) = %t", path, got)
		}
	}
}

// FuzzReadManifests checks that reading a manifest with any content returns.
func FuzzReadManifests(f *testing.F) {
	for _, dir := range []string{"resolve", "technologies", "packages"} {
		for _, data := range golden.Files(f, dir) {
			f.Add(data)
		}
	}
	names := []string{
		"go.mod", "package.json", "tsconfig.json", "pyproject.toml", "setup.cfg", "requirements.txt", "Cargo.toml", "pom.xml", "pnpm-workspace.yaml",
		"build.gradle", "libs.versions.toml", "build.sbt", "a.csproj", "packages.config", "composer.json", "Gemfile", "a.gemspec",
		"Package.swift", "CMakeLists.txt", "meson.build", "configure.ac", "vcpkg.json", "conanfile.txt",
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		m, _ := codegraph.ReadManifests(names, func(string) ([]byte, error) { return data, nil })
		codegraph.Technologies(nil, nil, m)
		m.Packages()
	})
}
