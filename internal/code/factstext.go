package code

import (
	"fmt"
	"strings"
)

// maxTextDepth bounds the recursion of [Facts.Text].
const maxTextDepth = 24

// Text formats an expression without its position: "svc.users.create(x)". Closures and objects are written "func#N"
// and "object#N", where N is their scope.
func (f *Facts) Text(r Ref) string { return f.text(r, maxTextDepth) }

// forms are the templates of the operations: "x" is X, "a" the arguments, "n" the name and "#" the number N.
var forms = map[Op]string{
	OpName: "n", OpSelect: "x.n", OpCall: "x(a)", OpNew: "new x(a)", OpIndex: "x[a]", OpApply: "x<a>", OpNth: "x##",
	OpEither: "either(a)", OpThis: "this", OpSuper: "super", OpFunc: "func##", OpObject: "object##", OpLit: "'n'",
	OpMap: "map(a)x", OpTuple: "(a)", OpFuncType: "(a)=>x", OpImport: "import##", OpExpected: "expected##(x)",
	OpMake: "make(x)", OpAs: "as(x)", OpElem: "elem(x)", OpKey: "key(x)", OpAwait: "await(x)", OpTypeOf: "typeof(x)",
}

func (f *Facts) text(r Ref, depth int) string {
	if r <= 0 || int(r) >= len(f.Exprs) || depth == 0 {
		return "?"
	}
	e := &f.Exprs[r]
	if e.Op == OpList {
		if e.X != 0 {
			return "[]" + f.text(e.X, depth-1)
		}
		return "[" + f.texts(e.Args, depth) + "]"
	}
	var b strings.Builder
	for _, part := range parts(forms[e.Op]) {
		switch part {
		case "x":
			b.WriteString(f.text(e.X, depth-1))
		case "a":
			b.WriteString(f.texts(e.Args, depth))
		case "n":
			b.WriteString(e.Name)
		case "##":
			fmt.Fprintf(&b, "#%d", e.N)
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}

// parts splits a template into placeholders and literal words.
func parts(form string) []string {
	var out []string
	for from := 0; from < len(form); {
		to := from + 1
		word := form[from] >= 'a' && form[from] <= 'z'
		for to < len(form) && (form[to] >= 'a' && form[to] <= 'z') == word && (word || form[from] == '#' && form[to] == '#') {
			to++
		}
		out, from = append(out, form[from:to]), to
	}
	return out
}

func (f *Facts) texts(list []Ref, depth int) string {
	out := make([]string, len(list))
	for i, r := range list {
		out[i] = f.text(r, depth-1)
	}
	return strings.Join(out, ", ")
}

// String formats the scopes with their bindings and calls, for authors of extractors.
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

// some is like [Facts.Text], but returns "" for Ref 0.
func (f *Facts) some(r Ref) string {
	if r == 0 {
		return ""
	}
	return f.Text(r)
}
