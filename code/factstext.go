package code

import (
	"fmt"
	"strings"
)

// maxTextDepth is how deep [Facts.Text] follows an expression.
const maxTextDepth = 24

// Text writes an expression as text, without its place: "svc.users.create(x)".
// Closures and objects are "func#N" and "object#N", N being their scope.
func (f *Facts) Text(r Ref) string { return f.text(r, maxTextDepth) }

// wraps are the operations written as a word around X.
var wraps = map[Op]string{ //nolint:gochecknoglobals // a table
	OpMake: "make", OpAs: "as", OpElem: "elem", OpKey: "key", OpAwait: "await", OpTypeOf: "typeof",
}

func (f *Facts) text(r Ref, depth int) string {
	if r <= 0 || int(r) >= len(f.Exprs) || depth == 0 {
		return "?"
	}
	e := &f.Exprs[r]
	x := func() string { return f.text(e.X, depth-1) }
	args := func() string { return f.texts(e.Args, depth) }
	switch e.Op {
	case OpName:
		return e.Name
	case OpSelect:
		return x() + "." + e.Name
	case OpCall:
		return x() + "(" + args() + ")"
	case OpNew:
		return "new " + x() + "(" + args() + ")"
	case OpIndex:
		return x() + "[" + args() + "]"
	case OpApply:
		return x() + "<" + args() + ">"
	case OpNth:
		return fmt.Sprintf("%s#%d", x(), e.N)
	case OpEither:
		return "either(" + args() + ")"
	case OpThis:
		return "this"
	case OpSuper:
		return "super"
	case OpFunc:
		return fmt.Sprintf("func#%d", e.N)
	case OpObject:
		return fmt.Sprintf("object#%d", e.N)
	case OpLit:
		return "'" + e.Name + "'"
	case OpList:
		if e.X != 0 {
			return "[]" + x()
		}
		return "[" + args() + "]"
	case OpMap:
		return "map(" + args() + ")" + x()
	case OpTuple:
		return "(" + args() + ")"
	case OpFuncType:
		return "(" + args() + ")=>" + x()
	case OpImport:
		return strings.TrimSuffix(fmt.Sprintf("import#%d.%s", e.N, e.Name), ".")
	default:
		return wraps[e.Op] + "(" + x() + ")"
	}
}

func (f *Facts) texts(list []Ref, depth int) string {
	out := make([]string, len(list))
	for i, r := range list {
		out[i] = f.text(r, depth-1)
	}
	return strings.Join(out, ", ")
}

// String draws the scopes with what is bound in them and what is called, for
// people who write extractors.
func (f *Facts) String() string {
	var b strings.Builder
	kinds := [...]string{"file", "type", "func", "block", "space"}
	for i := range f.Scopes {
		s := &f.Scopes[i]
		fmt.Fprintf(&b, "%s#%d in %d", kinds[s.Kind], i, s.Parent)
		for _, part := range []struct{ word, text string }{{"", s.Name}, {"symbol ", s.Symbol}, {"owner ", f.some(s.Owner)}, {"result ", f.some(s.Result)}, {"expect ", f.some(s.Expect)}} {
			if part.text != "" {
				b.WriteString(" " + part.word + part.text)
			}
		}
		if s.Call != 0 {
			fmt.Fprintf(&b, " argument %d of %s", s.Arg, f.Text(f.Exprs[s.Call].X))
		}
		for _, base := range s.Bases {
			b.WriteString(" base " + f.Text(base.Type))
		}
		for _, r := range s.Returns {
			b.WriteString(" returns " + f.Text(r))
		}
		b.WriteByte('\n')
		for j := range s.Defs {
			f.drawDef(&b, &s.Defs[j])
		}
	}
	for i := range f.Exprs {
		if e := &f.Exprs[i]; e.Op == OpCall || e.Op == OpNew {
			fmt.Fprintf(&b, "%d: %s in %d\n", e.Line, f.Text(Ref(i)), e.Scope)
		}
	}
	return b.String()
}

func (f *Facts) drawDef(b *strings.Builder, d *Def) {
	kinds := [...]string{"var", "param", "field", "func", "type", "alias", "typeparam", "space", "member"}
	fmt.Fprintf(b, "  %d: %s %s", d.Line, kinds[d.Kind], d.Name)
	if d.Type != 0 {
		b.WriteString(": " + f.Text(d.Type))
	}
	if d.Value != 0 {
		b.WriteString(" = " + f.Text(d.Value))
	}
	if d.Scope != 0 {
		fmt.Fprintf(b, " #%d", d.Scope)
	}
	b.WriteByte('\n')
}

// some is [Facts.Text], "" for none.
func (f *Facts) some(r Ref) string {
	if r == 0 {
		return ""
	}
	return f.Text(r)
}
