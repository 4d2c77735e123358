package resolve

import "strings"

// javaLanguage implements Java: files of one package see each other; methods, fields and types have separate
// namespaces; a type inherits overloads of its own methods.
func javaLanguage() *language {
	l := jvmLanguage()
	l.bind, l.staticsToo = bindJava, true
	return l
}

// bindJava binds the type of an import, or the members of a static import. Imports with "*" are searched last.
func bindJava(u *unit, i int) {
	imp := &u.file.Imports[i]
	for _, name := range imp.Named {
		switch {
		case name == "*": // see jvmOuter
		case strings.HasSuffix(imp.Module, "."+name):
			u.bindName(name, binding{i, imp.Module})
		default:
			u.bindName(name, binding{i, imp.Module + "." + name})
			u.bindName(name+called, binding{i, imp.Module + "." + name + called})
		}
	}
}
