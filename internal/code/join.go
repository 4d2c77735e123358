package code

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"
)

// joiner collects the symbols of several files, moves methods to their types and joins the parts of declarations.
type joiner struct {
	all     []Symbol
	names   []name           // parallel to all
	types   map[string]int   // folder, constraint, type name -> index in all
	named   map[string][]int // type name -> indexes in all, after joining parts
	parts   map[name][]int   // indexes in all of the possible parts of one declaration
	orphans []Symbol
	inBuild bool
}

// name identifies a symbol across the files of a program: language family, package, name and group.
type name struct{ family, pkg, name, group string }

func newJoiner(inBuild bool) *joiner {
	return &joiner{types: map[string]int{}, named: map[string][]int{}, parts: map[name][]int{}, inBuild: inBuild}
}

func (j *joiner) add(f *File, sym Symbol) {
	sym = stamp(sym, f.Path, f.Constraint)
	if sym.Kind == Method && strings.Contains(sym.Name, ".") {
		j.orphans = append(j.orphans, sym)
		return
	}
	if isType(sym.Kind) {
		j.types[j.key(f.Path, f.Constraint, sym.Name)] = len(j.all)
	}
	n := name{family(f.Language), f.Package, sym.Name, "type"}
	switch {
	case f.Language == "csharp" && isType(sym.Kind): // ECMA-334 §7.8.3: T and T<A> are two types
		n.name, _, _ = strings.Cut(sym.Name, "<") // the name if a file declares both
		n.name += "`" + strconv.Itoa(len(sym.TypeParameters))
	case sym.Kind == Function || sym.Kind == Macro:
		n.group = "function"
	case !isType(sym.Kind):
		n.group = "value"
	}
	if sym.Visibility == Private { // visible in this file only
		n.pkg += "\x00" + f.Path
	}
	j.parts[n] = append(j.parts[n], len(j.all))
	j.all, j.names = append(j.all, sym), append(j.names, n)
}

// family returns the family of languages whose files are compiled into one program.
func family(language string) string {
	if language == "cpp" {
		return "c"
	}
	return language
}

func isType(k Kind) bool {
	switch k {
	case Class, Interface, TypeDef, Enum, Struct, Trait, Union, Module, Object, Extension:
		return true
	default:
		return false
	}
}

func (j *joiner) key(file, constraint, name string) string {
	if !j.inBuild {
		constraint = ""
	}
	return path.Dir(file) + "\x00" + constraint + "\x00" + name
}

func (j *joiner) symbols() []Symbol {
	gone := j.joinParts()
	for i := range j.all {
		if _, ok := gone[i]; !ok && isType(j.all[i].Kind) {
			j.named[j.all[i].Name] = append(j.named[j.all[i].Name], i)
		}
	}
	var strays []Symbol
	for _, m := range j.orphans {
		owner, own, _ := strings.Cut(m.Name, ".")
		i, ok := j.owner(m, owner)
		if !ok {
			strays = append(strays, m)
			continue
		}
		if into, joined := gone[i]; joined {
			i = into
		}
		m.Name = own
		j.all[i].Members = slices.Clip(j.all[i].Members)
		if j.names[i].family == "c" {
			j.all[i].define(m)
			continue
		}
		j.all[i].join(m)
	}
	out := make([]Symbol, 0, len(j.all)+len(strays))
	for i := range j.all {
		if _, ok := gone[i]; !ok {
			out = append(out, j.all[i])
		}
	}
	return append(out, strays...)
}

// owner returns the index of the receiver type of a method that is declared outside it: a type in the same folder,
// or the only one of that name in the program. A Go package is one folder.
func (j *joiner) owner(m Symbol, owner string) (int, bool) {
	i, ok := j.types[j.key(m.File, m.Constraint, owner)]
	if !ok { // the type may exist on all platforms and its method on one
		i, ok = j.types[j.key(m.File, "", owner)]
		ok = ok && m.Constraint == ""
	}
	if !ok && path.Ext(m.File) != ".go" {
		list := j.named[owner]
		ok = len(list) == 1
		if ok {
			i = list[0]
		}
	}
	return i, ok
}

// joinParts joins the parts of each declaration into its main part. It returns the symbols that were absorbed, with
// the index of their main part.
func (j *joiner) joinParts() map[int]int {
	gone := map[int]int{}
	for n, list := range j.parts {
		part := func(i int) bool { return j.all[i].Part }
		if len(list) < 2 || !slices.ContainsFunc(list, part) {
			continue
		}
		main := j.main(n, list)
		j.all[main].Members = slices.Clip(j.all[main].Members)
		for _, i := range list {
			if i != main && (part(i) || part(main)) {
				j.all[main].complete(j.all[i])
				gone[i] = main
			}
		}
	}
	return gone
}

// main returns the index of the main part: the declaration in a header, which users see; else the definition; else
// the first.
func (j *joiner) main(n name, list []int) int {
	if n.group != "type" {
		for _, i := range list {
			if j.all[i].Part && strings.HasPrefix(path.Ext(j.all[i].File), ".h") {
				return i
			}
		}
	}
	for _, i := range list {
		if !j.all[i].Part {
			return i
		}
	}
	return list[0]
}

// complete adds the properties of another declaration of the same symbol.
func (s *Symbol) complete(other Symbol) {
	if s.Doc == "" {
		s.Doc = other.Doc
	}
	s.Part = s.Part && other.Part
	s.Exported = s.Exported || other.Exported
	s.BodyHash = joinHashes(s.BodyHash, other.BodyHash)
	s.Broken = s.Broken || other.Broken
	s.Bases = union(s.Bases, other.Bases)
	if other.Kind != Extension || s.Kind == Extension { // else they are about the members of the extension
		s.Decorators = union(s.Decorators, other.Decorators)
	}
	if s.Value == "" {
		s.Value = other.Value
	}
	for _, m := range other.Members {
		s.join(m)
	}
}

// join adds a member declared elsewhere: it completes its declaration, becomes an overload, or is appended.
func (s *Symbol) join(m Symbol) {
	same := func(x Symbol) bool {
		return x.Name == m.Name && x.Static == m.Static && x.Kind == m.Kind
	}
	i := slices.IndexFunc(s.Members, same)
	if i < 0 && m.Kind == Method { // a definition outside the class does not repeat "static"
		i = slices.IndexFunc(s.Members, func(x Symbol) bool { return x.Part && x.Name == m.Name })
	}
	switch {
	case i < 0:
		s.Members = append(s.Members, m)
	case s.Members[i].Part || m.Part || s.Members[i].SignatureHash == m.SignatureHash || isType(m.Kind):
		s.Members[i].complete(m)
	default:
		s.Members[i].AddOverload(m)
	}
}

// define merges a definition outside its class into the declaration inside it, which C++ requires. It prefers a
// declaration without a body to one that cannot have one, such as a pure virtual function.
func (s *Symbol) define(m Symbol) {
	at := -1
	for i, x := range s.Members {
		if x.Name == m.Name && !isType(x.Kind) && (at < 0 || x.Part && !s.Members[at].Part) {
			at = i
		}
	}
	if at < 0 {
		s.Members = append(s.Members, m)
		return
	}
	s.Members[at].complete(m)
}

// union returns a followed by the texts of b that it lacks.
func union(a, b []string) []string {
	a = slices.Clip(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// maxOverloads bounds the signatures kept per name. Generated code may declare a name a hundred thousand times.
const maxOverloads = 1000

// AddOverload adds another signature of the same name to s. After maxOverloads only the hash changes.
func (s *Symbol) AddOverload(other Symbol) {
	if len(s.Overloads) == 0 {
		s.Overloads = []Overload{overload(s)}
	}
	if len(s.Overloads) < maxOverloads {
		s.Overloads = append(slices.Clip(s.Overloads), overload(&other))
		s.Signature += "\n" + other.Signature
	}
	s.SignatureHash = shortHash(s.SignatureHash + other.SignatureHash)
	s.AddBody(other)
}

// AddBody adds another declaration of the same name, without a signature of its own, to s: the implementation that
// follows overloads.
func (s *Symbol) AddBody(other Symbol) {
	if other.BodyHash != "" {
		s.BodyHash = shortHash(s.BodyHash + other.BodyHash)
	}
	if s.Doc == "" {
		s.Doc = other.Doc
	}
	s.Members = append(slices.Clip(s.Members), other.Members...)
	if s.File == other.File {
		s.EndLine = max(s.EndLine, other.EndLine)
	}
	s.Exported = s.Exported || other.Exported
	s.Default = s.Default || other.Default
	s.Decorators = union(s.Decorators, other.Decorators)
}

func overload(s *Symbol) Overload {
	return Overload{
		Signature: s.Signature, TypeParameters: s.TypeParameters, Params: s.Params,
		Returns: s.Returns, SignatureHash: s.SignatureHash,
	}
}

// joinHashes combines two hashes; if one is "", it returns the other.
func joinHashes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return shortHash(a + b)
}

// shortHash returns the first 16 hex digits of the SHA-256 of text.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
