package link

// cppLanguage is C with classes and namespaces.
func cppLanguage() *language {
	l := cLanguage()
	l.implicitThis, l.namedConstructors = true, true
	return l
}
