package codegraph

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Manifests are a project's build files: what its parts are called, where their
// sources lie, and what they depend on. The zero value knows of none.
type Manifests struct {
	goModules  []goModule
	packages   []nodePackage
	workspaces []nodeWorkspace
	configs    []tsConfig
	python     []pythonProject
	crates     []crate
	maven      []facts
	gradle     []gradleProject
	catalog    map[string]requirement // of Gradle: names that its builds give to packages
	sbt        []facts
	dotnet     []facts
	central    []requirement // versions for all .NET projects
	composer   []composerPackage
	ruby       []facts
	swift      []swiftPackage
	native     []facts // of C and C++
}

// facts are what every kind of manifest tells.
type facts struct {
	path        string // of the manifest
	dir         string // its folder
	title       string // what it calls the project
	module      string // what others ask for it by, if not by its title; "" for a go.work
	description string
	release     string // the project's own version
	version     string // of the language, as demanded: "1.26", ">=3.9"
	language    string // the language that version is of, where the manifest serves several
	requires    []requirement
}

// requirement is a direct dependency.
type requirement struct {
	name    string
	version string // as written; "" when any will do
	dev     bool   // not needed by users of the code
}

// reader reads manifests into m.
type reader struct {
	m    *Manifests
	read func(path string) ([]byte, error)
}

// kinds are the manifests there are, by the form of their names.
var kinds = []struct {
	pattern string // as in path.Match, of the last element
	read    func(r *reader, file string, data []byte) error
}{
	{"go.mod", (*reader).goMod},
	{"go.work", (*reader).goWork},
	{"package.json", (*reader).packageJSON},
	{"pnpm-workspace.yaml", (*reader).pnpmWorkspace},
	{"lerna.json", (*reader).lerna},
	{"tsconfig.json", (*reader).tsConfig},
	{"tsconfig.*.json", (*reader).tsConfig},
	{"jsconfig.json", (*reader).tsConfig},
	{"pyproject.toml", (*reader).pyproject},
	{"setup.cfg", (*reader).setupCfg},
	{"requirements.txt", (*reader).requirements},
	{"requirements-*.txt", (*reader).requirements},
	{"requirements_*.txt", (*reader).requirements},
	{"Cargo.toml", (*reader).cargo},
	{"pom.xml", (*reader).pom},
	{"build.gradle", (*reader).gradle},
	{"build.gradle.kts", (*reader).gradle},
	{"settings.gradle", (*reader).gradle},
	{"settings.gradle.kts", (*reader).gradle},
	{"*.versions.toml", (*reader).versionCatalog},
	{"*.sbt", (*reader).sbt},
	{"*.csproj", (*reader).msbuild},
	{"Directory.Packages.props", (*reader).msbuild},
	{"packages.config", (*reader).packagesConfig},
	{"composer.json", (*reader).composer},
	{"Gemfile", (*reader).gemfile},
	{"*.gemspec", (*reader).gemspec},
	{"Package.swift", (*reader).swiftPackage},
	{"CMakeLists.txt", (*reader).cmake},
	{"meson.build", (*reader).meson},
	{"configure.ac", (*reader).autoconf},
	{"vcpkg.json", (*reader).vcpkg},
	{"conanfile.txt", (*reader).conan},
}

// IsManifest reports whether [ReadManifests] reads the file.
func IsManifest(file string) bool { return manifestKind(file) >= 0 }

func manifestKind(file string) int {
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "node_modules" {
			return -1
		}
	}
	base := path.Base(file)
	for i, k := range kinds {
		if ok, _ := path.Match(k.pattern, base); ok {
			return i
		}
	}
	return -1
}

// ReadManifests reads the manifests among paths, which are relative to the
// project. Read returns a file's content. It reads, too, what a TypeScript
// configuration extends. The error joins those of the manifests that cannot be
// read; the others are in the result, which is never nil.
func ReadManifests(paths []string, read func(path string) ([]byte, error)) (*Manifests, error) {
	r := &reader{m: &Manifests{}, read: read}
	var errs []error
	for _, file := range slices.Sorted(slices.Values(paths)) {
		kind := manifestKind(file)
		if kind < 0 {
			continue
		}
		data, err := read(file)
		if err == nil {
			err = kinds[kind].read(r, file, data)
		}
		if err != nil {
			errs = append(errs, message.Errorf("read manifest %s: %w", file, err))
		}
	}
	r.m.resolveExtends(r)
	r.m.joinWorkspaces()
	r.m.joinCentral()
	r.m.joinCatalog()
	return r.m, errors.Join(errs...)
}

// Project returns what the manifests in the project's root call it and say that
// it is; "" where they do not.
func (m *Manifests) Project() (name, description string) {
	for _, f := range m.all() {
		if f.dir == "." {
			name, description = cmp.Or(name, f.title), cmp.Or(description, f.description)
		}
	}
	return name, description
}

// all returns what each manifest tells.
func (m *Manifests) all() []facts {
	return slices.Concat(
		told(m.goModules), told(m.packages), told(m.python), told(m.crates), told(m.maven), told(m.gradle), told(m.sbt),
		told(m.dotnet), told(m.composer), told(m.ruby), told(m.swift), told(m.native),
	)
}

// told returns what manifests of one kind tell.
func told[T interface{ tells() facts }](list []T) []facts {
	out := make([]facts, 0, len(list))
	for _, x := range list {
		out = append(out, x.tells())
	}
	return out
}

func (f facts) tells() facts { return f }

// deepest returns the index of the element whose folder is the deepest that
// holds file, or -1.
func deepest[T any](list []T, dir func(T) string, file string) int {
	best := -1
	for i, x := range list {
		if within(file, dir(x)) && (best < 0 || depth(dir(x)) > depth(dir(list[best]))) {
			best = i
		}
	}
	return best
}

func depth(dir string) int {
	if dir == "." {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}
