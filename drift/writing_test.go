package drift_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/reverse-spec/reverse-spec/drift"
	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/message"
)

// writings are two texts of a file, and whether what the code does is told to have changed.
var writings = []struct {
	name, file, a, b string
	changed          bool
}{
	{
		"an atomic value", "a/a.go",
		"package a\n\nimport (\n\t\"errors\"\n\t\"sync/atomic\"\n)\n\nvar n uint64\n\nfunc Next() error {\n\tif atomic.AddUint64(&n, 1) > 3 {\n\t\treturn errors.New(\"too many\")\n\t}\n\treturn nil\n}\n",
		"package a\n\nimport (\n\t\"errors\"\n\t\"sync/atomic\"\n)\n\nvar n atomic.Uint64\n\nfunc Next() error {\n\tif n.Add(1) > 3 {\n\t\treturn errors.New(\"too many\")\n\t}\n\treturn nil\n}\n", false,
	},
	{
		"another atomic operation", "a/a.go",
		"package a\n\nimport (\n\t\"errors\"\n\t\"sync/atomic\"\n)\n\nvar n uint64\n\nfunc Next() error {\n\tif atomic.AddUint64(&n, 1) > 3 {\n\t\treturn errors.New(\"too many\")\n\t}\n\treturn nil\n}\n",
		"package a\n\nimport (\n\t\"errors\"\n\t\"sync/atomic\"\n)\n\nvar n atomic.Uint64\n\nfunc Next() error {\n\tif n.Add(2) > 3 {\n\t\treturn errors.New(\"too many\")\n\t}\n\treturn nil\n}\n", true,
	},
	{
		"the last element", "a/a.ts",
		"export function f(a: string): string {\n  if (a[a.length - 1] === '/') { throw new Error('no slash'); }\n  return g(a);\n}\n",
		"export function f(a: string): string {\n  if (a.at(-1) === '/') { throw new Error('no slash'); }\n  return g(a);\n}\n", false,
	},
	{
		"the last but one", "a/a.ts",
		"export function f(a: string): string {\n  if (a[a.length - 1] === '/') { throw new Error('no slash'); }\n  return g(a);\n}\n",
		"export function f(a: string): string {\n  if (a.at(-2) === '/') { throw new Error('no slash'); }\n  return g(a);\n}\n", true,
	},
	{
		"destructured options", "a/a.ts",
		"export function f(o: Opts): void {\n  if (o.limit && o.late) { throw new Error('late'); }\n  send(o.limit);\n}\n",
		"export function f(o: Opts): void {\n  const { limit, late } = o;\n  if (limit && late) { throw new Error('late'); }\n  send(limit);\n}\n", false,
	},
	{
		"destructured options with other names", "a/a.ts",
		"export function f(o: Opts): void {\n  if (o.limit && o.late) { throw new Error('late'); }\n  send(o.limit);\n}\n",
		"export function f(o: Opts): void {\n  const { limit: late, late: limit } = o;\n  if (limit && limit) { throw new Error('late'); }\n  send(limit);\n}\n", true,
	},
	{
		"an assignment in a condition", "a/a.py",
		"def f(a):\n    ctx = current(None)\n    if ctx is None:\n        raise ValueError('outside')\n    return ctx\n",
		"def f(a):\n    if (found := current(None)) is None:\n        raise ValueError('outside')\n    return found\n", false,
	},
	{
		"a switch of texts", "a/A.java",
		"public class A {\n  public int f(String name) {\n    if (name.equals(\"a\")) {\n      return 1;\n    } else if (name.equals(\"b\")) {\n      return 2;\n    } else {\n      throw new IllegalArgumentException(\"bad\");\n    }\n  }\n}\n",
		"public class A {\n  public int f(String name) {\n    switch (name) {\n      case \"b\":\n        return 2;\n      case \"a\":\n        return 1;\n      default:\n        throw new IllegalArgumentException(\"bad\");\n    }\n  }\n}\n", false,
	},
	{
		"a switch of more texts", "a/A.java",
		"public class A {\n  public int f(String name) {\n    if (name.equals(\"a\")) {\n      return 1;\n    } else if (name.equals(\"b\")) {\n      return 2;\n    } else {\n      throw new IllegalArgumentException(\"bad\");\n    }\n  }\n}\n",
		"public class A {\n  public int f(String name) {\n    switch (name) {\n      case \"c\":\n      case \"b\":\n        return 2;\n      case \"a\":\n        return 1;\n      default:\n        throw new IllegalArgumentException(\"bad\");\n    }\n  }\n}\n", true,
	},
	{
		"a constant of an enumeration", "a/A.java",
		"public class A {\n  public void f(Kind kind) {\n    switch (kind) {\n      case NONE:\n        throw new IllegalStateException(\"none\");\n      default:\n        run(kind);\n    }\n  }\n}\n",
		"public class A {\n  public void f(Kind kind) {\n    if (kind == Kind.NONE) {\n      throw new IllegalStateException(\"none\");\n    } else {\n      run(kind);\n    }\n  }\n}\n", false,
	},
	{
		"another constant of an enumeration", "a/A.java",
		"public class A {\n  public void f(Kind kind) {\n    switch (kind) {\n      case NONE:\n        throw new IllegalStateException(\"none\");\n      default:\n        run(kind);\n    }\n  }\n}\n",
		"public class A {\n  public void f(Kind kind) {\n    if (kind == Kind.SOME) {\n      throw new IllegalStateException(\"none\");\n    } else {\n      run(kind);\n    }\n  }\n}\n", true,
	},
	{
		"the same constant of another type", "a/A.java",
		"public class A {\n  public void f(int kind) {\n    if (kind == Old.NONE) {\n      throw new IllegalStateException(\"none\");\n    }\n    run(kind);\n  }\n}\n",
		"public class A {\n  public void f(int kind) {\n    if (kind == New.NONE) {\n      throw new IllegalStateException(\"none\");\n    }\n    run(kind);\n  }\n}\n", true,
	},
	{
		"a looser comparison", "a/a.ts",
		"export function f(a: any): void {\n  if (a === 'x') { throw new Error('no'); }\n  g(a);\n}\n",
		"export function f(a: any): void {\n  if (a == 'x') { throw new Error('no'); }\n  g(a);\n}\n", true,
	},
	{"a variable of the class", "a/a.py", "class A:\n    n: int = 1\n", "import typing as t\n\n\nclass A:\n    n: t.ClassVar[int] = 1\n", false},
	{
		"a variable of a class with a constructor from its attributes", "a/a.py",
		"@dataclass\nclass A:\n    n: int = 1\n", "@dataclass\nclass A:\n    n: ClassVar[int] = 1\n", true,
	},
}

func TestWritingsOfTheSameAreNoChange(t *testing.T) {
	for _, w := range writings {
		before, now := oneFile(t, w.file, w.a), oneFile(t, w.file, w.b)
		items := drift.Compare(t.Context(), before, now, message.English).Items
		items = slices.DeleteFunc(items, func(i drift.Item) bool { return !i.Breaking && i.Severity == drift.Low })
		var said []string
		for _, i := range items {
			said = append(said, i.Description)
		}
		if changed := len(items) > 0; changed != w.changed {
			t.Errorf("%s, %s: changed: %v, want %v:\n%s", w.file, w.name, changed, w.changed, strings.Join(said, "\n"))
		}
	}
}

// oneFile returns the surface of a file, with its text.
func oneFile(t *testing.T, file, text string) drift.Surface {
	t.Helper()
	return drift.WithText(surface(t, ".", []*code.File{parse(t, file, []byte(text))}), text)
}
