package resolve

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Span is a range of lines, 1-based and inclusive.
type Span struct{ First, Last int }

// Holds reports whether a line is in the span.
func (s Span) Holds(line int) bool { return s.First <= line && line <= s.Last }

// Variable is a variable, field or parameter of a file.
type Variable struct {
	Name string
	// Mentions are the expressions that give it its value or name it, as far out as they go, in source order.
	Mentions []Mention
}

// Mention is an expression that names a variable.
type Mention struct {
	Span
	Line int // of the name
	// Within are the functions between the scope of the variable and the expression, innermost first.
	Within []Function
}

// Function is a function of a file or a closure.
type Function struct {
	Span
	Passed bool   // a closure that is an argument of a call ...
	To     string // ... to a function of this name
}

// namedVariable is a name in a file that means a variable.
type namedVariable struct {
	line int
	*Variable
}

// fileVariables are the variables of a file.
type fileVariables struct {
	uses      []namedVariable // by line
	functions []Function      // in source order
}

// variableKey is a name in a scope.
type variableKey struct {
	scope int32
	name  string
}

// Variables returns the variables that names in the lines of a file from first to last mean, without duplicates. Each has
// all its mentions in the file. They must not be changed.
func (l *Links) Variables(file string, first, last int) []*Variable {
	v := l.variablesOf(file)
	var out []*Variable
	seen := map[*Variable]bool{}
	for i := sort.Search(len(v.uses), func(i int) bool { return v.uses[i].line >= first }); i < len(v.uses) && v.uses[i].line <= last; i++ {
		if found := v.uses[i].Variable; !seen[found] {
			seen[found] = true
			out = append(out, found)
		}
	}
	return out
}

// Functions returns the functions and closures of a file, in source order. They must not be changed.
func (l *Links) Functions(file string) []Function { return l.variablesOf(file).functions }

func (l *Links) variablesOf(file string) *fileVariables {
	if known := l.variables[file]; known != nil {
		return known
	}
	out := &fileVariables{}
	l.variables[file] = out
	facts := l.factsOf(file)
	if facts == nil || l.project.units[file] == nil {
		return out
	}
	r := variableReader{Links: l, facts: facts, file: file, bound: map[variableKey]*Variable{}, parents: parentsOf(facts), spans: map[code.Ref]Span{}}
	r.declare()
	for i := range facts.Exprs {
		r.mention(code.Ref(i), out)
	}
	for _, v := range r.bound {
		if v == nil {
			continue
		}
		slices.SortStableFunc(v.Mentions, func(a, b Mention) int { return cmp.Compare(a.First, b.First) })
	}
	slices.SortStableFunc(out.uses, func(a, b namedVariable) int { return cmp.Compare(a.line, b.line) })
	for s := range facts.Scopes {
		if facts.Scopes[s].Kind == code.FuncScope {
			out.functions = append(out.functions, r.function(int32(s)))
		}
	}
	return out
}

// parentsOf returns for each expression the one that it is part of; 0 for none.
func parentsOf(facts *code.Facts) []code.Ref {
	out := make([]code.Ref, len(facts.Exprs))
	for i := range facts.Exprs {
		x := &facts.Exprs[i]
		for _, part := range append([]code.Ref{x.X}, x.Args...) {
			if part != 0 && int(part) < len(out) {
				out[part] = code.Ref(i)
			}
		}
	}
	return out
}

// variableReader finds the variables of one file.
type variableReader struct {
	*Links
	file    string
	facts   *code.Facts
	bound   map[variableKey]*Variable // nil: the name of something else
	parents []code.Ref
	spans   map[code.Ref]Span // of expressions that are no part of others
}

// declare finds the bindings of the file.
func (r *variableReader) declare() {
	for s := range r.facts.Scopes {
		scope := &r.facts.Scopes[s]
		for i := range scope.Defs {
			d := &scope.Defs[i]
			key := variableKey{int32(s), d.Name}
			switch d.Kind {
			case code.DefVar, code.DefField, code.DefParam:
			default:
				r.bound[key] = nil
				continue
			}
			v := r.bound[key]
			if v == nil {
				v = &Variable{Name: d.Name}
				r.bound[key] = v
			}
			if d.Value != 0 && d.Kind != code.DefParam {
				v.Mentions = append(v.Mentions, Mention{Span: r.span(d.Value, int(d.Line)), Line: int(d.Line)})
			}
		}
	}
}

// maxNesting limits how deep expressions are followed.
const maxNesting = 64

// mention adds a name to the mentions of the variable that it means.
func (r *variableReader) mention(at code.Ref, out *fileVariables) {
	x := &r.facts.Exprs[at]
	if x.Line == 0 {
		return
	}
	var v *Variable
	var scope int32
	switch x.Op {
	case code.OpName:
		v, scope = r.meant(x.Scope, x.Name)
	case code.OpSelect:
		v, scope = r.field(x)
	default:
		return
	}
	if v == nil {
		return
	}
	root := at
	for range maxNesting {
		if r.parents[root] == 0 {
			break
		}
		root = r.parents[root]
	}
	m := Mention{Span: r.span(root, int(x.Line)), Line: int(x.Line)}
	for s := x.Scope; s >= 0 && s != scope; s = r.facts.Scopes[s].Parent {
		if r.facts.Scopes[s].Kind == code.FuncScope {
			m.Within = append(m.Within, r.function(s))
		}
	}
	v.Mentions = append(v.Mentions, m)
	out.uses = append(out.uses, namedVariable{int(x.Line), v})
}

// meant returns the variable that a name means in a scope, and the scope that binds it.
func (r *variableReader) meant(scope int32, name string) (*Variable, int32) {
	for s := scope; s >= 0; s = r.facts.Scopes[s].Parent {
		if v, known := r.bound[variableKey{s, name}]; known {
			return v, s
		}
	}
	return nil, 0
}

// field returns the field that is selected from the receiver, and the scope of its type.
func (r *variableReader) field(x *code.Expr) (*Variable, int32) {
	if on := &r.facts.Exprs[x.X]; on.Op != code.OpThis && (on.Op != code.OpName || on.Name != "self" && on.Name != "this") {
		return nil, 0
	}
	for s := x.Scope; s >= 0; s = r.facts.Scopes[s].Parent {
		if r.facts.Scopes[s].Kind == code.TypeScope {
			return r.bound[variableKey{s, x.Name}], s
		}
	}
	return nil, 0
}

// span returns the lines of an expression with those of the functions and objects in it.
func (r *variableReader) span(at code.Ref, line int) Span {
	out, known := r.spans[at]
	if !known {
		out = Span{line, line}
		widen(r.facts, &out, at, maxNesting)
		r.spans[at] = out
	}
	return out
}

// widen extends a span by the lines of an expression.
func widen(facts *code.Facts, s *Span, at code.Ref, depth int) {
	x := &facts.Exprs[at]
	if at == 0 || depth == 0 {
		return
	}
	lines := Span{int(x.Line), int(x.Line)}
	if (x.Op == code.OpFunc || x.Op == code.OpObject) && int(x.N) < len(facts.Scopes) {
		lines = Span{int(facts.Scopes[x.N].Line), int(facts.Scopes[x.N].End)}
	}
	if lines.First > 0 {
		s.First, s.Last = min(s.First, lines.First), max(s.Last, lines.Last)
	}
	widen(facts, s, x.X, depth-1)
	for _, arg := range x.Args {
		widen(facts, s, arg, depth-1)
	}
}

// function returns the function whose scope s is.
func (r *variableReader) function(s int32) Function {
	scope := &r.facts.Scopes[s]
	f := Function{Span: Span{int(scope.Line), int(scope.End)}, Passed: scope.Call != 0}
	if f.Passed {
		callee := &r.facts.Exprs[r.facts.Exprs[scope.Call].X]
		for range maxNesting {
			if callee.Op != code.OpCall && callee.Op != code.OpIndex {
				break
			}
			callee = &r.facts.Exprs[callee.X]
		}
		f.To = callee.Name
	}
	return f
}

// Span returns the lines of a use: those of the call with its arguments, or of the name.
func (l *Links) Span(u Use) Span {
	out := Span{u.Line, u.Line}
	if facts := l.factsOf(u.From.File); facts != nil {
		widen(facts, &out, u.at, maxNesting)
	}
	return out
}

// Bound reports whether what is used is given to Python's functools.partial, whose result calls it.
func (l *Links) Bound(u Use) bool {
	if path.Ext(u.From.File) != ".py" || u.at == 0 {
		return false
	}
	facts := l.factsOf(u.From.File)
	return facts != nil && slices.ContainsFunc(facts.Exprs, func(x code.Expr) bool {
		if x.Op != code.OpCall || len(x.Args) == 0 || x.Args[0] != u.at {
			return false
		}
		name := facts.Exprs[x.X].Name
		return name == "partial" || name == "partialmethod"
	})
}

// Fixtures returns the functions whose results pytest passes to a test or fixture: those of the names of its parameters
// and those that its decorators request, in the class of the test and the classes that this extends, the class of the fixture, its file and the
// conftest.py files above it. The class is nil for a test outside classes: what a fixture gets depends on the test that asks for it.
func (l *Links) Fixtures(n, class *Node) []*Node {
	if path.Ext(n.File) != ".py" {
		return nil
	}
	facts := l.factsOf(n.File)
	if facts == nil {
		return nil
	}
	var names []string
	for s := range facts.Scopes {
		scope := &facts.Scopes[s]
		if scope.Kind != code.FuncScope || scope.Symbol != n.Path() || int(scope.Line) < n.StartLine || n.EndLine < int(scope.Line) {
			continue
		}
		for i := range scope.Defs {
			if scope.Defs[i].Kind == code.DefParam {
				names = append(names, scope.Defs[i].Name)
			}
		}
	}
	for _, d := range n.Decorators {
		if _, args, ok := strings.Cut(d, "usefixtures("); ok {
			names = append(names, strings.FieldsFunc(args, func(c rune) bool { return strings.ContainsRune("\"', )", c) })...)
		}
	}
	var out []*Node
	for _, name := range names {
		if f := l.fixture(n, class, name); f != nil {
			out = append(out, f)
		}
	}
	return out
}

// fixture returns the fixture of a name that a test or fixture gets.
func (l *Links) fixture(n, class *Node, name string) *Node {
	find := func(file, qualified string) *Node {
		for _, f := range l.named(file)[qualified] {
			if f != n && f.IsFixture() {
				return f
			}
		}
		return nil
	}
	if f := l.inClass(class, name, find, map[*Node]bool{}); f != nil {
		return f
	}
	for p := n.parent; p != nil && p.parent != nil; p = p.parent {
		if f := l.inClass(p, name, find, map[*Node]bool{}); f != nil {
			return f
		}
	}
	if f := find(n.File, name); f != nil {
		return f
	}
	for _, file := range Conftests(n.File) {
		if f := find(file, name); f != nil && f != n {
			return f
		}
	}
	return nil
}

// inClass returns what find finds in a class, or else in those that it extends.
func (l *Links) inClass(class *Node, name string, find func(file, qualified string) *Node, seen map[*Node]bool) *Node {
	if class == nil || seen[class] || !class.IsType() {
		return nil
	}
	seen[class] = true
	if f := find(class.File, class.Path()+"."+name); f != nil {
		return f
	}
	for _, u := range l.Uses(class) {
		if u.Type == codegraph.Inherits {
			if f := l.inClass(u.To, name, find, seen); f != nil {
				return f
			}
		}
	}
	return nil
}

// named returns the symbols of a file by their qualified names.
func (l *Links) named(file string) map[string][]*Node {
	l.link(file)
	l.Nodes(file)
	return l.byName[file]
}

// IsFixture reports whether a function is a fixture of pytest.
func (n *Node) IsFixture() bool {
	return slices.ContainsFunc(n.Decorators, func(d string) bool {
		name, _, _ := strings.Cut(d, "(")
		return strings.HasSuffix(name, "fixture")
	})
}

// Conftests returns the paths at which pytest looks for the fixtures of a file, nearest first.
func Conftests(file string) []string {
	var out []string
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if at := path.Join(dir, conftest); at != file {
			out = append(out, at)
		}
		if dir == "." {
			return out
		}
	}
}
