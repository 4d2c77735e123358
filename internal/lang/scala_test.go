package lang_test

import "testing"

// TestScalaFormattingKeepsHashes checks that changes that scalafmt makes, and the choice between
// braces and indentation, do not change hashes.
func TestScalaFormattingKeepsHashes(t *testing.T) {
	wantSameHashes(t, "A.scala", []form{
		{
			"layout",
			"class A{def f(a:Int,b:Int):Int={if(a>b){a}else{b}}}",
			"class A {\n\n  def f(\n      a: Int,\n      b: Int\n  ): Int = {\n    // the larger\n    if (a > b) {\n      a\n    } else {\n      b\n    }\n  }\n}\n",
		},
		{"trailing commas", "class A { def f(a: Int, b: Int): Int = g(a, b) }", "class A {\n  def f(\n      a: Int,\n      b: Int,\n  ): Int = g(\n    a,\n    b,\n  )\n}"},
		{"brackets", "class A { def f = ((a + b)) * (c) }", "class A { def f = (a + b) * c }"},
		{"lambda brackets", "class A { val f = g((x) => x + 1) }", "class A { val f = g(x => x + 1) }"},
		{"imports", "import b.B\nimport a.A\nclass C", "import a.A\nimport b.B\n\nclass C"},
		{"modifiers", "class A { final override protected def f: Int = 1 }", "class A { override protected final def f: Int = 1 }"},
		{"value below", "class A { val x = g(1) }", "class A {\n  val x =\n    g(1)\n}"},
		{"one expression in braces", "class A { def f = { g(1) } }", "class A { def f = g(1) }"},
		{"body of a template", "class A { def f = 1 }", "class A:\n  def f = 1\n"},
		{
			"blocks", "object A { def f(x: Int): Int = { val y = x; y + 1 } }",
			"object A:\n  def f(x: Int): Int =\n    val y = x\n    y + 1\n",
		},
		{
			"conditions", "object A { def f(x: Int): Int = if (x > 1) { x } else { 2 } }",
			"object A:\n  def f(x: Int): Int =\n    if x > 1 then\n      x\n    else\n      2\n",
		},
		{
			"cases", "object A { def f(x: Int) = x match { case 1 => 2; case _ => 3 } }",
			"object A:\n  def f(x: Int) = x match\n    case 1 => 2\n    case _ => 3\nend A\n",
		},
		{
			"loops", "object A { def f = { while (a) { b() }; for { x <- xs } yield x } }",
			"object A:\n  def f =\n    while a do b()\n    for x <- xs yield x\n",
		},
		{"comments", "class A { /** doc */ def f(/* in */ x: Int) = 1 }", "class A { def f(x: Int) = 1 /* nothing */ }"},
		{"line ends", "class A {\r\n  def f = 1\r\n}\r\n", "class A {\n  def f = 1\n}\n"},
		{"string", "class A { val s = \"\"\"a\"\"\" }", "class A { val s = \"a\" }"},
	})
}

// TestScalaChangeAltersHashes checks that changes of meaning change hashes.
func TestScalaChangeAltersHashes(t *testing.T) {
	body := func(s string) string { return "class A { def f = { " + s + " } }" }
	wantDifferentHashes(t, "A.scala", []form{
		{"operator", body("a + b"), body("a - b")},
		{"grouping", body("(a + b) * c"), body("a + (b * c)")},
		{"string", body(`g("a b")`), body(`g("a  b")`)},
		{"interpolator", body(`s"a"`), body(`f"a"`)},
		{"number", body("g(1)"), body("g(1L)")},
		{"order", body("a(); b()"), body("b(); a()")},
		{"indentation", "def f(x: Int) =\n  if x > 1 then\n    a()\n    b()\n", "def f(x: Int) =\n  if x > 1 then\n    a()\n  b()\n"},
		{"visibility", "class A { private def f = 1 }", "class A { def f = 1 }"},
		{"qualified visibility", "class A { private[a] def f = 1 }", "class A { private[b] def f = 1 }"},
		{"by name", "class A { def f(x: Int): Unit = () }", "class A { def f(x: => Int): Unit = () }"},
		{"implicit", "class A { def f(implicit x: Int): Unit = () }", "class A { def f(x: Int): Unit = () }"},
		{"bound", "class A[T <: B]", "class A[T >: B]"},
		{"variance", "trait A[+T]", "trait A[T]"},
		{"val and var", "class A(val x: Int)", "class A(var x: Int)"},
		{"case class", "case class A(x: Int)", "class A(x: Int)"},
		{"default", "class A { def f(x: Int = 1) = x }", "class A { def f(x: Int = 2) = x }"},
		{"result", "trait A { def f: Int }", "trait A { def f: Long }"},
		{"alias", "trait A { type T = Int }", "trait A { type T = Long }"},
		{"opaque type", "object A:\n  opaque type T = Int\n", "object A:\n  opaque type T = Long\n"},
		{"match type", "type E[X] = X match\n  case Int => A\n", "type E[X] = X match\n  case Int => B\n"},
		{"parent", "class A extends B", "class A extends C"},
		{"parent's argument", "class A extends B(1)", "class A extends B(2)"},
		{"enum case", "enum A { case B, C }", "enum A { case B, D }"},
		{"guard", body("x match { case y if y > 1 => 1 }"), body("x match { case y if y > 2 => 1 }")},
		{"given", "given Ord[Int] = a", "given Ord[Int] = b"},
		{"capture set", "def f(x: Int): A^{x} = a", "def f(x: Int): A = a"},
		{"tuple's names", "type P = (a: Int, b: Int)", "type P = (a: Int, c: Int)"},
		{"xml", "object A { val x = <a>1</a>; val y = 1 }", "object A { val x = <a>2</a>; val y = 1 }"},
		{"hidden annotation", "class A @Inject() (x: Int)", "class A @Named() (x: Int)"},
		{"backslash", `class A { val s = """\n""" }`, `class A { val s = "\n" }`},
	})
}
