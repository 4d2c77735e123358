package code

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strconv"
	"strings"
)

// joiner collects symbols of several files, puts methods under their types and
// joins the parts of what is declared in several places.
type joiner struct {
	all     []Symbol
	names   []name           // in parallel to all
	types   map[string]int   // folder, constraint, type name -> index in all
	named   map[string][]int // type name -> indexes in all, parts joined
	parts   map[name][]int   // indexes in all of what may be parts of one thing
	orphans []Symbol
	inBuild bool
}

// name is what a symbol is known by in all files of a program: in which family
// of languages, which package and among what.
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
		n.name, _, _ = strings.Cut(sym.Name, "<") // the name where a file has both
		n.name += "`" + strconv.Itoa(len(sym.TypeParameters))
	case sym.Kind == Function || sym.Kind == Macro:
		n.group = "function"
	case !isType(sym.Kind):
		n.group = "value"
	}
	if sym.Visibility == Private { // of this file alone
		n.pkg += "\x00" + f.Path
	}
	j.parts[n] = append(j.parts[n], len(j.all))
	j.all, j.names = append(j.all, sym), append(j.names, n)
}

// family returns the languages whose files make one program.
func family(language string) string {
	if language == "cpp" {
		return "c"
	}
	return language
}

func isType(k Kind) bool {
	switch k {
	case Class, Interface, Type, Enum, Struct, Trait, Union, Module, Object, Extension:
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

// owner returns the type of a method that is declared outside it: one in the same
// folder, or the only one that the program has by that name. A Go package is one
// folder.
func (j *joiner) owner(m Symbol, owner string) (int, bool) {
	i, ok := j.types[j.key(m.File, m.Constraint, owner)]
	if !ok { // the type may be common to all platforms, its method not
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

// joinParts joins the parts of each thing into the one that stands for it, and
// returns which symbols have gone into which.
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

// main returns the part that stands for all: the declaration in a header, which
// is what users see; else the definition; else the first.
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

// complete adds what another declaration of the same thing says.
func (s *Symbol) complete(other Symbol) {
	if s.Doc == "" {
		s.Doc = other.Doc
	}
	s.Part = s.Part && other.Part
	s.Exported = s.Exported || other.Exported
	s.BodyHash = joinHashes(s.BodyHash, other.BodyHash)
	s.Broken = s.Broken || other.Broken
	s.Bases = union(s.Bases, other.Bases)
	s.Decorators = union(s.Decorators, other.Decorators)
	if s.Value == "" {
		s.Value = other.Value
	}
	for _, m := range other.Members {
		s.join(m)
	}
}

// join adds a member that is declared elsewhere: to the declaration it defines, to
// the overloads of its name, or as a new one.
func (s *Symbol) join(m Symbol) {
	same := func(x Symbol) bool {
		return x.Name == m.Name && x.Static == m.Static && x.Kind == m.Kind
	}
	i := slices.IndexFunc(s.Members, same)
	if i < 0 && m.Kind == Method { // where a method is defined it need not say "static"
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

// define adds what a definition outside its class says to the declaration in it,
// which C++ always has: the one that lacks a body before one that has none of its
// own to lack, as a pure virtual function.
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

// union adds the texts of b that a lacks.
func union(a, b []string) []string {
	a = slices.Clip(a)
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}

// maxOverloads is how many signatures of a name are kept. Nobody writes so many; what
// is made by machines may declare a name a hundred thousand times.
const maxOverloads = 1000

// AddOverload adds another signature of the same name to the function s. Behind the
// first thousand only the hash tells of it.
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

// AddBody adds another declaration of the same name to s without a signature of
// its own: the implementation behind overloads.
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

// joinHashes returns one hash for two; the other one where one is missing.
func joinHashes(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return shortHash(a + b)
}

// shortHash returns 16 hex digits of SHA-256.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
