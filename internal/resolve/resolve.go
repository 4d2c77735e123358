// Package resolve works out what the names in a project's files mean: who calls
// whom, who builds on what, who uses what.
//
// A file comes with its facts (see [code.Facts]): scopes, bindings and
// expressions. [New] takes the files of a project; [Project.Link] evaluates the
// expressions of one of them, by the scopes around a name, the imports of the
// file and the package it is in, and for a member by the type of the value before
// it: as declared, as constructed, as a call returns it. Nothing is guessed from
// a name that merely looks alike: what is not known stays without an edge and is
// counted by its reason. Every edge says by which rule it was found; see [Rule].
//
// What languages do in their own way is a value in a table, one file each.
package resolve

import (
	"cmp"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// Project is the files of a project, ready to be linked. Once it has linkers it does
// not change, and may be used from several goroutines, each with its own [Linker].
type Project struct {
	ids    uint32 // given out to units and declarations
	units  map[string]*unit
	spaces map[spaceKey]map[string][]*decl // what the files of one package declare
	under  map[string][]*decl              // last name of a base -> the types built on it
	adding map[string][]outsider           // last name of a base -> the bodies outside a type that say it is built on it
	// outside holds by the last name of a type what is declared for it elsewhere:
	// methods with an owner, and the bodies of extensions.
	outside map[string][]outsider
	// packages are the names of packages with dots, and what they begin with.
	packages map[string]bool
	folders  map[string]int     // how many files a folder holds
	known    map[string]bool    // names that packages have
	inside   map[string]uint8   // name -> whether types have such members, or types inside; see inTypes
	methods  map[string][]*decl // name -> methods, for structural interfaces and unique names
	oracle   Oracle             // who is asked first; may be nil
}

// spaceKey is a package of a family of languages.
type spaceKey struct{ family, name string }

// outsider is a method or a body of members that is declared outside its type.
type outsider struct {
	unit  *unit
	scope int32 // a FuncScope or TypeScope with an Owner
	decl  *decl // the method; nil for a body
}

// Edge is one thing that a file says about its symbols.
type Edge struct {
	From   int    // the ordinal of a symbol, of the file itself for 0
	Of     string // the file of From, where it is another: of a method's type; else ""
	Path   string // the file or folder of the target; the name of an external package
	To     int    // the ordinal of the target in it, [Folder] or [Package]
	Type   codegraph.Relationship
	Line   int
	Count  int
	Rule   Rule
	Weight float32 // the confidence: that of the rule, less where several targets stand side by side
}

// What an edge leads to that is no symbol.
const (
	Folder  = -1 // the folder Path, as the package of its files
	Package = -2 // the package of others called Path
)

// Result is what linking one file gives.
type Result struct {
	Symbols []Symbol // of the file; the index is the ordinal
	Edges   []Edge   // sorted; one for each (From, Type, Path, To)
	// Unresolved counts call sites without an edge by the reason.
	Unresolved map[Reason]int
	// Lookups are hashes of the names that were asked for in other files, sorted.
	// A change of what such a name means may change this result; no other can.
	Lookups []uint32
}

// New makes files ready. Their imports are resolved: r is of these files. Of their
// facts the head is enough; see [code.Facts.Head]. Files without facts have no
// symbols but themselves.
func New(files []*code.File, r *codegraph.Resolution) *Project {
	p := &Project{
		units: make(map[string]*unit, len(files)), spaces: map[spaceKey]map[string][]*decl{},
		under: map[string][]*decl{}, adding: map[string][]outsider{}, outside: map[string][]outsider{}, methods: map[string][]*decl{},
		packages: map[string]bool{}, folders: map[string]int{}, inside: map[string]uint8{}, known: map[string]bool{},
	}
	list := slices.Clone(files)
	slices.SortFunc(list, func(a, b *code.File) int { return cmp.Compare(a.Path, b.Path) })
	for _, u := range p.newUnits(list, r) {
		p.folders[path.Dir(u.file.Path)]++
		p.units[u.file.Path] = u
	}
	for _, f := range list {
		p.enter(p.units[f.Path])
	}
	return p
}

// newUnits makes the units of files, several at once. Each has a range of ids of its
// own.
func (p *Project) newUnits(list []*code.File, r *codegraph.Resolution) []*unit {
	known := map[string]*language{}
	first := make([]uint32, len(list))
	for i, f := range list {
		if known[f.Language] == nil {
			known[f.Language] = languageOf(f.Language)
		}
		first[i] = p.ids
		p.ids++
		if f.Facts != nil {
			for s := range f.Facts.Scopes {
				p.ids += uint32(len(f.Facts.Scopes[s].Defs))
			}
		}
	}
	units := make([]*unit, len(list))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(list); i = int(next.Add(1)) - 1 {
				f := list[i]
				units[i] = newUnit(f, r.Targets[f.Path], known[f.Language], &first[i])
				units[i].forget()
			}
		})
	}
	wg.Wait()
	return units
}

// Symbols returns the symbols of a file that its facts, or their head, hold; nil for
// a file that is not there.
func (p *Project) Symbols(path string) []Symbol {
	u := p.units[path]
	if u == nil {
		return nil
	}
	whole := *u
	whole.findSymbols()
	return whole.symbols
}

// enter puts what a file declares into the project's indexes.
func (p *Project) enter(u *unit) {
	for s := range u.facts.HeadScopes {
		scope := &u.facts.Scopes[s]
		for _, b := range scope.Bases {
			switch d, name := u.opened[int32(s)], u.lastName(b.Type); {
			case name == "":
			case d != nil:
				p.under[name] = append(p.under[name], d)
			case scope.Owner != 0:
				p.adding[name] = append(p.adding[name], outsider{u, int32(s), nil})
			}
		}
		if scope.Owner != 0 {
			if name := u.lastName(scope.Owner); name != "" {
				p.outside[name] = append(p.outside[name], outsider{u, int32(s), u.opened[int32(s)]})
			}
		}
		p.enterDefs(u, int32(s))
	}
}

// enterDefs enters what a scope binds: what its package can see, and methods.
func (p *Project) enterDefs(u *unit, scope int32) {
	space := u.language.space(u)
	for _, d := range u.decls[scope][:u.facts.Scopes[scope].HeadDefs] {
		if typeScope(&u.facts.Scopes[scope]) {
			p.inside[d.name] = max(p.inside[d.name], inTypes(d.isType()))
		}
		if d.def.Kind == code.DefFunc && (d.owner() != nil || u.ownerRef(d) != 0) {
			p.methods[d.name] = append(p.methods[d.name], d)
		}
		if name, ok := u.language.visible(u, space, scope, d); ok {
			key := spaceKey{u.language.family, name}
			if p.spaces[key] == nil {
				p.spaces[key] = map[string][]*decl{}
				for part := name; part != ""; part = part[:max(strings.LastIndexByte(part, '.'), 0)] {
					p.packages[part] = true
				}
			}
			p.known[d.def.Name] = true
			p.spaces[key][d.name] = append(p.spaces[key][d.name], d)
		}
	}
}
