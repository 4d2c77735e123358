// Package rust reads Rust with tree-sitter's grammar: items, imports, calls, facts,
// unit tests and doctests. Its entry is [Rust], the row for the table of languages.
// Syntax that the grammar rejects is patched by token patterns in the row, by repair.go
// and by repair_macros.go.
package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// entry reports whether s is the function main of a file.
func entry(_ *code.File, owner string, s *code.Symbol) bool {
	return owner == "" && s.Name == "main" && s.Kind == code.Function
}

// Rust is the language row.
var Rust = &core.Language{
	Name: "rust", Extensions: []string{".rs"},
	Grammar: syntax.Rust, Shape: shape, Imports: []string{"use_declaration", "extern_crate_declaration"},
	Read: read, Tests: doctests, Call: callOf, TestPath: isTestPath, Entry: entry, Facts: facts,
	Types: typeRules,
	Repair: core.PatchTokens(
		"async/ |", "async/ ||", "async/ move |", "async/ move ||", // closures, 1.85
		"& raw/ const/", "& raw/ mut", // 1.82
		`unsafe/ extern " * " {`, "unsafe/ extern {", "safe/ fn", "safe/ static", "unsafe/ static", // 1.82
		"< const * : * =/ */ >", "< const * : * =/ */ ,", ", const * : * =/ */ >", ", const * : * =/ */ ,", // 1.59
		"< const * : * =/ {/ */ }/", ", const * : * =/ {/ */ }/",
		"../ =/", "..=/ * =>", "..=/ * :: * =>", "{ ../ * =>", ", ../ * =>", // patterns without a start, 1.80
		"auto/ trait", "default/ impl", "impl const/", "const/ trait", // unstable, but used in the standard library
		"try/r_y !", "~/@", // valid in edition 2015
	),
	Bodies: bodyRules, Steps: steps,
}

// reader reads the declarations of a file. Methods in impl blocks become members of
// their type if this file declares it.
type reader struct {
	*core.Reader
	types   map[string]bool          // qualified name of a type declared here -> false if it is for tests only
	methods map[string][]code.Symbol // by qualified name of the type
	traits  map[string][]string      // qualified name of a type -> traits it implements
	orphans []code.Symbol            // methods of types in other files
	// wrappers are the macros around declarations.
	wrappers []wrapper
}

// scope is the scope of an item.
type scope struct {
	owner  string    // qualified name of the enclosing module or type
	depth  int       // number of enclosing modules in this file
	of     code.Kind // kind of the enclosing type; "" in a module
	public bool      // members inherit the visibility: traits and their impls
	test   bool      // compiled for tests only
}

func read(r *core.Reader) {
	x := &reader{
		Reader: r, types: map[string]bool{}, methods: map[string][]code.Symbol{}, traits: map[string][]string{},
	}
	x.CloseBrackets()
	x.isolate()
	x.unwrap()
	x.declared(r.Root(), "", false)
	list := x.items(r.Root(), scope{})
	x.attach(list, "")
	r.File.Symbols = joinAlternatives(append(list, x.orphans...))
	r.File.Doc = innerDoc(r.Root())
}

// declared records the types that a module and its submodules declare.
func (r *reader) declared(body syntax.Node, owner string, test bool) {
	for n := range body.NamedSeq() {
		name := srctext.Join(owner, n.Field("name").Text())
		switch n.Kind() {
		case "struct_item", "enum_item", "union_item", "trait_item", "type_item":
			r.types[name] = r.types[name] || !test && !isTestOnly(attributesOf(n))
		case "mod_item":
			if !core.TooDeep(owner) {
				r.declared(n.Field("body"), name, test || isTestOnly(attributesOf(n)))
			}
		}
	}
}

// items reads the items of a file or module.
func (r *reader) items(body syntax.Node, s scope) []code.Symbol {
	var out []code.Symbol
	for n := range body.NamedSeq() {
		if n.Is("attribute_item", "inner_attribute_item") {
			continue
		}
		in := s
		in.test = s.test || isTestOnly(attributesOf(n))
		list := r.item(n, in)
		if macros := r.wrapped(n); len(macros) > 0 && s.of == "" {
			for i := range list {
				list[i].Decorators = append(slices.Clone(macros), list[i].Decorators...)
			}
		}
		if !in.test || r.File.Test {
			out = append(out, list...)
		}
	}
	return out
}

func (r *reader) item(n syntax.Node, s scope) []code.Symbol {
	switch n.Kind() {
	case "use_declaration":
		r.use(n, s)
	case "extern_crate_declaration":
		r.externCrate(n, s)
	case "mod_item":
		return core.NamedSymbol(r.module(n, s))
	case "function_item", "function_signature_item":
		return core.NamedSymbol(r.function(n, s))
	case "struct_item", "union_item":
		return core.NamedSymbol(r.structure(n, s))
	case "enum_item":
		return core.NamedSymbol(r.enum(n, s))
	case "trait_item":
		return core.NamedSymbol(r.trait(n, s))
	case "impl_item":
		r.impl(n, s)
	case "const_item", "static_item":
		return core.NamedSymbol(r.constant(n, s))
	case "type_item", "associated_type":
		return core.NamedSymbol(r.typeAlias(n, s))
	case "macro_definition":
		return core.NamedSymbol(r.macro(n, s))
	case "foreign_mod_item", "ERROR":
		if n.Is("foreign_mod_item") {
			n = n.Field("body")
		}
		return r.items(n, s)
	}
	return nil
}

// module reads an inline module; mod x; is an import.
func (r *reader) module(n syntax.Node, s scope) code.Symbol {
	body := n.Field("body")
	if !body.Ok() {
		r.moduleFile(n, s)
		return code.Symbol{}
	}
	sym := r.begin(n, code.Module, s)
	if sym.Name == "" || core.TooDeep(s.owner) {
		return sym
	}
	sym.Doc = strings.TrimSpace(sym.Doc + "\n" + innerDoc(body))
	r.signature(&sym, n, body)
	sym.BodyHash = ""
	in := scope{owner: srctext.Join(s.owner, sym.Name), depth: s.depth + 1, test: s.test}
	sym.Members = joinAlternatives(r.items(body, in))
	return sym
}

// begin returns a symbol with the name, position, doc, attributes and visibility of n.
func (r *reader) begin(n syntax.Node, kind code.Kind, s scope) code.Symbol {
	sym := code.Symbol{Name: n.Field("name").Text(), Kind: kind, Doc: doc(n), Decorators: attributesOf(n)}
	if sym.Name == "" {
		return sym
	}
	sym.Visibility = visibility(n.Child("visibility_modifier"))
	if s.public {
		sym.Visibility = code.Public
	}
	sym.Exported = sym.Visibility == code.Public
	r.Place(&sym, n, s.owner)
	return sym
}

func visibility(n syntax.Node) code.Visibility {
	switch text := visibilityText(n); text {
	case "", "pub(self)":
		return code.Private
	case "pub":
		return code.Public
	}
	return code.Package
}

// signature sets the text and hash of n without its body.
func (r *reader) signature(sym *code.Symbol, n, body syntax.Node) {
	end := n.End()
	if body.Ok() {
		end = body.Start()
	}
	sym.Signature = r.Head(n.Start(), end, "; { =")
	sym.SignatureHash = r.Hash(n, body)
	sym.BodyHash = r.BodyHash(body)
}

// isHidden reports whether an attribute removes an item from what users are shown: #[doc(hidden)].
func isHidden(attribute string) bool {
	return strings.Contains(strings.ReplaceAll(attribute, " ", ""), "doc(hidden)")
}

// attributesOf returns the attributes of n, except documentation.
func attributesOf(n syntax.Node) []string {
	var out []string
	for p := n.Previous(); p.Is("attribute_item") || syntax.IsComment(p.Kind()); p = p.Previous() {
		if p.Is("attribute_item") && (attributeName(p.Text()) != "doc" || isHidden(p.Text())) {
			out = append(out, p.Text())
		}
	}
	slices.Reverse(out)
	return out
}

// attributeName returns the path of an attribute: "derive" of #[derive(Debug)].
func attributeName(text string) string {
	text = strings.TrimLeft(text, "#![ \t\r\n")
	if i := strings.IndexAny(text, "([{=] \t\r\n"); i >= 0 {
		text = text[:i]
	}
	return text
}

// isTestOnly reports whether attributes restrict an item to test builds: #[test],
// #[cfg(test)], #[cfg(all(test, unix))].
func isTestOnly(attributes []string) bool {
	for _, a := range attributes {
		if isTestAttribute(a) {
			return true
		}
		if attributeName(a) != "cfg" {
			continue
		}
		text := strings.TrimPrefix(strings.TrimSuffix(strings.Join(strings.Fields(a), ""), ")]"), "#[cfg(")
		text = strings.TrimPrefix(text, "all(")
		if text == "test" || strings.HasPrefix(text, "test,") || strings.Contains(text, ",test,") && strings.HasPrefix(a, "#[cfg(all(") {
			return true
		}
	}
	return false
}

// isTestAttribute reports whether attribute is #[test] or its equivalent in an async
// runtime or test library: #[tokio::test], #[rstest], #[test_case(1)].
func isTestAttribute(attribute string) bool {
	name := attributeName(attribute)
	name = lastPath(name)
	return name == "test" || name == "rstest" || name == "test_case" || name == "wasm_bindgen_test"
}

// isTestPath reports whether file matches Cargo's test folders or the usual names of
// test modules.
func isTestPath(file string) bool {
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if dir == "tests" || dir == "benches" {
			return true
		}
	}
	stem := strings.TrimSuffix(path.Base(file), ".rs")
	return stem == "tests" || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_tests")
}
