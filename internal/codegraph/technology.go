package codegraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
)

// TechnologyKind is the role of a technology.
type TechnologyKind string

// The kinds of technology.
const (
	LanguageTechnology TechnologyKind = "language"
	RuntimeTechnology  TechnologyKind = "runtime"
	LibraryTechnology  TechnologyKind = "library"
	ToolTechnology     TechnologyKind = "tool" // development only
)

// Technology is a language, library or tool that a project is built with.
type Technology struct {
	Kind    TechnologyKind
	Name    string
	Version string // version constraint of the manifest; "" if none
	// Files is the number of source files in the language, or that import the library.
	Files    int
	Manifest string // the manifest that names it; "" for a language without one
}

// nonProjectFolders are folders whose manifests do not describe the project itself.
var nonProjectFolders = strings.Fields("testdata fixtures __fixtures__ vendor third_party third-party example examples test tests __tests__ e2e benchmark benchmarks playground")

// Technologies returns the languages of files, most used first, and the direct dependencies named by manifests:
// libraries, then tools, most imported first. Packages of the project itself are left out.
func Technologies(files []*code.File, r *Resolution, m *manifest.Manifests) []Technology {
	if m == nil {
		m = &manifest.Manifests{}
	}
	all := ecosystems(m)
	out := languages(files, all)
	for i := range all {
		out = append(out, all[i].technologies(files, r)...)
	}
	rank := []TechnologyKind{LanguageTechnology, RuntimeTechnology, LibraryTechnology, ToolTechnology}
	slices.SortStableFunc(out, func(a, b Technology) int {
		return cmp.Or(cmp.Compare(slices.Index(rank, a.Kind), slices.Index(rank, b.Kind)),
			cmp.Compare(b.Files, a.Files), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// ecosystem is the manifests of one kind and the rule that matches their names to imports.
type ecosystem struct {
	languages []string         // as in code.File
	runtime   string           // what the required version applies to, if not the language
	manifests []manifest.Facts // those of the project, outermost first
	own       map[string]bool
	imports   func(requirement, pkg string) bool // reports whether an imported package belongs to a requirement
}

func ecosystems(m *manifest.Manifests) []ecosystem {
	golang := ecosystem{languages: []string{"go"}, own: map[string]bool{}, imports: same}
	for _, x := range m.GoModules {
		golang.add(x.Facts, x.Module)
	}
	node := ecosystem{languages: []string{"typescript", "javascript"}, runtime: "Node.js", own: map[string]bool{}, imports: same}
	for _, x := range m.NodePackages {
		node.add(x.Facts, x.Name)
	}
	python := ecosystem{languages: []string{"python"}, own: map[string]bool{}, imports: samePython}
	for _, x := range m.Python {
		python.add(x.Facts, "")
	}
	rust := ecosystem{languages: []string{"rust"}, own: map[string]bool{}, imports: func(q, pkg string) bool { return manifest.Identifier(q) == pkg }}
	for _, x := range m.Crates {
		rust.add(x.Facts, x.Name)
	}
	all := []ecosystem{golang, node, python, rust}
	all = append(all, jvmEcosystem(m), phpEcosystem(m), swiftEcosystem(m),
		plainEcosystem(m.DotNet, same, "csharp"), plainEcosystem(m.Ruby, same, "ruby"), plainEcosystem(m.Native, sameHeader, "c", "cpp"))
	for i := range all {
		slices.SortStableFunc(all[i].manifests, func(a, b manifest.Facts) int { return cmp.Compare(manifest.Depth(a.Dir), manifest.Depth(b.Dir)) })
	}
	return all
}

// jvmEcosystem returns the builds of Java, Kotlin and Scala.
func jvmEcosystem(m *manifest.Manifests) ecosystem {
	e := ecosystem{languages: []string{"java", "kotlin", "scala"}, own: map[string]bool{}, imports: sameJava}
	for _, x := range m.Maven {
		e.add(x, x.Module)
	}
	for _, x := range m.Gradle {
		e.add(x.Facts, x.Title)
	}
	for _, x := range m.Sbt {
		e.add(x, x.Title)
	}
	return e
}

func phpEcosystem(m *manifest.Manifests) ecosystem {
	e := ecosystem{languages: []string{"php"}, own: map[string]bool{}, imports: samePHP}
	for _, x := range m.Composer {
		e.add(x.Facts, x.Title)
	}
	return e
}

func swiftEcosystem(m *manifest.Manifests) ecosystem {
	e := ecosystem{languages: []string{"swift"}, own: map[string]bool{}, imports: same}
	for _, x := range m.Swift {
		e.add(x.Facts, x.Title)
	}
	return e
}

func plainEcosystem(list []manifest.Facts, imports func(requirement, pkg string) bool, languages ...string) ecosystem {
	e := ecosystem{languages: languages, own: map[string]bool{}, imports: imports}
	for _, x := range list {
		e.add(x, x.Title)
	}
	return e
}

// samePHP matches a package by vendor and name, which namespaces often repeat.
func samePHP(required, pkg string) bool {
	plain := strings.NewReplacer("-", "", "_", "", `\`, "/")
	return plain.Replace(required) == plain.Replace(strings.ToLower(pkg))
}

// sameHeader matches a library by the folder or name of its headers.
func sameHeader(required, pkg string) bool {
	return strings.EqualFold(strings.TrimPrefix(required, "lib"), strings.TrimPrefix(pkg, "lib"))
}

func (e *ecosystem) add(f manifest.Facts, name string) {
	for dir := range strings.SplitSeq(f.Dir, "/") {
		if slices.Contains(nonProjectFolders, dir) {
			return
		}
	}
	e.own[name] = true
	e.manifests = append(e.manifests, f)
}

func same(required, pkg string) bool { return required == pkg }

// sameJava matches by group, which is usually a prefix of the package names.
func sameJava(required, pkg string) bool {
	group, _, _ := strings.Cut(required, ":")
	return pkg == group || strings.HasPrefix(pkg, group+".")
}

// samePython matches a distribution by the name of its package: equal except for case and separators, or in
// pythonNames.
func samePython(required, pkg string) bool {
	plain := strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToLower(required))
	if plain == strings.ToLower(pkg) {
		return true
	}
	for _, known := range pythonNames {
		if known[0] == plain {
			return known[1] == pkg
		}
	}
	return false
}

// pythonNames are distributions whose package has another name.
var pythonNames = [][2]string{
	{"attrs", "attr"},
	{"beautifulsoup4", "bs4"},
	{"gitpython", "git"},
	{"opencv_python", "cv2"},
	{"pillow", "PIL"},
	{"protobuf", "google"},
	{"pyjwt", "jwt"},
	{"pyopenssl", "OpenSSL"},
	{"pyserial", "serial"},
	{"python_dateutil", "dateutil"},
	{"python_dotenv", "dotenv"},
	{"pyyaml", "yaml"},
	{"scikit_image", "skimage"},
	{"scikit_learn", "sklearn"},
}

// languages counts the files of each language, without tests and third-party code.
func languages(files []*code.File, all []ecosystem) []Technology {
	counts := map[string]int{}
	for _, f := range files {
		if !f.Test && !f.Vendored {
			counts[f.Language]++
		}
	}
	var out []Technology
	for name, n := range counts {
		t := Technology{Kind: LanguageTechnology, Name: displayName(name), Files: n}
		for i := range all {
			if e := &all[i]; slices.Contains(e.languages, name) {
				t.Version, t.Manifest = e.languageVersion(name)
			}
		}
		out = append(out, t)
	}
	return out
}

// displayName returns the customary spelling of a language.
func displayName(language string) string {
	for _, n := range [][2]string{
		{"go", "Go"},
		{"typescript", "TypeScript"},
		{"javascript", "JavaScript"},
		{"python", "Python"},
		{"java", "Java"},
		{"rust", "Rust"},
		{"c", "C"},
		{"cpp", "C++"},
		{"csharp", "C#"},
		{"ruby", "Ruby"},
		{"php", "PHP"},
		{"kotlin", "Kotlin"},
		{"swift", "Swift"},
		{"scala", "Scala"},
	} {
		if n[0] == language {
			return n[1]
		}
	}
	return language
}

// languageVersion returns the version required by the outermost manifest that has one.
func (e *ecosystem) languageVersion(language string) (version, manifest string) {
	for _, f := range e.manifests {
		if e.runtime == "" && f.Version != "" && (f.Language == "" || f.Language == language) {
			return f.Version, f.Path
		}
		for _, q := range f.Requires {
			if q.Name == "typescript" && language == "typescript" {
				return q.Version, f.Path
			}
		}
	}
	return "", ""
}

// technologies returns the runtime and the direct dependencies.
func (e *ecosystem) technologies(files []*code.File, r *Resolution) []Technology {
	var out []Technology
	index := map[string]int{}
	for _, f := range e.manifests {
		if e.runtime != "" && f.Version != "" && len(out) == 0 {
			out = append(out, Technology{Kind: RuntimeTechnology, Name: e.runtime, Version: f.Version, Manifest: f.Path})
			index["\x00runtime"] = 0
		}
		for _, q := range f.Requires {
			if e.own[q.Name] || e.own[manifest.Identifier(q.Name)] || e.runtime != "" && (q.Name == "typescript" || strings.HasPrefix(q.Name, "@types/")) {
				continue
			}
			i, known := index[q.Name]
			if !known {
				i = len(out)
				index[q.Name] = i
				out = append(out, Technology{Kind: ToolTechnology, Name: q.Name, Version: q.Version, Manifest: f.Path})
			}
			if !q.Dev {
				out[i].Kind = LibraryTechnology
			}
			out[i].Version = cmp.Or(out[i].Version, q.Version)
		}
	}
	e.count(out, files, r)
	return out
}

// count sets the number of files that import each library.
func (e *ecosystem) count(list []Technology, files []*code.File, r *Resolution) {
	importers := map[string]int{}
	for _, f := range files {
		if f.Vendored || !slices.Contains(e.languages, f.Language) {
			continue
		}
		seen := map[string]bool{}
		for i := range f.Imports {
			if t := r.Target(f.Path, i); t.Package != "" && t.Origin != Standard && !seen[t.Package] {
				seen[t.Package] = true
				importers[t.Package]++
			}
		}
	}
	for i := range list {
		for pkg, n := range importers {
			if e.imports(list[i].Name, pkg) {
				list[i].Files += n
			}
		}
	}
}
