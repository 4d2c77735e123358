package resolve

import (
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// phpLanguage implements PHP: classes, functions and constants are global, by namespace; use declares aliases;
// functions and constants in the global namespace are visible everywhere.
func phpLanguage() *language {
	return &language{
		visible: phpVisible, imported: phpImported, outer: phpOuter,
		opened:       func(u *unit, scope int32) string { return u.facts.Scopes[scope].Name },
		constructors: []string{"__construct"}, callables: []string{"__invoke"},
		element: lastArgument, generic: phpGeneric, hoists: true,
	}
}

// phpGlobal is the global namespace.
const phpGlobal = `\`

// phpVisible makes declarations in a namespace visible, except variables.
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

// phpImported returns the meaning of a use.
func phpImported(l *Linker, u *unit, b binding) values {
	return l.phpFull(u, strings.TrimPrefix(u.file.Imports[b.index].Module, `\`))
}

// phpFull returns the meaning of a full name.
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

// nearTo returns the declarations nearest to the file: others are for tests or other builds.
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

// phpSpaceOf returns the namespace of a scope.
func phpSpaceOf(u *unit, scope int32) string {
	if s := u.around(scope, code.SpaceScope); s > 0 {
		return u.facts.Scopes[s].Name
	}
	return ""
}

// phpOuter looks up a name in other files: a qualified one by the meaning of its first part, others in the current
// and the global namespace. An undeclared name is built in or from a package.
func phpOuter(l *Linker, u *unit, scope int32, name string) values {
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

// lastArgument returns the elements of a generic type: Collection<int, User> contains users.
func lastArgument(_ *Linker, v value) values { return v.arg(len(v.args) - 1) }

// phpGeneric converts iterable types to lists.
func phpGeneric(_ *Linker, name string, args []values) (value, bool) {
	switch name = name[strings.LastIndexByte(name, '\\')+1:]; name {
	case "Generator", "Traversable", "Iterator", "IteratorAggregate", "ArrayIterator", "ArrayObject", "SplObjectStorage":
		if len(args) > 0 {
			return listOf(args[min(len(args)-1, 1)]), true
		}
	}
	return value{}, false
}
