package resolve_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/lang"
	"github.com/reverse-spec/reverse-spec/internal/resolve"
)

// Definitions that share a name, and a variable bound in a branch, are one symbol each, with the properties of
// their own lines.
func TestSymbolsByLine(t *testing.T) {
	f, err := lang.Parse(t.Context(), "a.py", []byte(`import functools
if WINDOWS:
    frame = lambda: 1
else:
    @functools.cache
    def frame():
        return 2
class C:
    @property
    def x(self):
        return self._x
    @x.setter
    def x(self, v):
        @functools.wraps(v)
        def g(): ...
        if v:
            key = lambda: g
            self.h(key)
`), lang.Facts)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range resolve.Symbols(f)[1:] {
		fmt.Fprintf(&got, "%s %s %d-%d %s %q\n", s.Label, s.Qualified, s.StartLine, s.EndLine, s.Kind, s.Decorators)
	}
	want := `Function frame 3-3 function []
Function frame@6 6-7 function ["@functools.cache"]
Class C 8-18 class []
Method C.x 10-11 getter ["@property"]
Method C.x@13 13-18 setter ["@x.setter"]
Function C.x@13.g 15-15 function ["@functools.wraps(v)"]
Function C.x@13.key 17-17 function []
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
}

// TestNamesAreIdentifiers asks for what languages call otherwise than it is written, and for types of one name in a file: each has its
// own lines and its own signature.
func TestNamesAreIdentifiers(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"a.c", "struct entry { int x; };\nenum color { RED };\nint entry(struct entry *e) { return e->x; }\n", `Class entry "entry" 1-1 ""
Enum color "color" 2-2 "enum color"
Function entry@3 "entry" 3-3 "int entry(struct entry *e)"
`},
		{"a.swift", "class C {\n  func get(_ u: String, by m: Int) {}\n  func get(_ u: String) {}\n}\n", `Class C "C" 1-4 "class C"
Method C.get "get" 2-2 "func get(_ u: String, by m: Int)"
Method C.get@3 "get" 3-3 "func get(_ u: String)"
`},
		{"a.cs", "class Circle : IShape {\n  double IShape.Area() { return 1; }\n}\nclass Pair<A> {}\nclass Pair<A, B> {}\n", `Class Circle "Circle" 1-3 "class Circle : IShape"
Class Pair "Pair" 4-4 "class Pair<A>"
Class Pair@5 "Pair" 5-5 "class Pair<A, B>"
Method Circle.IShape.Area "Area" 2-2 "double IShape.Area()"
`},
		{"a.scala", "class User(n: String)\nobject User {\n  def make = new User(\"\")\n}\n", `Class User "User" 1-1 "class User(n: String)"
Class User@2 "User" 2-4 "object User"
Method User.make "make" 3-3 "def make"
`},
		{"a.rb", "class Cart\n  def add; end\nend\nclass Cart\n  def total; end\nend\n", `Class Cart "Cart" 1-3 "class Cart"
Class Cart@4 "Cart" 4-6 "class Cart"
Method Cart.add "add" 2-2 "def add"
Method Cart.total "total" 5-5 "def total"
`},
		{"a.ts", "export interface Options { a: string }\nexport interface Options { b: string }\n", `Interface Options "Options" 1-1 "interface Options"
Interface Options@2 "Options" 2-2 "interface Options"
`},
	} {
		f, err := lang.Parse(t.Context(), c.path, []byte(c.text), lang.Facts)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		for _, s := range resolve.Symbols(f)[1:] {
			fmt.Fprintf(&got, "%s %s %q %d-%d %q\n", s.Label, s.Qualified, s.Name, s.StartLine, s.EndLine, s.Signature)
		}
		if diff := cmp.Diff(c.want, got.String()); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.path, diff)
		}
	}
}
