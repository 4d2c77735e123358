package service

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
)

var koa = Framework{
	Name: "Koa", Languages: ecmaLanguages, Imports: []string{"koa", "@koa/router", "koa-router"},
	Events: routerEvents(&koaRouters), Errors: routerErrors(&koaRouters), Answered: ecmaAnswered, Called: checksCalled, Passes: true, Leaks: true, Unhandled: 500,
	Join: ecmaJoin, Finish: pathInputs, Applies: appliesToMethod,
}

// exported returns the router whose routes are the default export of the file that a name is imported from, in Koa:
// module.exports = router.routes().
func (r *routerReader) exported(from *code.File, name string) Object {
	for i := range from.Imports {
		if imp := &from.Imports[i]; r.imports == nil || imp.Default != name && imp.Namespace != name {
			continue
		}
		for _, file := range r.imports.Target(from.Path, i).Files {
			if router := r.routesOf(file); router != "" {
				return router
			}
		}
	}
	return ""
}

// routesOf returns the router whose routes a file exports; "" for none.
func (r *routerReader) routesOf(file string) Object {
	f := r.File(file)
	if f == nil {
		return ""
	}
	for i := range f.Bodies.Calls {
		c := Call{f, &f.Bodies.Calls[i]}
		before, last := c.Of()
		if c.To != "module.exports" || last != "routes" && last != "middleware" {
			continue
		}
		router := r.ecmaObject(f, "", before, c.Line)
		if _, known := r.objects[router]; known {
			return router
		}
	}
	return ""
}
