package swift

import (
	"bytes"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// kinds maps keywords of types to kinds of symbols. An actor is a class.
var kinds = map[string]code.Kind{
	"struct": code.Struct, "class": code.Class, "actor": code.Class, "enum": code.Enum,
	"protocol": code.Interface, "extension": code.Extension,
}

func (s *symbolReader) typeDeclaration(n syntax.Node, scope symbolScope) code.Symbol {
	h := s.head(n)
	kind := kinds[h.word]
	if kind == "" {
		return code.Symbol{}
	}
	sym := s.begin(h, strings.Trim(s.text.Text(h.keyword+1), "`"), kind, scope)
	sym.Abstract = false
	if kind == code.Extension {
		sym.Name, sym.Part = s.extendedName(&h), true
		h.generics = core.Span{}
	}
	if sym.Name == "" || sym.Name == "{" {
		return code.Symbol{}
	}
	sym.TypeParameters = items(s.text, h.generics.Start, h.generics.End)
	sym.Bases = h.bases(s.text)
	s.Place(&sym, n, scope.owner)
	body := n.Field("body")
	s.signature(&sym, h, syntax.Node{})
	if core.TooDeep(scope.owner) {
		return sym
	}
	inside := symbolScope{owner: srctext.Join(scope.owner, sym.Name), of: kind, usual: s.usual(&h, kind, sym.Visibility), around: sym.Visibility}
	sym.Members = s.overloads(s.extended(s.declarations(body, inside)))
	return sym
}

// usual returns the default visibility of a type's members: internal, or private in a
// private type. Members of a protocol, and of an extension with a written visibility,
// have the visibility of the type.
func (s *symbolReader) usual(h *declarationHead, kind code.Kind, of code.Visibility) code.Visibility {
	said := kind == code.Interface || kind == code.Extension && h.wrote("public", "package")
	if said || of == code.Private {
		return of // enum cases set their own
	}
	return code.Package
}

// extendedName returns the name of the extended type without its arguments.
func (s *symbolReader) extendedName(h *declarationHead) string {
	to := h.end
	for _, part := range []int{h.colon, h.where} {
		if part > 0 {
			to = min(to, part)
		}
	}
	name := srctext.OneLine(slice(s.text, h.keyword+1, to))
	if i := strings.IndexByte(name, '<'); i > 0 {
		name = name[:i]
	}
	return strings.TrimPrefix(strings.ReplaceAll(name, "`", ""), s.module())
}

// module returns the name of the module, with a dot, if the file is an interface
// written by the compiler, in which all types are qualified by it. Otherwise it returns
// "".
func (s *symbolReader) module() string {
	if !strings.HasSuffix(s.File.Path, ".swiftinterface") {
		return ""
	}
	_, flags, _ := bytes.Cut(s.Source[:min(len(s.Source), srctext.HeadBytes)], []byte("-module-name "))
	name, _, _ := bytes.Cut(flags, []byte(" "))
	name, _, _ = bytes.Cut(name, []byte("\n"))
	if len(name) == 0 {
		return ""
	}
	return string(name) + "."
}

// extended merges the extensions in a list with the types in it, and the extensions of
// the same external type with each other.
func (s *symbolReader) extended(list []code.Symbol) []code.Symbol {
	var out []code.Symbol
	for _, sym := range list {
		if sym.Kind != code.Extension {
			out = append(out, sym)
		}
	}
	for _, sym := range list {
		if sym.Kind != code.Extension {
			continue
		}
		if of := typeNamed(out, sym.Name); of != nil {
			s.extend(of, sym)
		} else {
			out = append(out, sym)
		}
	}
	return out
}

// typeNamed returns the type with a qualified name in a list, or nil.
func typeNamed(list []code.Symbol, name string) *code.Symbol {
	first, rest, deeper := strings.Cut(name, ".")
	for i := range list {
		sym := &list[i]
		switch {
		case sym.Kind == code.Extension:
			if sym.Name == name {
				return sym
			}
		case sym.Name != first || !slices.Contains(nominalKinds, sym.Kind):
		case deeper:
			return typeNamed(sym.Members, rest)
		default:
			return sym
		}
	}
	return nil
}

// nominalKinds are the kinds of types that are merged with their extensions.
var nominalKinds = []code.Kind{code.Struct, code.Class, code.Enum, code.Interface}

// extend adds an extension to its type. Conformances and conditions of the extension
// become a line of the type's signature.
func (s *symbolReader) extend(of *code.Symbol, by code.Symbol) {
	if of.Kind == code.Extension || len(by.Bases) > 0 || strings.Contains(srctext.OneLine(by.Signature), " where ") {
		of.Signature += "\n" + by.Signature
		of.SignatureHash = srctext.ShortHash([]byte(of.SignatureHash + by.SignatureHash))
	}
	if of.Kind == code.Interface { // members that all conforming types have
		for i := range by.Members {
			by.Members[i].Optional = by.Members[i].Kind != code.TypeDef
		}
	}
	if of.Doc == "" {
		of.Doc = by.Doc
	}
	of.Exported = of.Exported || of.Kind == code.Extension && by.Exported
	for _, base := range by.Bases {
		if !slices.Contains(of.Bases, base) {
			of.Bases = append(of.Bases, base)
		}
	}
	of.Members = s.overloads(append(slices.Clip(of.Members), by.Members...))
}

// overloads merges the declarations of one name at one level. Equal declarations, in
// the branches of an #if, count once.
func (s *symbolReader) overloads(list []code.Symbol) []code.Symbol {
	type key struct {
		name, signature string
		static          bool
	}
	seen := map[key]bool{}
	again := map[*code.Symbol]bool{}
	for i := range list {
		k := key{list[i].Name, srctext.OneLine(list[i].Signature), list[i].Static}
		again[&list[i]] = seen[k]
		seen[k] = true
	}
	out := core.MergeSame(list, func(a, b *code.Symbol) bool { return a.Static == b.Static }, func(sym *code.Symbol) bool { return again[sym] })
	if len(out) < len(list) {
		for i := range out {
			if slices.Contains(nominalKinds, out[i].Kind) {
				out[i].Members = s.overloads(out[i].Members)
			}
		}
	}
	return out
}
