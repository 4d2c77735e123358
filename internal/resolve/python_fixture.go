package resolve

import (
	"path"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// conftest is the file in which pytest looks for fixtures of the tests in its folder and below.
const conftest = "conftest.py"

// pythonFixture returns what pytest passes for a parameter of a test or fixture: the result of the function of that
// name in its class, its file, or the nearest conftest.py.
func pythonFixture(l *Linker, param *decl) values {
	u := param.unit
	if !u.file.Test && path.Base(u.file.Path) != conftest {
		return nil
	}
	requester := u.opened[param.scope]
	for s := u.facts.Scopes[param.scope].Parent; s >= 0; s = u.facts.Scopes[s].Parent {
		if f := u.fixture(s, param.name, requester); f != nil {
			return l.provided(f)
		}
	}
	l.look(param.name)
	for dir := path.Dir(u.file.Path); ; dir = path.Dir(dir) {
		if m := l.project.units[path.Join(dir, conftest)]; m != nil && m.file.Path != u.file.Path {
			if f := m.fixture(0, param.name, requester); f != nil {
				return l.provided(f)
			}
		}
		if dir == "." {
			return nil
		}
	}
}

// fixture returns the function of a name in a scope, other than the one that requests it.
func (u *unit) fixture(scope int32, name string, requester *decl) *decl {
	for d := range u.named(scope, name) {
		if d.def.Kind == code.DefFunc && d != requester {
			return d
		}
	}
	return nil
}

// provided returns the result of a fixture. What a generator yields looks like a list of it; either may be meant.
func (l *Linker) provided(f *decl) values {
	var out values
	for _, found := range l.result(declared(f), nil).by(Context) {
		if found.kind == builtin && len(found.args) > 0 {
			out = out.add(found.arg(0).by(OneOf)...)
		}
		out = out.add(found)
	}
	return out
}
