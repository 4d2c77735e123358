// Package manifest reads the build files of a project in all ecosystems: names, versions, dependencies and where
// sources are. [Read] returns the [Manifests] of a project; files that are programs, such as a Gemfile, are read for
// calls with literal arguments. The fields of each kind are for package codegraph, which resolves imports by them.
package manifest

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/reverse-spec/reverse-spec/internal/message"
)

// Manifests are the build files of a project: the names of its parts, the locations of their sources, and their
// dependencies. The zero value is a project without manifests.
type Manifests struct {
	GoModules    []GoModule
	NodePackages []NodePackage
	Workspaces   []NodeWorkspace
	Configs      []TSConfig
	Python       []pythonProject
	Crates       []Crate
	Maven        []Facts
	Gradle       []gradleProject
	catalog      map[string]Requirement // Gradle: the aliases of the version catalog
	Sbt          []Facts
	DotNet       []Facts
	central      []Requirement // versions for all .NET projects
	Composer     []composerPackage
	Ruby         []Facts
	Swift        []swiftPackage
	Native       []Facts // C and C++
}

// Facts are the properties common to all kinds of manifests.
type Facts struct {
	Path        string // path of the manifest
	Dir         string // its folder
	Title       string // the project's name
	Module      string // the name by which others refer to it, if not title; "" for a go.work
	description string
	release     string // version of the project
	Version     string // required version of the language: "1.26", ">=3.9"
	Language    string // the language that version applies to, if the manifest serves several
	Requires    []Requirement
}

// Requirement is a direct dependency.
type Requirement struct {
	Name    string
	Version string // as written; "" for any
	Dev     bool   // development only
}

// reader adds manifests to m.
type reader struct {
	m    *Manifests
	read func(path string) ([]byte, error)
}

// kinds lists the kinds of manifests by the form of their names.
var kinds = []struct {
	pattern string // of the base name; a star stands for any text
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

// IsManifest reports whether [Read] reads the file.
func IsManifest(file string) bool { return manifestKind(file) >= 0 }

func manifestKind(file string) int {
	if strings.HasPrefix(file, "node_modules/") || strings.Contains(file, "/node_modules/") {
		return -1
	}
	return kindsByName().of(path.Base(file))
}

// nameIndex finds the kind of a manifest by its base name. Every file of a project is asked about.
type nameIndex struct {
	whole map[string]int // by patterns without a star
	stars []int
}

var kindsByName = sync.OnceValue(func() nameIndex {
	x := nameIndex{whole: map[string]int{}}
	for i, k := range kinds {
		if strings.Contains(k.pattern, "*") {
			x.stars = append(x.stars, i)
		} else {
			x.whole[k.pattern] = i
		}
	}
	return x
})

func (x nameIndex) of(base string) int {
	if i, ok := x.whole[base]; ok {
		return i
	}
	for _, i := range x.stars {
		if fits(kinds[i].pattern, base) {
			return i
		}
	}
	return -1
}

// fits reports whether a name fits a pattern with at most one star.
func fits(pattern, name string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return name == pattern
	}
	return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}

// Read reads the manifests among paths, which are relative to the project, and the files that a TypeScript
// configuration extends. The function read returns a file's content. The error joins those of the manifests that
// cannot be read; the others are in the result, which is never nil.
func Read(paths []string, read func(path string) ([]byte, error)) (*Manifests, error) {
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

// Project returns the name and description given by the manifests in the project's root; "" if they give none.
func (m *Manifests) Project() (name, description string) {
	for _, f := range m.all() {
		if f.Dir == "." {
			name, description = cmp.Or(name, f.Title), cmp.Or(description, f.description)
		}
	}
	return name, description
}

// all returns the facts of every manifest.
func (m *Manifests) all() []Facts {
	return slices.Concat(
		factsOf(m.GoModules), factsOf(m.NodePackages), factsOf(m.Python), factsOf(m.Crates), factsOf(m.Maven), factsOf(m.Gradle), factsOf(m.Sbt),
		factsOf(m.DotNet), factsOf(m.Composer), factsOf(m.Ruby), factsOf(m.Swift), factsOf(m.Native),
	)
}

// factsOf returns the facts of the manifests of one kind.
func factsOf[T interface{ common() Facts }](list []T) []Facts {
	out := make([]Facts, 0, len(list))
	for _, x := range list {
		out = append(out, x.common())
	}
	return out
}

func (f Facts) common() Facts { return f }

// Deepest returns the index of the element whose folder is the innermost one that contains file, or -1.
func Deepest[T any](list []T, dir func(T) string, file string) int {
	best := -1
	for i, x := range list {
		if Within(file, dir(x)) && (best < 0 || Depth(dir(x)) > Depth(dir(list[best]))) {
			best = i
		}
	}
	return best
}

// Depth returns the number of folders in a path; 0 for ".".
func Depth(dir string) int {
	if dir == "." {
		return 0
	}
	return 1 + strings.Count(dir, "/")
}
