package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// endings returns the file extensions of all languages, with the start of a file.
func endings() map[string]string {
	return map[string]string{
		"go": "package a\n", "ts": "", "tsx": "", "js": "", "py": "", "java": "class A {\n", "kt": "", "c": "", "cpp": "", "cs": "class A {\n",
		"rs": "", "rb": "", "php": "<?php\n", "swift": "", "scala": "", "h": "", "ipynb": `{"cells":[{"cell_type":"code","source":["`,
	}
}

// shape is a deeply nested or very long text.
type shape struct {
	name string
	text func(n int) string
}

// shapes returns such texts for all languages; every language is tried with each of them.
func shapes() []shape {
	repeat := func(before, unit, after string) func(int) string {
		return func(n int) string { return before + strings.Repeat(unit, n) + after }
	}
	nested := func(before, open, inner, end, after string) func(int) string {
		return func(n int) string {
			return before + strings.Repeat(open, n) + inner + strings.Repeat(end, n) + after
		}
	}
	return []shape{
		{"a chain of calls", repeat("x = a", ".b(1)", ";\n")},
		{"a chain of members", repeat("x = a", ".b", ";\n")},
		{"a sum", repeat("x = 1", " + 1", ";\n")},
		{"texts joined", repeat("x = \"a\"", " + \"b\"", ";\n")},
		{"arguments", repeat("f(1", ", 1", ");\n")},
		{"parentheses", nested("x = ", "(", "1", ")", ";\n")},
		{"brackets", nested("x = ", "[", "", "]", ";\n")},
		{"braces", nested("", "{", "", "}", "\n")},
		{"calls in calls", nested("x = ", "f(", "1", ")", ";\n")},
		{"type arguments", nested("x: ", "A<", "B", ">", ";\n")},
		{"functions in functions", nested("", "function f() { ", "", "}", "\n")},
		{"classes in classes", nested("", "class A { ", "", "}", "\n")},
		{"else if", repeat("if (a) { b(); }", " else if (a) { b(); }", "\n")},
		{"indents", func(n int) string {
			var b strings.Builder
			for i := range min(n, 2000) {
				fmt.Fprintf(&b, "%sif a:\n", strings.Repeat(" ", i))
			}
			return b.String()
		}},
		{"only opened", repeat("", "(", "")},
		{"only closed", repeat("", "}", "")},
		{"quotes", repeat("", "\"", "")},
		{"one name", repeat("", "a", "")},
		{"declarations", repeat("", "function f(a, b) { return a; }\n", "")},
		{"comments", repeat("", "/* a */ // b\n", "")},
		{"decorators", repeat("", "@a(1)\n", "class A {}\n")},
		{"no text", repeat("", "\x00\xff", "")},
	}
}

// input generates the spec of each shape in each language.
func input(r *run) {
	starts := endings()
	languages := slices.Sorted(maps.Keys(starts))
	r.each(len(languages), func(r *run, i int) {
		ending, before := languages[i], starts[languages[i]]
		for _, s := range shapes() {
			dir := r.project("input", map[string]string{"a." + ending: before + s.text(20_000+r.rand.IntN(60_000))})
			r.command(s.name+" in "+ending, dir, "generate", "a."+ending, "--stdout", "--no-llm")
		}
	})
	files := manifests()
	r.each(len(files), func(r *run, i int) {
		name := files[i]
		for _, s := range shapes() {
			dir := r.project("input", map[string]string{"a.go": "package a\n", name: s.text(100_000)})
			r.command(s.name+" in "+name, dir, "generate", "a.go", "--stdout", "--no-llm")
		}
	})
}
