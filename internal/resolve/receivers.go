package resolve

import (
	"maps"
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// A call of a method that a type has from another runs only what implements the former: Session embeds io.Closer, and
// session.Close() runs no other closer. The edge of the call leads to io.Closer.Close; a second one, from the caller to Session, says
// on what the method is called. It is made only where it says more than the call does.

// receivers are the types on which a symbol calls abstract methods.
type receivers struct {
	narrow bool          // one of them has its method from another
	types  map[*decl]on  // of the project
	others map[string]on // of libraries, by name
	order  []*decl       // the keys of types, as they were found
}

// on is a place where a method is called, and how its receiver was found.
type on struct {
	scope, line int32
	how         Rule
}

// calledOn notes the receivers of a call of an abstract method that a type of the project, or one of a library, declares.
func (l *Linker) calledOn(x *code.Expr, owner *decl, outside string) {
	if l.sitesOnly || owner == nil && outside == "" {
		return
	}
	r := l.receivers[l.unit.symbolAround(x.Scope)]
	if r == nil {
		r = &receivers{types: map[*decl]on{}, others: map[string]on{}}
		l.receivers[l.unit.symbolAround(x.Scope)] = r
	}
	narrower, how := l.narrower(x, owner)
	for _, d := range narrower {
		r.narrow = true
		r.add(d, on{x.Scope, x.Line, how})
	}
	switch {
	case len(narrower) > 0:
	case owner != nil:
		r.add(owner, on{x.Scope, x.Line, Declared})
	default:
		r.others[outside] = on{x.Scope, x.Line, Declared}
	}
}

func (r *receivers) add(d *decl, at on) {
	if _, known := r.types[d]; !known {
		r.types[d] = at
		r.order = append(r.order, d)
	}
}

// narrower returns the types of a call's receiver if all of them have the called method from another one, its owner, and are
// what may be implemented in turn.
func (l *Linker) narrower(x *code.Expr, owner *decl) (types []*decl, how Rule) {
	u := l.unit
	callee := u.expr(x.X)
	for callee.Op == code.OpApply {
		callee = u.expr(callee.X)
	}
	if callee.Op != code.OpSelect {
		return nil, 0
	}
	for _, v := range l.value(u, callee.X, nil) {
		if v.kind != instance || v.decl == owner || owner != nil && l.isPart(v.decl, owner) || !v.decl.known() || u.language.structural && !isInterface(v.decl) {
			return nil, 0
		}
		types, how = append(types, v.decl), weakest(how, v.how)
	}
	return types, how
}

// calledOnEdges adds the edges from symbols to the types on which they call methods.
func (l *Linker) calledOnEdges() {
	for _, r := range l.receivers {
		if !r.narrow {
			continue
		}
		for _, d := range r.order {
			at := r.types[d]
			l.edge(codegraph.CallsOn, at.scope, d, at.line, at.how, 1)
		}
		for _, name := range slices.Sorted(maps.Keys(r.others)) {
			at := r.others[name]
			l.put(Edge{
				From: l.unit.symbolAround(at.scope), Type: codegraph.CallsOn, Path: separators.Replace(name), To: ExternalType,
				Line: int(at.line), Rule: at.how, Weight: 1,
			})
		}
	}
}
