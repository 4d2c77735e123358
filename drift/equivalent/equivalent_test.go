package equivalent_test

import (
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift/equivalent"
)

// cases are two texts of a function, and whether they mean the same.
var cases = []struct {
	name, file, a, b string
	want             bool
}{
	{"a renamed local", "a.go", "func f(a int) int {\n\tn := g(a)\n\tif n > 3 {\n\t\treturn n\n\t}\n\treturn 0\n}", "func f(a int) int {\n\tm := g(a)\n\tif m > 3 {\n\t\treturn m\n\t}\n\treturn 0\n}", true},
	{"another local", "a.go", "func f(a, b int) int {\n\tif a > 3 {\n\t\treturn a\n\t}\n\treturn b\n}", "func f(a, b int) int {\n\tif b > 3 {\n\t\treturn a\n\t}\n\treturn b\n}", false},
	{"an extracted condition", "a.go", "func f(a string) bool {\n\tif len(a) > 3 {\n\t\treturn true\n\t}\n\treturn false\n}", "func f(a string) bool {\n\tn := len(a)\n\tif n > 3 {\n\t\treturn true\n\t}\n\treturn false\n}", true},
	{"a call that became earlier than another", "a.go", "func f(s *S) int {\n\ta := s.next()\n\ts.reset()\n\treturn a\n}", "func f(s *S) int {\n\ts.reset()\n\treturn s.next()\n}", false},
	{"a call that was made in one case only", "a.go", "func f(s *S, a bool) bool {\n\treturn a && s.next()\n}", "func f(s *S, a bool) bool {\n\tn := s.next()\n\treturn a && n\n}", false},
	{"independent statements", "a.go", "func f(a, b int) int {\n\tx := a + 1\n\ty := b * 2\n\treturn g(x, y)\n}", "func f(a, b int) int {\n\ty := b * 2\n\tx := a + 1\n\treturn g(x, y)\n}", true},
	{"swapped arguments", "a.go", "func f(a, b int) int {\n\treturn g(a, b)\n}", "func f(a, b int) int {\n\treturn g(b, a)\n}", false},
	{"another field of a literal", "a.go", "func f(a, b int) T {\n\treturn T{a: a}\n}", "func f(a, b int) T {\n\treturn T{b: a}\n}", false},
	{"another precedence", "a.go", "func f(a, b int) int {\n\treturn (a + b) * 2\n}", "func f(a, b int) int {\n\treturn a + b*2\n}", false},
	{"another text", "a.go", "func f() string {\n\treturn \"a\"\n}", "func f() string {\n\treturn \"b\"\n}", false},
	{"a value read before it changes", "a.go", "func f(a int) int {\n\tb := a\n\ta++\n\treturn g(a, b)\n}", "func f(a int) int {\n\ta++\n\treturn g(a, a)\n}", false},

	{"a variable of others that a call may change", "a.go", "var v int\n\nfunc f() int {\n\tn := v\n\treturn g() + n\n}", "var v int\n\nfunc f() int {\n\treturn g() + v\n}", false},

	{"a renamed local", "a.ts", "function f(a: string) {\n  const n = parse(a);\n  if (n.ok) { return n.v; }\n}", "function f(a: string) {\n  const r = parse(a);\n  if (r.ok) { return r.v; }\n}", true},
	{"an extracted constant", "a.ts", "export const f = (a: number, b: number) => {\n  if (a + b > 3) { throw new Error('x'); }\n  return a + b;\n}", "export const f = (a: number, b: number) => {\n  const sum = a + b;\n  if (sum > 3) { throw new Error('x'); }\n  return sum;\n}", true},
	{"braces", "a.ts", "function f(a: string) {\n  if (a) return 1;\n  else g();\n  for (const b of a) h(b);\n}", "function f(a: string) {\n  if (a) {\n    return 1;\n  } else {\n    g();\n  }\n  for (const b of a) {\n    h(b);\n  }\n}", true},
	{"another branch of else", "a.ts", "function f(a: string, b: string) {\n  if (a) {\n    if (b) g();\n  } else h();\n}", "function f(a: string, b: string) {\n  if (a) {\n    if (b) g();\n    else h();\n  }\n}", false},
	{"braces around less", "a.ts", "function f(a: string) {\n  if (a) {\n    g();\n    h();\n  }\n}", "function f(a: string) {\n  if (a) g();\n  h();\n}", false},
	{"braces", "A.java", "class A { int f(int a) {\n  if (a > 0) return 1;\n  return 2;\n} }", "class A { int f(int a) {\n  if (a > 0) {\n    return 1;\n  }\n  return 2;\n} }", true},
	{"other quotes", "a.ts", "function f() {\n  return 'a' + `b`;\n}", "function f() {\n  return \"a\" + `b`;\n}", true},
	{"other quotes that mean something", "a.ts", "function f(a: string) {\n  return '${a}';\n}", "function f(a: string) {\n  return `${a}`;\n}", false},
	{"other quotes", "a.py", "def f(a):\n    return g(a, 'b', f'{a}')\n", "def f(a):\n    return g(a, \"b\", f\"{a}\")\n", true},
	{"another prefix of quotes", "a.py", "def f(a):\n    return '{a}'\n", "def f(a):\n    return f'{a}'\n", false},
	{"an extracted argument", "a.ts", "function f() {\n  return path.join(os.home(), 'a');\n}", "function f() {\n  const home = os.home();\n  return path.join(home, 'a');\n}", true},
	{"an argument that became earlier than another", "a.ts", "function f() {\n  return join(a(), b());\n}", "function f() {\n  const c = b();\n  return join(a(), c);\n}", false},
	{"an argument that became earlier than what is called", "a.ts", "function f() {\n  return next().join(b());\n}", "function f() {\n  const c = b();\n  return next().join(c);\n}", false},
	{"an extracted argument", "a.go", "func f() string {\n\treturn path.Join(os.Home(), \"a\")\n}", "func f() string {\n\thome := os.Home()\n\treturn path.Join(home, \"a\")\n}", true},
	{"another shorthand", "a.ts", "function f(a: string) {\n  const n = a;\n  return { n };\n}", "function f(a: string) {\n  const m = a;\n  return { m };\n}", false},
	{"another template", "a.ts", "function f(a: string) {\n  return `x ${a}`;\n}", "function f(a: string) {\n  return `y ${a}`;\n}", false},
	{"independent fields", "a.ts", "class A {\n  constructor(a: string, b: string) {\n    this.a = a;\n    this.b = b;\n  }\n}", "class A {\n  constructor(a: string, b: string) {\n    this.b = b;\n    this.a = a;\n  }\n}", true},
	{"dependent fields", "a.ts", "class A {\n  m() {\n    this.a = this.b;\n    this.b = 1;\n  }\n}", "class A {\n  m() {\n    this.b = 1;\n    this.a = this.b;\n  }\n}", false},

	{"a renamed local", "a.py", "def f(a):\n    n = parse(a)\n    if not n:\n        raise ValueError(f'bad {n}')\n    return n\n", "def f(a):\n    m = parse(a)\n    if not m:\n        raise ValueError(f'bad {m}')\n    return m\n", true},
	{"a statement in another block", "a.py", "def f(a):\n    if a:\n        g()\n        h()\n", "def f(a):\n    if a:\n        g()\n    h()\n", false},
	{"another keyword", "a.py", "def f(a):\n    b = 1\n    return g(b=b)\n", "def f(a):\n    c = 1\n    return g(c=c)\n", false},
	{"an extracted condition", "a.py", "def f(a):\n    if a is None or a < 0:\n        return 1\n    return 2\n", "def f(a):\n    bad = a is None or a < 0\n    if bad:\n        return 1\n    return 2\n", true},
	{"another text", "a.py", "def f(a):\n    raise ValueError('a')\n", "def f(a):\n    raise ValueError('b')\n", false},

	{"a renamed local", "A.java", "class A {\n  int f(String s) {\n    int n = s.length();\n    if (n > 3) {\n      throw new E(\"x\" + n);\n    }\n    return n;\n  }\n}", "class A {\n  int f(String s) {\n    int len = s.length();\n    if (len > 3) {\n      throw new E(\"x\" + len);\n    }\n    return len;\n  }\n}", true},
	{"an extracted value", "A.java", "class A {\n  int f(String s) {\n    return g(s.trim());\n  }\n}", "class A {\n  int f(String s) {\n    String t = s.trim();\n    return g(t);\n  }\n}", true},
	{"a wider type", "A.java", "class A {\n  void f(int a) {\n    g(a + 1);\n  }\n}", "class A {\n  void f(int a) {\n    long t = a + 1;\n    g(t);\n  }\n}", false},
	{"another operator", "A.java", "class A {\n  boolean f(int a) {\n    return a > 1;\n  }\n}", "class A {\n  boolean f(int a) {\n    return a >= 1;\n  }\n}", false},

	{"a renamed local", "a.php", "<?php\nclass A {\n  public function f($a) {\n    $n = g($a);\n    foreach ($n as $k => $v) {\n      h(\"x $k\", $v);\n    }\n    return $this->n + $n;\n  }\n}", "<?php\nclass A {\n  public function f($a) {\n    $m = g($a);\n    foreach ($m as $i => $w) {\n      h(\"x $i\", $w);\n    }\n    return $this->n + $m;\n  }\n}", true},
	{"another local", "a.php", "<?php\nfunction f($a, $b) {\n  return g($a, $b);\n}", "<?php\nfunction f($a, $b) {\n  return g($a, $a);\n}", false},
	{"another property", "a.php", "<?php\nclass A {\n  function f($a) {\n    return $this->a;\n  }\n}", "<?php\nclass A {\n  function f($a) {\n    return $this->b;\n  }\n}", false},
	{"another static property", "a.php", "<?php\nclass A {\n  function f($a) {\n    return self::$n;\n  }\n}", "<?php\nclass A {\n  function f($a) {\n    return self::$m;\n  }\n}", false},
	{"a variable of all", "a.php", "<?php\nfunction f() {\n  return $_GET['a'];\n}", "<?php\nfunction f() {\n  return $_POST['a'];\n}", false},
	{"braces", "a.php", "<?php\nfunction f($a) {\n  if ($a) return 1;\n  return 2;\n}", "<?php\nfunction f($a) {\n  if ($a) {\n    return 1;\n  }\n  return 2;\n}", true},
	{"braces around less", "a.php", "<?php\nfunction f($a) {\n  if ($a) {\n    g();\n    h();\n  }\n}", "<?php\nfunction f($a) {\n  if ($a) g();\n  h();\n}", false},
	{"another order", "a.php", "<?php\nfunction f($a) {\n  g();\n  h();\n}", "<?php\nfunction f($a) {\n  h();\n  g();\n}", false},
	{"other quotes that mean something", "a.php", "<?php\nfunction f($a) {\n  return 'x\\n';\n}", "<?php\nfunction f($a) {\n  return \"x\\n\";\n}", false},
	{"another text", "a.php", "<?php\nfunction f() {\n  return 'a';\n}", "<?php\nfunction f() {\n  return 'b';\n}", false},

	{"a renamed local", "A.cs", "class A { object F(string s) {\n  var n = s.Length;\n  if (n > 3) { throw new E($\"x {n}\"); }\n  return new B { N = n };\n} }", "class A { object F(string s) {\n  var length = s.Length;\n  if (length > 3) { throw new E($\"x {length}\"); }\n  return new B { N = length };\n} }", true},
	{"another local", "A.cs", "class A { int F(int a, int b) {\n  return G(a, b);\n} }", "class A { int F(int a, int b) {\n  return G(a, a);\n} }", false},
	{"a renamed local beside syntax that the grammar does not know", "A.cs", "class A { List<int> F(B b) {\n  var n = b?.C ?? [];\n  return n;\n} }", "class A { List<int> F(B b) {\n  var m = b?.C ?? [];\n  return m;\n} }", true},
	{"a name that others see", "A.cs", "class A { object F(int a) {\n  var n = a;\n  return new { n };\n} }", "class A { object F(int a) {\n  var m = a;\n  return new { m };\n} }", false},
	{"another property of an initializer", "A.cs", "class A { B F(int a) {\n  var n = a;\n  return new B { n = n };\n} }", "class A { B F(int a) {\n  var m = a;\n  return new B { m = m };\n} }", false},
	{"the name of a local", "A.cs", "class A { string F(int a) {\n  var n = a;\n  return nameof(n) + n;\n} }", "class A { string F(int a) {\n  var m = a;\n  return nameof(m) + m;\n} }", false},
	{"another named argument", "A.cs", "class A { int F(int a) {\n  var n = a;\n  return G(n: n);\n} }", "class A { int F(int a) {\n  var m = a;\n  return G(m: m);\n} }", false},
	{"braces", "A.cs", "class A { int F(int a) {\n  if (a > 0) return 1;\n  foreach (var b in C) D(b);\n  return 2;\n} }", "class A { int F(int a) {\n  if (a > 0)\n  {\n    return 1;\n  }\n  foreach (var b in C)\n  {\n    D(b);\n  }\n  return 2;\n} }", true},
	{"braces around less", "A.cs", "class A { void F(int a) {\n  if (a > 0) { G(); H(); }\n} }", "class A { void F(int a) {\n  if (a > 0) G();\n  H();\n} }", false},
	{"another operator", "A.cs", "class A { bool F(int a) {\n  return a > 1;\n} }", "class A { bool F(int a) {\n  return a >= 1;\n} }", false},
	{"another text", "A.cs", "class A { void F(int a) {\n  throw new E($\"x {a}\");\n} }", "class A { void F(int a) {\n  throw new E($\"y {a}\");\n} }", false},
	{"another order", "A.cs", "class A { void F() {\n  G();\n  H();\n} }", "class A { void F() {\n  H();\n  G();\n} }", false},
	{"another property that is set", "A.cs", "class A { void F(int a) {\n  this.B = a;\n  this.C = a;\n} }", "class A { void F(int a) {\n  this.C = a;\n  this.B = a;\n} }", false},

	{"a renamed local", "a.rs", "fn f(a: u8) -> u8 {\n    let n = g(a);\n    if n > 3 {\n        return n;\n    }\n    0\n}", "fn f(a: u8) -> u8 {\n    let m = g(a);\n    if m > 3 {\n        return m;\n    }\n    0\n}", true},
	{"a name in a format", "a.rs", "fn f(a: u8) {\n    let n = a;\n    println!(\"{n}\");\n}", "fn f(a: u8) {\n    let m = a;\n    println!(\"{m}\");\n}", false},
	{"a type parameter with another name", "a.ts", "function f<T>(a: T): T[] {\n  const n: T[] = [a];\n  return n;\n}", "function f<U>(a: U): U[] {\n  const n: U[] = [a];\n  return n;\n}", true},
	{"another type parameter", "a.ts", "function f<T, U>(a: T, b: U) {\n  return g<T>(a);\n}", "function f<T, U>(a: T, b: U) {\n  return g<U>(a);\n}", false},
	{"a renamed local of a function with a deferred call", "a.go", "func f(s *S) int {\n\tdefer s.close()\n\tn := s.next()\n\treturn n\n}", "func f(s *S) int {\n\tdefer s.close()\n\tm := s.next()\n\treturn m\n}", true},
	{"a call before a deferred one is made", "a.go", "func f(s *S) int {\n\tn := s.next()\n\tdefer s.close(n)\n\treturn 1\n}", "func f(s *S) int {\n\tdefer s.close(s.next())\n\treturn 1\n}", false},
	{"another label", "a.go", "func f() {\nouter:\n\tfor {\n\t\tfor {\n\t\t\tbreak outer\n\t\t}\n\t}\n}", "func f() {\nouter:\n\tfor {\n\t\tfor {\n\t\t\tbreak\n\t\t}\n\t}\n}", false},

	{"another variant", "a.rs", "fn f(a: X) -> u8 {\n    match a {\n        X::A => 1,\n        X::B => 2,\n    }\n}", "fn f(a: X) -> u8 {\n    match a {\n        X::A => 2,\n        X::B => 1,\n    }\n}", false},
}

func TestFunctionsMeanTheSame(t *testing.T) {
	for _, c := range cases {
		a, b := []byte(wrapped(c.file, c.a)), []byte(wrapped(c.file, c.b))
		lines := func(text []byte) equivalent.Lines {
			return equivalent.Lines{First: 1, Last: 1 + strings.Count(string(text), "\n")}
		}
		if got := equivalent.Functions(equivalent.NewText(c.file, a), lines(a), equivalent.NewText(c.file, b), lines(b)); got != c.want {
			t.Errorf("%s, %s: the same: %v, want %v", c.file, c.name, got, c.want)
		}
		if !equivalent.Functions(equivalent.NewText(c.file, a), lines(a), equivalent.NewText(c.file, a), lines(a)) {
			t.Errorf("%s, %s: a function differs from itself", c.file, c.name)
		}
	}
}

func wrapped(file, text string) string {
	if strings.HasSuffix(file, ".go") {
		return "package a\n\n" + text + "\n"
	}
	return text
}

// A function that asks for its locals by their names is not followed.
func TestReflection(t *testing.T) {
	text := []byte("<?php\nfunction f($a) {\n  $n = g($a);\n  return compact('n');\n}")
	if at := (equivalent.Lines{First: 2, Last: 5}); equivalent.Functions(equivalent.NewText("a.php", text), at, equivalent.NewText("a.php", text), at) {
		t.Error("a function whose locals are known by their names")
	}
}
