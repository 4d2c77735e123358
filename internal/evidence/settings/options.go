package settings

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// options reads the settings of ASP.NET: the members of the classes that sections are bound to, and connection strings.
type options struct {
	spring
}

func readOptions(s Source) Declared {
	r := &options{spring{Source: s, classes: map[string]*springClass{}}}
	for _, f := range slices.Concat(s.Files, s.Shared) {
		if f.Language == "csharp" {
			r.index(f, "", f.Symbols)
		}
	}
	all := s
	all.Files = slices.Concat(s.Files, s.Shared)
	done := map[string]bool{}
	all.each(csharp, func(at site) {
		v := at.value
		if v.Kind != code.ValueCall {
			return
		}
		if _, name := split(v.Text); name == "GetConnectionString" {
			if s.own(at.file.Path) {
				r.connection(at)
			}
		} else if class, section := r.bound(at); class != nil && !done[class.path+section+at.file.Path] {
			done[class.path+section+at.file.Path] = true
			r.binding = at.place("")
			r.members(class, section, 0)
		}
	})
	return r.out
}

// connection reads GetConnectionString("Name").
func (r *options) connection(at site) {
	name, ok := literal(at.value.Arg(0))
	if !ok {
		return
	}
	s := Setting{Name: "ConnectionStrings:" + name, Key: true, In: at.in, At: []Place{at.place(name)}}
	if n := len(at.around); n > 0 && throws(at.around[n-1], at.value) {
		s.Required = true
	}
	r.out.add(&s)
}

// throws reports whether a value is a choice between another one and an error.
func throws(v, inner *code.Value) bool {
	return v.Kind == code.ValueOther && len(v.Args) == 2 && inner == &v.Args[0] && v.Args[1].Kind == code.ValueOther && v.Args[1].Text == "" && len(v.Args[1].Args) == 1
}

// bound returns the class to which a call binds a section; nil for other calls.
func (r *options) bound(at site) (class *springClass, section string) {
	v := at.value
	_, name := split(v.Text)
	kind := v.Named(code.TypeArgument)
	switch name {
	case "Configure":
		section = r.section(at, v.Arg(0))
	case "Get":
		if section = r.section(at, v.Arg(0)); len(positional(v)) == 0 {
			before, _ := split(v.Text)
			section = r.assigned(at, before)
		}
	case "BindConfiguration":
		section = r.text(at, v.Arg(1))
		kind = v.Arg(0).Named(code.TypeArgument)
	case "Bind":
		section = r.section(at, v.Arg(len(positional(v))-1))
		if on := v.Arg(0); on != nil && on.Kind == code.ValueCall {
			kind = on.Named(code.TypeArgument)
		}
	}
	if section == "" || kind == nil {
		return nil, ""
	}
	return r.classes[last(kind.Text)], section
}

func positional(v *code.Value) []code.Value {
	return slices.DeleteFunc(slices.Clone(v.Args), func(a code.Value) bool { return a.Name != "" })
}

// section returns the name of the section that a value is; "" for others.
func (r *options) section(at site, v *code.Value) string {
	if v == nil {
		return ""
	}
	if v.Kind == code.ValueName {
		return r.assigned(at, v.Text)
	}
	if _, name := split(v.Text); v.Kind != code.ValueCall || name != "GetSection" && name != "GetRequiredSection" {
		return ""
	}
	out := r.text(at, v.Arg(len(positional(v))-1))
	if on := v.Arg(0); len(positional(v)) > 1 && on.Kind == code.ValueCall {
		if before := r.section(at, on); before != "" {
			out = before + ":" + out
		}
	}
	return out
}

// assigned returns the section that a variable is, or root if it is the whole configuration.
func (r *options) assigned(at site, name string) string {
	if strings.HasSuffix(strings.ToLower(name), "configuration") {
		return root
	}
	b := r.Bodies(at.file)
	for i := range b.Calls {
		if c := &b.Calls[i]; c.To == name && c.In == at.in {
			return r.section(at, &c.Value)
		}
	}
	for i := range b.Bindings {
		if b.Bindings[i].Name == name && b.Bindings[i].Value.Kind == code.ValueCall {
			return r.section(at, &b.Bindings[i].Value)
		}
	}
	return ""
}

// root is the name of the section that has all others.
const root = "."

// text returns a text, or that of the constant that a value names: Options.Section, nameof(Options).
func (r *options) text(at site, v *code.Value) string {
	if text, ok := literal(v); ok || v == nil {
		return text
	}
	if v.Kind == code.ValueCall && v.Text == "nameof" && len(v.Args) == 1 {
		return last(v.Args[0].Text)
	}
	before, name := split(v.Text)
	class := r.classes[last(before)]
	file := at.file
	if class != nil {
		file = class.file
	}
	b := r.Bodies(file)
	for i := range b.Bindings {
		if b.Bindings[i].Name == name && (class == nil || strings.HasPrefix(b.Bindings[i].In, class.path)) {
			text, _ := literal(&b.Bindings[i].Value)
			return text
		}
	}
	return ""
}

// members reads the properties of a class that a section is bound to.
func (r *options) members(c *springClass, section string, depth int) {
	for i := range c.symbol.Members {
		m := &c.symbol.Members[i]
		if m.Kind != code.Property || m.Static || strings.Contains(m.Signature, "static ") || strings.Contains(m.Signature, "private ") || depth > maxNested {
			continue
		}
		name := strings.TrimPrefix(section+":"+m.Name, root+":")
		if inner := r.nested(c, m.Returns); inner != nil {
			r.members(inner, name, depth+1)
			continue
		}
		s := Setting{Name: name, Key: true, Class: c.path, Type: m.Returns, Help: firstSentence(m.Doc), At: []Place{{c.file.Path, line(m), m.Name}}, Bound: r.elsewhere(c)}
		s.Required = strings.Contains(m.Signature, "required ") || slices.ContainsFunc(m.Decorators, func(d string) bool { return strings.HasPrefix(d, "[Required") })
		if s.Default = strings.Trim(m.Value, `"`); slices.Contains([]string{"null!", "default!", "null", "string.Empty", "String.Empty", ""}, s.Default) || len(s.Default) > maxWritten {
			s.Default = ""
		}
		r.out.add(&s)
	}
}
