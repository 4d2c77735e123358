package resolve

import (
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// placed adds the edges of the file's types that stand for an interface of another module: var _ lib.Value = (*T)(nil). A value of a type can
// only stand where a type of another module is declared if that is an interface, which the type implements. Which methods it has is not known.
func (l *Linker) placed() {
	u := l.unit
	if !u.language.structural {
		return
	}
	for s := range u.facts.Scopes {
		for _, d := range u.decls[s] {
			if d.def.Kind == code.DefVar && d.def.Type != 0 && d.def.Value != 0 {
				l.standsFor(d.def)
			}
		}
	}
}

// standsFor adds the edges of the file's types among the values of a variable of a declared type.
func (l *Linker) standsFor(def *code.Def) {
	u := l.unit
	if op := u.expr(def.Type).Op; op != code.OpSelect && op != code.OpApply {
		return
	}
	declared := l.typ(u, def.Type, nil)
	if len(declared) != 1 || declared[0].kind != external || len(u.language.library.types[declared[0].name]) > 0 {
		return
	}
	for _, v := range l.value(u, def.Value, nil) {
		if v.kind == instance && v.decl.unit.file == u.file && !isInterface(v.decl) {
			l.toOutside(v.decl, v.decl.def.Scope, codegraph.Implements, declared[0].name, def.Line, Declared)
		}
	}
}
