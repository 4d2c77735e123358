package resolve

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// Call is what a call is made on and with, by types.
type Call struct {
	// On names what the receiver is an instance or a result of, if that is declared elsewhere: "gorm.io/gorm.DB.Where()"; else "".
	On string
	// Given are the types that each argument may have: of a list those of its elements; none of what is declared elsewhere.
	Given [][]*Node
}

// Call returns the types of a call in a file. Name is what is called, line that of the name, or a line before it of the same
// statement. It returns the zero Call for an unknown one.
func (l *Links) Call(file, name string, line int) Call {
	facts := l.factsOf(file)
	if facts == nil || l.project.units[file] == nil {
		return Call{}
	}
	call := callAt(facts, name, line)
	if call == nil {
		return Call{}
	}
	u := l.linker.unit
	if u == nil || u.file.Path != file {
		u = l.linker.begin(l.project.units[file], facts)
	}
	l.linker.allow(maxSteps)
	valuesOf := func(r code.Ref) values { return l.linker.open(l.linker.value(u, r, nil), nil) }
	out := Call{Given: make([][]*Node, len(call.Args))}
	for _, v := range valuesOf(facts.Exprs[call.X].X) {
		if v.kind == external && out.On == "" {
			out.On = v.name
		}
	}
	for i, a := range call.Args {
		for _, d := range l.linker.heldTypes(valuesOf(a), 0) {
			if n := l.nodeOf(d); n != nil && !slices.Contains(out.Given[i], n) {
				out.Given[i] = append(out.Given[i], n)
			}
		}
	}
	return out
}

// callAt returns the first call of a name at a line or after it; nil for none.
func callAt(facts *code.Facts, name string, line int) *code.Expr {
	var best *code.Expr
	for i := range facts.Exprs {
		x := &facts.Exprs[i]
		if x.Op != code.OpCall || int(x.Line) < line || best != nil && x.Line >= best.Line || facts.Exprs[x.X].Name != name {
			continue
		}
		best = x
	}
	return best
}

// heldTypes returns the types of some values, of lists those of their elements.
func (l *Linker) heldTypes(list values, depth int) []*decl {
	var out []*decl
	for _, v := range list {
		switch {
		case v.kind == instance && v.decl != nil:
			out = append(out, v.decl)
		case v.kind == builtin && v.name == "list" && len(v.args) > 0 && depth < maxArgs:
			out = append(out, l.heldTypes(l.open(v.args[0], nil), depth+1)...)
		}
	}
	return out
}

// nodeOf returns the symbol that is a declaration; nil for none.
func (l *Links) nodeOf(d *decl) *Node {
	ordinal, ok := d.isSymbol()
	if !ok || d.unit == nil {
		return nil
	}
	nodes := l.Nodes(d.unit.file.Path)
	if ordinal >= len(nodes) {
		return nil
	}
	return nodes[ordinal]
}
