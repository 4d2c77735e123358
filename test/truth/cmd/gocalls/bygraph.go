package main

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// byGraph adds the calls of a call graph of the whole program.
func (c *collector) byGraph(pkgs []*packages.Package, algorithm string) error {
	prog, _ := ssautil.AllPackages(pkgs, ssa.InstantiateGenerics)
	prog.Build()
	g := cha.CallGraph(prog)
	switch algorithm {
	case "cha":
	case "vta":
		g = vta.CallGraph(ssautil.AllFunctions(prog), g)
	default:
		return fmt.Errorf("no call graph is called %q", algorithm)
	}
	g.DeleteSyntheticNodes()
	return callgraph.GraphVisitEdges(g, func(e *callgraph.Edge) error {
		caller, callee := declared(e.Caller.Func), declared(e.Callee.Func)
		if caller == nil || callee == nil || e.Site == nil {
			return nil
		}
		kind := "dynamic"
		switch {
		case e.Site.Common().IsInvoke():
			kind = "interface"
		case e.Site.Common().StaticCallee() != nil:
			kind = "static"
		}
		c.add(prog.Fset, caller, callee, kind, e.Site.Pos())
		return nil
	})
}

// declared returns the declared function that f is, is an instance of or is declared in;
// nil where there is none.
func declared(f *ssa.Function) *types.Func {
	for f.Parent() != nil {
		f = f.Parent()
	}
	if o := f.Origin(); o != nil {
		f = o
	}
	fn, _ := f.Object().(*types.Func)
	return fn
}
