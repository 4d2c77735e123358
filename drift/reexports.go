package drift

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// reexport is a name that a file re-exports from another module.
type reexport struct {
	name string // as users see it; "* from x" for all names of a module
	from code.Import
}

// reexportsOf returns the re-exports of a skeleton, by name. A namespace counts as one name.
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
			if name == "_" { // Rust: nobody can name it
				continue
			}
			if name == "*" {
				name = "* from " + i.Module
			}
			out[name] = reexport{name, i}
		}
	}
	return out
}

// reexports compares re-exports. A baseline without imports is not compared.
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

// dropped reports whether users miss a removed re-export. They do not if the name is now
// declared in its place; a name that is gone altogether has its own item; "* from x" counts
// only if x still exists.
func (d *differ) dropped(r reexport, declaredBefore, declaredNow bool) bool {
	if strings.HasPrefix(r.name, "* ") {
		return d.stays(r.from)
	}
	inPlace := func(s code.Symbol) bool { return s.Name == r.name && s.File == r.from.File && s.File != "" }
	return declaredBefore == declaredNow && !slices.ContainsFunc(d.now.Exports, inPlace)
}

// gained reports whether an added re-export is new to users. It is not if the name was
// declared in its place; a name that is newly declared or moved has its own item.
func (d *differ) gained(r reexport, declaredBefore, declaredNow bool) bool {
	return !strings.HasPrefix(r.name, "* ") && declaredBefore == declaredNow && !d.reported[id("file-moved", r.name)]
}

// stays reports whether the module of an import still exists: it is another package, or a file
// of the current code.
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

// entries are the base names of files that re-export.
var entries = []string{"index", "__init__", "lib", "mod"}

// entryFile returns the only file that re-exports, or "" if there are several or none.
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
	p := pair{name: r.name, compat: d.compat(s)}
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
