package resolve

import (
	"slices"
	"strconv"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Symbol is a declaration that becomes a node. The first symbol of a file, with ordinal 0, is the file itself as a
// module.
type Symbol struct {
	Name      string // "create"
	Qualified string // within the file: "UserService.create"; with "@" and the line appended if ambiguous
	Label     codegraph.Label
	Kind      code.Kind
	Parent    int // ordinal of the enclosing symbol
	StartLine int
	EndLine   int
	Line      int // line of the name
	Signature string
	Doc       string
	// Decorators are as written: "@app.route('/')".
	Decorators []string
	Exported   bool
}

// Symbols returns the symbols of a file with facts, by ordinal.
func Symbols(f *code.File) []Symbol {
	return newUnit(f, nil, languageOf(f.Language), new(uint32)).symbols
}

// brief is the part of a symbol that other files use.
type brief struct {
	label codegraph.Label
	kind  code.Kind
}

// forget replaces the unit's symbols by briefs.
func (u *unit) forget() {
	u.briefs = make([]brief, len(u.symbols))
	for i := range u.symbols {
		u.briefs[i] = brief{u.symbols[i].Label, u.symbols[i].Kind}
	}
	u.symbols = nil
}

// isSymbol returns the ordinal of a declaration's symbol; false if it has none.
func (d *decl) isSymbol() (ordinal int, ok bool) { return int(d.ordinal), d.ordinal > 0 }

// brief returns the brief of a declaration's symbol; the zero value if it has none.
func (d *decl) brief() brief {
	switch u := d.unit; {
	case d.ordinal == 0:
		return brief{}
	case u.symbols != nil:
		return brief{u.symbols[d.ordinal].Label, u.symbols[d.ordinal].Kind}
	default:
		return u.briefs[d.ordinal]
	}
}

// findSymbols sets the unit's symbols: all functions, types and top-level variables, including nested ones.
func (u *unit) findSymbols() {
	u.symbols = []Symbol{{
		Name: stem(u.file.Path), Label: codegraph.LabelModule, Kind: code.Module, StartLine: 1, EndLine: max(1, u.file.LOC), Line: 1, Doc: u.file.Doc,
	}}
	u.scopeSymbols = map[int32]int{0: 0}
	f := finder{
		unit: u, parsed: map[string][]*code.Symbol{}, used: map[string]int{}, found: map[*decl]int{}, kinds: map[string]code.Kind{}, first: map[variable]*decl{},
	}
	f.index(u.file.Symbols, "")
	for _, k := range u.file.Kinds {
		f.kinds[k.Name] = k.Kind
	}
	for s := range u.facts.HeadScopes {
		for _, d := range u.decls[s][:u.facts.Scopes[s].HeadDefs] {
			f.add(d)
		}
	}
	for s := range u.facts.Scopes { // bodies come last, because they are not in the head
		for _, d := range u.decls[s] {
			f.add(d)
		}
	}
}

// finder collects the symbols of a unit.
type finder struct {
	unit   *unit
	parsed map[string][]*code.Symbol // qualified name -> the parser's symbols
	// kinds maps qualified names of types to their kinds.
	kinds map[string]code.Kind
	used  map[string]int // qualified name -> number of symbols
	// found are the ordinals of declarations. They are the same for the head of a file's facts as for the whole,
	// and the head's declarations are shared.
	found map[*decl]int
	first map[variable]*decl // the first of the variables of one name in one scope
}

// variable is a variable of a scope.
type variable struct {
	scope int32
	name  string
}

// is assigns a symbol's ordinal to a declaration.
func (f *finder) is(d *decl, ordinal int) {
	f.found[d] = ordinal
	if d.ordinal != int32(ordinal) {
		d.ordinal = int32(ordinal)
	}
}

func (f *finder) index(list []code.Symbol, owner string) {
	for i := range list {
		name := list[i].Name
		if owner != "" {
			name = owner + "." + name
		}
		if f.parsed[name] == nil {
			f.kinds[name] = list[i].Kind
		}
		f.parsed[name] = append(f.parsed[name], &list[i])
		if plain, _, generic := strings.Cut(name, "<"); generic && plain != "" && isType(list[i].Kind) { // Pair<A>, Pair<A, B>
			f.parsed[plain] = append(f.parsed[plain], &list[i])
		}
		f.index(list[i].Members, name)
	}
}

// add adds the symbol of a declaration, if it has one.
func (f *finder) add(d *decl) {
	label := f.label(d)
	if label == "" || d.def.Name == "" || d.def.Name == "_" || d.def.Implied {
		return
	}
	if first := f.other(d); first != nil {
		f.is(d, f.found[first])
		return
	}
	s := f.symbol(d, label)
	f.used[s.Qualified]++
	for f.used[s.Qualified] > 1 { // repeated on one line
		s.Qualified += "@" + strconv.Itoa(s.StartLine)
		f.used[s.Qualified]++
	}
	n := len(f.unit.symbols)
	f.unit.symbols = append(f.unit.symbols, s)
	f.is(d, n)
	if d.def.Scope != 0 {
		f.unit.scopeSymbols[d.def.Scope] = n
	} else if v := f.unit.expr(d.def.Value); v.Op == code.OpFunc || v.Op == code.OpObject {
		f.unit.scopeSymbols[v.N] = n
		f.extend(n, v.N)
	}
}

// symbol returns the symbol of a declaration.
func (f *finder) symbol(d *decl, label codegraph.Label) Symbol {
	parent := f.unit.symbolAround(d.scope)
	s := Symbol{Name: identifier(d.def.Name), Label: label, Parent: parent, Exported: d.def.Exported, StartLine: int(d.def.Line), EndLine: int(d.def.Line), Line: int(d.def.Line)}
	s.Kind = kinds[label]
	scope := d.open()
	if scope != nil && scope.Name != "" && d.def.Kind == code.DefFunc {
		s.Name = identifier(scope.Name) // a constructor has another binding name
	}
	s.Qualified = s.Name
	switch {
	case scope != nil && scope.Symbol != "":
		s.Qualified = scope.Symbol
	case parent > 0:
		s.Qualified = f.unit.symbols[parent].Qualified + "." + s.Name
	}
	if scope != nil {
		s.Decorators = slices.Clone(scope.Decorators)
		s.StartLine, s.EndLine = int(scope.Line), max(int(scope.End), int(scope.Line))
	}
	f.describe(d, &s)
	return s
}

// identifier returns the name of a binding as it is in the source: without the keyword of a tag in C, the labels of a function's
// parameters in Swift, and the interface that a method implements in C#.
func identifier(name string) string {
	if strings.HasPrefix(name, "operator") {
		return name
	}
	if keyword, tag, ok := strings.Cut(name, " "); ok && slices.Contains([]string{"struct", "union", "enum", "class"}, keyword) {
		name = tag
	}
	if before, labels, ok := strings.Cut(name, "("); ok && before != "" && strings.HasSuffix(labels, ")") {
		name = before
	}
	if i := strings.LastIndexByte(name, '.'); i > 0 && i < len(name)-1 {
		name = name[i+1:]
	}
	return name
}

// extend moves the end of a symbol to that of the function or object assigned to it.
func (f *finder) extend(n int, scope int32) {
	s := &f.unit.symbols[n]
	s.EndLine = max(s.EndLine, int(f.unit.facts.Scopes[scope].End))
}

// kinds are the default kinds of symbols.
var kinds = map[codegraph.Label]code.Kind{
	codegraph.LabelFunction: code.Function, codegraph.LabelMethod: code.Method, codegraph.LabelClass: code.Class,
	codegraph.LabelType: code.TypeDef, codegraph.LabelVariable: code.Variable,
}

// other returns the main declaration for d: the one with a body, if a function is declared and then defined, or
// overloaded, in one scope.
func (f *finder) other(d *decl) *decl {
	signatures := f.unit.language.signatures
	if d.def.Kind != code.DefFunc || d.open() == nil || d.open().Body || d.def.Abstract && !signatures {
		return nil
	}
	for _, x := range f.unit.decls[d.scope] {
		if x.def.Name == d.def.Name && x.def.Kind == code.DefFunc && x.def.Static == d.def.Static && x != d && x.open() != nil {
			if _, known := f.found[x]; known {
				return x
			}
			if x.open().Body {
				f.add(x)
				return x
			}
		}
	}
	return nil
}

// label returns the node label of a declaration; "" for none.
func (f *finder) label(d *decl) codegraph.Label {
	if _, known := f.found[d]; known {
		return ""
	}
	in := f.unit.facts.Scopes[d.scope].Kind
	switch d.def.Kind {
	case code.DefFunc:
		return f.functionLabel(d, in)
	case code.DefType:
		return f.typeLabel(d)
	case code.DefAlias:
		if d.def.Name == "*" || d.def.Type == 0 && d.def.Value != 0 { // an alias of something named
			return ""
		}
		return codegraph.LabelType
	case code.DefVar:
		return f.variableLabel(d, in)
	case code.DefField:
		return f.fieldLabel(d, in)
	default:
	}
	return ""
}

// functionLabel is label for functions.
func (f *finder) functionLabel(d *decl, in code.ScopeKind) codegraph.Label {
	if s := d.open(); s != nil && !s.Body && !d.def.Abstract && f.unit.language.prototypes {
		return ""
	}
	if in == code.TypeScope || f.unit.ownerRef(d) != 0 {
		return codegraph.LabelMethod
	}
	return codegraph.LabelFunction
}

// fieldLabel is label for fields: those that hold a function of their own.
func (f *finder) fieldLabel(d *decl, in code.ScopeKind) codegraph.Label {
	if in != code.TypeScope || f.unit.language.declaredOnly || f.unit.language.holds {
		return ""
	}
	if f.unit.expr(d.def.Value).Op == code.OpFunc || f.unit.expr(d.def.Type).Op == code.OpFuncType {
		return codegraph.LabelMethod
	}
	return ""
}

func (f *finder) variableLabel(d *decl, in code.ScopeKind) codegraph.Label {
	if in != code.FileScope && in != code.SpaceScope || !d.isTop() {
		if v := f.unit.expr(d.def.Value); v.Op == code.OpFunc && in != code.SpaceScope && !f.isRebinding(d, v.N) {
			return codegraph.LabelFunction // const helper = () => …, in a function
		}
		return ""
	}
	if first := f.first[variable{d.scope, d.def.Name}]; first != nil { // assigned again: the first declaration is the symbol
		if n, ok := f.found[first]; ok && first != d {
			f.is(d, n)
		}
		return ""
	}
	f.first[variable{d.scope, d.def.Name}] = d
	if f.unit.expr(d.def.Value).Op == code.OpFunc && !f.unit.language.declaredOnly {
		return codegraph.LabelFunction
	}
	return codegraph.LabelVariable
}

// isRebinding reports whether a variable is bound again to its own function: facts do so where branches join.
func (f *finder) isRebinding(d *decl, scope int32) bool {
	n, known := f.unit.scopeSymbols[scope]
	if known = known && f.unit.symbols[n].Name == d.def.Name; known {
		f.is(d, n)
	}
	return known
}

// typeLabels maps kinds of types to labels.
var typeLabels = map[code.Kind]codegraph.Label{
	code.Interface: codegraph.LabelInterface, code.Trait: codegraph.LabelInterface, code.Enum: codegraph.LabelEnum,
	code.TypeDef: codegraph.LabelType, code.Union: codegraph.LabelUnion,
}

func (f *finder) typeLabel(d *decl) codegraph.Label {
	s := d.open()
	if s != nil && f.unit.language.variants && !s.Body {
		return "" // it has fields, but is an enum value
	}
	if s != nil {
		if kind, known := f.kinds[s.Symbol]; known {
			if l, ok := typeLabels[kind]; ok {
				return l
			}
		}
	}
	return codegraph.LabelClass
}

// parsedSymbol returns the parser's symbol for a declaration, by its lines: a property has a getter and a setter; a
// function may be declared and defined in different places. It returns nil if there is none.
func (f *finder) parsedSymbol(d *decl, s *Symbol) *code.Symbol {
	all := f.parsed[s.Qualified]
	if d.def.Kind == code.DefType { // in C a function may have the name of a struct
		all = slices.DeleteFunc(slices.Clone(all), func(said *code.Symbol) bool { return !isType(said.Kind) })
	}
	for _, said := range all {
		if said.StartLine <= s.Line && s.Line <= said.EndLine {
			return said
		}
	}
	if len(all) == 0 || d.def.Kind == code.DefVar {
		return nil
	}
	return all[0]
}

// types are the kinds of symbols that are types or hold members.
var types = []code.Kind{
	code.Class, code.Interface, code.TypeDef, code.Enum, code.Struct, code.Trait, code.Union, code.Module, code.Object, code.Extension,
}

// isType reports whether symbols of a kind are types.
func isType(kind code.Kind) bool { return slices.Contains(types, kind) }

// sameName returns how many types and namespaces of the name of d its scope declares.
func (f *finder) sameName(d *decl) int {
	n := 0
	for _, x := range f.unit.decls[d.scope] {
		if x.def.Name == d.def.Name && x.def.Kind != code.DefFunc {
			n++
		}
	}
	return n
}

// declaredBefore reports whether a function with a body is also declared without one in its scope, for its overloads:
// all of them are one symbol.
func (f *finder) declaredBefore(d *decl) bool {
	if d.def.Kind != code.DefFunc || d.open() == nil || !d.open().Body {
		return false
	}
	return slices.ContainsFunc(f.unit.decls[d.scope], func(x *decl) bool {
		return x.def.Name == d.def.Name && x.def.Kind == code.DefFunc && x.def.Static == d.def.Static && x.open() != nil && !x.open().Body
	})
}

// describe adds the parser's properties of a symbol: the signature of the overload at its line, if there are
// several.
func (f *finder) describe(d *decl, s *Symbol) {
	said := f.parsedSymbol(d, s)
	if kind, known := f.kinds[s.Qualified]; known && (d.def.Kind != code.DefType || isType(kind)) {
		s.Kind = kind
	}
	if said == nil {
		return
	}
	s.Kind, s.Signature, s.Doc = said.Kind, said.Signature, said.Doc
	if s.Decorators == nil {
		s.Decorators = slices.Clone(said.Decorators)
	}
	s.Exported = s.Exported || said.Exported
	n, declared := f.used[s.Qualified], f.declaredBefore(d)
	s.Signature = f.ownSignature(d, s.Signature, n)
	if len(said.Overloads) > n && d.def.Kind == code.DefFunc && !declared {
		s.Signature = said.Overloads[n].Signature
		return
	}
	if n == 0 && !elsewhere(d, s, said) && (declared || len(said.Overloads) == 0) {
		s.StartLine, s.EndLine = said.StartLine, said.EndLine
	}
}

// elsewhere reports whether the parser's symbol of a type is another one of its name.
func elsewhere(d *decl, s *Symbol, said *code.Symbol) bool {
	return d.def.Kind == code.DefType && (s.Line < said.StartLine || said.EndLine < s.Line)
}

// ownSignature returns the part of a signature that is of the n-th declaration of a name: what a language merges a spec tells as one.
func (f *finder) ownSignature(d *decl, signature string, n int) string {
	parts := strings.Split(signature, "\n")
	if d.def.Kind == code.DefFunc || len(parts) < 2 || len(parts) != f.sameName(d) {
		return signature
	}
	return parts[min(n, len(parts)-1)]
}
