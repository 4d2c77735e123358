package lang_test

import "testing"

// TestRustFormattingKeepsHashes checks that changes that rustfmt makes do not change hashes.
func TestRustFormattingKeepsHashes(t *testing.T) {
	wantSameHashes(t, "a.rs", []form{
		{
			"layout", "pub fn f(a:u8,b:u8)->u8{if a>b{a}else{b}}",
			"pub fn f(\n    a: u8,\n    b: u8, // second\n) -> u8 {\n    if a > b {\n        a\n    } else {\n        b\n    }\n}\n",
		},
		{"trailing commas", "struct S { a: u8, b: u8 } fn f() { g(1, 2); [1, 2]; }", "struct S {\n a: u8,\n b: u8,\n}\nfn f() { g(1, 2,); [1, 2,]; }"},
		{"where", "fn f<T>() where T: A {}", "fn f<T>()\nwhere\n    T: A,\n{\n}"},
		{"arms", "fn f() { match x { A => { a } B => { g() }, C => { match y { _ => 1 } } } }", "fn f() { match x { A => a, B => g(), C => match y { _ => 1, }, } }"},
		{"nested arm", "fn f() { match x { A => { { a } } } }", "fn f() { match x { A => a } }"},
		{"closures", "fn f() { g(|x| { x + 1 }); g(|| { match y { _ => 1 } }); }", "fn f() { g(|x| x + 1); g(|| match y { _ => 1, }); }"},
		{"brackets", "fn f() { let a = ((b)); c((d + e)) }", "fn f() { let a = b; c(d + e) }"},
		{
			"semicolons that end", "fn f() { if a { return } loop { if b { break } else { continue } } }",
			"fn f() { if a { return; } loop { if b { break; } else { continue; } } }",
		},
		{"semicolons after loops", "fn f() { while a {}; for b in c {}; loop {} }", "fn f() { while a {} for b in c {} loop {}; }"},
		{"empty statements", "fn f() { a();; b(); }", "fn f() { a(); b(); }"},
		{"leading bars", "fn f() { match x { | A | B => 1, | _ => 2 } }", "fn f() { match x { A | B => 1, _ => 2 } }"},
		{"abi", "pub extern fn f() {} extern { fn g(); }", "pub extern \"C\" fn f() {} extern \"C\" { fn g(); }"},
		{"visibility", "pub(in crate) fn f() {}", "pub(crate) fn f() {}"},
		{"derives", "#[derive(A)]\n#[derive(B,C,)]\nstruct S;", "#[derive(A, B, C)]\nstruct S;"},
		{"uses", "use b::{d, c};\nuse a;\nfn f() {}", "use a;\nuse b::{c, d};\n\nfn f() {}"},
		{"uses within", "fn f() { use b::{d, c}; use a; g() } mod m { use z; use y::{x}; }", "fn f() { use a; use b::{c, d}; g() } mod m { use y::x; use z; }"},
		{
			"uses with attributes", "#[cfg(b)] use b;\n#[cfg( any( a , c, ) )]\nuse a;\nfn f() {}",
			"#[cfg(any(a, c))]\nuse a;\n#[cfg(b)]\nuse b;\nfn f() {}",
		},
		{"modules", "mod b;\npub mod a;\n#[macro_use] mod c;\nmod d;", "pub mod a;\nmod b;\n#[macro_use]\nmod c;\nmod d;"},
		{"macro arguments", "fn f() { println!( \"{}\",x, ); vec!(1,2); m!{ a }; }", "fn f() {\n    println!(\"{}\", x);\n    vec![1, 2];\n    m! { a };\n}"},
		{
			"code in macros", "fn f() { assert!(match x { A => { true }, B => { g(); h() } _ => false } && y.all(|z| { z > 1 })); }",
			"fn f() { assert!(match x { A => true, B => { g(); h() }, _ => false, } && y.all(|z| z > 1),); }",
		},
		{"continued strings", "fn f() { g(\"a \\\n   b\"); }", "fn f() { g(\"a \\\n            b\"); }"},
		{"wrappers", "cfg_x! {\npub fn f() { match a { A => { b } } }\n}", "cfg_x! {\n    pub fn f() {\n        match a {\n            A => b,\n        }\n    }\n}"},
		{"line ends", "fn f() {\r\n    g(\"a\r\nb\");\r\n}\r\n", "fn f() {\n    g(\"a\nb\");\n}\n"},
		{"values on several lines", "const A: [u8; 2] = [\n    1,\n    2,\n];", "const A: [u8; 2] = [1, 2];"},
	})
}

// TestRustChangeAltersHashes checks that changes of meaning change hashes.
func TestRustChangeAltersHashes(t *testing.T) {
	body := func(s string) string { return "fn f() { " + s + " }" }
	wantDifferentHashes(t, "a.rs", []form{
		{"last semicolon", body("g()"), body("g();")},
		{"last semicolon of a branch", body("if a { b } else { c }"), body("if a { b } else { c };")},
		{"semicolon in an arm", body("match x { _ => { g() } }"), body("match x { _ => { g(); } }")},
		{"semicolon in a closure", body("h(|| { g() })"), body("h(|| { g(); })")},
		{"grouping", body("(a + b) * c"), body("a + (b * c)")},
		{"field call", body("(a.f)()"), body("a.f()")},
		{"repeat and list", body("[x; 2]"), body("[x, 2]")},
		{"tuple of one", "type A = (B,);", "type A = (B);"},
		{"tuple pattern of one", body("let (a,) = b;"), body("let (a) = b;")},
		{"string", body(`g("a b")`), body(`g("a  b")`)},
		{"raw string", body(`g(r"\n")`), body(`g("\n")`)},
		{"byte string", body(`g(b"a")`), body(`g("a")`)},
		{"number", body("1u8"), body("1u16")},
		{"macro separators", body("vec![1; 2]"), body("vec![1, 2]")},
		{"macro brackets inside", body("m!((a))"), body("m!([a])")},
		{"macro tokens", body("m!(a b)"), body("m!(a c)")},
		{"macro rule", "macro_rules! m { ($a:expr) => { 1 } }", "macro_rules! m { ($a:expr) => { 2 } }"},
		{"macro pattern", "macro_rules! m { ($a:expr) => { 1 } }", "macro_rules! m { ($a:ty) => { 1 } }"},
		{"visibility", "pub fn f() {}", "pub(crate) fn f() {}"},
		{"unsafe", "pub fn f() {}", "pub unsafe fn f() {}"},
		{"abi", `extern "C" fn f() {}`, `extern "system" fn f() {}`},
		{"lifetime", "fn f<'a>(x: &'a u8) {}", "fn f<'a>(x: &u8) {}"},
		{"mutability", "fn f(x: &mut u8) {}", "fn f(x: &u8) {}"},
		{"where", "fn f<T>() where T: A {}", "fn f<T>() where T: A + B {}"},
		{"default of a const parameter", "struct S<const N: usize = 3>;", "struct S<const N: usize = 4>;"},
		{"safe foreign function", "unsafe extern \"C\" { pub safe fn f(); }", "unsafe extern \"C\" { pub fn f(); }"},
		{"async closure", body("async |x| x"), body("|x| x")},
		{"raw reference", body("&raw const x"), body("&x")},
		{"use within", body("use a::b; b()"), body("use c::b; b()")},
		{"payload", "enum E { A(u8) }", "enum E { A(u16) }"},
		{"discriminant", "enum E { A = 1 }", "enum E { A = 2 }"},
		{"field type", "struct S { a: u8 }", "struct S { a: u16 }"},
		{"tuple field", "struct S(u8);", "struct S(pub u8);"},
		{"value", "const A: u8 = 1;", "const A: u8 = 2;"},
		{"return", body("return a;"), body("return b;")},
		{"label", body("break 'a;"), body("break 'b;")},
		{"associated type", "impl A for B { type C = u8; } struct B;", "impl A for B { type C = u16; } struct B;"},
	})
}
