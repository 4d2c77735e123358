package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Oracle knows what names of a project mean from an external source, such as an index written by a compiler. It
// takes precedence over the facts. It must be safe for concurrent use, and deterministic.
type Oracle interface {
	// At returns the meanings of the name at a byte offset of a file: none if unknown, several if ambiguous.
	At(file string, pos int, name string) []Meaning
}

// Meaning is a declaration denoted by a name.
type Meaning struct {
	File string // relative to the project; "" for an external declaration
	Name string // as written at the declaration
	Line int    // of the name, 1-based; 0 if unknown because the file has changed
}

// SetOracle sets the oracle; nil for none. It must be called before the first linker is made.
func (p *Project) SetOracle(o Oracle) { p.oracle = o }

// OracleKey returns the name, hashed in [Result.Lookups], that stands for a file to which answers of the oracle
// refer. A change of that file, or of the oracle's data about it, may change the result.
func OracleKey(file string) string { return "\x00oracle " + file }

// oracleMeaning returns the oracle's answer for a name. Outside is set if the name is external.
func (l *Linker) oracleMeaning(x *code.Expr) (found values, outside bool) {
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
		l.look(OracleKey(m.File))
		if d := l.declaredAt(m); d != nil {
			found = found.add(declared(d))
		}
	}
	return found, outside
}

// oracleSite adds the edges of one call by the oracle, or counts why there is none. It reports whether the oracle has
// an answer.
func (l *Linker) oracleSite(r code.Ref, called []bool) bool {
	u, x := l.unit, l.unit.expr(r)
	found, known := l.oracleCallee(x.X)
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
		case g.how == Held: // found by a variable's value, of which the oracle knows nothing
			l.edge(codegraph.References, x.Scope, g.decl, x.Line, Held, 1)
		case l.edge(codegraph.Calls, x.Scope, g.decl, x.Line, Scip, 1):
			made = true
			l.implementations(g, x)
			l.constructorEdge(g, x)
		}
	}
	if made {
		u.markCalled(x.X, called)
	} else if !u.language.structural || !l.viaExternalInterface(x) {
		l.unresolved[l.reason(u, x, found)]++
	}
	return true
}

// oracleCallee returns the callee by the oracle. Known is false if the facts may know more: about an element of a
// known value, about the target of an alias.
func (l *Linker) oracleCallee(callee code.Ref) (found values, known bool) {
	u := l.unit
	r := callee
	for u.expr(r).Op == code.OpApply || u.expr(r).Op == code.OpIndex {
		r = u.expr(r).X
	}
	found, outside := l.oracleMeaning(u.expr(r))
	if outside {
		return values{{kind: external}}, true
	}
	found = found.only(func(v *value) bool {
		return v.kind != named || u.expr(callee).Op != code.OpIndex && v.decl.def.Kind != code.DefAlias
	})
	return found, len(found) > 0
}

// called removes variables and parameters: the oracle does not know their values.
func (vs values) called() values {
	return vs.only(func(v *value) bool { return v.kind != named || v.decl.known() })
}

// oracleReference adds the edges of a use other than a call by the oracle, and reports whether it has an answer.
func (l *Linker) oracleReference(x *code.Expr) bool {
	found, outside := l.oracleMeaning(x)
	for _, v := range found {
		if v.decl.known() {
			l.edge(codegraph.References, x.Scope, v.decl, x.Line, Scip, 1)
		}
	}
	return outside || slices.ContainsFunc(found, func(v value) bool { return v.decl.known() })
}

// spot is the position of a declared name in a file.
type spot struct {
	line int32
	name string
}

// declaredAt returns the declaration at the position of a meaning, preferably a symbol. It is nil if there is none,
// or several.
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

// spots returns the unit's declarations by position: symbols, else other declarations; nil for a position shared by
// several.
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

// enter adds a declaration at its position. Declarations of one symbol count once.
func (d *decl) enter(into map[spot]*decl, name string) {
	at := spot{d.def.Line, name}
	old, taken := into[at]
	if !taken || old != nil && d.known() && old.ordinal == d.ordinal {
		into[at] = d
	} else if old != d && (old == nil || d.known() || old.def.Kind != d.def.Kind) {
		into[at] = nil
	}
}
