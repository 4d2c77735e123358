// Package resolve finds the meaning of names in a project's files: calls, uses and base types.
//
// A file comes with its facts (see [code.Facts]): scopes, bindings and expressions. [New] indexes the files of a
// project. A [Linker] evaluates the expressions of one file at a time, using the scopes around a name, the imports
// and the package of the file, and for a member the type of its receiver: as declared, as constructed, as returned
// by a call. Nothing is guessed from similar names: an unresolved call gets no edge and is counted by [Reason].
// Every [Edge] records the [Rule] that found it.
//
// The rules of each language are a value in a table, one file per language.
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

// Project is the indexed files of a project. Once linkers are made it does not change, and is safe for concurrent
// use by several linkers.
type Project struct {
	ids    uint32 // next id of units and declarations
	units  map[string]*unit
	spaces map[spaceKey]*names   // declarations by package
	under  map[string][]*decl    // last name of a base -> the types that declare it as base
	adding map[string][]outsider // last name of a base -> the extensions that declare it as base
	// outside holds what is declared outside a type, by the type's last name: methods with an owner, and bodies of
	// extensions.
	outside map[string][]outsider
	aliases map[string][]string // last name of a type -> the aliases of types of that name
	// packages are the dotted package names and their prefixes.
	packages map[string]bool
	folders  map[string]int     // number of files per folder
	known    map[string]bool    // names visible in packages of C#
	inside   map[string]uint8   // name -> whether types have such members or nested types; see inTypes
	methods  map[string][]*decl // name -> methods, for structural interfaces and unique names
	oracle   Oracle             // takes precedence; may be nil
}

// spaceKey is a package in a family of languages.
type spaceKey struct{ family, name string }

// outsider is a method or extension body declared outside its type.
type outsider struct {
	unit  *unit
	scope int32 // a FuncScope or TypeScope with an Owner
	decl  *decl // the method; nil for a body
}

// Edge is a relationship found in a file.
type Edge struct {
	From   int    // ordinal of a symbol; 0 for the file itself
	Of     string // the file of From if it is another one, as for the type of a method; else ""
	Path   string // file or folder of the target; name of an external package or type
	To     int    // ordinal of the target in it, or [Folder], [Package], [ExternalType] or [ExternalMethod]
	Type   codegraph.Relationship
	Line   int
	Count  int
	Rule   Rule
	Weight float32 // confidence: that of the rule, divided among alternative targets
}

// Targets that are not symbols.
const (
	Folder  = -1 // the folder Path, as a package
	Package = -2 // the external package called Path
	// ExternalType is a type that is not declared in the project: of a library, or built into the language. Its Path is a
	// dotted name, "net.http.Handler".
	ExternalType = -3
	// ExternalMethod is a method of such a type; its Path is "net.http.Handler.ServeHTTP".
	ExternalMethod = -4
)

// Result is the result of linking a file.
type Result struct {
	Symbols []Symbol // of the file, by ordinal
	Edges   []Edge   // sorted; unique by (From, Type, Path, To)
	// Unresolved counts call sites without an edge, by reason.
	Unresolved map[Reason]int
	// Lookups are hashes of the names looked up in other files, sorted. Only a change of the meaning of such a name
	// can change this result.
	Lookups []uint32
}

// New indexes files. R must be the resolution of their imports. The head of their facts suffices; see
// [code.Facts.Head]. A file without facts has only the symbol for itself.
func New(files []*code.File, r *codegraph.Resolution) *Project {
	p := &Project{}
	list := slices.Clone(files)
	slices.SortFunc(list, func(a, b *code.File) int { return cmp.Compare(a.Path, b.Path) })
	p.enterAll(p.newUnits(list, r))
	return p
}

// Part returns a project of some of the files, by path, as if [New] had got no others. It shares memory with p.
func (p *Project) Part(paths []string) *Project {
	part := &Project{ids: p.ids, oracle: p.oracle}
	var units []*unit
	for _, file := range slices.Compact(slices.Sorted(slices.Values(paths))) {
		if u := p.units[file]; u != nil {
			units = append(units, u)
		}
	}
	part.enterAll(units)
	return part
}

// enterAll fills the indexes of p with units, which are sorted by path.
func (p *Project) enterAll(units []*unit) {
	p.units, p.spaces = make(map[string]*unit, len(units)), map[spaceKey]*names{}
	p.under, p.methods = map[string][]*decl{}, map[string][]*decl{}
	p.adding, p.outside, p.aliases = map[string][]outsider{}, map[string][]outsider{}, map[string][]string{}
	p.packages, p.folders, p.inside, p.known = map[string]bool{}, map[string]int{}, map[string]uint8{}, map[string]bool{}
	for _, u := range units {
		p.folders[path.Dir(u.file.Path)]++
		p.units[u.file.Path] = u
	}
	for _, u := range units {
		p.enter(u)
	}
	for _, all := range p.spaces {
		all.index()
	}
	for _, u := range units {
		u.inSpace = p.spaces[spaceKey{u.language.family, u.space}]
	}
}

// newUnits makes the units of files concurrently, each with a range of ids.
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

// Symbols returns the symbols of a file, as far as its facts or their head contain them; nil for an unknown file.
func (p *Project) Symbols(path string) []Symbol {
	u := p.units[path]
	if u == nil {
		return nil
	}
	whole := *u
	whole.findSymbols()
	return whole.symbols
}

// enter adds a file's declarations to the indexes.
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

// isCallable reports whether a binding is a method or, in Ruby, another name of one.
func (d *decl) isCallable() bool {
	return d.def.Kind == code.DefFunc || d.def.Kind == code.DefField && d.unit.language.only != nil && isLower(d.name)
}

// outsiders returns what is declared outside types of a name, or of an alias of them.
func (p *Project) outsiders(name string) []outsider {
	if len(p.aliases[name]) == 0 {
		return p.outside[name]
	}
	out, names := []outsider(nil), []string{name}
	for i := 0; i < len(names); i++ {
		out = append(out, p.outside[names[i]]...)
		for _, alias := range p.aliases[names[i]] {
			if !slices.Contains(names, alias) {
				names = append(names, alias)
			}
		}
	}
	return out
}

// enterAlias adds another name of the types of a name.
func (p *Project) enterAlias(of, name string) {
	if of != "" && of != name && !slices.Contains(p.aliases[of], name) {
		p.aliases[of] = append(p.aliases[of], name)
	}
}

// enterDefs adds the bindings of a scope: those visible in the package, and methods.
func (p *Project) enterDefs(u *unit, scope int32) {
	for _, d := range u.decls[scope][:u.facts.Scopes[scope].HeadDefs] {
		if typeScope(&u.facts.Scopes[scope]) {
			p.inside[d.name] = max(p.inside[d.name], inTypes(d.isType()))
		}
		if d.def.Kind == code.DefAlias {
			p.enterAlias(u.lastName(d.def.Type), d.def.Name)
		}
		if d.isCallable() && (d.owner() != nil || u.ownerRef(d) != 0) {
			p.methods[d.name] = append(p.methods[d.name], d)
		}
		if name, ok := u.language.visible(u, u.space, scope, d); ok {
			key := spaceKey{u.language.family, name}
			if p.spaces[key] == nil {
				p.spaces[key] = &names{}
				for part := name; part != ""; part = part[:max(strings.LastIndexByte(part, '.'), 0)] {
					p.packages[part] = true
				}
			}
			if u.language.family == csharpFamily {
				p.known[d.def.Name] = true
			}
			p.spaces[key].add(d)
		}
	}
}
