package main

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// byName adds the calls in functions by the name that is called.
func (c *collector) byName(pkgs []*packages.Package) {
	for _, p := range pkgs {
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil {
					continue
				}
				if caller, ok := p.TypesInfo.Defs[fn.Name].(*types.Func); ok {
					c.body(p, caller, fn.Body)
				}
			}
		}
	}
}

func (c *collector) body(p *packages.Package, caller *types.Func, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callee, ok := typeutil.Callee(p.TypesInfo, call).(*types.Func)
		if !ok || callee.Pkg() == nil { // error.Error
			return true
		}
		kind := "static"
		if recv := callee.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			kind = "interface"
		}
		c.add(p.Fset, caller, callee.Origin(), kind, call.Pos())
		return true
	})
}
