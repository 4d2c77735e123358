package truth_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestGoDeclarationsAsGoTypesSeesThem compares packages of the standard library: all
// package-level declarations, methods, fields and interface methods.
func TestGoDeclarationsAsGoTypesSeesThem(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), needs(t, "go"), "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	library := filepath.Join(strings.TrimSpace(string(out)), "src")
	for _, pkg := range []string{"net/http", "encoding/json", "text/template", "go/types", "iter", "reflect", "time"} {
		t.Run(pkg, func(t *testing.T) {
			project := t.TempDir()
			copyTree(t, filepath.Join(library, pkg), filepath.Join(project, pkg), "testdata")
			prune(t, filepath.Join(project, pkg))
			p := load(t, ".", pkg)[0]
			if len(p.Errors) > 0 {
				t.Fatal(p.Errors[0])
			}
			compare(t, goTruth(t, library, p), inFiles(t, library, p, ours(t, project, pkg)), floor{1, 1})
		})
	}
}

// prune removes the folders below a package.
func prune(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// load type-checks packages for the reference platform of reverse-spec.
func load(t *testing.T, dir string, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Context: t.Context(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
		Dir: dir,
		Env: append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off", "GOOS=linux", "GOARCH=amd64"),
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// goTruth returns the declarations of a loaded package.
func goTruth(t *testing.T, root string, p *packages.Package) []decl {
	t.Helper()
	g := &goDecls{t: t, root: root, pkg: p}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		g.object(scope.Lookup(name))
	}
	return g.decls
}

// goDecls collects the declarations of one package.
type goDecls struct {
	t     *testing.T
	root  string
	pkg   *packages.Package
	decls []decl
}

func (g *goDecls) add(name string, o types.Object) {
	at := g.pkg.Fset.Position(o.Pos())
	owner, _, _ := strings.Cut(name, ".")
	g.decls = append(g.decls, decl{slashRel(g.t, g.root, at.Filename), at.Line, name, o.Exported() && token.IsExported(owner)})
}

func (g *goDecls) object(o types.Object) {
	if o.Name() == "_" {
		return
	}
	g.add(o.Name(), o)
	tn, ok := o.(*types.TypeName)
	if !ok || tn.IsAlias() {
		return
	}
	named, ok := tn.Type().(*types.Named)
	if !ok {
		return
	}
	for m := range named.Methods() {
		g.add(o.Name()+"."+m.Name(), m)
	}
	switch u := named.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() != "_" && g.within(named, f) {
				g.add(o.Name()+"."+f.Name(), f)
			}
		}
	case *types.Interface:
		for m := range u.ExplicitMethods() {
			if g.within(named, m) {
				g.add(o.Name()+"."+m.Name(), m)
			}
		}
	}
}

// within reports whether a field is written in the type's own declaration: for `type A B`, A
// has B's fields by type but not in its text.
func (g *goDecls) within(named *types.Named, o types.Object) bool {
	for _, f := range g.pkg.Syntax {
		if f.FileStart <= named.Obj().Pos() && named.Obj().Pos() < f.FileEnd {
			return inSpec(f, named.Obj().Pos(), o.Pos())
		}
	}
	return false
}

// inSpec reports whether pos is in the type declaration of the name at name.
func inSpec(f *ast.File, name, pos token.Pos) bool {
	for _, d := range f.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range group.Specs {
			if s, ok := s.(*ast.TypeSpec); ok && s.Name.Pos() == name {
				return s.Pos() <= pos && pos < s.End()
			}
		}
	}
	return false
}

// inFiles keeps declarations in files that the compiler reads: no tests, no other platforms.
// Functions called init are unknown to go/types.
func inFiles(t *testing.T, root string, p *packages.Package, decls []decl) []decl {
	t.Helper()
	files := map[string]bool{}
	for _, f := range p.GoFiles {
		files[slashRel(t, root, f)] = true
	}
	return slices.DeleteFunc(decls, func(d decl) bool { return !files[d.File] || d.Name == "init" })
}
