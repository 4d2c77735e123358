package resolve

import (
	"iter"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// unit is a file.
type unit struct {
	id       uint32 // unique in the project and the linker
	file     *code.File
	facts    *code.Facts
	language *language
	targets  []codegraph.Target // by import
	decls    [][]*decl          // parallel to scopes and their bindings
	opened   map[int32]*decl
	imports  map[string][]binding // imported names
	stars    []int                // indexes of wildcard imports
	// importScopes are the scopes of the modules that the imports are in, 0 for the file's; nil if files have no modules.
	importScopes []int32
	symbols      []Symbol
	space        string           // its package
	inSpace      *names           // what is visible in the package
	large        map[int32]*names // of the scopes with many names
	briefs       []brief          // of the symbols, if only other files need them
	// scopeSymbols maps scopes to the ordinals of their symbols.
	scopeSymbols map[int32]int
}

// decl is a declaration: a binding of a scope.
type decl struct {
	ordinal int32  // of its symbol; 0 for none
	id      uint32 // unique in the project and the linker
	unit    *unit
	scope   int32 // the scope that binds it
	index   int32
	def     *code.Def
	// name is the lookup name: with "()" appended for functions in languages with functionsApart.
	name string
}

// binding is the meaning of an imported name.
type binding struct {
	index int    // index of the import
	name  string // name in the imported module; "" for the module itself
}

var noFacts = &code.Facts{Exprs: make([]code.Expr, 1), Scopes: []code.Scope{{Parent: -1}}, HeadExprs: 1, HeadScopes: 1}

func newUnit(f *code.File, targets []codegraph.Target, l *language, ids *uint32) *unit {
	u := &unit{
		file: f, facts: f.Facts, language: l, targets: targets,
		opened: map[int32]*decl{}, imports: map[string][]binding{},
	}
	if u.facts == nil || len(u.facts.Scopes) == 0 {
		u.facts = noFacts
	}
	u.space = l.space(u)
	*ids++
	u.id = *ids
	u.declare(nil, ids)
	for i := range f.Imports {
		u.language.bind(u, i)
	}
	if l.modules {
		u.placeImports()
	}
	u.findSymbols()
	return u
}

// placeImports finds the modules in the file that the imports are in.
func (u *unit) placeImports() {
	u.importScopes = make([]int32, len(u.file.Imports))
	for s := range min(u.facts.HeadScopes, len(u.facts.Scopes)) { // a scope comes after its parent
		scope := &u.facts.Scopes[s]
		if scope.Kind != code.SpaceScope {
			continue
		}
		for i := range u.file.Imports {
			if line := int32(u.file.Imports[i].Line); scope.Line <= line && line <= scope.End {
				u.importScopes[i] = int32(s)
			}
		}
	}
}

// declare makes the declarations of the scopes. Declarations of the unit with the head of the same facts are
// reused.
func (u *unit) declare(head *unit, ids *uint32) {
	scopes := u.facts.Scopes
	total, known := 0, 0
	for s := range scopes {
		total += len(scopes[s].Defs)
		if head != nil && s < len(head.decls) {
			known += len(head.decls[s])
		}
	}
	u.decls = make([][]*decl, len(scopes))
	all, made := make([]*decl, total), make([]decl, total-known)
	for s := range scopes {
		defs := scopes[s].Defs
		u.decls[s], all = all[:len(defs):len(defs)], all[len(defs):]
		known := 0
		if head != nil && s < len(head.decls) {
			known = copy(u.decls[s], head.decls[s])
		}
		for i := range defs {
			if i >= known {
				*ids++
				made[0] = decl{id: *ids, unit: u, scope: int32(s), index: int32(i), def: &defs[i], name: u.language.nameOf(&defs[i])}
				u.decls[s][i], made = &made[0], made[1:]
			}
			if defs[i].Scope != 0 {
				u.opened[defs[i].Scope] = u.decls[s][i]
			}
		}
	}
	u.indexLarge()
}

// manyNames is the number of bindings from which a scope gets an index.
const manyNames = 24

// indexLarge builds the indexes of large scopes.
func (u *unit) indexLarge() {
	u.large = nil
	for s := range u.decls {
		if len(u.decls[s]) < manyNames {
			continue
		}
		if u.large == nil {
			u.large = map[int32]*names{}
		}
		all := &names{list: u.decls[s]}
		all.index()
		u.large[int32(s)] = all
	}
}

// named iterates over the bindings of a name in a scope.
func (u *unit) named(scope int32, name string) iter.Seq[*decl] {
	return func(yield func(*decl) bool) {
		if all, ok := u.large[scope]; ok {
			for _, d := range all.of(name) {
				if !yield(d) {
					return
				}
			}
			return
		}
		for _, d := range u.decls[scope] {
			if d.name == name && !yield(d) {
				return
			}
		}
	}
}

// with returns the unit with the complete facts of its file, if it has only their head. New declarations get new
// ids.
func (u *unit) with(facts *code.Facts, ids *uint32) *unit {
	full := *u
	if facts == nil || len(facts.Scopes) == len(u.facts.Scopes) && len(facts.Exprs) == len(u.facts.Exprs) {
		full.findSymbols()
		return &full
	}
	full.facts, full.opened = facts, map[int32]*decl{}
	*ids++
	full.id = *ids
	full.declare(u, ids)
	full.findSymbols()
	return &full
}

// bindImport binds the names of an import: the module, names in it, or everything.
func bindImport(u *unit, i int) {
	imp := &u.file.Imports[i]
	if imp.Namespace != "" {
		u.bindName(imp.Namespace, binding{i, ""})
	}
	if imp.Default != "" {
		u.bindName(imp.Default, binding{i, "default"})
	}
	for k, name := range imp.Named {
		local := name
		if k < len(imp.Aliases) && imp.Aliases[k] != "" {
			local = imp.Aliases[k]
		}
		if name == "*" {
			u.stars = append(u.stars, i)
			continue
		}
		u.bindName(local, binding{i, name})
	}
}

func (u *unit) bindName(name string, b binding) { u.imports[name] = append(u.imports[name], b) }

// target returns the target of the i-th import.
func (u *unit) target(i int) codegraph.Target {
	if i < 0 || i >= len(u.targets) {
		return codegraph.Target{}
	}
	return u.targets[i]
}

func (u *unit) expr(r code.Ref) *code.Expr {
	if r <= 0 || int(r) >= len(u.facts.Exprs) {
		return &u.facts.Exprs[0]
	}
	return &u.facts.Exprs[r]
}

// lastName returns the last name in a type expression: Base for pkg.Base[T].
func (u *unit) lastName(r code.Ref) string {
	for range 8 {
		e := u.expr(r)
		switch e.Op {
		case code.OpName, code.OpSelect:
			return e.Name
		case code.OpApply, code.OpIndex, code.OpCall, code.OpAs, code.OpTypeOf:
			r = e.X
		default:
			return ""
		}
	}
	return ""
}

// open returns the scope that a declaration opens; nil if there is none.
func (d *decl) open() *code.Scope {
	if d.def.Scope == 0 {
		return nil
	}
	return &d.unit.facts.Scopes[d.def.Scope]
}

// owner returns the enclosing type of a declaration; nil if there is none.
func (d *decl) owner() *decl {
	if d.unit.facts.Scopes[d.scope].Kind != code.TypeScope {
		return nil
	}
	return d.unit.opened[d.scope]
}

// ownerRef returns the type expression of the owner of a declaration outside its type; 0 for none.
func (u *unit) ownerRef(d *decl) code.Ref {
	if s := d.open(); s != nil && s.Owner != 0 {
		return s.Owner
	}
	return u.facts.Scopes[d.scope].Owner
}

// around returns the innermost scope of one of the kinds that is s or encloses it; -1 if there is none.
func (u *unit) around(s int32, kinds ...code.ScopeKind) int32 {
	for ; s >= 0; s = u.facts.Scopes[s].Parent {
		if slices.Contains(kinds, u.facts.Scopes[s].Kind) {
			return s
		}
	}
	return -1
}

// params returns the parameters of a function in order, without the receiver.
func (d *decl) params() []*decl { return d.unit.params(d.def.Scope) }

func (u *unit) params(scope int32) []*decl { return slices.Collect(u.eachParam(scope)) }

// eachParam yields the parameters of a function's scope, without the receiver.
func (u *unit) eachParam(scope int32) iter.Seq[*decl] {
	return func(yield func(*decl) bool) {
		for _, d := range u.decls[scope] {
			if d.def.Kind == code.DefParam && !u.receiver(d) && !yield(d) {
				return
			}
		}
	}
}

// receiver reports whether a parameter is the receiver.
func (u *unit) receiver(d *decl) bool {
	if u.facts.Scopes[d.scope].Owner != 0 && d.index == 0 && u.language.receiverFirst {
		return true
	}
	v := u.expr(d.def.Value)
	return v.Op == code.OpThis || v.Op == code.OpTypeOf && u.expr(v.X).Op == code.OpThis
}

// isTop reports whether a declaration is visible outside its function.
func (d *decl) isTop() bool {
	return d.unit.around(d.scope, code.FuncScope) < 0
}

// stem returns the base name of a path without its extension.
func stem(file string) string {
	file = file[strings.LastIndexByte(file, '/')+1:]
	if i := strings.IndexByte(file, '.'); i > 0 {
		return file[:i]
	}
	return file
}
