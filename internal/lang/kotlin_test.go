package lang_test

import "testing"

// TestKotlinFormattingKeepsHashes checks that changes that ktlint and ktfmt make do not change
// hashes.
func TestKotlinFormattingKeepsHashes(t *testing.T) {
	wantSameHashes(t, "A.kt", []form{
		{
			"layout", "class A{fun f(a:Int,b:Int):Int{if(a>b){return a};return b}}",
			"class A {\n\n    fun f(\n        a: Int, b: Int\n    ): Int {\n        // the larger\n        if (a > b) {\n            return a\n        }\n        return b\n    }\n}\n",
		},
		{"trailing commas", "fun f(a: Int, b: List<Int,>,) = g(1, 2,)[1,]\nenum class E { A, B, }", "fun f(\n    a: Int,\n    b: List<Int>\n) = g(1, 2)[1]\nenum class E {\n    A,\n    B\n}"},
		{"semicolons", "val a = 1;\nfun f() { g(); h(); };", "val a = 1\nfun f() {\n    g()\n    h()\n}"},
		{"enum endings", "enum class E { A, B; }", "enum class E { A, B }"},
		{"modifiers", "class A { open public suspend override fun f() {} }", "class A {\n    override suspend open fun f() {}\n}"},
		{"result of nothing", "fun f(): Unit { g() }", "fun f() {\n    g()\n}"},
		{"bodies", "fun f(): Int { return 1 + a }", "fun f(): Int = 1 + a"},
		{"empty bodies", "class A {}\nobject B { }", "class A\n\nobject B"},
		{"brackets", "fun f() = ((a + b)) * (c)", "fun f() = (a + b) * c"},
		{"braces of branches", "fun f() { if (a) b() else c() }", "fun f() {\n    if (a) {\n        b()\n    } else {\n        c()\n    }\n}"},
		{"braces of entries", "fun f() = when (a) { 1 -> { b() }; else -> c() }", "fun f() =\n    when (a) {\n        1 -> b()\n        else -> {\n            c()\n        }\n    }"},
		{"templates", `val a = "${b} and ${this} $c"`, `val a = "$b and $this ${c}"`},
		{"empty arguments", "fun f() { a.b() { c } }", "fun f() { a.b { c } }"},
		{"chains", "fun f() = a.b().c()?.d() ?: e", "fun f() =\n    a\n        .b()\n        .c()\n        ?.d()\n        ?: e"},
		{"imports", "import b.B\nimport a.A\n\nclass C", "import a.A\nimport b.B\n\nclass C"},
		{"comments", "class A { /** doc */ fun f(/* in */ x: Int) {} }", "class A { fun f(x: Int) { /* nothing */ } }"},
		{"heads", "class A @Inject private constructor(val x: Int) : B(x), C { }", "class A\n@Inject\nprivate constructor(\n    val x: Int,\n) : B(x),\n    C"},
		{"accessors", "class A { val x: Int get() = 1\n var y = 1\n private set }", "class A {\n    val x: Int\n        get() = 1\n    var y = 1\n        private set\n}"},
		{"annotations", "@A(1) @B class C { @D val e = 1 }", "@A(1)\n@B\nclass C {\n    @D\n    val e = 1\n}"},
		{"line ends", "fun f() {\r\n    g()\r\n    h()\r\n}\r\n", "fun f() {\n    g()\n    h()\n}\n"},
		{"assignments", "fun f() { a().b = c }", "fun f() {\n    a().b =\n        c\n}"},
		{"casts", "val x = a as B", "val x =\n    a\n        as B"},
		{"else", `val x = if (a) "b" else "c"`, "val x =\n    if (a) {\n        \"b\"\n    } else {\n        \"c\"\n    }"},
		{"context", "context(a: A, b: B<C>) fun f() {}", "context(\n    a: A,\n    b: B<C>,\n)\nfun f() {\n}"},
		{"backing fields", "class A { val a: B\n field = C() }", "class A {\n    val a: B\n        field =\n            C()\n}"},
		{"ranges", "val x = 0..<n", "val x = 0 ..< n"},
	})
}

// TestKotlinChangeAltersHashes checks that changes of meaning change hashes.
func TestKotlinChangeAltersHashes(t *testing.T) {
	body := func(s string) string { return "class A { fun f() { " + s + " } }" }
	wantDifferentHashes(t, "A.kt", []form{
		{"operator", body("x = a + b"), body("x = a - b")},
		{"grouping", body("x = (a + b) * c"), body("x = a + (b * c)")},
		{"string", body(`g("a b")`), body(`g("a  b")`)},
		{"template", body(`g("$a")`), body(`g("a")`)},
		{"template's dollars", body(`g($$"$$a")`), body(`g($$"$a")`)},
		{"char", body("g(' ')"), body("g('a')")},
		{"number", body("x = 1"), body("x = 1L")},
		{"bits", body("x = 0b10"), body("x = 0x10")},
		{"range", body("g(0..<n)"), body("g(0..n)")},
		{"safe call", body("a?.b()"), body("a.b()")},
		{"value and block", "fun f() = g()", "fun f() { g() }"},
		{"nullability", "fun f(x: Int) {}", "fun f(x: Int?) {}"},
		{"default", "fun f(x: Int = 1) {}", "fun f(x: Int = 2) {}"},
		{"type parameter", "fun <T> f() {}", "fun <T : Any> f() {}"},
		{"constraint", "fun <T> f() where T : A {}", "fun <T> f() where T : B {}"},
		{"receiver", "fun A.f() {}", "fun B.f() {}"},
		{"nullable receiver of a type", "fun f(x: A?.() -> B) {}", "fun f(x: A.() -> B) {}"},
		{"receiver of a type", "fun f(x: A.B.() -> C) {}", "fun f(x: A.D.() -> C) {}"},
		{"context", "context(a: A) fun f() {}", "context(a: B) fun f() {}"},
		{"context of a type", "fun f(x: context(A) () -> B) {}", "fun f(x: context(C) () -> B) {}"},
		{"suspend", "suspend fun f() {}", "fun f() {}"},
		{"functional interface", "fun interface A { fun f() }", "interface A { fun f() }"},
		{"visibility", "internal fun f() {}", "fun f() {}"},
		{"value", "const val X = 1", "const val X = 2"},
		{"var", "var x = 1", "val x = 1"},
		{"delegate", "val x by lazy { 1 }", "val x by lazy { 2 }"},
		{"accessor", "val x get() = 1", "val x get() = 2"},
		{"visibility of an accessor", "var x = 1\n private set", "var x = 1\n internal set"},
		{"backing field", "val x: A\n field = B()", "val x: A\n field = C()"},
		{"backing field and value", "val x: A\n field = B()", "val x: A = B()"},
		{"superclass's arguments", "class A : B(1)", "class A : B(2)"},
		{"supertype", "class A : B", "class A : C"},
		{"delegate of a class", "class A : B by c { fun f() {} }", "class A : B by d { fun f() {} }"},
		{"initialiser", "class A { init { f() } }", "class A { init { g() } }"},
		{"companion's initialiser", "class A { companion object { init { f() } } }", "class A { companion object { init { g() } } }"},
		{"constant's arguments", "enum class E(x: Int) { A(1) }", "enum class E(x: Int) { A(2) }"},
		{"delegation", "class A { constructor() : this(1) }", "class A { constructor() : this(2) }"},
		{"guard", body("when (a) { is B if c -> d() }"), body("when (a) { is B if e -> d() }")},
		{"guard and list", body("when (a) { is B if c -> d() }"), body("when (a) { is B, c -> d() }")},
		{"destructuring", body("(val a = b) = c"), body("(val a = d) = c")},
		{"reference's arguments", body("g(List<Int>::size)"), body("g(List<Any>::size)")},
		{"assignment", body("a().b = c"), body("a().b += c")},
		{"or", body("a().b = c"), body("a().b || c")},
		{"statements", body("a\n(b).c()"), body("a(b).c()")},
		{"sign", body("a\n- b"), body("a - b")},
		{"else", body(`if (a) b else "c"`), body(`if (a) b else "d"`)},
		{"typealias", "typealias A = B", "typealias A = C"},
		{"annotation's target", "class A(@field:B val x: Int)", "class A(@get:B val x: Int)"},
	})
}
