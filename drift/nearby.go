package drift

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// maxNearby limits how many files are read for the types that a file of TypeScript can have from others.
const maxNearby = 60

// A neighbourhood has the classes and interfaces in a file of TypeScript and in those that it imports, directly or through others. Files are
// read when a name is asked for that those before do not have.
type neighbourhood struct {
	files []string // in the order of their distance
	read  int      // how many of them were read
	types map[string]neighbour
	// aliases are those of the files that were read, as they are written there.
	aliases tsAliases
}

// A neighbour is a declared type, with the file that it is in.
type neighbour struct {
	symbol *code.Symbol
	file   string
}

// nearby returns the class or interface of a name in the nearest file that the file of a declaration imports, and the aliases of that file;
// nil if there is none.
func (d *differ) nearby(side *code.Skeleton, of *code.Symbol, name string) (*code.Symbol, tsAliases) {
	around := d.scripts[side]
	n := d.neighbourhood(side, of)
	if n == nil {
		return nil, nil
	}
	for n.types[name].symbol == nil && n.read < min(len(n.files), maxNearby) {
		n.readNext(around)
	}
	found := n.types[name]
	if found.symbol == nil {
		return nil, nil
	}
	return found.symbol, around.aliasesIn(found.file, around.of(found.file), maxImports)
}

// neighbourhood returns what the file of a declaration can have from others; nil if these are not known.
func (d *differ) neighbourhood(side *code.Skeleton, of *code.Symbol) *neighbourhood {
	if of == nil || d.scripts[side].of == nil {
		return nil
	}
	scope := aliasScope{side, of.File}
	if d.near[scope] == nil {
		d.near[scope] = &neighbourhood{files: []string{of.File}, types: map[string]neighbour{}, aliases: tsAliases{}}
	}
	return d.near[scope]
}

// newAliases returns the aliases that a declaration can have from the files around it, without those of which the other side has the name.
func (d *differ) newAliases(p pair) (before, now tsAliases) {
	var names [2]tsAliases
	for i, side := range []*code.Skeleton{d.base, d.now} {
		of := [2]*code.Symbol{p.old, p.now}[i]
		names[i] = d.tsAliases(side, of)
		if n := d.neighbourhood(side, of); n != nil {
			for n.read < min(len(n.files), maxNearby) {
				n.readNext(d.scripts[side])
			}
			names[i] = n.aliases
		}
	}
	return names[0].without(names[1]), names[1].without(names[0])
}

// readNext adds the types of the next file, and the files that it imports.
func (n *neighbourhood) readNext(around scripts) {
	file := n.files[n.read]
	n.read++
	all := around.of(file)
	if all == nil {
		return
	}
	for _, list := range [][]code.Symbol{all.Exports, all.Internals} {
		for i := range list {
			if s := &list[i]; s.Kind.HoldsMembers() && n.types[s.Name].symbol == nil {
				n.types[s.Name] = neighbour{s, file}
			}
		}
	}
	eachAlias(all, func(sym *code.Symbol, alias tsAlias) {
		if _, known := n.aliases[sym.Name]; !known && alias.body != "" {
			n.aliases[sym.Name] = alias
		}
	})
	for i := range all.Imports {
		if !all.Imports[i].Relative {
			continue
		}
		if to := around.target(file, all.Imports[i].Module); to != "" && !slices.Contains(n.files, to) {
			n.files = append(n.files, to)
		}
	}
}

// fromNearby returns the member that a class or an interface of TypeScript has from those in other folders that it extends, in place of one
// that it declared or declares itself; nil for none.
func (d *differ) fromNearby(side *code.Skeleton, class, m *code.Symbol, depth int) *code.Symbol {
	if depth == 0 || m.Kind == code.Constructor {
		return nil
	}
	for _, text := range class.Bases {
		base, _ := d.nearby(side, class, baseName(text))
		if base == nil || base == class {
			continue
		}
		for i := range base.Members {
			if other := &base.Members[i]; other.Name == m.Name && other.Static == m.Static && other.Visibility != code.Private {
				return other
			}
		}
		if other := d.fromNearby(side, base, m, depth-1); other != nil {
			return other
		}
	}
	return nil
}

// inheritedBy returns the member that a class has from those that it extends; nil for none.
func (d *differ) inheritedBy(p pair, side *code.Skeleton, class, m *code.Symbol) *code.Symbol {
	if other := p.compat.fromBase(side, class, m); other != nil || p.compat.name != "typescript" {
		return other
	}
	return d.fromNearby(side, class, m, maxImports)
}
