package resolve_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// closures is code whose closures are nested: the text before them, the begin and end of each, and what is in the innermost one.
// An N is the number of a closure.
type closures struct{ path, before, begin, inside, end, after string }

// nested returns the code with closures nested n deep.
func (c closures) nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(c.begin, "N", strconv.Itoa(i)) + "\n")
	}
	return c.before + b.String() + c.inside + "\n" + strings.Repeat(c.end+"\n", n) + c.after
}

// kotlinZip has closures of a call whose receivers depend on the results of each other.
var kotlinZip = closures{
	"a.kt", "class X { fun go(): X = this }\nfun <A, B, C> zip(f: () -> A, g: () -> B, h: X.(A, B) -> C): C = TODO()\nfun run(x: X) {\n",
	"zip({ x }, { x.go() }) { aN, bN -> aN.go(); bN.go()", "x.go()", "}", "}\n",
}

var nestedClosures = map[string]closures{
	"kotlin scope functions": {"a.kt", "class X { fun go(): X = this }\nfun run(x: X) {\n", "x.apply { go(); x.let { yN -> yN.go()", "go()", "} }", "}\n"},
	"kotlin receivers": {
		"a.kt", "class R<A>(val v: A) { fun raise(): A = v }\nfun <A> either(block: R<A>.() -> A): A = TODO()\nclass X { fun go(): X = this }\nfun run(x: X) {\n",
		"either { raise()", "x.go()", "}", "}\n",
	},
	"typescript": {
		"a.ts", "class X { go(): X { return this } }\nfunction map<A, B>(a: A, f: (a: A) => B) { return f(a) }\nfunction run(x: X) {\n",
		"return map(x, yN => map(yN, zN => { zN.go();", "return x.go()", "}))", "}\n",
	},
	"swift": {
		"a.swift", "class X { func go() -> X { return self }\n func map<B>(_ f: (X) -> B) -> B { return f(self) } }\nfunc run(x: X) {\n",
		"x.map { yN in yN.map { $0.go(); return", "x.go()", "} }", "}\n",
	},
	"scala": {
		"a.scala", "class F[A] { def flatMap[B](f: A => F[B]): F[B] = ???\n def map[B](f: A => B): F[B] = ??? }\nclass X { def go(): F[X] = ??? }\nobject O { def run(x: X) = {\n",
		"x.go().flatMap { yN => yN.go(); yN.go().map(_.go());", "x.go()", "}", "} }\n",
	},
	"ruby": {
		"a.rb", "class X\n  def go; self; end\n  def each; yield self; end\nend\ndef run\n  x = X.new\n",
		"x.each do |yN| yN.go; yN.each { |z| z.go }", "x.go", "end.go", "end\n",
	},
}

// steps links a file and returns the number of steps.
func steps(t *testing.T, path, text string) (int, *resolve.Result, *code.File) {
	t.Helper()
	p, parsed := openProject(t, map[string][]byte{path: []byte(text)})
	l := p.Linker()
	r := l.File(path, parsed[0].Facts)
	return l.Steps(), r, parsed[0]
}

// TestStepsAreLinear: twice as many closures in each other take about twice as many steps.
func TestStepsAreLinear(t *testing.T) {
	for name, c := range nestedClosures {
		few, _, _ := steps(t, c.path, c.nested(16))
		many, _, _ := steps(t, c.path, c.nested(32))
		if few == 0 || many > few*9/4 {
			t.Errorf("%s: %d steps for 16 closures, %d for 32", name, few, many)
		}
	}
}

// TestStepsOfRecursiveQuestions: they are no power of how deep closures are nested whose types depend on each other, and all
// calls are found.
func TestStepsOfRecursiveQuestions(t *testing.T) {
	few, _, _ := steps(t, kotlinZip.path, kotlinZip.nested(8))
	many, r, _ := steps(t, kotlinZip.path, kotlinZip.nested(16))
	if few == 0 || many > few*4 {
		t.Errorf("%d steps for 8 closures, %d for 16", few, many)
	}
	if len(r.Unresolved) > 1 || r.Unresolved[resolve.BuiltIn] != 1 {
		t.Errorf("calls without an edge: %v", r.Unresolved)
	}
}

// TestStepsAreBounded: uses that take too many steps stay without an edge, and those after them have theirs.
func TestStepsAreBounded(t *testing.T) {
	made, r, f := steps(t, "a.kt", `class X { fun go(): X = this }
fun <A, B, C, D, E, F, G> zip(a: X.(F) -> A, b: X.(E) -> B, c: X.(D) -> C, d: X.(C) -> D, e: X.(B) -> E, f: X.(A) -> F, g: X.(A, B) -> G): G = TODO()
fun run(x: X) {
`+zipped(6)+`
}
fun after(x: X) { x.go() }
`)
	if most := 20_000 + 64*len(f.Facts.Exprs); made > most {
		t.Errorf("%d steps, want at most %d", made, most)
	}
	if r.Unresolved[resolve.Intricate] == 0 {
		t.Errorf("calls without an edge: %v", r.Unresolved)
	}
	if !slices.ContainsFunc(r.Edges, func(e resolve.Edge) bool {
		return e.Type == codegraph.Calls && r.Symbols[e.From].Qualified == "after" && r.Symbols[e.To].Qualified == "X.go"
	}) {
		t.Error("no call from after to X.go")
	}
}

// zipped returns a call of zip with closures whose types depend on each other, two of them with such calls in turn.
func zipped(n int) string {
	if n == 0 {
		return "go()"
	}
	return "zip({ go() }, { go() }, { go() }, { it.go() }, { it.go() }, { it.go(); " + zipped(n-1) + " }) { a, b -> a.go(); b.go(); " + zipped(n-1) + " }"
}
