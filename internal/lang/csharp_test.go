package lang_test

import "testing"

// TestCSharpFormattingKeepsHashes checks that changes that CSharpier and dotnet format make do not
// change hashes.
func TestCSharpFormattingKeepsHashes(t *testing.T) {
	body := func(s string) string { return "class A { void F() { " + s + " } }" }
	wantSameHashes(t, "A.cs", []form{
		{
			"layout",
			"class A{int F(int a,int b){if(a>b){return a;}return b;}}",
			"class A\n{\n    int F(\n        int a,\n        int b\n    )\n    {\n        // the larger\n        if (a > b)\n        {\n            return a;\n        }\n        return b;\n    }\n}\n",
		},
		{"modifiers", "class A { static public readonly int X; async override protected Task F() { } }", "class A { public static readonly int X; protected override async Task F() { } }"},
		{"attributes", "class A { [X(1)] [Y] int F() => 1; }", "class A\n{\n    [X(1)]\n    [Y]\n    int F() => 1;\n}"},
		{"brackets", body("return ((a + b)) * (c);"), body("return (a + b) * c;")},
		{"trailing commas", "enum E { A, B, }", "enum E\n{\n    A,\n    B\n}"},
		{"trailing commas of initialisers", body("var x = new[] { 1, 2, }; y = new A { B = 1, };"), body("var x = new[] { 1, 2 }; y = new A { B = 1 };")},
		{"trailing commas of switches", body("x = y switch { 1 => 2, _ => 3, };"), body("x = y switch { 1 => 2, _ => 3 };")},
		{"lambda brackets", body("F((x) => x);"), body("F(x => x);")},
		{"usings", "using B;\nusing A;\nclass C { }", "using A;\nusing B;\n\nclass C { }"},
		{"usings in a namespace", "namespace N { using B; using A; class C { } }", "namespace N { using A; using B; class C { } }"},
		{"comments", "class A { /// <summary>doc</summary>\n void F(/* in */ int x) {} }", "class A { void F(int x) { /* nothing */ } }"},
		{"regions", "class A {\n#region X\n void F() {}\n#endregion\n}", "class A { void F() {} }"},
		{"accessors", "class A { int X { get; private set; } }", "class A\n{\n    int X\n    {\n        get;\n        private set;\n    }\n}"},
		{"values on several lines", "class A { int[] x = {\n 1, 2 };\n }", "class A { int[] x = { 1, 2 }; }"},
		{"raw strings", "class A { string s = \"\"\"\n    a\n      b\n    \"\"\"; }", "class A { string s = \"\"\"\n        a\n          b\n        \"\"\"; }"},
		{"raw strings with holes", "class A { string s = $\"\"\"\n    a {x}\n      b\n    \"\"\"; }", "class A { string s = $\"\"\"\n      a {x}\n        b\n      \"\"\"; }"},
		{"line ends", "class A\r\n{\r\n  string s = \"\"\"\r\n    a\r\n    \"\"\";\r\n}\r\n", "class A\n{\n  string s = \"\"\"\n    a\n    \"\"\";\n}\n"},
		{"bodies of types", "public class A : B;\npublic struct C(int x);", "public class A\n    : B;\n\npublic struct C(\n    int x\n);"},
		{"extension blocks", "static class E { extension(string s) { public int F() => 1; } }", "static class E\n{\n    extension(string s)\n    {\n        public int F() => 1;\n    }\n}"},
		{"collections", body("int[] x = [ ]; y = [1, 2,];"), body("int[] x = []; y = [\n 1,\n 2\n];")},
		{"conditional sections", "class A {\n#if X\n  void F() { }\n#endif\n}", "class A\n{\n#if X\n    void F()\n    {\n    }\n#endif\n}"},
		{"parameter collections", "class A { void F(params List<int> x) { } }", "class A { void F(\n  params\n  List<int> x) { } }"},
		{"assignments under a condition", body("a?.b = 1;"), body("a\n  ?.b = 1;")},
		{"semicolons after types", "class A { };", "class A { }"},
		{"null in numbers", body("x = 1L; y = 0XFF;"), body("x = 1l; y = 0xff;")},
	})
}

// TestCSharpChangeAltersHashes checks that changes of meaning change hashes.
func TestCSharpChangeAltersHashes(t *testing.T) {
	body := func(s string) string { return "class A { void F() { " + s + " } }" }
	wantDifferentHashes(t, "A.cs", []form{
		{"operator", body("x = a + b;"), body("x = a - b;")},
		{"grouping", body("x = (a + b) * c;"), body("x = a + (b * c);")},
		{"string", body(`G("a b");`), body(`G("a  b");`)},
		{"blank in a hole's neighbour", body(`G($"a {x}");`), body(`G($"a  {x}");`)},
		{"format of a hole", body(`G($"{x:N1}");`), body(`G($"{x:N2}");`)},
		{"verbatim string", body(`G(@"a\n");`), body(`G("a\n");`)},
		{"raw string", "class A { string s = \"\"\"\n  a\n  b\n  \"\"\"; }", "class A { string s = \"\"\"\n  a\n   b\n  \"\"\"; }"},
		{"bytes", body(`G("a"u8);`), body(`G("a");`)},
		{"char", body("x = ' ';"), body("x = 'a';")},
		{"escaped char", body(`x = '\x1';`), body(`x = '\x2';`)},
		{"number", body("x = 1;"), body("x = 1L;")},
		{"dimensions", "class A { int[] x; }", "class A { int[,] x; }"},
		{"jagged", "class A { int[] x; }", "class A { int[][] x; }"},
		{"nullable", "class A { string x; }", "class A { string? x; }"},
		{"open types", body("x = typeof(D<>);"), body("x = typeof(D<,>);")},
		{"loop parts", body("for (i++;;) {}"), body("for (;;i++) {}")},
		{"empty branch", body("if (x) ; G();"), body("if (x) G();")},
		{"braces", body("if (x) { G(); } H();"), body("if (x) { G(); H(); }")},
		{"modifier", "class A { static int x; }", "class A { int x; }"},
		{"visibility", "class A { public void F() {} }", "class A { void F() {} }"},
		{"reference", "class A { void F(ref int x) {} }", "class A { void F(out int x) {} }"},
		{"this parameter", "static class A { static void F(this int x) {} }", "static class A { static void F(int x) {} }"},
		{"params", "class A { void F(params int[] x) {} }", "class A { void F(int[] x) {} }"},
		{"default", "class A { void F(int x = 1) {} }", "class A { void F(int x = 2) {} }"},
		{"constraint", "class A { void F<T>() where T : class {} }", "class A { void F<T>() where T : struct {} }"},
		{"anti-constraint", "class A { void F<T>() where T : allows ref struct {} }", "class A { void F<T>() where T : allows {} }"},
		{"base", "class A : B;", "class A : C;"},
		{"value", "class A { const int X = 1; }", "class A { const int X = 2; }"},
		{"enum value", "enum E { A = 1 }", "enum E { A = 2 }"},
		{"initialiser", "class A { A() : base(1) { } }", "class A { A() : base(2) { } }"},
		{"setter", "class A { int X { get; } }", "class A { int X { get; set; } }"},
		{"setter's visibility", "class A { public int X { get; set; } }", "class A { public int X { get; private set; } }"},
		{"init", "class A { int X { get; set; } }", "class A { int X { get; init; } }"},
		{"accessor's body", "class A { int X { get { return 1; } } }", "class A { int X { get { return 2; } } }"},
		{"component", "record A(int X);", "record A(long X);"},
		{"record struct", "record class A(int X) { }", "record struct A(int X) { }"},
		{"switch arm", body("x = y switch { 1 => 2, _ => 3 };"), body("x = y switch { 4 => 2, _ => 3 };")},
		{"slice", body("x = y is [1, .. var z];"), body("x = y is [1, var z];")},
		{"spread", body("x = [.. a];"), body("x = [a];")},
		{"conditional assignment", body("a?.b = c;"), body("a.b = c;")},
		{"pattern's type", body("if (x is P(1, 2) p) { }"), body("if (x is Q(1, 2) p) { }")},
		{"compound operator", "class A { void operator +=(int x) { } }", "class A { void operator -=(int x) { } }"},
		{"receiver", "static class E { extension(string) { public static void F() { } } }", "static class E { extension(object) { public static void F() { } } }"},
		{"condition", "class A { void F() {\n#if X\nG();\n#endif\n} }", "class A { void F() {\n#if Y\nG();\n#endif\n} }"},
		{"section left out", "class A { void F() { x =\n#if X\n1\n#else\n2\n#endif\n; } }", "class A { void F() { x =\n#if X\n1\n#else\n3\n#endif\n; } }"},
		{"null forgiveness", body("x = y!;"), body("x = y;")},
		{"pointer", body("*p++ = 1;"), body("*p-- = 1;")},
		{"checked", body("x = checked(a + b);"), body("x = unchecked(a + b);")},
		{"await", body("await F();"), body("F();")},
	})
}
