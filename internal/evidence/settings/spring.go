package settings

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
	"github.com/reverse-spec/reverse-spec/internal/x/lazyregexp"
)

// spring reads the settings of Spring: the fields and components of classes with @ConfigurationProperties, and what @Value
// injects.
type spring struct {
	Source
	out     Declared
	classes map[string]*springClass // by name
	binding Place                   // where the class that is read gets its section
}

type springClass struct {
	file   *code.File
	path   string
	symbol *code.Symbol
}

func readSpring(s Source) Declared {
	r := &spring{Source: s, classes: map[string]*springClass{}}
	all := slices.Concat(s.Files, s.Shared)
	for _, f := range all {
		if slices.Contains(jvm, f.Language) {
			r.index(f, "", f.Symbols)
		}
	}
	for _, f := range all {
		b := s.Bodies(f)
		if b == nil || !slices.Contains(jvm, f.Language) {
			continue
		}
		for i := range b.Calls {
			r.mark(f, &b.Calls[i])
		}
	}
	return r.out
}

// index makes the classes in a list known.
func (r *spring) index(f *code.File, owner string, list []code.Symbol) {
	for i := range list {
		if s := &list[i]; s.Kind.HoldsMembers() {
			path := strings.TrimPrefix(owner+"."+s.Name, ".")
			r.classes[path] = &springClass{f, path, s}
			if r.classes[s.Name] == nil {
				r.classes[s.Name] = r.classes[path]
			}
			r.index(f, path, s.Members)
		}
	}
}

// mark reads an annotation.
func (r *spring) mark(f *code.File, c *code.CallUse) {
	if !c.Mark {
		return
	}
	switch c.Value.Text {
	case "Value":
		if r.own(f.Path) {
			r.injected(f, c)
		}
	case "ConfigurationProperties":
		v := c.Value.Arg(0)
		if v == nil {
			v = c.Value.Named("prefix", "value")
		}
		class := r.classes[c.In]
		prefix, ok := literal(v)
		if class == nil { // of a method that makes the object
			class = r.classes[r.result(f, c.In)]
		}
		if ok && class != nil {
			r.binding = Place{f.Path, c.Line, ""}
			r.fields(class, prefix, 0)
		}
	}
}

// result returns the type of what a method returns.
func (r *spring) result(f *code.File, method string) string { return declaredResult(f.Symbols, method) }

// placeholder is a setting in a text: ${name:default}.
var placeholder = lazyregexp.New(`\$\{([\w.\-\[\]]+)(?::([^{}]*))?\}`)

// injected reads @Value("${name:default}").
func (r *spring) injected(f *code.File, c *code.CallUse) {
	v := c.Value.Arg(0)
	if v == nil {
		v = c.Value.Named("value")
	}
	text, _ := literal(v)
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		s := Setting{Name: m[1], Key: true, Class: owner(c.In), Default: m[2], Required: !strings.Contains(m[0], ":"), At: []Place{{f.Path, c.Line, m[1]}}}
		s.Type = r.typeOf(f, c.In, c.To)
		r.out.add(&s)
	}
}

func owner(in string) string {
	before, _ := split(in)
	return or(before, in)
}

// typeOf returns the type of a field or of a parameter.
func (r *spring) typeOf(f *code.File, in, to string) string {
	class := r.classes[owner(in)]
	if class == nil || class.file != f {
		return ""
	}
	for i := range class.symbol.Members {
		m := &class.symbol.Members[i]
		if m.Kind == code.Property && m.Name == to {
			return m.Returns
		}
		for _, p := range m.Params {
			if class.path+"."+m.Name == in && p.Name == to {
				return p.Type
			}
		}
	}
	return ""
}

// maxNested limits the classes of settings in each other.
const maxNested = 4

// fields reads the members of a class of settings.
func (r *spring) fields(c *springClass, prefix string, depth int) {
	if depth > maxNested {
		return
	}
	for i := range c.symbol.Members {
		m := &c.symbol.Members[i]
		if m.Kind != code.Property || m.Static || strings.Contains(m.Signature, "static ") {
			continue
		}
		name := strings.TrimPrefix(prefix+"."+kebab(m.Name), ".")
		if inner := r.nested(c, m.Returns); inner != nil {
			r.fields(inner, name, depth+1)
			continue
		}
		s := Setting{Name: name, Key: true, Class: c.path, Type: m.Returns, Help: firstSentence(m.Doc), At: []Place{{c.file.Path, line(m), m.Name}}, Bound: r.elsewhere(c)}
		r.complete(c, m, &s)
		r.out.add(&s)
	}
}

// elsewhere returns the place at which a class that is read gets its section, if that is in another file.
func (r *spring) elsewhere(c *springClass) []Place {
	if r.binding.File == c.file.Path {
		return nil
	}
	return []Place{r.binding}
}

// nested returns the class of the project that a member is an object of; nil for none.
func (r *spring) nested(c *springClass, kind string) *springClass {
	kind = strings.TrimSuffix(kind, "?")
	for _, name := range []string{c.path + "." + kind, owner(c.path) + "." + kind, kind} {
		if out := r.classes[name]; out != nil && out != c && out.symbol.Kind != code.Enum && slices.ContainsFunc(out.symbol.Members, func(m code.Symbol) bool { return m.Kind == code.Property }) {
			return out
		}
	}
	return nil
}

// complete reads the default of a member and whether it must be set.
func (r *spring) complete(c *springClass, m *code.Symbol, s *Setting) {
	b := r.Bodies(c.file)
	for i := range b.Bindings {
		if v := &b.Bindings[i]; v.Name == m.Name && (v.In == c.path+"."+m.Name || v.In == c.path) {
			s.Default = Written(&v.Value)
		}
	}
	if s.Default == "" && len(m.Value) <= maxWritten {
		s.Default = strings.Trim(m.Value, `"`)
	}
	for _, d := range m.Decorators {
		head, args, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(d, "@"), "field:"), "(")
		switch head {
		case "DefaultValue":
			s.Default = strings.Trim(strings.TrimSuffix(args, ")"), `"{}`)
		case "NotNull", "NotBlank", "NotEmpty":
			s.Required = s.Default == ""
		}
	}
	if slices.Contains(absent, s.Default) {
		s.Default = ""
	}
}

// kebab writes a name as keys of Spring are written: mailHost as mail-host.
func kebab(name string) string {
	var out strings.Builder
	for i, c := range name {
		if c >= 'A' && c <= 'Z' {
			if i > 0 && (name[i-1] < 'A' || name[i-1] > 'Z') {
				out.WriteByte('-')
			}
			c |= 0x20
		}
		out.WriteRune(c)
	}
	return out.String()
}

// line returns the line of a symbol's name.
func line(s *code.Symbol) int {
	if s.NameLine > 0 {
		return s.NameLine
	}
	return s.StartLine
}

// firstSentence returns the first sentence of documentation, on one line.
func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(strings.Join(strings.Fields(doc), " "), ". ")
	return strings.TrimSuffix(doc, ".")
}
