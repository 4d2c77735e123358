package lang_test

import "testing"

// TestJavaFormattingKeepsHashes checks that changes that google-java-format makes do not change
// hashes.
func TestJavaFormattingKeepsHashes(t *testing.T) {
	wantSameHashes(t, "A.java", []form{
		{
			"layout",
			"class A{int f(int a,int b){if(a>b){return a;}return b;}}",
			"class A {\n\n  int f(\n      int a, int b) {\n    // the larger\n    if (a > b) {\n      return a;\n    }\n    return b;\n  }\n}\n",
		},
		{
			"annotations and modifiers",
			"class A { @X(a=1) final static public int f() { return 1; } @Y private final int z; }",
			"class A {\n  @X(a = 1)\n  public static final int f() {\n    return 1;\n  }\n\n  @Y private final int z;\n}\n",
		},
		{"brackets", "class A { int f() { return ((a + b)) * (c); } }", "class A { int f() { return (a + b) * c; } }"},
		{
			"trailing commas", "class A { int[] x = {1, 2,}; String[] y = {\n  \"a\",\n  \"b\",\n}; }",
			"class A { int[] x = {1, 2}; String[] y = {\"a\", \"b\"}; }",
		},
		{"enum endings", "enum E { A, B,; }", "enum E {\n  A,\n  B\n}"},
		{"empty statements", "class A { ; void f() { g();; }; } ;", "class A { void f() { g(); } }"},
		{"lambda brackets", "class A { F f = (x) -> x; }", "class A { F f = x -> x; }"},
		{
			"long strings", `class A { void f() { log("a b c " + "d e f" + x + "g " + "h"); g("one" + "two"); } }`,
			`class A { void f() { log("a b " + "c d e f" + x + "g h"); g("onetwo"); } }`,
		},
		{"brackets in sums", "class A { int x = (a + b) + c; }", "class A { int x = a + b + c; }"},
		{
			"text blocks", "class A {\n    String s = \"\"\"\n        one\n          two\n        \"\"\";\n}",
			"class A {\n  String s =\n      \"\"\"\n      one\n        two\n      \"\"\";\n}",
		},
		{"imports", "import b.B;\nimport a.A;\nclass C {}", "import a.A;\nimport b.B;\n\nclass C {}"},
		{"comments", "class A { /** doc */ void f(/* in */ int x) {} }", "class A { void f(int x) { /* nothing */ } }"},
		{"values on several lines", "class A { static final int[] X = {\n 1, 2 };\n }", "class A { static final int[] X = {1, 2}; }"},
		{"line ends", "class A {\r\n  String s = \"\"\"\r\n    a\r\n    \"\"\";\r\n}\r\n", "class A {\n  String s = \"\"\"\n    a\n    \"\"\";\n}\n"},
	})
}

// TestJavaChangeAltersHashes checks that changes of meaning change hashes.
func TestJavaChangeAltersHashes(t *testing.T) {
	body := func(s string) string { return "class A { void f() { " + s + " } }" }
	wantDifferentHashes(t, "A.java", []form{
		{"operator", body("x = a + b;"), body("x = a - b;")},
		{"grouping", body("x = (a + b) * c;"), body("x = a + (b * c);")},
		{"grouping of a sum", body("x = a + (b + c);"), body("x = a + b + c;")},
		{"string", body(`g("a b");`), body(`g("a  b");`)},
		{"literals that are not joined", body(`g("a" + x + "b");`), body(`g("ab" + x);`)},
		{"number", body("x = 1;"), body("x = 1L;")},
		{"integer and float", body("x = y / 2;"), body("x = y / 2.0;")},
		{"dimensions", "class A { int[] x; }", "class A { int[][] x; }"},
		{"dimensions of a result", "class A { int[] f() { return null; } }", "class A { int[][] f() { return null; } }"},
		{"loop parts", body("for (i++;;) {}"), body("for (;;i++) {}")},
		{"empty branch", body("if (x) ; g();"), body("if (x) g();")},
		{"braces", body("if (x) { g(); } h();"), body("if (x) { g(); h(); }")},
		{"modifier", "class A { static int x; }", "class A { int x; }"},
		{"visibility", "class A { public void f() {} }", "class A { void f() {} }"},
		{"final parameter type", "class A { void f(final int x) {} }", "class A { void f(final long x) {} }"},
		{"throws", "class A { void f() throws E {} }", "class A { void f() {} }"},
		{"type parameter", "class A { <T> void f() {} }", "class A { <T extends B> void f() {} }"},
		{"permits", "sealed class A permits B {}", "sealed class A permits B, C {}"},
		{"value", "class A { static final int X = 1; }", "class A { static final int X = 2; }"},
		{"constant's arguments", "enum E { A(1) }", "enum E { A(2) }"},
		{"initialiser", "class A { static { f(); } }", "class A { static { g(); } }"},
		{"element's default", "@interface A { int x() default 1; }", "@interface A { int x() default 2; }"},
		{"record component", "record A(int x) {}", "record A(long x) {}"},
		{"switch arm", body("switch (x) { case 1 -> g(); default -> h(); }"), body("switch (x) { case 2 -> g(); default -> h(); }")},
		{"early super", "class A { A() { f(); super(1); } }", "class A { A() { f(); super(2); } }"},
		{"text block", "class A { String s = \"\"\"\n  a\n  b\n  \"\"\"; }", "class A { String s = \"\"\"\n  a\n   b\n  \"\"\"; }"},
		{"char", body("x = ' ';"), body("x = 'a';")},
		{"method reference", body("g(A::b);"), body("g(A::c);")},
	})
}
