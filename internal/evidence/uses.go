package evidence

import (
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// use is a use of a string in a file.
type use struct {
	*code.TextUse
	file *code.File
}

// fact is what a use declares, and its position or that of the part with the name.
type fact struct {
	name     string
	option   *Option
	of, role string // as in [Claim]
	on       string
	line     int
}

// tell returns the fact for a name given by an argument.
func tell(name string, a code.Argument, option *Option) fact {
	return fact{name: name, option: option, on: a.Text, line: a.Line}
}

// facts calls found for each added fact.
func facts(found func(Claim), all func(add func(t fact, in, file string))) {
	all(func(t fact, in, file string) {
		found(Claim{Subject: in, Name: t.name, Option: t.option, Of: t.of, Role: t.role, At: []Place{{file, t.line, t.on}}})
	})
}

// uses calls see for every use of a string in the module's files.
func (m *Module) uses(see func(u use)) {
	m.bodies(func(f *code.File, b *code.Bodies) {
		for i := range b.Texts {
			if m.stopped() {
				return
			}
			see(use{&b.Texts[i], f})
		}
	})
}

// of returns the called function's last name and its qualifier, with "." for all separators.
func (u use) of() (before, name string) { return cutLast(dotted(u.Of)) }

func dotted(text string) string {
	if !strings.ContainsAny(text, ":>?") {
		return text
	}
	return separators.Replace(text)
}

var separators = strings.NewReplacer("::", ".", "->", ".", "?.", ".")

// around returns the use whose arguments contain this one.
func (u use) around() (use, bool) {
	if u.Within == 0 {
		return use{}, false
	}
	return use{&u.file.Bodies.Texts[u.Within-1], u.file}, true
}

// made returns the use whose result a variable was set to, in the same function or at top
// level; the closest one above.
func (u use) made(variable string) (use, bool) {
	var out use
	for i := range u.file.Bodies.Texts {
		t := &u.file.Bodies.Texts[i]
		if t.To == variable && (t.In == u.In || t.In == "" || t.In == variable) && t.Line <= u.Line && t != u.TextUse {
			out = use{t, u.file}
		}
	}
	return out, out.TextUse != nil
}

// at returns the positional argument with an index from 0.
func (u use) at(place int) (code.Argument, bool) {
	for _, a := range u.Args {
		if a.Name != "" {
			continue
		}
		if place--; place < 0 {
			return a, true
		}
	}
	return code.Argument{}, false
}

// imports reports whether the file imports a module with this prefix.
func (u use) imports(prefix string) bool {
	return slices.ContainsFunc(u.file.Imports, func(i code.Import) bool { return strings.HasPrefix(i.Module, prefix) })
}

// quotedIn returns the quoted strings in a list as written.
func quotedIn(text string) []string {
	var out []string
	for {
		i := strings.IndexAny(text, "\"'`")
		if i < 0 {
			return out
		}
		end := strings.IndexByte(text[i+1:], text[i])
		if end < 0 {
			return out
		}
		out = append(out, text[i+1:i+1+end])
		text = text[i+end+2:]
	}
}

// optionOf returns an option; nil if nothing is known of it.
func optionOf(kind, value, help string) *Option {
	if kind == "" && value == "" && help == "" {
		return nil
	}
	return &Option{Type: kind, Default: value, Help: help}
}

// isWord reports whether a text can be a name.
func isWord(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t/\\$%{}()<>\"'`:,;")
}
