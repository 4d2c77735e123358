package drift

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// reexport is a name that a file passes on from another module.
type reexport struct {
	name string // as users see it; "* from x" for everything of a module
	from code.Import
}

// reexportsOf returns what a skeleton's files pass on, by name. Names of other
// modules in a namespace count as one name.
func reexportsOf(s *code.Skeleton) map[string]reexport {
	out := map[string]reexport{}
	for _, i := range s.Imports {
		if !i.Reexport {
			continue
		}
		if i.Namespace != "" {
			out[i.Namespace] = reexport{i.Namespace, i}
		}
		for n, name := range i.Named {
			if n < len(i.Aliases) && i.Aliases[n] != "" {
				name = i.Aliases[n]
			}
			if name == "*" {
				name = "* from " + i.Module
			}
			out[name] = reexport{name, i}
		}
	}
	return out
}

// reexports compares what modules pass on. A baseline without imports does not
// know.
func (d *differ) reexports() {
	if d.guess || d.base.Imports == nil {
		return
	}
	was, is := reexportsOf(d.base), reexportsOf(d.now)
	before, now := exportedNames(d.base.Exports), exportedNames(d.now.Exports)
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, still := is[name]; !still && d.dropped(was[name], before[name], now[name]) {
			d.passOn("reexport-removed", was[name], false)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, known := was[name]; !known && d.gained(is[name], before[name], now[name]) {
			d.passOn("reexport-added", is[name], true)
		}
	}
}

// dropped tells whether a name that is no longer passed on is missed. One that
// is declared in its place is not; one that is gone altogether has its own item;
// of another module's names all must still be there.
func (d *differ) dropped(r reexport, declaredBefore, declaredNow bool) bool {
	if strings.HasPrefix(r.name, "* ") {
		return d.stays(r.from)
	}
	return declaredBefore == declaredNow
}

// gained tells whether a name that is now passed on is new to users. One that
// was declared in its place is not; one that was declared and passed on at once
// has its own item, and so has one that moved.
func (d *differ) gained(r reexport, declaredBefore, declaredNow bool) bool {
	return !strings.HasPrefix(r.name, "* ") && declaredBefore == declaredNow && !d.reported[id("file-moved", r.name)]
}

// stays tells whether the module of an import is still there: one of another
// package, or a file of the code as it is.
func (d *differ) stays(i code.Import) bool {
	if !i.Relative {
		return true
	}
	stem := strings.TrimSuffix(path.Base(i.Module), path.Ext(i.Module))
	return slices.ContainsFunc(d.now.Files, func(f code.Digest) bool {
		base := path.Base(f.Path)
		base, _, _ = strings.Cut(base, ".")
		return base == stem || base == "index" && path.Base(path.Dir(f.Path)) == stem
	})
}

// entries are files that pass on what others declare, by their names' stems.
var entries = []string{"index", "__init__", "lib", "mod"}

// entryFile returns the one file that passes things on, "" when there are
// several or none.
func entryFile(s *code.Skeleton) string {
	found := ""
	for _, f := range s.Files {
		stem, _, _ := strings.Cut(path.Base(f.Path), ".")
		if !slices.Contains(entries, stem) {
			continue
		}
		if found != "" {
			return ""
		}
		found = f.Path
	}
	return found
}

func (d *differ) passOn(rule string, r reexport, added bool) {
	text := "export " + r.name + " from " + r.from.Module
	if strings.HasPrefix(r.name, "* ") {
		text = "export " + r.name
	}
	s := &code.Symbol{Name: r.name, Signature: text, StartLine: r.from.Line}
	p := pair{name: r.name, habits: d.habits(s)}
	c := change{what: r.from.Module}
	if added {
		p.now, c.now, s.File = s, text, entryFile(d.now)
	} else {
		p.old, c.old, s.File = s, text, entryFile(d.base)
	}
	d.add(rule, p, c)
}

func exportedNames(list []code.Symbol) map[string]bool {
	out := map[string]bool{}
	for i := range list {
		out[list[i].Name] = true
		if list[i].Default {
			out["default"] = true
		}
	}
	return out
}
