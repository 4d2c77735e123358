package settings

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// factories returns what the keys of a program with NestJS are made of: those of registerAs("name", () => ({ … })), and of
// the functions that ConfigModule.forRoot is given to load.
func (u *uses) factories() map[string]*use {
	out := map[string]*use{}
	all := u.Source
	all.Files = slices.Concat(u.Files, u.Shared)
	all.each(ecma, func(at site) {
		v := at.value
		if v.Kind != code.ValueCall || !Imports(at.file, nestConfig) {
			return
		}
		switch _, name := split(v.Text); name {
		case "registerAs":
			if space, ok := literal(v.Arg(0)); ok {
				u.factory(at.file, v.Arg(1), space, out)
			}
		case "forRoot":
			if load := v.Arg(0).Named("load"); load != nil {
				load.All(func(part *code.Value) bool {
					if part.Kind == code.ValueName {
						u.loaded(at.file, part.Text, out)
					}
					return true
				})
			}
		}
	})
	return out
}

// loaded reads the function that a file imports by a name, the only one of its file.
func (u *uses) loaded(f *code.File, name string, out map[string]*use) {
	for _, other := range slices.Concat(u.Files, u.Shared) {
		if !slices.ContainsFunc(f.Imports, func(m code.Import) bool { return m.Default == name && namesFile(f.Path, m.Module, other.Path) }) {
			continue
		}
		b := u.Bodies(other)
		if len(b.Functions) != 1 {
			continue
		}
		u.returns(other, &b.Functions[0], "", out)
	}
}

// factory reads the function that makes the values of a name space.
func (u *uses) factory(f *code.File, v *code.Value, space string, out map[string]*use) {
	if v == nil || v.Kind != code.ValueFunction {
		return
	}
	b := u.Bodies(f)
	for i := range b.Functions {
		if itoa(b.Functions[i].At) == v.Text {
			u.returns(f, &b.Functions[i], space, out)
		}
	}
}

// returns reads the object that a function without branches returns.
func (u *uses) returns(f *code.File, body *code.Body, space string, out map[string]*use) {
	for i := range body.Stmts {
		st := &body.Stmts[i]
		if st.Op != code.StmtReturn && st.Op != code.StmtResult || st.Value == nil {
			continue
		}
		v := st.Value
		for _, b := range u.Bodies(f).Bindings {
			if v.Kind == code.ValueName && b.In == "" && b.Name == v.Text {
				v = &b.Value
				break
			}
		}
		u.entries(f, v, space, out)
		return
	}
}

// entries reads the members of an object, and of the objects in it.
func (u *uses) entries(f *code.File, v *code.Value, space string, out map[string]*use) {
	if v.Kind != code.ValueObject {
		return
	}
	for i := range v.Args {
		m := &v.Args[i]
		if m.Name == "" {
			continue
		}
		key := strings.TrimPrefix(space+"."+m.Name, ".")
		if m.Kind == code.ValueObject {
			u.entries(f, m, key, out)
			continue
		}
		var read []use
		walk(site{file: f, value: m}, func(at site) {
			if r, ok := u.read(at); ok && r.param < 0 && !r.Key && !slices.ContainsFunc(read, func(k use) bool { return k.Name == r.Name }) {
				read = append(read, r)
			}
		})
		entry := use{}
		switch {
		case len(read) == 0:
			entry.Default = Written(m)
		case len(read) == 1:
			entry = read[0]
			entry.Also = append([]string{entry.Name}, entry.Also...)
		default: // what is used if none of them is set is not known
			for i := range read {
				entry.Also = append(entry.Also, read[i].Name)
			}
		}
		out[key] = &entry
	}
}

// made takes over what a factory makes a key of: variables with a default, or a value.
func (s *Setting) made(from *use) {
	s.Type = or(s.Type, from.Type)
	s.Required = s.Required && from.Default == "" && len(from.Also) < 2
	s.Default = or(s.Default, from.Default)
	s.Also = append(s.Also, from.Also...)
}

// namesFile reports whether an import of a file means another one.
func namesFile(from, module, file string) bool {
	for _, end := range []string{".ts", ".js", "/index.ts", "/index.js"} {
		if joined(from, module)+end == file {
			return true
		}
	}
	return false
}
