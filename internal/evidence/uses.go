package evidence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// use is a use of a string in a file.
type use struct {
	*code.TextUse
	file *code.File
}

// fact is what a use declares: a name, details, and its position or that of the part with the
// name.
type fact struct {
	name, detail string
	on           string
	line         int
}

// tell returns the fact for a name given by an argument.
func tell(name string, a code.Argument, detail string) fact {
	return fact{name: name, detail: detail, on: a.Text, line: a.Line}
}

// once calls found for each added name, once per name, in order.
func (m *Module) once(found func(Finding), all func(add func(t fact, in, file string))) {
	at := map[string]int{}
	var list []Finding
	all(func(t fact, in, file string) {
		if _, known := at[t.name]; !known {
			at[t.name] = len(list)
			list = append(list, Finding{Symbol: in, Words: []string{quote(t.name)}})
		}
		g := &list[at[t.name]]
		g.Detail = cmp.Or(g.Detail, t.detail)
		if place := (Place{file, t.line, t.on}); !slices.Contains(g.At, place) {
			g.At = append(g.At, place)
		}
	})
	for _, f := range list {
		found(f)
	}
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

// detail formats the details of an option: type, default, help text.
func detail(kind, value, help string) string {
	var list []string
	if kind != "" {
		list = append(list, kind)
	}
	if value != "" {
		list = append(list, "default "+quote(value))
	}
	text := strings.Join(list, ", ")
	if help == "" {
		return text
	}
	return strings.TrimPrefix(text+": "+plain(help), ": ")
}

// isWord reports whether a text can be a name.
func isWord(text string) bool {
	return text != "" && !strings.ContainsAny(text, " \t/\\$%{}()<>\"'`:,;")
}
