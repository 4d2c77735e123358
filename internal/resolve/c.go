package resolve

import (
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/codegraph"
)

// cFamily is the family of C and C++, whose files see each other's declarations.
const cFamily = "c"

// cLanguage implements C. Static declarations are visible in their file and in files that include it; all others
// are global to the program, one of each name, and a file that uses one has its declaration from a header. If the
// tree holds several programs, or variants for several machines, the definition nearest to the header or the caller
// is meant.
func cLanguage() *language {
	return &language{family: cFamily, visible: cVisible, outer: cOuter, defined: cDefined, choose: cChoose, prototypes: true}
}

// cVisible makes the top-level declarations of each file visible to all files.
func cVisible(_ *unit, _ string, scope int32, d *decl) (string, bool) {
	return "", scope == 0 && (d.def.Kind != code.DefVar || !d.def.Hidden)
}

// cOuter looks up a name that the file itself does not declare.
func cOuter(l *Linker, u *unit, _ int32, name string) values {
	if found := l.cSeen(u, l.project.spaces[spaceKey{cFamily, ""}].of(name)); len(found) > 0 {
		return found
	}
	if cOutside(u) {
		return values{externalOf(name)}
	}
	return nil
}

// cOutside reports whether a file may see names declared elsewhere: by a system header or, for a header, by what is
// included before it.
func cOutside(u *unit) bool {
	return cHeader(u) || slices.ContainsFunc(u.targets, func(t codegraph.Target) bool { return t.Origin != codegraph.Internal })
}

// cHeader reports whether a file is a header.
func cHeader(u *unit) bool {
	ext := strings.ToLower(path.Ext(u.file.Path))
	return strings.HasPrefix(ext, ".h") || slices.Contains([]string{".inc", ".inl", ".ipp", ".tpp", ".tcc", ".txx", ".def", ".cuh"}, ext)
}

// cSeen returns the declarations of a name that a file can see: those in the files it includes, else those of the
// program.
func (l *Linker) cSeen(u *unit, all []*decl) values {
	var included, promised, others []*decl
	for _, d := range cFunctionsFirst(all) {
		switch {
		case l.includes(u, d.unit) && d.isPrototype():
			promised = append(promised, d)
		case l.includes(u, d.unit):
			included = append(included, d)
		case d.def.Hidden && !cHeader(d.unit):
		case cHeader(d.unit) && !d.isPrototype() && l.closure(u).complete && !cHeader(u):
		default:
			others = append(others, d)
		}
	}
	if len(included) == 0 {
		included = promised
	}
	if len(included) > 0 {
		return declaredAll(cNearest(u, included)).by(Imported)
	}
	if bodies := slices.DeleteFunc(slices.Clone(others), (*decl).isPrototype); len(bodies) > 0 {
		others = bodies
	}
	return declaredAll(cNearest(u, l.ofThisProgram(u, others))).by(SamePackage)
}

// cFunctionsFirst removes macros if there are other declarations: programs use such macros to rename a function.
func cFunctionsFirst(all []*decl) []*decl {
	renames := func(d *decl) bool { return d.def.Kind == code.DefAlias && d.def.Value != 0 }
	if !slices.ContainsFunc(all, renames) {
		return all
	}
	if own := slices.DeleteFunc(slices.Clone(all), renames); len(own) > 0 {
		return own
	}
	return all
}

// ofThisProgram removes the declarations in main files of other programs, if u is that of one and there are others.
func (l *Linker) ofThisProgram(u *unit, list []*decl) []*decl {
	if len(list) < 2 || !l.definesMain(u) {
		return list
	}
	own := slices.DeleteFunc(slices.Clone(list), func(d *decl) bool {
		return d.unit.file != u.file && !cHeader(d.unit) && l.definesMain(d.unit)
	})
	if len(own) == 0 {
		return list
	}
	return own
}

// definesMain reports whether a file defines main.
func (l *Linker) definesMain(u *unit) bool {
	l.look("main")
	return slices.ContainsFunc(l.project.spaces[spaceKey{cFamily, ""}].of("main"), func(d *decl) bool { return d.unit.file == u.file && !d.isPrototype() })
}

func declaredAll(list []*decl) values {
	var out values
	for _, d := range list {
		out = out.add(declared(d))
	}
	return out
}

// cNearest returns the declarations whose files share the most folders with a file. A file in a copy of the tree
// below another folder, such as tools/, does not count if the original exists.
func cNearest(u *unit, list []*decl) []*decl {
	if len(list) < 2 {
		return list
	}
	most := -1
	var out []*decl
	for _, d := range list {
		switch n := nearness(u.file.Path, d.unit.file.Path); {
		case n > most:
			most, out = n, []*decl{d}
		case n == most:
			out = append(out, d)
		}
	}
	return slices.DeleteFunc(slices.Clone(out), func(d *decl) bool {
		return slices.ContainsFunc(out, func(o *decl) bool { return strings.HasSuffix(d.unit.file.Path, "/"+o.unit.file.Path) })
	})
}

// cDefined returns the definitions of a function that is only declared.
func cDefined(l *Linker, d *decl) []*decl {
	l.look(d.def.Name)
	return l.cDefinitions(d, l.project.spaces[spaceKey{cFamily, ""}].of(d.def.Name))
}

// cDefinitions returns the declarations in all that define d: if there are several, those in files that include the
// declaration, and of these the nearest to the file being linked, or to the declaration.
func (l *Linker) cDefinitions(d *decl, all []*decl) []*decl {
	var out, declaring []*decl
	for _, x := range all {
		if x.def.Kind != code.DefFunc || x.isPrototype() || x.def.Hidden && x.unit.file != d.unit.file && !l.includes(l.unit, x.unit) {
			continue
		}
		out = append(out, x)
		if l.includes(x.unit, d.unit) {
			declaring = append(declaring, x)
		}
	}
	if len(declaring) > 0 {
		out = declaring
	}
	out = l.ofThisProgram(l.unit, out)
	if near := cNearest(l.unit, out); len(near) == 1 || !cHeader(d.unit) {
		return near
	}
	return cNearest(d.unit, cNearest(l.unit, out))
}

// maxAlternatives is the number of definitions of a name in one folder up to which they count as alternatives for
// different builds.
const maxAlternatives = 4

// cChoose selects among several functions. Those of one file are branches of a condition, or overloads; those in a
// few files of one folder are alternatives, with lower confidence; among others there is no choice.
func cChoose(_ *Linker, _ *callSite, goals values) values {
	first := goals[0]
	oneFile := true
	for _, g := range goals {
		if g.decl == nil || first.decl == nil || path.Dir(g.decl.unit.file.Path) != path.Dir(first.decl.unit.file.Path) {
			return nil
		}
		oneFile = oneFile && g.decl.unit.file == first.decl.unit.file
	}
	switch {
	case oneFile:
		return goals
	case len(goals) > maxAlternatives:
		return nil
	}
	return goals.by(OneOf)
}

// closure is the set of files that a file includes, directly or indirectly.
type closure struct {
	files map[*code.File]bool
	// complete is set if every included header is known, at least as a system header.
	complete bool
}

// maxClosures is the number of closures that a linker caches.
const maxClosures = 512

// closure returns the include closure of a file.
func (l *Linker) closure(u *unit) *closure {
	if c := l.closures[u.file]; c != nil {
		return c
	}
	c := &closure{files: map[*code.File]bool{u.file: true}, complete: true}
	for next := []*unit{u}; len(next) > 0; next = next[1:] {
		for _, t := range next[0].targets {
			if t.Origin != codegraph.Internal {
				c.complete = c.complete && t.Origin == codegraph.Standard
				continue
			}
			for _, file := range t.Files {
				if m := l.project.units[file]; m != nil && !c.files[m.file] {
					c.files[m.file] = true
					next = append(next, m)
				}
			}
		}
	}
	if len(l.closures) >= maxClosures || l.closures == nil {
		l.closures = map[*code.File]*closure{}
	}
	l.closures[u.file] = c
	return c
}

// includes reports whether a file includes another, directly or indirectly.
func (l *Linker) includes(u, other *unit) bool { return l.closure(u).files[other.file] }
