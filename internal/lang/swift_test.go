package lang_test

import "testing"

// TestSwiftFormattingKeepsHashes checks that changes that swift-format makes do not change hashes.
func TestSwiftFormattingKeepsHashes(t *testing.T) {
	wantSameHashes(t, "A.swift", []form{
		{
			"layout",
			"struct A{func f(_ a:Int,b:Int)->Int{if a>b{return a};return b}}",
			"struct A {\n  func f(\n    _ a: Int,\n    b: Int\n  ) -> Int {\n    // the larger\n    if a > b {\n      return a\n    }\n    return b\n  }\n}\n",
		},
		{
			"attributes and modifiers",
			"struct A { @inlinable static public func f() {} }",
			"struct A {\n  @inlinable\n  public static func f() {}\n}\n",
		},
		{"trailing commas", "let a = [1, 2]\nlet b = f(1, 2)", "let a = [\n  1,\n  2,\n]\nlet b = f(\n  1,\n  2,\n)\n"},
		{"trailing commas in parameters", "func f(a: Int, b: Int) {}", "func f(\n  a: Int,\n  b: Int,\n) {}"},
		{"semicolons", "func f() { a(); b(); }", "func f() {\n  a()\n  b()\n}"},
		{"brackets around conditions", "func f() { if (a) { b() }; while (c == d) { e() }; switch (x) { default: g() } }", "func f() {\n  if a { b() }\n  while c == d { e() }\n  switch x {\n  default: g()\n  }\n}"},
		{"imports", "import B\nimport A\nlet x = 1", "import A\nimport B\n\nlet x = 1"},
		{"operators at the begin of a line", "let a = b + c\n  * d | e", "let a =\n  b\n  + c\n  * d\n  | e"},
		{"chains", "let a = b.c().d()", "let a =\n  b\n  .c()\n  .d()"},
		{
			"long strings", "let a = \"\"\"\n    one\n      two \\(x)\n    \"\"\"",
			"let a = \"\"\"\n  one\n    two \\(x)\n  \"\"\"",
		},
		{"colons and defaults", "func f(a:[String:Int]=[:],b:Int?=nil) {}", "func f(a: [String: Int] = [:], b: Int? = nil) {}"},
		{"comments", "/// doc\nfunc f(a: Int /* in */) { g() }", "func f(a: Int) {\n  // nothing\n  g()\n}"},
		{"modern syntax", "func f<T:~Copyable>(_ a:consuming T) throws(E)->T{#m(consume a)}", "func f<T: ~Copyable>(\n  _ a: consuming T\n) throws(E) -> T {\n  #m(consume a)\n}"},
		{"accessors", "var a: Int { get { b } set { b = newValue } }", "var a: Int {\n  get { b }\n  set { b = newValue }\n}"},
		{"closures", "let a = b.map { $0+1 }", "let a = b.map {\n  $0 + 1\n}"},
		{"line ends", "struct A {\r\n  let a = 1\r\n  func f() {}\r\n}\r\n", "struct A {\n  let a = 1\n  func f() {}\n}\n"},
		{"conditions of types", "extension A where B: C, D == E {}", "extension A\nwhere\n  B: C,\n  D == E\n{}"},
	})
}

// TestSwiftChangeAltersHashes checks that changes of meaning change hashes.
func TestSwiftChangeAltersHashes(t *testing.T) {
	body := func(s string) string { return "func f() { " + s + " }" }
	wantDifferentHashes(t, "A.swift", []form{
		{"operator", body("x = a + b"), body("x = a - b")},
		{"grouping", body("x = (a + b) * c"), body("x = a + b * c")},
		{"grouping of one level", body("x = a - (b - c)"), body("x = a - b - c")},
		{"string", body(`g("a b")`), body(`g("a  b")`)},
		{"raw string", body(`g(#"a "b" c"#)`), body(`g(#"a "b"  c"#)`)},
		{"interpolation", body(`g("a\(b)")`), body(`g("a\(c)")`)},
		{"regular expression", body("g(/a b/)"), body("g(/a c/)")},
		{"number", body("x = 1"), body("x = 1.0")},
		{"label", body("g(a: 1)"), body("g(b: 1)")},
		{"parameter's label", "func f(a x: Int) {}", "func f(b x: Int) {}"},
		{"default", "func f(a: Int = 1) {}", "func f(a: Int = 2) {}"},
		{"typed throws", "func f() throws(A) {}", "func f() throws(B) {}"},
		{"throws", "func f() throws {}", "func f() {}"},
		{"async", "func f() async {}", "func f() {}"},
		{"suppressed protocol", "struct A<T: ~Copyable> {}", "struct A<T: Copyable> {}"},
		{"ownership", "func f(_ a: borrowing A) {}", "func f(_ a: consuming A) {}"},
		{"sending", "func f(_ a: sending A) {}", "func f(_ a: A) {}"},
		{"effect in a condition", body("if try a() {}"), body("if try! a() {}")},
		{"macro", body("#expect(a)"), body("#require(a)")},
		{"consume", body("g(consume a)"), body("g(copy a)")},
		{"array length", "let a: [3 of Int]", "let a: [4 of Int]"},
		{"generic argument of a call", body("A.b<C>(d)"), body("A.b<D>(d)")},
		{"optional", "let a: Int?", "let a: Int??"},
		{"let and var", "let a = 1", "var a = 1"},
		{"visibility", "public func f() {}", "func f() {}"},
		{"setter's visibility", "public private(set) var a = 1", "public var a = 1"},
		{"static", "struct A { static func f() {} }", "struct A { func f() {} }"},
		{"case's value", "enum A: Int { case a = 1 }", "enum A: Int { case a = 2 }"},
		{"case's payload", "enum A { case a(Int), b }", "enum A { case a(String), b }"},
		{"requirement", "protocol A { var a: Int { get } }", "protocol A { var a: Int { get set } }"},
		{"second pattern's condition", body("switch x { case a where b, c where d: e(); default: break }"), body("switch x { case a where b, c where f: e(); default: break }")},
		{"empty tuple", body("g(())"), body("g()")},
		{"operator's name", "func == (a: A, b: A) -> Bool { true }", "func != (a: A, b: A) -> Bool { true }"},
		{"accessor", "var a: Int { get { b } }", "var a: Int { get { c } }"},
		{"negation", body("g(!a)"), body("g(a)")},
		{"alias's condition", "typealias A<T> = B<T> where T: C", "typealias A<T> = B<T> where T: D"},
	})
}
