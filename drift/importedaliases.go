package drift

import (
	"slices"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// maxImports limits how far the imports of types are followed, from file to file.
const maxImports = 4

// maxImported limits an imported alias, in bytes: what is longer stays a name.
const maxImported = 20000

// importedAliases adds the aliases of TypeScript that a file imports from files outside its skeleton, with those that they use
// themselves replaced. Both sides see what they are now, as far as they still are there: what changed of them is told of them.
func (d *differ) importedAliases(side *code.Skeleton, file string, out tsAliases) {
	sides := []scripts{d.scripts[d.now], d.scripts[side]}
	if sides[1].of == nil {
		return
	}
	for k := range side.Imports {
		i := &side.Imports[k]
		if i.File != file {
			continue
		}
		for _, around := range sides {
			around.eachName(file, i, func(local, name, from string) {
				if _, known := out[local]; known || slices.ContainsFunc(side.Files, func(f code.Digest) bool { return f.Path == from }) {
					return
				}
				if alias, ok := around.alias(from, name, maxImports); ok {
					out[local] = alias
				}
			})
		}
	}
}

// eachName calls see for each name that an import of a file brings, with the file that it is from.
func (s scripts) eachName(file string, i *code.Import, see func(local, name, from string)) {
	if !i.Relative || len(i.Named) == 0 {
		return
	}
	from := s.target(file, i.Module)
	if from == "" {
		return
	}
	for n, name := range i.Named {
		local := name
		if n < len(i.Aliases) && i.Aliases[n] != "" {
			local = i.Aliases[n]
		}
		see(local, name, from)
	}
}

// foundAlias is what is known of a name that a file exports.
type foundAlias struct {
	alias tsAlias
	ok    bool
}

// alias returns the alias that a file exports under a name, also of another file.
func (s scripts) alias(file, name string, depth int) (alias tsAlias, ok bool) {
	key := file + "\x00" + name
	if known, seen := s.found[key]; seen {
		return known.alias, known.ok
	}
	s.found[key] = foundAlias{} // what names itself
	alias, ok = s.read(file, name, depth)
	s.found[key] = foundAlias{alias, ok}
	return alias, ok
}

func (s scripts) read(file, name string, depth int) (alias tsAlias, ok bool) {
	all := s.of(file)
	if all == nil || depth == 0 {
		return alias, false
	}
	i := slices.IndexFunc(all.Exports, func(sym code.Symbol) bool { return sym.Name == name && group(sym.Kind) == "type" })
	if i >= 0 {
		sym := &all.Exports[i]
		if sym.Kind != code.TypeDef {
			return alias, false
		}
		own := s.aliasesIn(file, all, depth-1)
		delete(own, name) // of itself
		body := own.spell(uncommented(bodyOf(sym)))
		return tsAlias{parameterNames(sym.TypeParameters), defaultsOf(sym.TypeParameters), body}, len(body) < maxImported
	}
	for k := range all.Imports {
		if ok || !all.Imports[k].Reexport {
			continue
		}
		s.eachName(file, &all.Imports[k], func(local, original, from string) {
			switch {
			case ok:
			case local == name:
				alias, ok = s.alias(from, original, depth-1)
			case local == "*":
				alias, ok = s.alias(from, name, depth-1)
			}
		})
	}
	return alias, ok
}

// aliasesIn returns the aliases that a file declares or imports.
func (s scripts) aliasesIn(file string, all *code.Skeleton, depth int) tsAliases {
	out := tsAliases{}
	eachAlias(all, func(sym *code.Symbol, alias tsAlias) {
		if alias.body != "" {
			out[sym.Name] = alias
		}
	})
	for k := range all.Imports {
		s.eachName(file, &all.Imports[k], func(local, name, from string) {
			if _, known := out[local]; known || all.Imports[k].Reexport {
				return
			}
			if alias, ok := s.alias(from, name, depth-1); ok {
				out[local] = alias
			}
		})
	}
	return out
}
