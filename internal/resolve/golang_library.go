package resolve

import (
	_ "embed" // golang_library.txt
	"go/ast"
	"go/parser"
	"strings"
	"sync"
)

// outline is a method of a type of a library, with the types of its parameters and results. Those of generic types
// and functions are unknown.
type outline struct {
	name            string
	params, results []values
	variadic        bool
}

// goLibrary holds the methods of the standard library's interfaces and of types that are commonly embedded: a line
// each, of the type and its methods between tabs, without pointers and with "__" for the "/" of import paths. Behind
// the name of a type other than an interface is a "!", behind that of an interface with the methods of another a "=".
//
//go:embed golang_library.txt
var goLibrary string

// library is what is known of the types of a language's library.
type library struct {
	types  map[string][]outline // type -> methods
	having map[string][]string  // method -> types, sorted
	// interfaces are those types that others implement; of several with the same methods one.
	interfaces map[string]bool
}

// method returns the method that the name of a member, "io.Reader.Read", stands for; false if it is not known.
func (b *library) method(member string) (outline, bool) {
	if b == nil {
		return outline{}, false
	}
	i := strings.LastIndexByte(member, '.')
	for _, m := range b.types[member[:max(i, 0)]] {
		if m.name == member[i+1:] {
			return m, true
		}
	}
	return outline{}, false
}

// goTypes returns the standard library's types with methods, as far as they are known.
var goTypes = sync.OnceValue(func() *library {
	out := &library{map[string][]outline{}, map[string][]string{}, map[string]bool{}}
	for row := range strings.Lines(goLibrary) {
		fields := strings.Split(strings.TrimSpace(row), "\t")
		of := strings.TrimRight(fields[0], "!=")
		out.interfaces[of] = of == fields[0]
		for _, m := range fields[1:] {
			name, signature, _ := strings.Cut(m, "(")
			if x, err := parser.ParseExpr("func(" + signature); err == nil {
				out.types[of] = append(out.types[of], outlineOf(name, x.(*ast.FuncType)))
				out.having[name] = append(out.having[name], of)
			}
		}
	}
	return out
})

func outlineOf(name string, f *ast.FuncType) outline {
	m := outline{name: name}
	for _, p := range f.Params.List {
		t := p.Type
		if e, ok := t.(*ast.Ellipsis); ok {
			m.variadic, t = true, e.Elt
		}
		m.params = append(m.params, libraryType(t))
	}
	if f.Results != nil {
		for _, r := range f.Results.List {
			m.results = append(m.results, libraryType(r.Type))
		}
	}
	return m
}

// libraryType returns instances of a type of the table; nothing for function types and unnamed ones.
func libraryType(t ast.Expr) values {
	switch t := t.(type) {
	case *ast.Ident:
		return values{builtinOf(t.Name)}
	case *ast.SelectorExpr:
		if p, ok := t.X.(*ast.Ident); ok {
			return values{externalOf(strings.ReplaceAll(p.Name, "__", "/") + "." + t.Sel.Name)}
		}
	case *ast.ArrayType:
		return values{listOf(libraryType(t.Elt))}
	case *ast.MapType:
		return values{mapOf(libraryType(t.Key), libraryType(t.Value))}
	case *ast.ChanType:
		return values{value{kind: builtin, name: "chan"}.withArgs(libraryType(t.Value))}
	}
	return nil
}
