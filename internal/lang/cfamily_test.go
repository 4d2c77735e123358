package lang_test

import "testing"

// TestCFormattingKeepsHashes checks that changes that clang-format makes to C do not change hashes.
func TestCFormattingKeepsHashes(t *testing.T) {
	wantSameHashes(t, "a.c", []form{
		{
			"layout",
			"int f(int a,char*b){if(a>1){return a;}for(;;){g(b);}}",
			"int\nf(int a, char *b)\n{\n  if (a > 1) {\n    return a; /* the larger */\n  }\n  for (;;) {\n    g(b);\n  }\n}\n",
		},
		{"pointers", "char* f(char* a, char * const* b);", "char *f(char *a, char *const *b);"},
		{"braces of one statement", "void f(int a) { if (a) g(); else h(); while (a) g(); }", "void f(int a) {\n  if (a) {\n    g();\n  } else {\n    h();\n  }\n  while (a) {\n    g();\n  }\n}"},
		{"brackets", "int f(int a) { int x = ((a + 1)) * (a); return x; }", "int f(int a) { int x = (a + 1) * a; return x; }"},
		{"strings cut in two", `char *s = "a b c d";`, "char *s = \"a b \"\n          \"c d\";"},
		{"trailing commas", "int x[] = {1, 2,}; enum e { A, B, };", "int x[] = {1, 2};\nenum e { A, B };"},
		{"structs", "struct s{int a;unsigned b:3;};", "struct s {\n  int a;\n  unsigned b : 3;\n};"},
		{"comments", "/* doc */ int f(int a /* in */);", "int f(int a); // other"},
		{"line ends", "int f(void) {\r\n  return 1;\r\n}\r\n", "int f(void) {\n  return 1;\n}\n"},
		{"numbers", "int x = 0XFF; float y = 1.50;", "int x = 0xff; float y = 1.5;"},
		{"macros", "#define A(x)   ((x) + 1) /* one */\n#define B 1", "#define A(x) \\\n\t((x) + 1)\n#define B 1 // one"},
		{"includes", "#include \"b.h\"\n#include <a.h>\nint x;", "#include <a.h>\n#include \"b.h\"\n\nint x;"},
	})
}

// TestCChangeAltersHashes checks that changes of meaning change hashes.
func TestCChangeAltersHashes(t *testing.T) {
	body := func(s string) string { return "void f(int a, int b) { " + s + " }" }
	wantDifferentHashes(t, "a.c", []form{
		{"operator", body("a = a + b;"), body("a = a - b;")},
		{"grouping", body("a = (a + b) * 2;"), body("a = a + (b * 2);")},
		{"a macro's argument", body("a = SQ((a + b));"), body("a = SQ(a + b);")},
		{"pointer", "int f(char *a);", "int f(char **a);"},
		{"array", "int x[3];", "int x[4];"},
		{"function and pointer to one", "int *f(int a);", "int (*f)(int a);"},
		{"const", "int f(const char *a);", "int f(char *a);"},
		{"where const stands", "int f(char *const a);", "int f(const char *a);"},
		{"static", "static int f(void);", "int f(void);"},
		{"void parameters", "int f(void);", "int f();"},
		{"variadic", "int f(int a, ...);", "int f(int a);"},
		{"width", "struct s { unsigned a : 3; };", "struct s { unsigned a : 4; };"},
		{"field", "struct s { int a; };", "struct s { int b; };"},
		{"value", "enum e { A = 1 };", "enum e { A = 2 };"},
		{"order of loop parts", body("for (a++;;) {}"), body("for (;; a++) {}")},
		{"string", body(`g("a b");`), body(`g("a  b");`)},
		{"string and character", body(`g("a");`), body(`g('a');`)},
		{"prefix", body(`g(L"a");`), body(`g("a");`)},
		{"escapes at a seam", body(`g("\1" "2");`), body(`g("\12");`)},
		{"cast", body("a = (int)b;"), body("a = (long)b;")},
		{"goto", body("x: goto x; y: ;"), body("x: goto y; y: ;")},
		{"condition", "void f(void) {\n#ifdef A\n g();\n#endif\n}", "void f(void) {\n#ifdef B\n g();\n#endif\n}"},
		{"typedef", "typedef int a_t;", "typedef long a_t;"},
		{"macro", "#define A(x) ((x) + 1)", "#define A(x) ((x) + 2)"},
		{"macro's parameter", "#define A(x) 1", "#define A(y) 1"},
		{"designators", "struct s x = { .a = 1 };", "struct s x = { .b = 1 };"},
		{"unsigned", "unsigned f(int a);", "unsigned long f(int a);"},
		{"empty statement", body("if (a) ; g();"), body("if (a) g();")},
		{"two statements", body("if (a) { g(); h(); }"), body("if (a) { g(); } h();")},
	})
}

// TestCppFormattingKeepsHashes checks that changes that clang-format makes to C++ do not change
// hashes.
func TestCppFormattingKeepsHashes(t *testing.T) {
	wantSameHashes(t, "a.cc", []form{
		{
			"classes",
			"class A:public B{public:A(int x):x_(x){}int f()const{return x_;}private:int x_=0;};",
			"class A : public B {\n public:\n  A(int x) : x_(x) {}\n  int f() const { return x_; }\n\n private:\n  int x_ = 0;\n};\n",
		},
		{"templates", "template<class T>struct A{std::vector<std::vector<T> > v;};", "template <class T>\nstruct A {\n  std::vector<std::vector<T>> v;\n};"},
		{"namespaces", "namespace a{int f();}", "namespace a {\nint f();\n}  // namespace a"},
		{"references", "int f(const A &a, B && b);", "int f(const A& a, B&& b);"},
		{"lambdas", "auto f=[&](int x){return x;};", "auto f = [&](int x) {\n  return x;\n};"},
		{"separators", "int x = 1'000'000;", "int x = 1000000;"},
		{"operators", "struct A { bool operator == (const A& a) const; };", "struct A {\n  bool operator==(const A& a) const;\n};"},
		{"using sorted apart", "using a::b;\nint f();", "using a::b;\n\nint f();"},
	})
}

// TestCppChangeAltersHashes checks that changes of meaning change hashes.
func TestCppChangeAltersHashes(t *testing.T) {
	body := func(s string) string { return "void f() { " + s + " }" }
	wantDifferentHashes(t, "a.cc", []form{
		{"const member", "struct A { int f() const; };", "struct A { int f(); };"},
		{"reference", "int f(A& a);", "int f(A&& a);"},
		{"by value", "int f(A& a);", "int f(A a);"},
		{"default", "int f(int a = 1);", "int f(int a = 2);"},
		{"deleted", "struct A { A() = default; };", "struct A { A() = delete; };"},
		{"virtual", "struct A { virtual int f(); };", "struct A { int f(); };"},
		{"pure", "struct A { virtual int f() = 0; };", "struct A { virtual int f(); };"},
		{"noexcept", "int f() noexcept;", "int f();"},
		{"base", "struct A : B {};", "struct A : C {};"},
		{"access of a base", "struct A : private B {};", "struct A : public B {};"},
		{"template parameter", "template <class T> int f(T t);", "template <class T, class U> int f(T t);"},
		{"constraint", "template <class T> requires C<T> int f(T t);", "template <class T> requires D<T> int f(T t);"},
		{"operator", "struct A { bool operator()(int i); };", "struct A { bool operator[](int i); };"},
		{"delete", body("delete p;"), body("delete[] p;")},
		{"initialisation", body("T x(1);"), body("T x{1};")},
		{"decltype", body("decltype(x) y = x;"), body("decltype((x)) y = x;")},
		{"initialiser of a member", "struct A { A() : x(1) {} int x; };", "struct A { A() : x(2) {} int x; };"},
		{"capture", body("g([&] { h(); });"), body("g([=] { h(); });")},
		{"explicit", "struct A { explicit A(int x); };", "struct A { A(int x); };"},
		{"arguments of a template", body("g<int>();"), body("g<long>();")},
		{"what a concept asks", "template <class T> concept C = A<T>;", "template <class T> concept C = B<T>;"},
		{"alias", "using A = int;", "using A = long;"},
		{"enum base", "enum class E : int { A };", "enum class E : char { A };"},
		{"raw string", body(`g(R"(a)");`), body(`g(R"(b)");`)},
	})
}
