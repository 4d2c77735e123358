package resolve

import "strings"

// javaLanguage: files of one package see each other; methods, fields and types have
// names apart; a type has the methods of its bases beside its own.
func javaLanguage() *language {
	l := jvmLanguage()
	l.bind = bindJava
	return l
}

// bindJava binds the type that an import names, or what a static one brings. What
// comes with a star is looked up when nothing else has the name.
func bindJava(u *unit, i int) {
	imp := &u.file.Imports[i]
	for _, name := range imp.Named {
		switch {
		case name == "*": // see jvmBeyond
		case strings.HasSuffix(imp.Module, "."+name):
			u.bindName(name, binding{i, imp.Module})
		default:
			u.bindName(name, binding{i, imp.Module + "." + name})
			u.bindName(name+called, binding{i, imp.Module + "." + name + called})
		}
	}
}
