package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Oracle knows what names of a project mean from who has compiled it, such as an
// index that a compiler wrote. What it knows wins over what the facts tell. It is
// asked from several goroutines, and answers a question always alike.
type Oracle interface {
	// At returns what a name means that stands at a byte of a file, from 0: nothing
	// where the oracle does not know, several where it is one of them.
	At(file string, pos int, name string) []Meaning
}

// Meaning is a declaration that a name means.
type Meaning struct {
	File string // relative to the project; "" for what is declared outside of it
	Name string // as it is written at the declaration
	Line int    // of that name, 1-based; 0 where nobody knows, as the file is another now
}

// Consult sets whom the linkers of the project ask first; nil for nobody. It is
// called before there are any.
func (p *Project) Consult(o Oracle) { p.oracle = o }

// Consulted is what [Result.Lookups] holds, hashed, for a file that the oracle's
// answers lead to. A change of that file, or of what the oracle knows of it, may
// change the result.
func Consulted(file string) string { return "\x00oracle " + file }

// told returns what a name means by the oracle. Outside tells that it is nothing of
// the project's.
func (l *Linker) told(x *code.Expr) (found values, outside bool) {
	if l.project.oracle == nil || x.Op != code.OpName && x.Op != code.OpSelect {
		return nil, false
	}
	meanings := l.project.oracle.At(l.unit.file.Path, int(x.Pos), x.Name)
	outside = len(meanings) > 0
	for _, m := range meanings {
		if m.File == "" {
			continue
		}
		outside = false
		l.look(Consulted(m.File))
		if d := l.declaredAt(m); d != nil {
			found = found.add(declared(d))
		}
	}
	return found, outside
}

// toldSite makes the edges of one call by the oracle, or counts why there is none. It
// reports whether the oracle knows.
func (l *Linker) toldSite(r code.Ref, called map[code.Ref]bool) bool {
	u, x := l.unit, l.unit.expr(r)
	found, known := l.toldCallee(x.X)
	if !known {
		return false
	}
	goals, sure := l.goals(&callSite{u, r, nil, -1}, found.called())
	if !sure {
		l.unresolved[Ambiguous]++
		return true
	}
	made := false
	for _, g := range goals {
		switch {
		case g.decl == nil:
		case g.how == Held: // by what a variable is set to, of which the oracle says nothing
			l.edge(codegraph.References, x.Scope, g.decl, x.Line, Held, 1)
		case l.edge(codegraph.Calls, x.Scope, g.decl, x.Line, Scip, 1):
			made = true
			l.implementations(g, x)
			l.usesMaker(g, x)
		}
	}
	if made {
		u.markCalled(x.X, called)
	} else if !u.language.structural || !l.throughOutside(x) {
		l.unresolved[l.reason(u, x, found)]++
	}
	return true
}

// toldCallee returns what is called by the oracle. Known is false where the facts may
// tell more: of an element of what the oracle knows, of what that is another name for.
func (l *Linker) toldCallee(callee code.Ref) (found values, known bool) {
	u := l.unit
	r := callee
	for u.expr(r).Op == code.OpApply || u.expr(r).Op == code.OpIndex {
		r = u.expr(r).X
	}
	found, outside := l.told(u.expr(r))
	if outside {
		return values{{kind: external}}, true
	}
	found = slices.DeleteFunc(found, func(v value) bool {
		return v.kind == named && (u.expr(callee).Op == code.OpIndex || v.decl.def.Kind == code.DefAlias)
	})
	return found, len(found) > 0
}

// called leaves out variables and parameters: what they hold the oracle does not know,
// and it is not guessed.
func (vs values) called() values {
	return slices.DeleteFunc(slices.Clone(vs), func(v value) bool { return v.kind == named && !v.decl.known() })
}

// toldReference makes the edges of a name that is used without being called, by the
// oracle, and reports whether that knows.
func (l *Linker) toldReference(x *code.Expr) bool {
	found, outside := l.told(x)
	for _, v := range found {
		if v.decl.known() {
			l.edge(codegraph.References, x.Scope, v.decl, x.Line, Scip, 1)
		}
	}
	return outside || slices.ContainsFunc(found, func(v value) bool { return v.decl.known() })
}

// spot is where a name is declared in a file.
type spot struct {
	line int32
	name string
}

// declaredAt returns the declaration whose name stands where the oracle says: the
// symbol, where one does. It is nil for none, and where several do.
func (l *Linker) declaredAt(m Meaning) *decl {
	if m.Line == 0 {
		return nil
	}
	u := l.project.units[m.File]
	if u == nil {
		return nil
	}
	if m.File == l.unit.file.Path {
		u = l.unit
	}
	if l.spots == nil {
		l.spots = map[*unit]map[spot]*decl{}
	}
	known, there := l.spots[u]
	if !there {
		known = u.spots()
		l.spots[u] = known
	}
	return known[spot{int32(m.Line), m.Name}]
}

// spots returns the unit's declarations by where their names stand: symbols, and for
// other spots what else is declared there; nil for a spot that several share.
func (u *unit) spots() map[spot]*decl {
	symbols, others := map[spot]*decl{}, map[spot]*decl{}
	for s := range u.decls {
		for _, d := range u.decls[s] {
			into := others
			if d.known() {
				into = symbols
			}
			if d.def.Implied {
				continue
			}
			d.enter(into, d.def.Name)
			if scope := d.open(); scope != nil && scope.Name != "" {
				d.enter(into, scope.Name) // of a constructor
			}
		}
	}
	for at, d := range others {
		if _, taken := symbols[at]; !taken {
			symbols[at] = d
		}
	}
	return symbols
}

// enter enters a declaration under its spot. Those of one symbol are one.
func (d *decl) enter(into map[spot]*decl, name string) {
	at := spot{d.def.Line, name}
	old, taken := into[at]
	if !taken || old != nil && d.known() && old.ordinal == d.ordinal {
		into[at] = d
	} else if old != d && (old == nil || d.known() || old.def.Kind != d.def.Kind) {
		into[at] = nil
	}
}
