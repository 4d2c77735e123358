// Gocalls prints the calls of a Go module as the compiler's own packages see them,
// one JSON line for each pair of functions of the module:
//
//	{"caller": "file:line:name", "callee": "file:line:name", "kind": "static", "site": "file:line"}
//
// The line is that of the name; a method is called Type.Method; a function literal
// belongs to the declared function around it; without one it is
// left out. Of the modes, "calls" takes each call by the name that go/types finds:
// that of an interface's method is the method. "cha" and "vta" are the call graphs
// of golang.org/x/tools by that name: what a call may run. "implements" prints
// types and the interfaces of the module that they implement instead.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"
)

// pair is a caller and what it calls, or a type and what it implements.
type pair struct {
	Caller string `json:"caller"`
	Callee string `json:"callee"`
	Kind   string `json:"kind"` // "static", "interface" or "dynamic"
	Site   string `json:"site"` // the first call
}

// collector collects pairs of one module.
type collector struct {
	root  string
	pairs map[[2]string]pair
}

func main() {
	dir := flag.String("dir", ".", "the module's folder")
	mode := flag.String("mode", "calls", "calls, cha, vta or implements")
	tests := flag.Bool("tests", false, "take test files, too")
	flag.Parse()
	if err := run(*dir, *mode, *tests, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "gocalls:", err)
		os.Exit(1)
	}
}

func run(dir, mode string, tests bool, out io.Writer) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if root, err = filepath.Abs(root); err != nil {
		return err
	}
	pkgs, err := load(root, mode != "calls", tests)
	if err != nil {
		return err
	}
	c := &collector{root: root, pairs: map[[2]string]pair{}}
	switch mode {
	case "calls":
		c.byName(pkgs)
	case "implements":
		c.byMethods(pkgs)
	default:
		if err := c.byGraph(pkgs, mode); err != nil {
			return err
		}
	}
	w := bufio.NewWriter(out)
	lines := json.NewEncoder(w)
	for _, p := range slices.SortedFunc(maps.Values(c.pairs), func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Callee, b.Callee))
	}) {
		if err := lines.Encode(p); err != nil {
			return err
		}
	}
	return w.Flush()
}

// load type-checks all packages of a module, for the platform that reverse-spec
// takes as its reference; whole loads what they import, too.
func load(root string, whole, tests bool) ([]*packages.Package, error) {
	need := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule
	if whole {
		need |= packages.NeedDeps
	} else {
		need |= packages.NeedExportFile
	}
	pkgs, err := packages.Load(&packages.Config{
		Mode: need, Dir: root, Tests: tests,
		Env: append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false", "GOWORK=off", "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64"),
	}, "./...")
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", root, err)
	}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			fmt.Fprintln(os.Stderr, "gocalls: load:", p.PkgPath, e)
		}
	}
	return pkgs, nil
}

// add adds a pair of functions, if both stand in the module.
func (c *collector) add(fset *token.FileSet, caller, callee *types.Func, kind string, site token.Pos) {
	c.addPlaces(c.place(fset, caller), c.place(fset, callee), kind, fset.PositionFor(site, false))
}

func (c *collector) addPlaces(from, to, kind string, at token.Position) {
	if from == "" || to == "" {
		return
	}
	key := [2]string{from, to}
	if _, known := c.pairs[key]; !known {
		c.pairs[key] = pair{from, to, kind, fmt.Sprintf("%s:%d", c.rel(at.Filename), at.Line)}
	}
}

// place is "file:line:name" of a function; "" for one outside the module.
func (c *collector) place(fset *token.FileSet, f *types.Func) string {
	return c.at(fset, f.Pos(), name(f))
}

func (c *collector) at(fset *token.FileSet, pos token.Pos, name string) string {
	at := fset.PositionFor(pos, false)
	file := c.rel(at.Filename)
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d:%s", file, at.Line, name)
}

func (c *collector) rel(file string) string {
	rel, err := filepath.Rel(c.root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// name is a function's name, with that of the type in front of a method's.
func name(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name() + "." + f.Name()
	}
	return f.Name()
}
