package main

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// byMethods adds the types that implement interfaces, both declared at the top of a file of the module: a type whose
// values or pointers have the methods. A generic type or interface counts if it does for some type arguments; an
// interface without methods, and one of type sets, is left out. Each type is in a pair with itself, too.
func (c *collector) byMethods(pkgs []*packages.Package) {
	if len(pkgs) == 0 {
		return
	}
	fset := pkgs[0].Fset
	note := func(t, i *types.Named, kind string) {
		c.addPlaces(c.placed(fset, t.Obj()), c.placed(fset, i.Obj()), kind, fset.PositionFor(t.Obj().Pos(), false))
	}
	var concrete, interfaces []*types.Named
	for _, t := range c.declared(pkgs) {
		switch i, ok := t.Underlying().(*types.Interface); {
		case !ok:
			concrete = append(concrete, t)
		case i.IsMethodSet() && i.NumMethods() > 0:
			interfaces = append(interfaces, t)
		}
	}
	for _, t := range slices.Concat(concrete, interfaces) {
		note(t, t, "type")
	}
	for _, t := range concrete {
		for _, i := range interfaces {
			if implements(t, i) {
				note(t, i, "implements")
			}
		}
	}
}

// declared returns the types at the top of the module's files, each once: a package and its test variant declare the
// same ones.
func (c *collector) declared(pkgs []*packages.Package) []*types.Named {
	var all []*types.Named
	seen := map[string]bool{"": true} // "" is the place of a type outside the module
	for _, p := range pkgs {
		for _, name := range p.Types.Scope().Names() {
			obj, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || obj.IsAlias() || seen[c.placed(p.Fset, obj)] {
				continue
			}
			seen[c.placed(p.Fset, obj)] = true
			if t, ok := obj.Type().(*types.Named); ok {
				all = append(all, t)
			}
		}
	}
	return all
}

// placed is "file:line:name" of a type; "" for one outside the module.
func (c *collector) placed(fset *token.FileSet, t *types.TypeName) string {
	return c.at(fset, t.Pos(), t.Name())
}

// implements reports whether a type or its pointer implements an interface, for some type arguments of either.
func implements(t, i *types.Named) bool {
	if t.TypeParams().Len() == 0 && i.TypeParams().Len() == 0 {
		return types.Implements(types.NewPointer(t), i.Underlying().(*types.Interface))
	}
	u := unifier{}
	for m := range i.Underlying().(*types.Interface).Methods() {
		obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, m.Pkg(), m.Name())
		f, ok := obj.(*types.Func)
		if !ok || !u.same(m.Signature(), f.Signature()) {
			return false
		}
	}
	return true
}

// unifier binds type parameters so that types become the same.
type unifier map[*types.TypeParam]types.Type

func (u unifier) same(a, b types.Type) bool {
	a, b = u.bound(a), u.bound(b)
	if types.Identical(a, b) {
		return true
	}
	if p, ok := a.(*types.TypeParam); ok {
		u[p] = b
		return true
	}
	if p, ok := b.(*types.TypeParam); ok {
		u[p] = a
		return true
	}
	return u.alike(a, b)
}

func (u unifier) bound(t types.Type) types.Type {
	t = types.Unalias(t)
	for p, ok := t.(*types.TypeParam); ok && u[p] != nil; p, ok = t.(*types.TypeParam) {
		t = types.Unalias(u[p])
	}
	return t
}

// alike compares composite types part by part.
func (u unifier) alike(a, b types.Type) bool {
	shape, parts := composition(a)
	other, others := composition(b)
	if shape == nil || shape != other || len(parts) != len(others) {
		return false
	}
	for i, p := range parts {
		if !u.same(p, others[i]) {
			return false
		}
	}
	return true
}

// composition takes a type apart: a value that is equal for types of one shape, and the types it is made of. The shape
// of a type that has no parts is nil.
func composition(t types.Type) (shape any, parts []types.Type) {
	switch t := t.(type) {
	case *types.Pointer:
		return "pointer", []types.Type{t.Elem()}
	case *types.Slice:
		return "slice", []types.Type{t.Elem()}
	case *types.Array:
		return t.Len(), []types.Type{t.Elem()}
	case *types.Map:
		return "map", []types.Type{t.Key(), t.Elem()}
	case *types.Chan:
		return t.Dir(), []types.Type{t.Elem()}
	case *types.Signature:
		type signature struct {
			params   int
			variadic bool
		}
		return signature{t.Params().Len(), t.Variadic()}, slices.Concat(typesOf(t.Params()), typesOf(t.Results()))
	case *types.Named:
		return t.Origin(), slices.Collect(t.TypeArgs().Types())
	default:
		return nil, nil
	}
}

func typesOf(tuple *types.Tuple) []types.Type {
	var list []types.Type
	for v := range tuple.Variables() {
		list = append(list, v.Type())
	}
	return list
}
