package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// maxMacros is the number of macros through which an argument is followed.
const maxMacros = 8

// isPlainMacro reports whether a declaration is a macro of C without parameters, whose replacement calls something.
func (d *decl) isPlainMacro() bool { return d.def.Getter && d.def.Macro }

// appliedArguments adds the calls of arguments that a macro calls: with #define TRY(f, x) (x ? f(x) : 0), TRY(open, p)
// calls open.
func (l *Linker) appliedArguments(g value, x *code.Expr, called []bool) {
	if len(x.Args) == 0 || !g.decl.def.Macro {
		return
	}
	for i, arg := range x.Args {
		name := l.unit.expr(arg)
		if name.Op != code.OpName {
			continue
		}
		for _, form := range l.argumentForms(g.decl, i, 0) {
			l.callApplied(g, x, name, form)
			if form == "" {
				called[arg] = true
			}
		}
	}
}

// callApplied adds the call of an argument; form is the name that is called, with "*" for the argument, or "".
func (l *Linker) callApplied(g value, x, name *code.Expr, form string) {
	if form != "" {
		pasted := *name
		pasted.Name = strings.Replace(form, "*", name.Name, 1)
		name = &pasted
	}
	for _, v := range l.defined(l.nameOf(l.unit, name)) {
		if v.kind == function && v.decl != nil {
			l.edge(codegraph.Calls, x.Scope, v.decl, x.Line, weakest(g.how, v.how), 1)
		}
	}
}

// argumentForms returns the forms in which a macro calls its i-th argument: "" as it is, "get_*" with a name pasted to it.
func (l *Linker) argumentForms(macro *decl, i, depth int) []string {
	params := macro.params()
	if i >= len(params) || depth > maxMacros {
		return nil
	}
	return l.formsOf(macro.unit, params[i].def.Type, depth)
}

// formsOf is argumentForms for the type of a parameter.
func (l *Linker) formsOf(u *unit, typ code.Ref, depth int) []string {
	x := u.expr(typ)
	var out []string
	switch x.Op {
	case code.OpFuncType:
		return []string{x.Name}
	case code.OpEither:
		for _, a := range x.Args {
			out = append(out, l.formsOf(u, a, depth)...)
		}
	case code.OpExpected:
		for _, v := range l.nameOf(u, u.expr(u.expr(x.X).X)) {
			if v.kind == function && v.decl != nil && v.decl.def.Macro {
				out = append(out, l.argumentForms(v.decl, int(x.N), depth+1)...)
			}
		}
	default:
	}
	return out
}
