package resolve

// constructed returns the value made by calling a type, with type arguments inferred from the constructor's
// parameters.
func (l *Linker) constructed(t value, c *callSite) values {
	if t.isObject() {
		return l.objectCallResult(t, c)
	}
	v := t
	v.kind, v.how = instance, weakest(t.how, Constructed)
	if c == nil || len(t.args) > 0 || len(t.decl.typeParams()) == 0 {
		return values{v}
	}
	if makers := l.fitting(c, l.constructors(t)); len(makers) > 0 && makers[0].kind == function {
		e := l.inferred(c, makers[0])
		args := make([]values, 0, 2)
		for _, p := range t.decl.typeParams() {
			bound, _ := e.lookup(p)
			args = append(args, bound)
		}
		v = v.withArgs(args...)
	}
	return values{v}
}

// constructors returns the constructors of a type: its own, else those of a base, else the type itself.
func (l *Linker) constructors(t value) values {
	if t.isObject() {
		return l.objectTargets(t)
	}
	on := t
	on.kind = instance
	names := t.decl.unit.language.constructors
	if t.decl.unit.language.namedConstructors {
		names = []string{t.decl.def.Name}
	}
	for _, name := range names {
		l.look(name)
		out := functionsOf(l.ownMember(on, name))
		if len(out) == 0 {
			out = functionsOf(l.typeMember(on, name, 0))
		}
		if len(out) > 0 {
			return out.by(t.how)
		}
	}
	if foreign := t.decl.unit.language.foreign; foreign != nil && foreign(t.decl) {
		return values{externalOf(t.decl.def.Name)}
	}
	return values{t}
}

// functionsOf returns the values that are declared functions.
func functionsOf(vs values) values {
	return vs.only(func(v *value) bool { return v.kind == function && v.decl != nil })
}
