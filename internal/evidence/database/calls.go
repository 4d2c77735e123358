package database

import (
	"strings"
	"unicode"

	"github.com/reverse-spec/reverse-spec/internal/code"
)

// last returns the last part of a name as written.
func last(text string) string { return text[strings.LastIndexAny(text, ".>:\\")+1:] }

// args returns the positional arguments of a call, without the call on whose result it is made.
func args(c *code.CallUse) []code.Value {
	var out []code.Value
	for i := range c.Value.Args {
		a := &c.Value.Args[i]
		if a.Name == "" && (i > 0 || c.After == 0 || a.Kind != code.ValueCall) {
			out = append(out, *a)
		}
	}
	return out
}

// text returns the positional argument at an index if it is a string; else "".
func text(list []code.Value, at int) string {
	if at < len(list) && list[at].Kind == code.ValueString {
		return list[at].Text
	}
	return ""
}

// texts returns the strings that a value is or holds.
func texts(v *code.Value) []string {
	var out []string
	if v == nil {
		return nil
	}
	v.All(func(part *code.Value) bool {
		if part.Kind == code.ValueString {
			out = append(out, part.Text)
		}
		return true
	})
	return out
}

// holds reports whether a named argument is true.
func holds(v *code.Value) bool { return v != nil && strings.EqualFold(v.Text, "true") }

// around reports whether a call is among the arguments or in the block of another one.
func around(f *code.File, c *code.CallUse) *code.CallUse {
	if c.Within == 0 {
		return nil
	}
	return &f.Bodies.Calls[c.Within-1]
}

// root returns the first call of the chain that a call is in.
func root(f *code.File, c *code.CallUse) *code.CallUse {
	for c.After > 0 {
		c = &f.Bodies.Calls[c.After-1]
	}
	return c
}

// classes calls see for every class of a file with its qualified name.
func classes(f *code.File, see func(name string, s *code.Symbol)) { members("", f.Symbols, see) }

func members(owner string, list []code.Symbol, see func(name string, s *code.Symbol)) {
	for i := range list {
		s := &list[i]
		name := strings.TrimPrefix(owner+"."+s.Name, ".")
		if s.Kind.HoldsMembers() {
			see(name, s)
			members(name, s.Members, see)
		}
	}
}

// bindings calls see for the values that the members of a class get.
func bindings(f *code.File, class string, see func(name string, b *code.Binding)) {
	for i := range f.Bodies.Bindings {
		b := &f.Bodies.Bindings[i]
		if b.In == class+"."+b.Name || b.In == class {
			see(b.Name, b)
		}
	}
}

// symbolPlace returns the line of a symbol's name.
func symbolPlace(f *code.File, s *code.Symbol) Place {
	if s.NameLine > 0 {
		return Place{f.Path, s.NameLine}
	}
	return Place{f.Path, s.StartLine}
}

// Snake writes a name of words in lower case with underscores between them.
func Snake(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			before := rune(name[i-1])
			nextLower := i+1 < len(name) && unicode.IsLower(rune(name[i+1]))
			if unicode.IsLower(before) || unicode.IsDigit(before) || unicode.IsUpper(before) && nextLower {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// plural returns the plural of an English noun by its usual rules, as Rails and Laravel name tables; irregular ones that tables are
// often named after are in the table.
func plural(name string) string {
	for one, many := range irregular {
		if strings.HasSuffix(name, one) && (len(name) == len(one) || name[len(name)-len(one)-1] == '_') {
			return strings.TrimSuffix(name, one) + many
		}
	}
	before := byte('e')
	if len(name) > 1 {
		before = name[len(name)-2]
	}
	switch {
	case strings.HasSuffix(name, "y") && !strings.ContainsRune("aeiou", rune(before)):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(name, "s"), strings.HasSuffix(name, "x"), strings.HasSuffix(name, "ch"), strings.HasSuffix(name, "sh"), strings.HasSuffix(name, "z"):
		return name + "es"
	}
	return name + "s"
}

var irregular = map[string]string{"person": "people", "child": "children", "man": "men", "woman": "women", "news": "news", "series": "series", "media": "media", "datum": "data", "equipment": "equipment", "information": "information"}
