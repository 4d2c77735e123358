package shapes

// grammars are the languages that reverse-spec reads.
func grammars() []*grammar {
	return []*grammar{
		cGrammar(), cppGrammar(), csharpGrammar(), goGrammar(), javaGrammar(), scriptGrammar("a.js"), kotlinGrammar(), phpGrammar(),
		pythonGrammar(), rubyGrammar(), rustGrammar(), scalaGrammar(), swiftGrammar(), typescriptGrammar("a.ts"), typescriptGrammar("a.tsx"),
		vueGrammar(),
	}
}

func cGrammar() *grammar {
	return &grammar{
		file: "a.c", expr: "int f(int a) { return %; }\n", body: "void f(int a) {%}\n", class: "struct A {\n%};\n", typed: "int %x;\n", plus: " ",
		block: [2]string{"{", "}"}, array: [2]string{"{", "}"},
		elseIf: [3]string{"if (a) {}", " else if (a) {}", ""}, stmt: "a = b#;\n", field: "int b#;\n", generic: [2]string{"*", ""},
		arm: [3]string{"switch (a) {", "case #: b();\n", "}"}, top: "int f#(int a) { return a; }\n", importing: "#include <a#.h>\n",
		attribute: "#define A# 1\n", attributed: "int a;\n", parameters: [2]string{"void f(", ") {}\n"}, parameter: "int a#",
	}
}

func cppGrammar() *grammar {
	g := cGrammar()
	g.file, g.class, g.typed = "a.cpp", "class A {\npublic:\n%};\n", "% x;\n"
	g.field, g.generic, g.union = "int b#() { return 1; }\n", [2]string{"A<", "> "}, "::"
	g.lambda = [2]string{"[&]() { return ", "; }"}
	return g
}

func csharpGrammar() *grammar {
	return &grammar{
		file: "a.cs", expr: "class A { object M() { return %; } }\n", body: "class A { void M() {%} }\n", class: "class A {\n%}\n", typed: "class A { % x; }\n",
		block: [2]string{"{", "}"}, array: [2]string{"new[] {", "}"}, elseIf: [3]string{"if (a) {}", " else if (a) {}", ""},
		stmt: "a = b#;\n", field: "public int B#() { return 1; }\n", generic: [2]string{"A<", ">"}, function: [2]string{"void f() {", "}"},
		lambda: [2]string{"x => ", ""}, arm: [3]string{"switch (a) {", "case #: b(); break;\n", "}"}, top: "class A# { }\n", importing: "using A#;\n",
		attribute: "[A]\n", attributed: "class B {}\n", parameters: [2]string{"class A { void M(", ") {} }\n"}, parameter: "int a#", union: ".",
	}
}

func goGrammar() *grammar {
	return &grammar{
		file: "a.go", expr: "package a\n\nfunc F() any { return % }\n", body: "package a\n\nfunc F() {%}\n", class: "package a\n\ntype A struct {\n%}\n",
		typed: "package a\n\nvar X %\n", block: [2]string{"{", "}"}, array: [2]string{"[]any{", "}"},
		elseIf: [3]string{"if a {}", " else if a {}", ""}, stmt: "a = b#\n", field: "B# int\n", generic: [2]string{"A[", "]"},
		lambda: [2]string{"func() any { return ", " }"}, arm: [3]string{"switch a {\n", "case #: b()\n", "}"}, top: "func F#() {}\n",
		attribute: "//go:x\n", attributed: "package a\n", parameters: [2]string{"package a\n\nfunc F(", ") {}\n"}, parameter: "a# int", union: ".",
	}
}

func javaGrammar() *grammar {
	return &grammar{
		file: "A.java", expr: "class A { Object m() { return %; } }\n", body: "class A { void m() {%} }\n", class: "class A {\n%}\n", typed: "class A { % x; }\n",
		block: [2]string{"{", "}"}, array: [2]string{"new Object[] {", "}"}, elseIf: [3]string{"if (a) {}", " else if (a) {}", ""},
		stmt: "a = b#;\n", field: "public int b#() { return 1; }\n", generic: [2]string{"A<", ">"}, function: [2]string{"class B { void f() {", "} }"},
		lambda: [2]string{"x -> ", ""}, arm: [3]string{"switch (a) {", "case #: b(); break;\n", "}"}, top: "class A# { }\n", importing: "import a.A#;\n",
		attribute: "@A\n", attributed: "class B {}\n", parameters: [2]string{"class A { void m(", ") {} }\n"}, parameter: "int a#", union: ".",
	}
}

func scriptGrammar(file string) *grammar {
	return &grammar{
		file: file, expr: "export function f(a) { return %; }\n", body: "export function f(a) {%}\n", class: "export class A {\n%}\n",
		block: [2]string{"{", "}"}, array: [2]string{"[", "]"}, elseIf: [3]string{"if (a) {}", " else if (a) {}", ""},
		stmt: "a = b#;\n", field: "b#() { return 1; }\n", function: [2]string{"function g() {", "}"},
		lambda: [2]string{"x => ", ""}, arm: [3]string{"switch (a) {", "case #: b(); break;\n", "}"}, top: "export const a# = 1;\n",
		importing: "import { a# } from \"./a#\";\n", attribute: "@a\n", attributed: "export class B {}\n",
		parameters: [2]string{"export function f(", ") {}\n"}, parameter: "a#",
	}
}

func typescriptGrammar(file string) *grammar {
	g := scriptGrammar(file)
	g.typed, g.generic, g.union = "export let x: % = 1;\n", [2]string{"A<", ">"}, " | "
	return g
}

func vueGrammar() *grammar {
	g := typescriptGrammar("a.vue")
	frame := func(text string) string { return "<script lang=\"ts\">\n" + text + "</script>\n" }
	g.expr, g.body, g.class, g.typed = frame(g.expr), frame(g.body), frame(g.class), frame(g.typed)
	return g
}

func kotlinGrammar() *grammar {
	return &grammar{
		file: "A.kt", expr: "fun f(a: Any) { val x = % }\n", body: "fun f(a: Any) {%}\n", class: "class A {\n%}\n", typed: "val x: % = 1\n",
		block: [2]string{"run {", "}"}, array: [2]string{"listOf(", ")"}, elseIf: [3]string{"if (a) {}", " else if (a) {}", ""},
		stmt: "a = b#\n", field: "fun b#(): Int { return 1 }\n", generic: [2]string{"A<", ">"}, function: [2]string{"fun g() {", "}"},
		lambda: [2]string{"{ x -> ", " }"}, arm: [3]string{"when (a) {\n", "# -> b()\n", "}"}, top: "fun f#() {}\n", importing: "import a.B#\n",
		attribute: "@A\n", attributed: "class B\n", parameters: [2]string{"fun f(", ") {}\n"}, parameter: "a#: Int", union: ".",
	}
}

func phpGrammar() *grammar {
	return &grammar{
		file: "a.php", expr: "<?php\nfunction f($a) { return %; }\n", body: "<?php\nfunction f($a) {%}\n", class: "<?php\nclass A {\n%}\n",
		typed: "<?php\nfunction f(% $a) {}\n", member: "->", plus: ".", block: [2]string{"{", "}"}, array: [2]string{"[", "]"},
		elseIf: [3]string{"if ($a) {}", " elseif ($a) {}", ""}, stmt: "$a = b#;\n", field: "public function b#() { return 1; }\n",
		function: [2]string{"function g() {", "}"}, lambda: [2]string{"fn($x) => ", ""},
		arm: [3]string{"switch ($a) {", "case #: b(); break;\n", "}"}, top: "<?php function f#() {} ?>\n", importing: "<?php use A\\B#; ?>\n",
		attributed: "class B {}\n", parameters: [2]string{"<?php\nfunction f(", ") {}\n"}, parameter: "$a#", union: "|",
	}
}

func pythonGrammar() *grammar {
	return &grammar{
		file: "a.py", expr: "def f(a):\n    return (%)\n", body: "def f(a):\n    a = 1\n%", class: "class A:\n%", typed: "x: % = 1\n",
		array: [2]string{"[", "]"}, elseIf: [3]string{"    if a:\n        b()\n", "    elif a:\n        b()\n", ""},
		stmt: "    a = b#\n", field: "    def b#(self):\n        return 1\n", generic: [2]string{"A[", "]"}, lambda: [2]string{"lambda x: ", ""},
		arm: [3]string{"    match a:\n", "        case #:\n            b()\n", ""}, not: "not ", top: "def f#():\n    pass\n", importing: "import a#\n",
		comment: "#", attribute: "@a\n", attributed: "def b():\n    pass\n", parameters: [2]string{"def f(", "):\n    pass\n"}, parameter: "a#", union: " | ",
	}
}

func rubyGrammar() *grammar {
	return &grammar{
		file: "a.rb", expr: "def f(a)\n  x = %\nend\n", body: "def f(a)\n%\nend\n", class: "class A\n%end\n",
		block: [2]string{"begin\n", "\nend"}, array: [2]string{"[", "]"}, elseIf: [3]string{"if a\n b\n", "elsif a\n b\n", "end\n"},
		stmt: "a = b#\n", field: "def b#\n 1\nend\n", function: [2]string{"def g\n", "\nend\n"}, lambda: [2]string{"->(x) { ", " }"},
		arm: [3]string{"case a\n", "when #\n b\n", "end\n"}, top: "def f#\nend\n", importing: "require \"a#\"\n",
		comment: "#", parameters: [2]string{"def f(", ")\nend\n"}, parameter: "a#",
	}
}

func rustGrammar() *grammar {
	return &grammar{
		file: "a.rs", expr: "pub fn f(a: A) -> B { % }\n", body: "pub fn f(a: A) {%}\n", class: "impl A {\n%}\n", typed: "pub static X: % = 1;\n",
		block: [2]string{"{", "}"}, array: [2]string{"[", "]"}, elseIf: [3]string{"if a {}", " else if a {}", ""},
		stmt: "a = b#;\n", field: "pub fn b#(&self) -> i32 { 1 }\n", generic: [2]string{"A<", ">"}, function: [2]string{"fn g() {", "}"},
		lambda: [2]string{"|x| ", ""}, arm: [3]string{"match a {", "# => b(),\n", "}"}, top: "pub fn f#() {}\n", importing: "use a::b#;\n",
		attribute: "#[a]\n", attributed: "pub struct B;\n", parameters: [2]string{"pub fn f(", ") {}\n"}, parameter: "a#: i32", union: "::",
	}
}

func scalaGrammar() *grammar {
	return &grammar{
		file: "A.scala", expr: "object A { def f(a: Any) = % }\n", body: "object A { def f(a: Any) = {%} }\n", class: "class A {\n%}\n", typed: "object A { val x: % = 1 }\n",
		block: [2]string{"{", "}"}, array: [2]string{"List(", ")"}, elseIf: [3]string{"if (a) {}", " else if (a) {}", ""},
		stmt: "a = b#\n", field: "def b#(): Int = { 1 }\n", generic: [2]string{"A[", "]"}, function: [2]string{"def g() = {", "}"},
		lambda: [2]string{"x => ", ""}, arm: [3]string{"a match {\n", "case # => b()\n", "}"}, top: "class A#\n", importing: "import a.B#\n",
		attribute: "@a\n", attributed: "class B\n", parameters: [2]string{"object A { def f(", ") = {} }\n"}, parameter: "a#: Int", union: " with ",
	}
}

func swiftGrammar() *grammar {
	return &grammar{
		file: "a.swift", expr: "func f(a: Any) -> Any { return % }\n", body: "func f(a: Any) {%}\n", class: "class A {\n%}\n", typed: "var x: % = 1\n",
		block: [2]string{"do {", "}"}, array: [2]string{"[", "]"}, elseIf: [3]string{"if a {}", " else if a {}", ""},
		stmt: "a = b#\n", field: "func b#() -> Int { return 1 }\n", generic: [2]string{"A<", ">"}, function: [2]string{"func g() {", "}"},
		lambda: [2]string{"{ x in ", " }"}, arm: [3]string{"switch a {\n", "case #: b()\n", "}"}, top: "func f#() {}\n", importing: "import A#\n",
		attribute: "@a\n", attributed: "class B {}\n", parameters: [2]string{"func f(", ") {}\n"}, parameter: "_ a#: Int", union: " & ",
	}
}
