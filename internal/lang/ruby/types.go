package ruby

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/lang/core"
	"github.com/reverse-spec/reverse-spec/internal/lang/srctext"
	"github.com/reverse-spec/reverse-spec/internal/lang/syntax"
)

// typeSymbol is a class or module with all its bodies in the file. A top-level symbol is
// stored in the same way, in sym alone.
type typeSymbol struct {
	sym     code.Symbol
	rest    []string // hashes of statements outside members
	lines   int      // length of the longest body
	nested  bool     // it contains types
	singles bool     // extend self: its methods are also methods of the module itself
}

// split returns the path around a constant path as written in scope s, and its last
// name.
func (r *reader) split(n syntax.Node, s symbolScope) (around, last string) {
	if !n.Is("scope_resolution") {
		return s.path, n.Text()
	}
	scope := n.Field("scope")
	last = n.Field("name").Text()
	text := strings.TrimPrefix(srctext.OneLine(scope.Text()), "::")
	switch {
	case !scope.Ok():
		return "", last
	case scope.Is("self"):
		return s.path, last
	case scope.Begins("::") || s.path == "":
		return text, last
	}
	return r.resolve(text, s), last
}

// resolve returns the full path of a constant path in scope s. A path that this file
// does not declare is relative to s.
func (r *reader) resolve(text string, s symbolScope) string {
	if name, ok := r.lookUp(text, s); ok {
		return name
	}
	return joinPath(s.path, text)
}

// lookUp finds the first constant of a path among those of this file, from the
// innermost scope outwards.
func (r *reader) lookUp(text string, s symbolScope) (name string, ok bool) {
	first, _, _ := strings.Cut(text, "::")
	for at := s.path; at != ""; {
		around, last := "", at
		if i := strings.LastIndex(at, "::"); i >= 0 {
			around, last = at[:i], at[i+len("::"):]
		}
		if r.types[at+"::"+first] != nil {
			return at + "::" + text, true
		}
		if last == first {
			return joinPath(around, text), true
		}
		at = around
	}
	return text, r.types[first] != nil
}

func joinPath(around, name string) string {
	if around == "" {
		return name
	}
	return around + "::" + name
}

func (r *reader) typeDeclaration(n syntax.Node, s symbolScope) {
	name := n.Field("name")
	if !name.Ok() || name.Missing() {
		return
	}
	kind := code.Class
	if n.Is("module") {
		kind = code.Module
	}
	end := name.End()
	super := n.Field("superclass")
	if super.Ok() {
		end = super.End()
	}
	around, last := r.split(name, s)
	t := r.open(joinPath(around, last), kind, n, r.Head(n.Start(), end, ""), s)
	if base := super.First(); base.Ok() {
		t.base(base.Text())
		r.components(base, symbolScope{path: t.sym.Name, owner: t, mode: newVisibilityMode()})
	}
	t.sym.SignatureHash = cmp.Or(t.sym.SignatureHash, r.Hash(name)+r.Hash(super))
	for c := range n.NamedSeq() {
		if c.Is("body_statement", "ERROR") {
			r.body(c, symbolScope{path: t.sym.Name, owner: t, mode: newVisibilityMode(), depth: s.depth})
		}
	}
}

// open begins a body of a type. The first body declares the type, later ones extend it.
func (r *reader) open(name string, kind code.Kind, n syntax.Node, signature string, s symbolScope) *typeSymbol {
	if s.owner != nil {
		s.owner.nested = true
	}
	t := r.types[name]
	if t == nil {
		t = &typeSymbol{sym: code.Symbol{
			Name: name, Kind: kind, Signature: signature, Visibility: code.Public, Exported: true, Part: true,
		}}
		r.types[name] = t
		r.order = append(r.order, t)
	}
	if t.sym.Kind == code.Extension && kind != code.Extension {
		t.sym.Kind, t.sym.Signature, t.lines = kind, signature, 0
	}
	if len(signature) > len(t.sym.Signature) && kind == t.sym.Kind && len(t.sym.Bases) == 0 {
		t.sym.Signature, t.sym.SignatureHash = signature, ""
	}
	if t.sym.Doc == "" {
		t.sym.Doc, _ = r.doc(cmp.Or(s.around, n))
	}
	start, end := t.sym.StartLine, t.sym.EndLine
	r.Place(&t.sym, n, "")
	if t.lines > n.EndLine()-n.Line() {
		t.sym.StartLine, t.sym.EndLine = start, end
	} else {
		t.lines = n.EndLine() - n.Line() + 1
	}
	return t
}

func (t *typeSymbol) base(text string) {
	if text = srctext.OneLine(text); !slices.Contains(t.sym.Bases, text) {
		t.sym.Bases = append(t.sym.Bases, text)
	}
}

// singletonClass reads class << self, or of another constant.
func (r *reader) singletonClass(n syntax.Node, s symbolScope) {
	of := n.Field("value")
	if of.Is("constant", "scope_resolution") {
		around, last := r.split(of, s)
		s.path = r.resolve(joinPath(around, last), symbolScope{})
		if s.owner = r.types[s.path]; s.owner == nil {
			s.owner = r.open(s.path, code.Extension, n, r.Head(n.Start(), of.End(), ""), symbolScope{})
		}
	} else if !of.Is("self") || s.owner == nil {
		return
	}
	s.static, s.mode = true, newVisibilityMode()
	r.body(n.Field("body"), s)
}

// typeMaker returns the kind of type that a call makes for the constant it is assigned
// to, or "".
func typeMaker(n syntax.Node) code.Kind {
	if !n.Is("call") {
		return ""
	}
	switch strings.TrimPrefix(n.Field("receiver").Text(), "::") + "." + n.Field("method").Short() {
	case "Struct.new", "Class.new", "Data.define":
		return code.Class
	case "Module.new":
		return code.Module
	}
	return ""
}

// madeType reads Name = Struct.new(:a) do ... end and similar assignments.
func (r *reader) madeType(n, name, made syntax.Node, kind code.Kind, s symbolScope) {
	around, last := r.split(name, s)
	block := made.Field("block")
	end := n.End()
	if block.Ok() {
		end = block.Start()
	}
	t := r.open(joinPath(around, last), kind, n, r.Head(n.Start(), end, ""), s)
	t.sym.SignatureHash = cmp.Or(t.sym.SignatureHash, r.Hash(n, block))
	maker := strings.TrimPrefix(made.Field("receiver").Text(), "::")
	first := made.Field("arguments").First()
	switch {
	case maker == "Class" && first.Ok():
		t.base(first.Text())
	case maker != "Class" && maker != "Module":
		t.base(maker)
	}
	in := symbolScope{path: s.path, owner: t, mode: newVisibilityMode(), depth: s.depth, block: true, constants: s.constant()}
	r.components(made, in)
	r.body(block.Field("body"), in)
}

// components reads the members of Struct.new(:a, :b) and Data.define(:a, :b).
func (r *reader) components(made syntax.Node, s symbolScope) {
	maker := strings.TrimPrefix(made.Field("receiver").Text(), "::")
	if typeMaker(made) == "" || maker != "Struct" && maker != "Data" {
		return
	}
	for c := range made.Field("arguments").NamedSeq() {
		for _, name := range literalNames(c) {
			if name.text == "" || name.text[0] >= 'A' && name.text[0] <= 'Z' { // Struct.new("Name")
				continue
			}
			sym := code.Symbol{Name: name.text, Kind: code.Property, Visibility: code.Public, Exported: true, Readonly: maker == "Data"}
			r.put(s.owner, &sym, name.node)
			sym.Signature = name.node.Text()
			sym.SignatureHash = r.Hash(name.node)
			r.add(s.owner, sym)
		}
	}
}

// extension reads a block whose methods are added to a type declared elsewhere: refine
// String do, User.class_eval do.
func (r *reader) extension(n, of syntax.Node, s symbolScope) {
	name, _ := r.lookUp(strings.TrimPrefix(srctext.OneLine(of.Text()), "::"), s)
	block := n.Field("block")
	r.rest(n, s, block)
	t := r.open(name, code.Extension, n, r.Head(n.Start(), block.Start(), ""), s)
	t.sym.SignatureHash = cmp.Or(t.sym.SignatureHash, r.Hash(n, block))
	r.body(block.Field("body"), symbolScope{
		path: s.path, owner: t, mode: newVisibilityMode(), depth: s.depth, block: true, constants: s.constant(),
		static: n.Field("method").TextIs("instance_eval"),
	})
}

// put sets the position of a symbol of owner.
func (r *reader) put(owner *typeSymbol, sym *code.Symbol, n syntax.Node) {
	around := ""
	if owner != nil {
		around = owner.sym.Name
	}
	r.Place(sym, n, around)
}

// add appends a symbol to its owner; nil means the top level.
func (r *reader) add(owner *typeSymbol, sym code.Symbol) {
	if owner != nil {
		owner.sym.Members = append(owner.sym.Members, sym)
		return
	}
	r.order = append(r.order, &typeSymbol{sym: sym})
}

// symbols returns the symbols of the file. A module that only contains other types is
// omitted, because it is part of their names.
func (r *reader) symbols() []code.Symbol {
	var out []code.Symbol
	for _, t := range r.order {
		if t.nested && t.sym.Kind == code.Module && t.sym.Doc == "" && len(t.sym.Members)+len(t.sym.Bases)+len(t.rest) == 0 {
			continue
		}
		if t.singles {
			for i := range t.sym.Members {
				t.sym.Members[i].Static = t.sym.Members[i].Static || t.sym.Members[i].Kind != code.Const
			}
		}
		t.sym.Members = mergeSymbols(t.sym.Members)
		if len(t.rest) > 0 {
			t.sym.BodyHash = srctext.ShortHash([]byte(strings.Join(t.rest, " ")))
		}
		out = append(out, t.sym)
	}
	return mergeSymbols(out)
}

// mergeSymbols merges definitions of one name: conditional alternatives and
// redefinitions. Equal signatures are kept once.
func mergeSymbols(list []code.Symbol) []code.Symbol {
	type key struct {
		name          string
		static, value bool
	}
	var out []code.Symbol
	first := map[key]int{}
	for i := range list {
		s := &list[i]
		k := key{s.Name, s.Static, s.Kind == code.Const}
		at, ok := first[k]
		if !ok {
			first[k] = len(out)
			out = append(out, *s)
			continue
		}
		same := len(out[at].Overloads) == 0 && out[at].Signature == s.Signature ||
			slices.ContainsFunc(out[at].Overloads, func(o code.Overload) bool { return o.Signature == s.Signature })
		end := out[at].EndLine
		core.Merge(&out[at], s, same)
		if s.StartLine > end { // other text is in between
			out[at].EndLine = end
		}
	}
	return out
}
