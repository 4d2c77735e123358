package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// phpLanguage: classes, functions and constants are known to all files by their
// namespace; a use gives them another name; functions and constants of no namespace
// are known everywhere.
func phpLanguage() *language {
	return &language{
		visible: phpVisible, imported: phpImported, beyond: phpBeyond,
		opened:       func(u *unit, scope int32) string { return u.facts.Scopes[scope].Name },
		constructors: []string{"__construct"}, callables: []string{"__invoke"},
		element: lastArgument, generic: phpGeneric, hoists: true,
	}
}

// phpGlobal is the namespace without a name.
const phpGlobal = `\`

// phpVisible shows what stands in a namespace, but variables.
func phpVisible(u *unit, _ string, scope int32, d *decl) (string, bool) {
	s := &u.facts.Scopes[scope]
	switch {
	case strings.HasPrefix(d.def.Name, "$"), d.def.Kind == code.DefSpace:
		return "", false
	case scope == 0:
		return phpGlobal, true
	case s.Kind == code.SpaceScope && s.Name != "":
		return s.Name, true
	}
	return "", false
}

// phpImported returns what a use names.
func phpImported(l *Linker, u *unit, b binding) values {
	return l.phpFull(u, strings.TrimPrefix(u.file.Imports[b.index].Module, `\`))
}

// phpFull returns what a full name means.
func (l *Linker) phpFull(u *unit, name string) values {
	space, last := phpGlobal, name
	if i := strings.LastIndexByte(name, '\\'); i >= 0 {
		space, last = name[:i], name[i+1:]
	}
	if found := l.nearTo(u, l.spaceMember(u.language.family, space, last)); len(found) > 0 {
		return found
	}
	return values{externalOf(name)}
}

// nearTo leaves of several declarations of one name those that stand nearest to the
// file: others are made for tests, or for other builds.
func (l *Linker) nearTo(u *unit, found values) values {
	if len(found) < 2 {
		return found
	}
	var out values
	best := -1
	for _, v := range found {
		n := 0
		if v.decl != nil {
			n = nearness(u.file.Path, v.decl.unit.file.Path)
		}
		if n > best {
			out, best = nil, n
		}
		if n == best {
			out = append(out, v)
		}
	}
	return out
}

// phpSpaceOf is the namespace around a scope.
func phpSpaceOf(u *unit, scope int32) string {
	if s := u.around(scope, code.SpaceScope); s > 0 {
		return u.facts.Scopes[s].Name
	}
	return ""
}

// phpBeyond looks up a name of another file: a qualified one by what its first part
// means, another one in the namespace around and outside all. What is declared
// nowhere is PHP's own, or of a package.
func phpBeyond(l *Linker, u *unit, scope int32, name string) values {
	if strings.HasPrefix(name, "$") {
		return nil
	}
	space := phpSpaceOf(u, scope)
	first, rest, qualified := strings.Cut(name, `\`)
	switch {
	case qualified && first == "":
		return l.phpFull(u, rest)
	case qualified && strings.EqualFold(first, "namespace"):
		return l.phpFull(u, strings.TrimPrefix(space+`\`+rest, `\`))
	case qualified:
		if bound := u.imports[first]; len(bound) > 0 {
			return l.phpFull(u, strings.TrimPrefix(u.file.Imports[bound[0].index].Module, `\`)+`\`+rest).by(Imported)
		}
		return l.phpFull(u, strings.TrimPrefix(space+`\`+name, `\`)).by(SamePackage)
	}
	if space != "" {
		if found := l.nearTo(u, l.spaceMember(u.language.family, space, name)); len(found) > 0 {
			return found.by(SamePackage)
		}
	}
	return l.phpFull(u, name).by(SamePackage)
}

// lastArgument is what iterating over a value of a type with type arguments gives:
// Collection<int, User> gives users.
func lastArgument(_ *Linker, v value) values { return v.arg(len(v.args) - 1) }

// phpGeneric makes lists of what PHP iterates over.
func phpGeneric(_ *Linker, name string, args []values) (value, bool) {
	switch name = name[strings.LastIndexByte(name, '\\')+1:]; name {
	case "Generator", "Traversable", "Iterator", "IteratorAggregate", "ArrayIterator", "ArrayObject", "SplObjectStorage":
		if len(args) > 0 {
			return listOf(args[min(len(args)-1, 1)]), true
		}
	}
	return value{}, false
}
