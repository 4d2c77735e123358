// Package around reads what lies around compared code: packages of Go that it embeds types of, and what the manifests of
// npm and Java say that others can import.
package around

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/manifest"
	"github.com/reverse-spec/reverse-spec/internal/project"
	"github.com/reverse-spec/reverse-spec/internal/project/source"
	"github.com/reverse-spec/reverse-spec/internal/x/openfile"
)

// maxGoFile limits the files of packages outside the project, in bytes.
const maxGoFile = 4 << 20

// Packages reads packages of Go outside the compared code, because types there are embedded: of other folders of a
// project, of its vendor folder, of the module cache, and of the standard library. It starts no program and uses no network.
type Packages struct {
	project *project.Project
	cache   string // the module cache; "" if unknown
	library string // the source of the standard library; "" if unknown

	mu      sync.Mutex
	modules map[string]*manifest.GoModule // folder -> the module that the folder is in; nil for none
	read    map[string]*code.Skeleton     // folder of the project, or path of a foreign folder -> its declarations
}

// NewPackages returns a reader of the packages around the code of a project.
func NewPackages(p *project.Project) *Packages {
	g := &Packages{project: p, modules: map[string]*manifest.GoModule{}, read: map[string]*code.Skeleton{}}
	g.cache, g.library = moduleCache(), standardLibrary()
	return g
}

// Reader returns a function that returns a package that code in a folder of the project, or in a package that it returned
// before, imports; nil if it cannot be read. For a nil g the function is nil.
func (g *Packages) Reader(ctx context.Context) func(folder, importPath string) *code.Skeleton {
	if g == nil {
		return nil
	}
	return func(folder, importPath string) *code.Skeleton { return g.of(ctx, folder, importPath) }
}

// moduleCache returns the folder of downloaded modules.
func moduleCache() string {
	if dir := os.Getenv("GOMODCACHE"); dir != "" {
		return dir
	}
	roots := filepath.SplitList(os.Getenv("GOPATH"))
	if home, err := os.UserHomeDir(); len(roots) == 0 && err == nil {
		roots = []string{filepath.Join(home, "go")}
	}
	if len(roots) == 0 {
		return ""
	}
	return filepath.Join(roots[0], "pkg", "mod")
}

// standardLibrary returns the folder src of the Go that is installed.
func standardLibrary() string {
	roots := []string{os.Getenv("GOROOT")}
	if tool, err := exec.LookPath("go"); err == nil {
		if tool, err = filepath.EvalSymlinks(tool); err == nil {
			roots = append(roots, filepath.Dir(filepath.Dir(tool)))
		}
	}
	for _, root := range roots {
		src := filepath.Join(root, "src")
		if _, err := os.Stat(filepath.Join(src, "builtin", "builtin.go")); root != "" && err == nil {
			return src
		}
	}
	return ""
}

// of returns a package that code in a folder of the project, or in a foreign package, imports; nil if it cannot be read.
func (g *Packages) of(ctx context.Context, folder, importPath string) *code.Skeleton {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.module(folder)
	switch {
	case m == nil:
	case importPath == m.Module || strings.HasPrefix(importPath, m.Module+"/"):
		return g.inside(ctx, path.Join(m.Dir, strings.TrimPrefix(importPath, m.Module)))
	default:
		for replaced, dir := range m.Replace {
			if importPath == replaced || strings.HasPrefix(importPath, replaced+"/") {
				return g.inside(ctx, path.Join(dir, strings.TrimPrefix(importPath, replaced)))
			}
		}
		if s := g.inside(ctx, path.Join(m.Dir, "vendor", importPath)); s != nil {
			return s
		}
		if s := g.required(ctx, m, importPath); s != nil {
			return s
		}
	}
	if host, _, _ := strings.Cut(importPath, "/"); strings.Contains(host, ".") || g.library == "" {
		return nil
	}
	return g.outside(ctx, g.library, "$GOROOT/src", importPath)
}

// Path returns what others import for a folder of Go; "" if no go.mod says it.
func (g *Packages) Path(folder string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.module(folder)
	if m == nil || m.Module == "" {
		return ""
	}
	return path.Join(m.Module, manifest.RelativeTo(folder, m.Dir))
}

// module returns the module that a folder is in, the one at the project's root for a foreign package; nil for none.
func (g *Packages) module(folder string) *manifest.GoModule {
	if m, ok := g.modules[folder]; ok {
		return m
	}
	var m *manifest.GoModule
	if data, err := g.project.ReadFile(path.Join(folder, "go.mod")); err == nil {
		name := path.Join(folder, "go.mod")
		list, _ := manifest.Read([]string{name}, func(string) ([]byte, error) { return data, nil }) // unreadable lines are left out
		if list != nil && len(list.GoModules) == 1 {
			m = &list.GoModules[0]
		}
	} else if folder != "." {
		m = g.module(path.Dir(folder))
	}
	g.modules[folder] = m
	return m
}

// inside returns the declarations of a folder of the project.
func (g *Packages) inside(ctx context.Context, folder string) *code.Skeleton {
	if s, ok := g.read[folder]; ok {
		return s
	}
	g.read[folder] = nil
	tree, err := source.Read(ctx, g.project, folder, source.Options{Scope: source.Folder, Parts: lang.Hashes})
	if err != nil {
		return nil
	}
	s := code.Merge(folder, tree.Files, time.Time{})
	g.read[folder] = &s
	return &s
}

// required returns a package of a module that m requires, in the version that it names.
func (g *Packages) required(ctx context.Context, m *manifest.GoModule, importPath string) *code.Skeleton {
	best := manifest.Requirement{}
	for _, r := range m.Requires {
		if (importPath == r.Name || strings.HasPrefix(importPath, r.Name+"/")) && len(r.Name) > len(best.Name) {
			best = r
		}
	}
	if best.Name == "" || g.cache == "" {
		return nil
	}
	return g.outside(ctx, g.cache, "$GOMODCACHE", escaped(best.Name)+"@"+escaped(best.Version)+strings.TrimPrefix(importPath, best.Name))
}

// escaped writes a path as the module cache does: !b for B.
func escaped(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('!')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// outside returns the declarations of a folder below root. Their files are below a variable that names root.
func (g *Packages) outside(ctx context.Context, root, variable, folder string) *code.Skeleton {
	key := variable + "/" + folder
	if s, ok := g.read[key]; ok {
		return s
	}
	g.read[key] = nil
	var files []*code.File
	for _, name := range goFilesIn(root, folder) {
		src, err := openfile.ReadIn(root, path.Join(folder, name), maxGoFile)
		if err != nil {
			continue
		}
		if f, err := lang.Parse(ctx, path.Join(key, name), src, lang.Hashes); err == nil {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return nil
	}
	s := code.Merge(key, files, time.Time{})
	g.read[key] = &s
	return &s
}

// goFilesIn returns the names of the Go files in a folder below root, which a version in a go.mod cannot leave.
func goFilesIn(root, folder string) []string {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return nil
	}
	defer dir.Close() //nolint:errcheck // it was only read
	list, err := fs.ReadDir(dir.FS(), path.Clean(folder))
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range list {
		if name := e.Name(); e.Type().IsRegular() && path.Ext(name) == ".go" && !strings.HasSuffix(name, "_test.go") {
			out = append(out, name)
		}
	}
	return out
}
