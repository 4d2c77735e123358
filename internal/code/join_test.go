package code_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// drawn lists symbols with the properties that joining sets.
func drawn(list []code.Symbol) []string {
	out := []string{}
	for _, s := range list {
		row := string(s.Kind) + " " + s.Name + " " + s.File + " `" + s.Signature + "`"
		if s.BodyHash != "" {
			row += " " + s.BodyHash
		}
		if s.Part {
			row += " part"
		}
		if s.Doc != "" {
			row += " // " + s.Doc
		}
		out = append(out, row)
		for _, m := range drawn(s.Members) {
			out = append(out, "  "+m)
		}
	}
	return out
}

func joined(t *testing.T, want []string, files ...*code.File) {
	t.Helper()
	if diff := cmp.Diff(want, drawn(code.Merge("p", files, at).Exports)); diff != "" {
		t.Error(diff)
	}
}

func function(signature string) code.Symbol {
	return code.Symbol{Name: "f", Kind: code.Function, Exported: true, Signature: signature}
}

func TestPrototypeAndDefinitionAreOne(t *testing.T) {
	prototype, definition := function("int f(int)"), function("int f(int x)")
	prototype.Part, prototype.Doc = true, "Documented."
	definition.BodyHash = "b1"
	joined(t, []string{"function f p/include/f.h `int f(int)` b1 // Documented."},
		&code.File{Path: "p/a/f.c", Language: "c", Symbols: []code.Symbol{definition}},
		&code.File{Path: "p/a/user.c", Language: "c", Symbols: []code.Symbol{{Name: "f", Kind: code.Function, Exported: true, Signature: "extern int f(int)", Part: true}}},
		&code.File{Path: "p/include/f.h", Language: "cpp", Symbols: []code.Symbol{prototype}},
	)
}

func TestPrivateNamesOfFilesAreNotJoined(t *testing.T) {
	static := function("static int f(void)")
	static.Visibility, static.Exported = code.Private, false
	other := static
	other.Part = true
	s := code.Merge("p", []*code.File{
		{Path: "p/a.c", Language: "c", Symbols: []code.Symbol{static}},
		{Path: "p/b.c", Language: "c", Symbols: []code.Symbol{other}},
	}, at)
	if len(s.Internals) != 2 {
		t.Errorf("%q", drawn(s.Internals))
	}
}

func TestMethodsDefinedElsewhereCompleteTheirDeclarations(t *testing.T) {
	class := code.Symbol{Name: "ns::T", Kind: code.Class, Exported: true, Signature: "class T", Members: []code.Symbol{
		{Name: "Open", Kind: code.Method, Exported: true, Static: true, Signature: "static int Open(int how)", Part: true},
		{Name: "Close", Kind: code.Method, Exported: true, Signature: "void Close()", Part: true},
	}}
	open := code.Symbol{Name: "ns::T.Open", Kind: code.Method, Exported: true, Signature: "int T::Open(int how)", BodyHash: "b1"}
	joined(t, []string{
		"class ns::T p/include/t.h `class T`",
		"  method Open p/include/t.h `static int Open(int how)` b1",
		"  method Close p/include/t.h `void Close()` part",
	},
		&code.File{Path: "p/include/t.h", Language: "cpp", Symbols: []code.Symbol{class}},
		&code.File{Path: "p/src/t.cc", Language: "cpp", Symbols: []code.Symbol{open}},
	)
}

func TestPartsOfTypesAreJoinedByPackageAndName(t *testing.T) {
	part := func(signature string, bases []string, members ...code.Symbol) code.Symbol {
		return code.Symbol{Name: "T", Kind: code.Class, Exported: true, Part: true, Signature: signature, Bases: bases, Members: members}
	}
	one, two := method("One"), method("Two")
	one.Signature, two.Signature = "void One()", "void Two()"
	joined(t, []string{
		"class T p/a.cs `partial class T : A` part",
		"  method One p/a.cs `void One()`",
		"  method Two p/x/b.cs `void Two()`",
		"class T p/c.cs `partial class T` part",
	},
		&code.File{Path: "p/a.cs", Language: "csharp", Package: "N", Symbols: []code.Symbol{part("partial class T : A", []string{"A"}, one)}},
		&code.File{Path: "p/c.cs", Language: "csharp", Package: "Other", Symbols: []code.Symbol{part("partial class T", nil)}},
		&code.File{Path: "p/x/b.cs", Language: "csharp", Package: "N", Symbols: []code.Symbol{part("partial class T", []string{"B"}, two)}},
	)
}

func TestExtensionsJoinTheTypeAndOverloadsStandTogether(t *testing.T) {
	run := func(signature string) code.Symbol {
		return code.Symbol{Name: "run", Kind: code.Method, Exported: true, Signature: signature, SignatureHash: signature}
	}
	extension := code.Symbol{Name: "T", Kind: code.Extension, Exported: true, Part: true, Signature: "extension T: P", Bases: []string{"P"}, Members: []code.Symbol{run("func run(_ x: Int)")}}
	typ := code.Symbol{Name: "T", Kind: code.Struct, Exported: true, Signature: "struct T", Members: []code.Symbol{run("func run()")}}
	s := code.Merge("p", []*code.File{
		{Path: "p/Ext.swift", Language: "swift", Symbols: []code.Symbol{extension}},
		{Path: "p/T.swift", Language: "swift", Symbols: []code.Symbol{typ}},
	}, at)
	want := []string{"struct T p/T.swift `struct T`", "  method run p/T.swift `func run()\nfunc run(_ x: Int)`"}
	if diff := cmp.Diff(want, drawn(s.Exports)); diff != "" {
		t.Error(diff)
	}
	if got := s.Exports[0]; len(got.Members[0].Overloads) != 2 || !cmp.Equal(got.Bases, []string{"P"}) {
		t.Errorf("%+v", got)
	}
}

// In C++ the class declares all its members, also pure and overloaded ones.
func TestDefinitionsOutsideTheClassAddNoOverload(t *testing.T) {
	class := code.Symbol{Name: "T", Kind: code.Class, Exported: true, Signature: "class T", Members: []code.Symbol{
		{Name: "T", Kind: code.Constructor, Exported: true, Signature: "T(int a)\nT(const T&) = delete"},
		{Name: "Put", Kind: code.Method, Exported: true, Abstract: true, Signature: "virtual int Put() = 0", SignatureHash: "a"},
	}}
	method := func(name, signature, body string) code.Symbol {
		return code.Symbol{Name: "T." + name, Kind: code.Method, Exported: true, Signature: signature, SignatureHash: signature, BodyHash: body}
	}
	joined(t, []string{
		"class T t.h `class T`",
		"  constructor T t.h `T(int a)\nT(const T&) = delete` b1",
		"  method Put t.h `virtual int Put() = 0` b2",
	},
		&code.File{Path: "t.cc", Language: "cpp", Symbols: []code.Symbol{method("T", "T::T(int a)", "b1"), method("Put", "int T::Put()", "b2")}},
		&code.File{Path: "t.h", Language: "cpp", Symbols: []code.Symbol{class}},
	)
}

func TestTypesOfAnotherArityAreOtherTypes(t *testing.T) {
	part := func(signature string, parameters ...string) code.Symbol {
		return code.Symbol{Name: "T", Kind: code.Class, Exported: true, Part: true, Signature: signature, TypeParameters: parameters}
	}
	joined(t, []string{"class T a.cs `partial class T` part", "class T b.cs `partial class T<A>` part"},
		&code.File{Path: "a.cs", Language: "csharp", Package: "N", Symbols: []code.Symbol{part("partial class T")}},
		&code.File{Path: "b.cs", Language: "csharp", Package: "N", Symbols: []code.Symbol{part("partial class T<A>", "A")}},
		&code.File{Path: "c.cs", Language: "csharp", Package: "N", Symbols: []code.Symbol{part("partial class T<A>", "A")}},
	)
}

// Further signatures only change the hash.
func TestMaxOverloads(t *testing.T) {
	s := code.Symbol{Name: "f", Signature: "f()", SignatureHash: "0"}
	for range 999 {
		s.AddOverload(code.Symbol{Name: "f", Signature: "f(x)", SignatureHash: "1"})
	}
	before := s
	s.AddOverload(code.Symbol{Name: "f", Signature: "f(y)", SignatureHash: "2"})
	if len(s.Overloads) != 1000 || s.Signature != before.Signature || s.SignatureHash == before.SignatureHash {
		t.Errorf("%d signatures, %d bytes, hash %s", len(s.Overloads), len(s.Signature), s.SignatureHash)
	}
}
