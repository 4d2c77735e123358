// Package shapes makes deep and wide source files: what an attacker, or a careless
// generator, puts in one file. It is for tests.
package shapes

import (
	"strconv"
	"strings"
)

// Shape makes a text of a language with n parts of one kind.
type Shape struct {
	Name string // "calls", "nested blocks"
	File string // a file name with the language's extension
	Make func(n int) string
}

// grammar is how a language writes what the shapes are made of. In a frame, "%" is
// where the parts go; an empty text means that the language has no such thing.
type grammar struct {
	file string
	// expr, body, class and typed are whole files around an expression, statements, members and a type.
	expr, body, class, typed string
	member                   string    // of a value: "." if empty
	plus                     string    // joins texts; "+" if empty
	quoted                   string    // `"x"` if empty
	block, array             [2]string // nested blocks and lists
	elseIf                   [3]string // the first branch, each other one, the end
	stmt, field              string    // one statement and one member; "#" is its number
	generic                  [2]string // "A<" and ">"
	function                 [2]string // a function within a function
	lambda                   [2]string // a function that is a value
	arm                      [3]string // a choice: head, one case, end
	not                      string    // "!" if empty
	top                      string    // one declaration of a file
	importing                string    // one import
	comment                  string    // "//" if empty
	attribute                string    // one annotation; what it belongs to comes after all
	attributed               string
	parameters               [2]string // a function around its parameters
	parameter                string
	union                    string // joins types
}

// Of returns the shapes of all languages.
func Of() []Shape {
	var all []Shape
	for _, g := range grammars() {
		all = append(all, g.shapes()...)
	}
	return all
}

func (g *grammar) shapes() []Shape {
	var out []Shape
	add := func(name, frame string, parts func(n int) string) {
		if frame != "" {
			out = append(out, Shape{Name: name, File: g.file, Make: func(n int) string { return strings.Replace(frame, "%", parts(n), 1) }})
		}
	}
	g.expressions(add)
	g.statements(add)
	g.declarations(add)
	g.broken(add)
	return out
}

type adder func(name, frame string, parts func(n int) string)

func repeat(one string) func(n int) string {
	return func(n int) string { return numbered(one, n) }
}

// numbered repeats a text, with its number in place of "#".
func numbered(one string, n int) string {
	if !strings.Contains(one, "#") {
		return strings.Repeat(one, n)
	}
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(one, "#", strconv.Itoa(i)))
	}
	return b.String()
}

// chain is first, and n times more.
func chain(first, more string) func(n int) string {
	return func(n int) string { return first + numbered(more, n) }
}

// nest puts a text inside n brackets.
func nest(pair [2]string, middle string) func(n int) string {
	return func(n int) string { return numbered(pair[0], n) + middle + strings.Repeat(pair[1], n) }
}

func or(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

func (g *grammar) expressions(add adder) {
	dot, plus, quoted := or(g.member, "."), or(g.plus, "+"), or(g.quoted, `"x"`)
	name := "a"
	if strings.HasSuffix(g.file, ".php") {
		name = "$a"
	}
	add("calls", g.expr, chain(name, dot+"b()"))
	add("calls with arguments", g.expr, chain(name, dot+`b("x", 1)`))
	add("calls over lines", g.expr, chain(name, "\n"+dot+"b()"))
	add("members", g.expr, chain(name, dot+"b"))
	add("subscripts", g.expr, chain(name, "[0]"))
	add("calls of results", g.expr, chain(name, "()"))
	add("sums", g.expr, chain(name, "+"+name))
	add("logic", g.expr, chain(name, or(map[bool]string{true: " and "}[strings.HasSuffix(g.file, ".py")], "&&")+name))
	add("texts", g.expr, chain(quoted, plus+quoted))
	add("nested calls", g.expr, nest([2]string{"f(", ")"}, name))
	add("parentheses", g.expr, nest([2]string{"(", ")"}, name))
	add("negations", g.expr, func(n int) string { return strings.Repeat(or(g.not, "!"), n) + name })
	add("arguments", g.expr, func(n int) string { return "f(" + strings.Repeat(name+",", n) + name + ")" })
	if g.array[0] != "" {
		add("nested arrays", g.expr, nest(g.array, ""))
		add("array", g.expr, func(n int) string { return g.array[0] + strings.Repeat("1,", n) + "1" + g.array[1] })
		add("array of texts", g.expr, func(n int) string { return g.array[0] + strings.Repeat(quoted+",", n) + quoted + g.array[1] })
	}
	if g.lambda[0] != "" {
		add("nested lambdas", g.expr, nest(g.lambda, name))
		add("calls with lambdas", g.expr, chain(name, dot+"b("+g.lambda[0]+name+g.lambda[1]+")"))
	}
}

func (g *grammar) statements(add adder) {
	add("statements", g.body, repeat(g.stmt))
	if g.block[0] != "" {
		add("nested blocks", g.body, nest(g.block, ""))
	}
	if g.elseIf[0] != "" {
		add("else if", g.body, func(n int) string { return g.elseIf[0] + numbered(g.elseIf[1], n) + g.elseIf[2] })
	}
	if g.function[0] != "" {
		add("nested functions", g.body, nest(g.function, ""))
	}
	if g.arm[0] != "" {
		add("cases", g.body, func(n int) string { return g.arm[0] + numbered(g.arm[1], n) + g.arm[2] })
	}
}

func (g *grammar) declarations(add adder) {
	comment := or(g.comment, "//") + " TODO x\n"
	add("members of a class", g.class, repeat(g.field))
	add("comments", g.body, func(n int) string { return "\n" + strings.Repeat(comment, n) })
	if g.generic[0] != "" {
		add("nested types", g.typed, nest(g.generic, "A"))
	}
	if g.union != "" {
		add("types in a row", g.typed, chain("A", g.union+"B"))
	}
	if g.top != "" {
		add("declarations", "%", repeat(g.top))
	}
	if g.importing != "" {
		add("imports", "%", repeat(g.importing))
	}
	if g.attribute != "" {
		add("annotations", "%"+g.attributed, repeat(g.attribute))
	}
	if g.parameter != "" {
		add("parameters", g.parameters[0]+"%"+g.parameters[1], func(n int) string {
			return strings.TrimSuffix(numbered(g.parameter+",", n), ",")
		})
	}
}

// broken are texts that no compiler takes.
func (g *grammar) broken(add adder) {
	for _, one := range []string{"(", "[", "{", "<", ")", "}", "a ", "a.", "a(", "@", "\"", "'", "`", "#", "=", "if ", "class A {", "/*", "\\", "a<b>(", "0,", ";", ":", "?", "a?b:", "fn ", "x=>", "-> ", "$", "${"} {
		add("only "+one, "%", repeat(one))
	}
	add("open brackets in the middle", g.body, repeat("a("))
	add("errors in the middle", g.body, repeat(") "))
	if g.field != "" {
		add("open classes", "%", repeat(strings.ReplaceAll(strings.SplitN(g.class, "%", 2)[0], "\n", " ")))
	}
}
