package link

import "path"

// goLanguage: a folder's files of one package name see each other; interfaces are
// implemented by having their methods.
func goLanguage() *language {
	return &language{
		space:    func(u *unit) string { return path.Dir(u.file.Path) + " " + u.file.Package },
		imported: goImported, structural: true, receiverFirst: true,
		builtins: goBuiltins,
	}
}

// goImported returns the package that an import means, as the package of the first
// of its files.
func goImported(l *Linker, u *unit, b binding) values {
	t := u.target(b.index)
	if len(t.Files) == 0 {
		return values{externalOf(u.file.Imports[b.index].Module)}
	}
	m := l.project.units[t.Files[0]]
	if m == nil {
		return nil
	}
	return values{{kind: space, unit: m, name: m.language.space(m)}}
}

var goBuiltins = map[string]bool{"len": true}
